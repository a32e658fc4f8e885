import type { PayoutState } from '../domain/run/payout.ts';
import type { RunState } from '../domain/run/run-state.ts';
import { isPlannedOnly } from '../domain/run/run-state.ts';
import type { Since, SinceOfRun } from '../domain/run/since.ts';
import { type Journal, JournalDamaged } from '../journal/journal.ts';
import { foldPages } from '../journal/pages.ts';
import { type Family, familyOf, retryHash, standingOf } from './retries.ts';

/** What became since of the payouts that a run did not pay, by the journal. A relative that is damaged is left out. */
export async function readSince(journal: Journal, run: RunState): Promise<SinceOfRun> {
  // Before the runs are read: it claims nothing that was not read.
  const asOf = await journal.newestEntryAt();
  const family = await familyOf(journal, run.header?.run_id ?? '');
  const others: RunState[] = [];
  for (const runId of relativeIds(run, family)) {
    try {
      others.push(await foldPages(journal.readRun(runId)));
    } catch (error) {
      if (!(error instanceof JournalDamaged)) throw error;
    }
  }
  return { rows: sinceOf(run, family, others), asOf };
}

/** The other runs of its family, oldest first. */
export function relativeIds(run: RunState, { first, retries }: Family): string[] {
  return [first, ...retries].map(({ run_id }) => run_id).filter((runId) => runId !== run.header?.run_id);
}

/** The same, of relatives that are folded already. What is paid counts before what is under way, and that before a plan. */
export function sinceOf(run: RunState, family: Family, others: readonly RunState[]): Map<number, Since> {
  const since = new Map<number, Since>();
  // What was cancelled before it began stands in the run that it would have retried.
  if (isPlannedOnly(run)) return since;
  const hash = retryHash(family);
  const living = others.filter((other) => !isPlannedOnly(other) || (!other.cancelled && isCurrent(other, hash)));
  for (const [row, payout] of run.payouts) {
    if (!NOT_PAID.has(payout.state)) continue;
    const all = living.flatMap((other) => sinceIn(other, row) ?? []);
    const [best] = all.sort((one, other) => ORDER.indexOf(one.standing) - ORDER.indexOf(other.standing));
    if (best !== undefined) since.set(row, best);
  }
  return since;
}

const NOT_PAID: ReadonlySet<PayoutState['state']> = new Set(['failed', 'rejected', 'not_submitted']);

const ORDER: readonly Since['standing'][] = ['paid', 'under_way', 'planned'];

/** Of several plans one can be started, and none that was made before another one of the family was. */
function isCurrent({ header }: RunState, hash: string): boolean {
  return header?.retries !== null && header?.input.sha256 === hash;
}

/** Null where the other run does not have the row, or is over and did not pay it. */
function sinceIn(other: RunState, row: number): Since | null {
  const payout = other.payouts.get(row);
  const runId = other.header?.run_id ?? '';
  if (payout === undefined) return null;
  if (isPlannedOnly(other)) return payout.state === 'waiting' ? { runId, standing: 'planned', at: null } : null;
  const standing = standingOf(other, row, payout);
  if (standing === 'paid' && payout.state === 'completed') return { runId, standing, at: payout.finishedAt };
  const isOver = (standing === 'unpaid' || standing === 'not_submitted') && other.finished !== null;
  return isOver ? null : { runId, standing: 'under_way', at: null };
}
