import type { RunState } from '../../../domain/run/run-state.ts';
import { tallyOf } from '../../../domain/run/tally.ts';
import type { CommandLine } from '../../../report/command-line.ts';
import { countDoubts } from '../../../report/doubts/doubts.ts';
import { countsOf, hasRetryable, REHEARSAL_BAND } from '../../../report/model/outcome.ts';
import { EXIT } from '../../exit.ts';
import { printable } from '../../tables.ts';

/** Why the service could not be asked about the payouts that wait, what to do about it, and the exit code that says so. */
export type NotLooked = { message: string; remedy: string; exit: number };

/** What cancelling came to; `notLooked` is null where the service was asked, or nothing was to be asked. */
export type Cancelled = { by: string; wasCancelled: boolean; notSubmitted: number; notLooked: NotLooked | null };

/** What needs a person is loudest, but for a person who has just ended the look. */
export function exitOfCancelled(run: RunState, notLooked: NotLooked | null): number {
  if (notLooked?.exit === EXIT.interrupted) return EXIT.interrupted;
  return countDoubts(run) > 0 ? EXIT.person_needed : (notLooked?.exit ?? EXIT.ok);
}

/** For programs. */
export function cancelledJson(run: RunState, cancelled: Cancelled, command: CommandLine): string {
  const { by, notSubmitted, notLooked } = cancelled;
  const { accepted, waiting } = tallyOf(run);
  const id = run.header?.run_id ?? '';
  const why = notLooked && { message: notLooked.message, remedy: `${notLooked.remedy}\n${command('resume', id)}` };
  const result = {
    run_id: id,
    cancelled: true,
    by,
    not_submitted: notSubmitted,
    waiting,
    to_wait_for: accepted,
    in_doubt: countDoubts(run),
    counts: countsOf(run),
    ...why,
    exit: exitOfCancelled(run, notLooked),
  };
  return `${JSON.stringify(result)}\n`;
}

/** The same for people. */
export function cancelledText(run: RunState, cancelled: Cancelled, command: CommandLine): string {
  const { wasCancelled, notSubmitted, notLooked } = cancelled;
  const id = run.header?.run_id ?? '';
  const { accepted, suspected } = tallyOf(run);
  const lines = run.header?.rehearsal ? [REHEARSAL_BAND] : [];
  lines.push(`Run ${id} ${wasCancelled ? 'was cancelled before' : 'is cancelled'}: nothing more of it is submitted.`);
  if (notLooked !== null) lines.push(...notLookedLines(run, notLooked));
  if (notSubmitted > 0) lines.push(`${payouts(notSubmitted)} ${were(notSubmitted)} not sent.`);
  if (suspected > 0) lines.push(suspectedLine(suspected));
  const doubts = countDoubts(run);
  const twice = run.surfaced.length;
  const open = doubts - twice - suspected;
  if (open > 0) {
    const many = open === 1 ? 'It may have been made' : 'They may have been made';
    lines.push(`${payouts(open)} ${are(open)} in doubt. ${many}: cancelling takes nothing back.`);
  }
  if (twice > 0) lines.push(`${payouts(twice)} ${were(twice)} perhaps paid twice: cancelling takes nothing back.`);
  if (doubts > 0) lines.push(`see each     ${command('show', id)}`);
  if (accepted > 0) {
    lines.push(`${payouts(accepted)} ${were(accepted)} submitted and ${are(accepted)} not final yet: that goes on.`);
  }
  const isLeft = accepted + open + suspected > 0 || notLooked !== null;
  if (isLeft) lines.push(`${accepted > 0 ? 'wait for it' : 'look again '}  ${command('resume', id)}`);
  else lines.push(`the report   ${command('report', id)}`);
  if (!isLeft && hasRetryable(run)) lines.push(`pay the rest ${command('retry', id)}`);
  return `${lines.join('\n')}\n`;
}

function notLookedLines(run: RunState, { message, remedy }: NotLooked): string[] {
  const { waiting } = tallyOf(run);
  const [wait, any, them] = waiting === 1 ? ['waits', 'it', 'it'] : ['wait', 'any of them', 'them'];
  return [
    `${payouts(waiting)} ${wait}: it could not be looked up whether ${any} was paid already. Do not pay ${them} in another way before that.`,
    printable(message),
    ...remedy.split('\n').map(printable),
  ];
}

function suspectedLine(count: number): string {
  const them = count === 1 ? 'it' : 'them';
  return `${payouts(count)} ${are(count)} perhaps paid already: the service holds payments like ${them} that this journal does not know. Do not pay ${them} in another way before you have looked.`;
}

function payouts(count: number): string {
  return count === 1 ? '1 payout' : `${count} payouts`;
}

function were(count: number): string {
  return count === 1 ? 'was' : 'were';
}

function are(count: number): string {
  return count === 1 ? 'is' : 'are';
}
