import type { Counts } from '../domain/entry.ts';
import { groupThousands } from '../domain/money.ts';
import type { RunState } from '../domain/run.ts';
import type { RunEnd } from '../runner/run.ts';

/** Failures that the summary names one by one; the report has all. */
const NAMED_MAX = 20;

/** What people read at the end of a run: the outcome in words first, then what needs them, then where the report is. */
export function summaryText(options: {
  run: RunState;
  end: RunEnd;
  counts: Counts;
  totals: { currency: string; planned: string; sent: string }[];
  report: string[];
}): string {
  const { run, end, counts, totals, report } = options;
  const lines: string[] = [];
  if (run.header?.rehearsal) lines.push('REHEARSAL: no money moves');
  lines.push(headline(run, end, counts), '');
  const amounts = totals.map(({ currency, planned, sent }) => ({
    currency,
    planned: groupThousands(planned),
    sent: groupThousands(sent),
  }));
  const width = Math.max(...amounts.map(({ planned }) => planned.length), 7);
  const label = Math.max(...totals.map(({ currency }) => currency.length), 8);
  lines.push(`  ${'currency'.padEnd(label)}  ${'planned'.padStart(width)}  ${'sent'.padStart(width)}`);
  for (const { currency, planned, sent } of amounts) {
    lines.push(`  ${currency.padEnd(label)}  ${planned.padStart(width)}  ${sent.padStart(width)}`);
  }
  lines.push('', ...notPaid(run));
  for (const path of report) lines.push(`report  ${path}`);
  lines.push(...nextStep(run, end, counts));
  return `${lines.join('\n')}\n`;
}

function headline(run: RunState, end: RunEnd, counts: Counts): string {
  const id = run.header?.run_id ?? '';
  const parts = (Object.keys(counts) as (keyof Counts)[])
    .filter((name) => counts[name] > 0)
    .map((name) => `${counts[name]} ${name.replace('_', ' ')}`);
  switch (end.end) {
    case 'finished':
      return `Run ${id} finished: ${parts.join(', ')}.`;
    case 'interrupted':
      return `Run ${id} was interrupted and can be resumed.`;
    case 'halted':
      return `Run ${id} stopped: ${end.message}.`;
  }
}

/** Doubts first, then failures, each with its row, payee and reason. */
function notPaid(run: RunState): string[] {
  const doubts: string[] = [];
  const others: string[] = [];
  for (const { row, order } of run.rows) {
    const payout = run.payouts.get(row);
    const name = order?.payee.name ?? '';
    if (payout?.state === 'unresolved') doubts.push(`  row ${row}  ${name}  unresolved: ${payout.reason}`);
    if (payout?.state === 'failed') {
      others.push(`  row ${row}  ${name}  failed: ${payout.final.code}: ${payout.final.message}`);
    }
    if (payout?.state === 'rejected') others.push(`  row ${row}  ${name}  rejected: ${payout.code}: ${payout.message}`);
    if (payout?.state === 'not_submitted') others.push(`  row ${row}  ${name}  not submitted: ${payout.message}`);
  }
  const all = [...doubts, ...others];
  if (all.length === 0) return [];
  const rest = all.length > NAMED_MAX ? [`  … and ${all.length - NAMED_MAX} more in the report`] : [];
  return ['Not paid:', ...all.slice(0, NAMED_MAX), ...rest, ''];
}

function nextStep(run: RunState, end: RunEnd, counts: Counts): string[] {
  const id = run.header?.run_id ?? '';
  if (end.end !== 'finished') return [`go on   payrun resume ${id}`];
  if (counts.unresolved > 0) return [`look    payrun show ${id}, then payrun resume ${id} to look again`];
  return [];
}
