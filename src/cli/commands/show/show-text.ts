import { plannedSums } from '../../../app/plan/plan-result.ts';
import type { KnownPlan } from '../../../app/show/known-plan.ts';
import { assert } from '../../../domain/refusal.ts';
import type { PayoutState } from '../../../domain/run/payout.ts';
import type { RunState } from '../../../domain/run/run-state.ts';
import type { SinceOfRun } from '../../../domain/run/since.ts';
import { isoUtc } from '../../../domain/time.ts';
import type { CommandLine } from '../../../messages/command-line.ts';
import { starterText } from '../../../messages/report/actor-words.ts';
import { doubtLines, wrapped } from '../../../messages/report/doubt-lines.ts';
import { REHEARSAL_BAND, sinceText } from '../../../messages/report/outcome-words.ts';
import { stoppedText } from '../../../messages/stop-words.ts';
import { asSentence, counted, countsText, printable } from '../../../messages/text.ts';
import { doubtsOf } from '../../../report/model/doubts.ts';
import { countsOf } from '../../../report/model/outcome.ts';
import { reportRows } from '../../../report/model/rows.ts';
import { totalsOf } from '../../../report/model/totals.ts';
import { pastText, summaryText } from '../../paid/compare-text.ts';
import { approvalsText, nextOfPlan } from '../../plans/approvals.ts';
import { conversionsTable } from '../../plans/conversion-text.ts';
import { parkedPayees } from '../../runs/parked-payees.ts';
import { remittanceText } from '../../runs/remittance-text.ts';
import { stopLines } from '../../runs/stop-text.ts';
import { type TableColumn, textTable } from '../../tables.ts';
import { planLines } from '../approve/approvable-text.ts';
import type { ShownPayout } from './json.ts';
import { type ShownRun, shownPayouts } from './shown-run.ts';

const COLUMNS: readonly TableColumn[] = [
  { title: 'ROW', align: 'right' },
  { title: 'PAYEE', widthMax: 32 },
  { title: 'AMOUNT', align: 'right' },
  { title: 'CURRENCY' },
  { title: 'ACCOUNT', widthMax: 32 },
  { title: 'STATE' },
  { title: 'TRANSACTION' },
];

/**
 * `show` for people, part by part: each payout, problems last, and the doubts among them explained. Of a plan that waits
 * first what `plan` and `approve` show of it, as far as the journal holds it. `since`: what became of its rows in later runs.
 */
export function* showText(
  shown: ShownRun,
  since: SinceOfRun,
  { colour, command }: { colour: boolean; command: CommandLine },
): Generator<string> {
  const { run, phase, plan } = shown;
  const payouts = [...shownPayouts(run, command)];
  yield headText(shown);
  if (plan !== null) yield planText(plan, colour);
  yield approvalsText(run, phase === 'planned', shown.withdrawals);
  const rows = payouts.map(({ row, name, amount, currency, account, state, transaction_id }) => {
    const stateText = run.cancelled && state === 'waiting' ? 'not looked up' : STATE_WORDS[state];
    return [String(row), name, amount, currency, account, stateText, transaction_id].map((cell) => cell ?? '');
  });
  yield textTable(COLUMNS, rows);
  yield problemsText(run, payouts, since, command);
  yield remittanceText(run);
  if (phase !== 'running') yield stopText(run, command);
  for (const doubt of doubtsOf(run)) {
    // What a living process has under way is its own to settle.
    if (doubt.about === 'open' && phase === 'running') continue;
    yield `\n${doubtLines(doubt, command).map(printable).join('\n')}\n`;
  }
  yield endText(shown, command);
}

/** Everything that the journal holds of a plan that waits, but for its rows and approvals. */
function planText({ header, facts, past, cooling, unread }: KnownPlan, colour: boolean): string {
  const first = pastText(past, colour);
  const summary = past === null ? '' : summaryText(past, plannedSums(facts.totals));
  return [
    unread === null ? '' : `${printable(unread)}\n\n`,
    first === '' ? '' : `${first}\n`,
    `${planLines(header, facts, cooling).map(printable).join('\n')}\n`,
    conversionsTable(facts.conversions),
    summary === '' ? '' : `\n${summary}`,
    '\n',
  ].join('');
}

