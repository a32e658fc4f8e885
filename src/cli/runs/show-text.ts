import { plannedSums } from '../../app/plan/plan-result.ts';
import type { KnownPlan } from '../../app/show/known-plan.ts';
import { parkedPayees } from '../../app/show/parked-payees.ts';
import type { ShownPayout } from '../../app/show/show-result.ts';
import { type ShownRun, shownPayouts } from '../../app/show/shown-run.ts';
import { whyText } from '../../app/worker/waiting-run.ts';
import { assert } from '../../domain/refusal.ts';
import type { PayoutState } from '../../domain/run/payout.ts';
import { isPlannedOnly, type RunState, scheduledStart } from '../../domain/run/run-state.ts';
import type { SinceOfRun } from '../../domain/run/since.ts';
import { isoUtc } from '../../domain/time.ts';
import { zoneText } from '../../domain/zone.ts';
import type { CommandLine } from '../../messages/command-line.ts';
import { messages } from '../../messages/messages.ts';
import { asSentence, counted, countsText, printable, wrapped } from '../../messages/text.ts';
import { doubtsOf } from '../../report/model/doubts.ts';
import { countsOf } from '../../report/model/outcome.ts';
import { remittancesOf } from '../../report/model/remittances.ts';
import { reportRows } from '../../report/model/rows.ts';
import { totalsOf } from '../../report/model/totals.ts';
import { planLines } from '../plans/approvable-text.ts';
import { pastText, summaryText } from '../plans/compare-text.ts';
import { conversionsTable } from '../plans/conversion-text.ts';
import { approvalsText } from '../plans/standing-text.ts';
import { right, textTable } from '../tables.ts';
import { stopLines } from './stop-text.ts';

