import type { RunState } from '../../domain/run/run-state.ts';
import type { Since } from '../../domain/run/since.ts';
import { isoUtc } from '../../domain/time.ts';

type SinceRows = ReadonlyMap<number, Since>;

/** What became since of a payout: `paid since in R20261125-7K3M9QZ2 on 2026-11-25`. A rehearsal never says that anybody was paid. */
export function sinceText({ runId, standing, at }: Since, { header }: RunState): string {
  switch (standing) {
    case 'paid': {
      const day = at === null ? '' : ` on ${isoUtc(at).slice(0, 10)}`;
      return `${paidWord(header?.rehearsal)} since in ${runId}${day}`;
    }
    case 'under_way':
      return `under way in ${runId}: look there before you pay it in another way`;
    case 'planned':
      return `waits in the plan ${runId}`;
  }
}

/** The same of several together: `both paid since`, `2 paid since, 1 under way in another run`; empty where nothing became of any. */
export function sinceWords(rows: SinceRows, total: number, { header }: RunState): string {
  const counts = countSince(rows);
  const parts = [
    [counts.paid, `${paidWord(header?.rehearsal)} since`],
    [counts.under_way, 'under way in another run'],
    [counts.planned, counts.planned === 1 ? 'waits in a plan' : 'wait in a plan'],
  ] as const;
  const told = parts.filter(([count]) => count > 0);
  return told.map(([count, words]) => `${quantity(count, total)}${words}`).join(', ');
}

/** How many stand how. */
export function countSince(rows: SinceRows): Record<Since['standing'], number> {
  const counts = { paid: 0, under_way: 0, planned: 0 };
  for (const { standing } of rows.values()) counts[standing]++;
  return counts;
}

function quantity(count: number, total: number): string {
  if (count < total) return `${count.toLocaleString('en')} `;
  return total === 1 ? '' : total === 2 ? 'both ' : 'all ';
}

function paidWord(isRehearsal: boolean | undefined): string {
  return isRehearsal ? 'completed' : 'paid';
}
