import type { ExecutedRun } from '../../app/run/run-deps.ts';
import type { Counts } from '../../domain/entry.ts';
import { groupThousands } from '../../domain/money.ts';
import type { Doubt, DoubtAbout } from '../../domain/outcomes/doubt.ts';
import type { PayoutState } from '../../domain/run/payout.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import type { CommandLine } from '../../messages/command-line.ts';
import { messages } from '../../messages/messages.ts';
import { asSentence, counted, countsText, printable, wrapped } from '../../messages/text.ts';
import { doubtsOf } from '../../report/model/doubts.ts';
import { rowMasker } from '../../report/model/identifiers.ts';
import { countForPerson, hasRetryable, outcomeOf, rowsWithCopies } from '../../report/model/outcome.ts';
import { brokenPromise } from '../../report/model/summary.ts';
import { conversionsOf } from '../../report/model/totals.ts';
import { stopLines } from './stop-text.ts';

type RunEnd = ExecutedRun['end'];

/** Doubts of one kind, and failures, that the summary names one by one; the report has all. */
const NAMED_MAX = 20;

type Total = { currency: string; planned: string; sent: string };

/** What people read at the end of a run: the outcome in words first, then what needs them, then where the report is. */
export function summaryText(options: {
  run: RunState;
  end: RunEnd;
  counts: Counts;
  totals: readonly Total[];
  report: string[];
  command: CommandLine;
}): string {
  const { run, end, counts, totals, report, command } = options;
  const lines: string[] = [];
  if (run.header?.rehearsal) lines.push(messages.outcomes.rehearsalBand());
  lines.push(
    headline(run, end, counts),
    '',
    ...brokenPromise(run).map(messages.summary.leadText),
    ...doubtText(run, command),
  );
  if (end.end === 'halted' && end.reason === 'person_needed') lines.push(...stopLines(run, command).map(printable));
  lines.push(...totalLines(totals), '', ...convertedText(run), ...notPaid(run));
  for (const path of report) lines.push(`report  ${path}`);
  lines.push(...nextStep(run, end, command));
  return `${lines.join('\n')}\n`;
}

function totalLines(totals: readonly Total[]): string[] {
  const rows = totals.map(({ currency, planned, sent }) => [currency, groupThousands(planned), groupThousands(sent)]);
  const all = [['currency', 'planned', 'sent'], ...rows];
  const label = Math.max(...all.map(([currency = '']) => currency.length));
  const width = Math.max(...all.map(([, planned = '']) => planned.length));
  return all.map(([currency = '', ...amounts]) =>
    ['', currency.padEnd(label), ...amounts.map((amount) => amount.padStart(width))].join('  '),
  );
}

function headline(run: RunState, end: RunEnd, counts: Counts): string {
  const id = run.header?.run_id ?? '';
  switch (end.end) {
    case 'finished':
      return `Run ${id} ${run.cancelled ? 'was cancelled' : 'finished'}: ${countsText(counts)}.`;
    case 'interrupted':
      if (run.paused) return `Run ${id} is paused: nothing more of it is submitted.`;
      return `Run ${id} was interrupted and can be resumed.`;
    case 'halted':
      return `Run ${id} stopped: ${asSentence(printable(messages.stops.stopText(end.why, 'command_line')))}`;
  }
}

/** Before everything else: the doubts by what they are about, and for the first of each kind what a person can do. */
function doubtText(run: RunState, command: CommandLine): string[] {
  const kinds = Map.groupBy(doubtsOf(run), ({ about }) => about);
  return Array.from(kinds, ([about, doubts]) => kindText(about, doubts, run, command)).flat();
}

function kindText(about: DoubtAbout, doubts: Doubt[], run: RunState, command: CommandLine): string[] {
  const [first] = doubts;
  const what = `${messages.doubts.DOUBT_KINDS[about].heading}: ${counted(doubts.length, 'payout')}.`;
  const lines = wrapped(`${what} ${messages.doubts.DOUBT_KINDS[about].why}`, 0);
  lines.push(...doubts.slice(0, NAMED_MAX).map((doubt) => `  ${printable(messages.doubts.doubtLine(doubt))}`));
  if (doubts.length > NAMED_MAX) lines.push(`  … and ${doubts.length - NAMED_MAX} more in the report`);
  const id = run.header?.run_id ?? '';
  if (first) lines.push(...messages.doubts.choiceLines(first, command).map(printable));
  if (doubts.length > 1) lines.push(`  the same for each other row; all about each: ${command('show', id)}`);
  return [...lines, ''];
}

/** What left in place of what payees receive. */
function convertedText(run: RunState): string[] {
  const lines = conversionsOf(run).map(({ from, to, received, sent, planned }) => {
    const [arrived, left, most] = [received, sent, planned].map(groupThousands);
    return `  ${arrived} ${to} were paid from ${left} ${from}; planned for all were ${most}`;
  });
  return lines.length === 0 ? [] : [...lines, ''];
}

/** Each with its row, payee and reason. */
function notPaid(run: RunState): string[] {
  if (run.header === null) return [];
  const maskRow = rowMasker(run.header.input);
  const copies = rowsWithCopies(run);
  const all: string[] = [];
  let count = 0;
  for (const row of run.rows) {
    const payout = run.payouts.get(row.row);
    const isOpen = payout?.state === 'rejected' && copies.has(row.row);
    const why = payout && !isOpen ? whyNotPaid(payout) : null;
    if (why === null || ++count > NAMED_MAX) continue;
    const text = maskRow(row).hide(`${row.order?.payee.name ?? ''}  ${why}`);
    all.push(`  row ${row.row}  ${printable(text)}`);
  }
  if (count === 0) return [];
  const rest = count > NAMED_MAX ? [`  … and ${count - NAMED_MAX} more in the report`] : [];
  return ['Not paid:', ...all, ...rest, ''];
}

function whyNotPaid(payout: PayoutState): string | null {
  if (payout.state !== 'failed' && payout.state !== 'rejected' && payout.state !== 'not_submitted') return null;
  const { status, why } = outcomeOf(payout, { isCancelled: false, mayHaveCopy: false });
  return `${messages.outcomes.STATUS_LABELS[status]}: ${why === null ? '' : messages.outcomes.outcomeText(why, '')}`;
}

function nextStep(run: RunState, end: RunEnd, command: CommandLine): string[] {
  const id = run.header?.run_id ?? '';
  if (end.end === 'halted' && end.reason !== 'person_needed') return [`go on   ${command('resume', id)}`];
  if (end.end === 'interrupted') return [`go on   ${command('resume', id)}`];
  const look = end.end === 'halted' || countForPerson(run) > 0;
  const again = end.end === 'finished' && hasRetryable(run);
  return [...(again ? [`retry   ${command('retry', id)}`] : []), ...(look ? [`look    ${command('show', id)}`] : [])];
}
