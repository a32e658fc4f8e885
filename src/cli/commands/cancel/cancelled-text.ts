import type { Cancelled } from '../../../domain/outcomes/cancel-outcome.ts';
import { kindOf, type RefusalReason } from '../../../domain/refusals/reason.ts';
import { messages } from '../../../messages/messages.ts';
import type { Place } from '../../../messages/refusals/refusal-words.ts';
import { counted, printable } from '../../../messages/text.ts';
import { EXIT, exitOfRefusal } from '../../exit.ts';

/** What needs a person is loudest, but for a person who has just ended the look. */
export function exitOfCancelled({ notLooked, inDoubt, wasAnythingSent }: Cancelled): number {
  if (notLooked?.code === 'look_interrupted') return EXIT.interrupted;
  if (inDoubt > 0) return EXIT.person_needed;
  if (notLooked === null) return EXIT.ok;
  const kind = kindOf(notLooked);
  // As everywhere: a service that is away after payouts were sent needs a person.
  return kind === 'unreachable' && wasAnythingSent ? EXIT.person_needed : exitOfRefusal(kind);
}

/** What was cancelled, what of it may have been paid all the same, and what comes next. */
export function cancelledText(cancelled: Cancelled, place: Place): string {
  const { runId: id, isRehearsal, wasCancelled, notSubmitted, notLooked } = cancelled;
  const { accepted, suspected, twice, inDoubt: doubts } = cancelled;
  const { command } = place;
  const lines = isRehearsal ? [messages.outcomes.rehearsalBand()] : [];
  lines.push(`Run ${id} ${wasCancelled ? 'was cancelled before' : 'is cancelled'}: nothing more of it is submitted.`);
  if (notLooked !== null) lines.push(...notLookedLines(cancelled, notLooked, place));
  if (notSubmitted > 0) lines.push(`${payouts(notSubmitted)} ${were(notSubmitted)} not sent.`);
  if (suspected > 0) lines.push(suspectedLine(suspected));
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
  if (!isLeft && cancelled.canRetry) lines.push(`pay the rest ${command('retry', id)}`);
  return `${lines.join('\n')}\n`;
}

function notLookedLines({ waiting }: Cancelled, reason: RefusalReason, place: Place): string[] {
  const { message, remedy } = messages.refusals.refusalText({ reason }, place);
  const [wait, any, them] = waiting === 1 ? ['waits', 'it', 'it'] : ['wait', 'any of them', 'them'];
  return [
    `${payouts(waiting)} ${wait}: it could not be looked up whether ${any} was paid already. Do not pay ${them} by other means before that.`,
    printable(message),
    ...remedy.split('\n').map(printable),
  ];
}

function suspectedLine(count: number): string {
  const them = count === 1 ? 'it' : 'them';
  return `${payouts(count)} ${are(count)} perhaps paid already: the service holds payments like ${them} that this journal does not know. Do not pay ${them} by other means before you have looked.`;
}

function payouts(count: number): string {
  return String(counted(count, 'payout'));
}

function were(count: number): string {
  return count === 1 ? 'was' : 'were';
}

function are(count: number): string {
  return count === 1 ? 'is' : 'are';
}