/** Why the run stopped, and where that needs a person and is no doubt, what can be done. */
function stopText(run: RunState, command: CommandLine): string {
  const lines = stopLines(run, command).slice(0, -1);
  const stopMessage = stoppedText(run, 'command_line');
  // Parked payees are explained one by one instead.
  const isSaid = stopMessage === null || parkedPayees(run, command).length > 0;
  if (!isSaid) lines.unshift(...wrapped(`Stopped: ${asSentence(stopMessage)}`, 0));
  return lines.length === 0 ? '' : `\n${lines.map(printable).join('\n')}\n`;
}

const STATE_WORDS: Readonly<Record<PayoutState['state'], string>> = {
  waiting: 'not sent yet',
  sending: 'sent, no answer',
  in_doubt: 'in doubt',
  accepted: 'accepted',
  completed: 'completed',
  failed: 'failed',
  rejected: 'rejected',
  unresolved: 'unresolved',
  suspected: 'unresolved',
  not_submitted: 'not submitted',
};

function headText({ run, standing, retried }: ShownRun): string {
  const { header } = run;
  assert(header !== null, 'a run without its header');
  const lines = header.rehearsal ? [REHEARSAL_BAND] : [];
  // Why a person paused it is for that person to say.
  const isSaid = run.stopped === null || (standing === 'paused' && run.stopped === 'interrupted');
  const why = isSaid ? '' : ` (${run.stopped?.replaceAll('_', ' ')})`;
  const payouts = `${counted(run.rows.length, 'payout')} from ${printable(header.input.name)}`;
  lines.push(`Run ${header.run_id}: ${standing.replace('_', ' ')}${why}; ${payouts}`);
  const finished = run.finishedAt === null ? '' : `, finished ${isoUtc(run.finishedAt)}`;
  lines.push(`created ${isoUtc(run.createdAt)}${finished}`);
  if (run.startedOnPage !== null) lines.push(`started by ${printable(starterText(run) ?? '')}`);
  if (header.retries !== null) lines.push(`retry of ${header.retries}`);
  if (run.replacedBy !== null) lines.push(`replaced by ${run.replacedBy} before it was started`);
  if (retried.length > 0) lines.push(`retried as ${retried.join(', ')}`);
  return `${lines.join('\n')}\n\n`;
}

/** From the mildest on. Doubts come after them: the end of a long text is what people read. */
const PROBLEM_ORDER: readonly PayoutState['state'][] = ['not_submitted', 'rejected', 'failed'];

function problemsText(
  run: RunState,
  payouts: readonly ShownPayout[],
  { rows }: SinceOfRun,
  command: CommandLine,
): string {
  // The band of a rehearsal is above.
  const messages = new Map(Array.from(reportRows(run, command), ({ row, message }) => [row, message ?? '']));
  const lines: string[] = [];
  for (const problem of PROBLEM_ORDER)
    for (const { row, state, name } of payouts) {
      if (state !== problem) continue;
      const payee = name === null ? '' : ` (${printable(name)})`;
      const since = rows.get(row);
      const became = since === undefined ? '' : `, ${sinceText(since, run.header?.rehearsal ?? false)}`;
      lines.push(`row ${row}${payee}, ${STATE_WORDS[state]}${became}: ${printable(messages.get(row) ?? '')}`);
    }
  return lines.length === 0 ? '' : `\n${lines.join('\n')}\n`;
}

function endText({ run, phase }: ShownRun, command: CommandLine): string {
  const totals = totalsOf(run).map(({ currency, planned, sent }) => `${sent} of ${planned} ${currency} sent`);
  const isOpen = [...run.payouts.values()].some(({ state }) => OPEN.has(state));
  const resume = command('resume', run.header?.run_id ?? '');
  const next = phase === 'planned' ? nextOfPlan(run, command) : resume;
  // A living process goes on with the run by itself. One that was killed after its last payout has its end still to write,
  // and its report.
  const isToGoOn = phase === 'stopped' || (isOpen && phase !== 'running');
  return `\n${[countsText(countsOf(run)), ...totals, ...(isToGoOn ? [`go on with   ${next}`] : [])].join('\n')}\n`;
}

const OPEN: ReadonlySet<PayoutState['state']> = new Set([
  'waiting',
  'sending',
  'in_doubt',
  'accepted',
  'unresolved',
  'suspected',
]);