const COLUMNS = [
  right('ROW'),
  { title: 'PAYEE', widthMax: 32 },
  right('AMOUNT'),
  'CURRENCY',
  { title: 'ACCOUNT', widthMax: 32 },
  'STATE',
  'TRANSACTION',
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
  yield headText(shown, command);
  if (plan !== null) yield planText(plan, colour);
  yield approvalsText(shown);
  const rows = payouts.map(({ row, name, amount, currency, account, state, transaction_id }) => {
    const isLeft = run.cancelled && state === 'waiting';
    const stateText = run.returned.has(row) ? 'returned' : isLeft ? 'not looked up' : STATE_WORDS[state];
    return [String(row), name, amount, currency, account, stateText, transaction_id].map((cell) => cell ?? '');
  });
  yield textTable(COLUMNS, rows);
  yield problemsText(run, payouts, since, command);
  yield remittanceText(run);
  if (phase !== 'running') yield stopText(run, command);
  for (const doubt of doubtsOf(run)) {
    // What a living process has under way is its own to settle.
    if (doubt.about === 'open' && phase === 'running') continue;
    yield `\n${messages.doubts.doubtLines(doubt, command).map(printable).join('\n')}\n`;
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
  const stopMessage = messages.stops.stoppedText(run, 'command_line');
  // Parked payees are explained one by one instead.
  const isExplained = stopMessage === null || parkedPayees(run, command).length > 0;
  if (!isExplained) lines.unshift(...wrapped(`Stopped: ${asSentence(stopMessage)}`, 0));
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

function headText({ run, standing, retried, queued }: ShownRun, command: CommandLine): string {
  const { header } = run;
  assert(header !== null, 'a run without its header');
  const lines = header.rehearsal ? [messages.outcomes.rehearsalBand()] : [];
  // Why a person paused it is for that person to know.
  const isPlain = run.stopped === null || (standing === 'paused' && run.stopped === 'interrupted');
  const why = isPlain ? '' : ` (${run.stopped?.replaceAll('_', ' ')})`;
  const payouts = `${counted(run.rows.length, 'payout')} from ${printable(header.input.name)}`;
  lines.push(`Run ${header.run_id}: ${standing.replace('_', ' ')}${why}; ${payouts}`);
  const finished = run.finishedAt === null ? '' : `, finished ${isoUtc(run.finishedAt)}`;
  lines.push(`created ${isoUtc(run.createdAt)}${finished}`);
  if (run.startedOnPage !== null) lines.push(`started by ${printable(messages.actors.starterText(run) ?? '')}`);
  const scheduled = scheduledStart(run);
  if (scheduled !== null) {
    const { start, actor } = scheduled;
    const by = printable(messages.actors.actorText(actor));
    const isWaiting = isPlannedOnly(run) && !run.cancelled;
    const starts = isWaiting ? '; if it is approved by then, a running page (payrun web) starts it' : '';
    lines.push(`scheduled for ${zoneText(start.at, start.time_zone)} by ${by}${starts}`);
  }
  if (header.retries !== null) lines.push(`retry of ${header.retries}`);
  if (run.replacedBy !== null) lines.push(`replaced by ${run.replacedBy} before it was started`);
  if (retried.length > 0) lines.push(`retried as ${retried.join(', ')}`);
  if (queued !== null) lines.push(...workerLines(queued, command));
  return `${lines.join('\n')}\n\n`;
}

/** How it stands at the workers to which it is left. */
function workerLines(queued: NonNullable<ShownRun['queued']>, command: CommandLine): string[] {
  const { isHeld, why, tries, dueAt, queuedAt } = queued;
  if (isHeld) return ['a worker works on it'];
  const again = dueAt === null ? 'no worker will try it again' : `the next try is at ${isoUtc(dueAt)}`;
  const left = why === null ? [] : [`left by a worker, try ${tries}: ${printable(whyText(why, command))}`, again];
  return [...(dueAt === null ? [] : [`waiting for a worker since ${isoUtc(queuedAt)}`]), ...left];
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
  const reasons = new Map(Array.from(reportRows(run, command), ({ row, message }) => [row, message ?? '']));
  const lines: string[] = [];
  for (const problem of PROBLEM_ORDER)
    for (const { row, state, name } of payouts) {
      if (state !== problem) continue;
      const payee = name === null ? '' : ` (${printable(name)})`;
      const since = rows.get(row);
      const became =
        since === undefined ? '' : `, ${messages.outcomes.sinceText(since, run.header?.rehearsal ?? false)}`;
      lines.push(`row ${row}${payee}, ${STATE_WORDS[state]}${became}: ${printable(reasons.get(row) ?? '')}`);
    }
  return lines.length === 0 ? '' : `\n${lines.join('\n')}\n`;
}

/** Rows of the advice to payees that are named one by one; `show --json` has all. */
const NAMED_MAX = 20;

/** How the advice to payees stands; nothing where the job sends none, or no payee was notified yet. */
function remittanceText(run: RunState): string {
  const found = remittancesOf(run);
  if (found === null) return '';
  const { sent, refused, not_confirmed, waiting, without_address } = found;
  const parts = [`${counted(sent, 'payee')} notified`];
  if (waiting > 0) parts.push(`${waiting} not yet${run.header?.rehearsal ? ' (a rehearsal notifies none)' : ''}`);
  if (without_address > 0) parts.push(`${without_address} without a usable address`);
  const lines = [`remittance advice: ${parts.join(', ')}`];
  if (not_confirmed.length > 0) {
    const rows = not_confirmed.slice(0, NAMED_MAX).join(', ');
    const more = not_confirmed.length > NAMED_MAX ? ` and ${not_confirmed.length - NAMED_MAX} more` : '';
    const which = not_confirmed.length === 1 ? 'row' : 'rows';
    lines.push(`  begun and not confirmed, and not sent again: ${which} ${rows}${more}`);
  }
  for (const { row, reason } of refused.slice(0, NAMED_MAX))
    lines.push(`  row ${row}: the mail server refused it: ${printable(reason)}`);
  if (refused.length > NAMED_MAX) lines.push(`  … and ${refused.length - NAMED_MAX} more were refused`);
  return `\n${lines.join('\n')}\n`;
}

function endText({ run, phase, next: nextOfPlan }: ShownRun, command: CommandLine): string {
  const totals = totalsOf(run).map(({ currency, planned, sent }) => `${sent} of ${planned} ${currency} sent`);
  const isOpen = [...run.payouts.values()].some(({ state }) => OPEN.has(state));
  const resume = command('resume', run.header?.run_id ?? '');
  const next = phase === 'planned' ? messages.approvals.nextCommand(nextOfPlan, command) : resume;
  // A living process goes on with the run on its own. One that was killed after its last payout has its end still to write,
  // and its report.
  const isToGoOn = phase === 'stopped' || (isOpen && phase !== 'running');
  const count = run.returned.size;
  const back = count === 0 ? [] : [messages.summary.leadText({ fact: 'returned', count })];
  return `\n${[countsText(countsOf(run)), ...back, ...totals, ...(isToGoOn ? [`go on with   ${next}`] : [])].join('\n')}\n`;
}

const OPEN: ReadonlySet<PayoutState['state']> = new Set([
  'waiting',
  'sending',
  'in_doubt',
  'accepted',
  'unresolved',
  'suspected',
]);
