import type { Withdrawals } from '../../../approval/check.ts';
import { assert } from '../../../domain/refusal.ts';
import type { PayoutState } from '../../../domain/run/payout.ts';
import type { RunPhase, RunStanding, RunState } from '../../../domain/run/run-state.ts';
import type { SinceOfRun } from '../../../domain/run/since.ts';
import { isoUtc } from '../../../domain/time.ts';
import { stoppedText } from '../../../messages/stop-words.ts';
import { asSentence, counted, printable } from '../../../messages/text.ts';
import type { CommandLine } from '../../../report/command-line.ts';
import { doubtLines, wrapped } from '../../../report/doubts/doubt-text.ts';
import { doubtsOf } from '../../../report/doubts/doubts.ts';
import { starterText } from '../../../report/model/actor-text.ts';
import { countsOf, REHEARSAL_BAND } from '../../../report/model/outcome.ts';
import { sinceText } from '../../../report/model/since-words.ts';
import { totalsOf } from '../../../report/model/totals.ts';
import { approvalsText, nextOfPlan } from '../../plans/approvals.ts';
import { parkedPayees } from '../../runs/parked-payees.ts';
import { remittanceText } from '../../runs/remittance-text.ts';
import { stopLines } from '../../runs/stop-text.ts';
import { textTable } from '../../tables.ts';
import { outcomeText } from '../runs/run.ts';
import type { ShownPayout } from './json.ts';
import { shownPayouts } from './shown-payouts.ts';

type Io = { stdout(text: string): void };

/** A run, how far it is and what it is called now, the runs that retry rows of it, what became there of them, and what is said of it while it is a plan that waits. */
export type ShownRun = {
  run: RunState;
  phase: RunPhase;
  standing: RunStanding;
  retried: string[];
  withdrawals: Withdrawals;
  since: SinceOfRun;
  ofPlan: string;
};

/**
 * What `show` says to people: each payout, problems last, and the doubts among them explained. Of a plan that waits first
 * what `plan` and `approve` show of it, as far as the journal holds it.
 */
export function showText(
  { run, phase, standing, retried, withdrawals, since, ofPlan }: ShownRun,
  io: Io,
  command: CommandLine,
): void {
  const payouts = [...shownPayouts(run, command)];
  io.stdout(headText(run, standing, retried));
  io.stdout(ofPlan);
  io.stdout(approvalsText(run, phase === 'planned', withdrawals));
  io.stdout(
    textTable(
      [
        { title: 'ROW', align: 'right' },
        { title: 'PAYEE', widthMax: 32 },
        { title: 'AMOUNT', align: 'right' },
        { title: 'CURRENCY' },
        { title: 'ACCOUNT', widthMax: 32 },
        { title: 'STATE' },
        { title: 'TRANSACTION' },
      ],
      payouts.map(({ row, name, amount, currency, account, state, transaction_id }) => [
        String(row),
        name ?? '',
        amount ?? '',
        currency ?? '',
        account ?? '',
        stateWords(state, run.cancelled),
        transaction_id ?? '',
      ]),
    ),
  );
  io.stdout(problemsText(run, payouts, since));
  io.stdout(remittanceText(run));
  if (phase !== 'running') io.stdout(stopText(run, command));
  for (const doubt of doubtsOf(run)) {
    // What a living process has under way is its own to settle.
    if (doubt.about === 'open' && phase === 'running') continue;
    io.stdout(`\n${doubtLines(doubt, command).map(printable).join('\n')}\n`);
  }
  io.stdout(endText(run, phase, command));
}

/** Why the run stopped, and where that needs a person and is no doubt, what can be done. */
function stopText(run: RunState, command: CommandLine): string {
  const lines = stopLines(run, command).slice(0, -1);
  const stopMessage = stoppedText(run, 'command_line');
  // Payees that are parked are explained one by one, which says more than their list.
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

function stateWords(state: PayoutState['state'], isCancelled: boolean): string {
  return isCancelled && state === 'waiting' ? 'not looked up' : STATE_WORDS[state];
}

function headText(run: RunState, standing: RunStanding, retried: readonly string[]): string {
  const { header } = run;
  assert(header !== null, 'a run without its header');
  const lines = header.rehearsal ? [REHEARSAL_BAND] : [];
  // Why a person paused it is for that person to say.
  const isSaid = run.stopped === null || (standing === 'paused' && run.stopped === 'interrupted');
  const why = isSaid ? '' : ` (${run.stopped?.replaceAll('_', ' ')})`;
  lines.push(
    `Run ${header.run_id}: ${standing.replace('_', ' ')}${why}; ${counted(run.rows.length, 'payout')} from ${printable(header.input.name)}`,
  );
  lines.push(
    `created ${isoUtc(run.createdAt)}${run.finishedAt === null ? '' : `, finished ${isoUtc(run.finishedAt)}`}`,
  );
  if (run.startedOnPage !== null) lines.push(`started by ${printable(starterText(run) ?? '')}`);
  if (header.retries !== null) lines.push(`retry of ${header.retries}`);
  if (run.replacedBy !== null) lines.push(`replaced by ${run.replacedBy} before it was started`);
  if (retried.length > 0) lines.push(`retried as ${retried.join(', ')}`);
  return `${lines.join('\n')}\n\n`;
}

/** From the mildest on. Doubts come after them: the end of a long text is what people read. */
const PROBLEM_ORDER: readonly PayoutState['state'][] = ['not_submitted', 'rejected', 'failed'];

function problemsText(run: RunState, payouts: readonly ShownPayout[], { rows }: SinceOfRun): string {
  const lines: string[] = [];
  for (const problem of PROBLEM_ORDER)
    for (const { row, state, name, message } of payouts) {
      if (state !== problem) continue;
      const payee = name === null ? '' : ` (${printable(name)})`;
      const since = rows.get(row);
      const became = since === undefined ? '' : `, ${sinceText(since, run)}`;
      lines.push(`row ${row}${payee}, ${STATE_WORDS[state]}${became}: ${printable(withoutBand(message))}`);
    }
  return lines.length === 0 ? '' : `\n${lines.join('\n')}\n`;
}

function withoutBand(message: string | null): string {
  if (message === null || message === REHEARSAL_BAND) return '';
  return message.startsWith(REHEARSAL_BAND) ? message.slice(REHEARSAL_BAND.length + 2) : message;
}

function endText(run: RunState, phase: RunPhase, command: CommandLine): string {
  const totals = totalsOf(run).map(({ currency, planned, sent }) => `${sent} of ${planned} ${currency} sent`);
  const open = [...run.payouts.values()].some(({ state }) => OPEN.has(state));
  // A living process holds the run, and goes on with it by itself.
  // One that was killed after its last payout has its end still to write, and its report.
  const isToGoOn = phase === 'stopped' || (open && phase !== 'running');
  const next = isToGoOn ? [`go on with   ${nextCommand(run, phase, command)}`] : [];
  return `\n${[outcomeText(countsOf(run)), ...totals, ...next].join('\n')}\n`;
}

function nextCommand(run: RunState, phase: RunPhase, command: CommandLine): string {
  return phase === 'planned' ? nextOfPlan(run, command) : command('resume', run.header?.run_id ?? '');
}

const OPEN: ReadonlySet<PayoutState['state']> = new Set([
  'waiting',
  'sending',
  'in_doubt',
  'accepted',
  'unresolved',
  'suspected',
]);
