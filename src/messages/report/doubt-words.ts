import type { Note } from '../../domain/entries/note.ts';
import type { Choice, Doubt, DoubtAbout } from '../../domain/outcomes/doubt.ts';
import type { CommandLine } from '../command-line.ts';
import { localMoment } from '../local-time.ts';
import { noteText } from '../note-words.ts';
import { pageSteps } from '../page-steps.ts';
import { capital, counted, withoutStop } from '../text.ts';
import { either, t, textTable } from '../translate.ts';

/** A choice for people: the whole command, or where else it is made; what it does, and what it risks. */
export type ChoiceText = { command: string } & ChoiceWords;
export type ChoiceWords = { does: string; risk: string };

/** `title`: of one payout. `heading`: of all of the kind. `why` it is open. `ask`: what no command can do. */
type KindWords = { title: string; heading: string; why: string; ask?: string };

const IN_DOUBT = textTable({ title: 'in doubt', heading: 'In doubt, perhaps paid' });

export const DOUBT_KINDS: Readonly<Record<DoubtAbout, KindWords>> = textTable({
  open: {
    title: 'in doubt',
    heading: 'In doubt, not looked up yet',
    why: 'The lookup at the service is not complete. It is not resent before that.',
  },
  no_expiry: {
    ...IN_DOUBT,
    why: 'The service does not promise to drop a request that it did not accept in time. It may still be paid, so its absence from the list proves nothing.',
  },
  incomplete: {
    ...IN_DOUBT,
    why: "The service's list proves nothing: it is cut off, changes while it is read, or does not say when it was made. A payout that is missing from it may still have been made.",
  },
  candidate: {
    ...IN_DOUBT,
    why: 'The service shows a payment of this amount that could be this one, and nothing in it says whether it is.',
  },
  mismatch: {
    title: 'in doubt',
    heading: 'In doubt, paid differently than asked',
    why: 'The service shows a payment with this token that is not what was sent.',
    ask: 'Ask the service what became of this payment. Give them the transaction and the token.',
  },
  replayed: {
    ...IN_DOUBT,
    why: 'The service says that it had this request before, and its list does not show the payment. It may have been made and be listed late, or it may have been refused. Ask the service with the token.',
  },
  no_canary: {
    ...IN_DOUBT,
    why: 'It is the first payment of this run, and the service has not reported any payment back yet. Until it does, its absence from the list proves nothing.',
  },
  unknown_id: {
    ...IN_DOUBT,
    why: 'The service accepted it with a transaction that it no longer knows. Ask the service, and give the token.',
  },
  twice: {
    title: 'paid more than once',
    heading: 'Paid more than once',
    why: 'The service shows several payments with this token. payrun asked for one.',
    ask: 'Ask the service or the payee to return the overpayment.',
  },
  old_copy: {
    title: 'perhaps paid already',
    heading: 'May have been paid already',
    why: 'The service shows payments like this one, and this journal knows nothing of them. Either the journal is an old copy that was restored, or the same file was paid from another machine or another data directory.',
    ask: 'If you have a newer copy of the journal, restore it first. Nothing is sent while this is open.',
  },
  refused: {
    title: 'refused, and perhaps paid',
    heading: 'Refused, but may have been paid',
    why: 'The service refused it, and holds a payment like it without a token. Another copy of the request may have been taken, or someone else made that payment.',
  },
  surfaced: {
    title: 'perhaps paid twice',
    heading: 'May have been paid twice',
    why: 'The service holds another payment for this row, besides the one recorded here.',
    ask: 'Ask the service whether both were made, and the service or the payee to return one of them. Every report of this run will keep showing this.',
  },
});

/** A doubt in one paragraph, for a cell of the report. */
export function doubtMessage(doubt: Doubt, command: CommandLine): string {
  const { about, answer, sent_at, candidates } = doubt;
  const { title, ask } = DOUBT_KINDS[about];
  const choices = choiceTexts(doubt, command).map(({ command, does, risk }) => `[${command}] ${does} ${risk}`);
  const parts = [
    t`${capital(title)}, and a person must decide.`,
    sent_at !== null && t`Sent ${localMoment(Date.parse(sent_at))}.`,
    answer !== null && t`The answer: ${answerText(doubt)}`,
    sent_at !== null && t`Looked up: ${lookedText(doubt)}`,
    candidates.length > 0 && t`Found: ${candidates.join(', ')}.`,
    doubtWhy(doubt),
    choices.length > 0 && t`What you can do:`,
    ...choices,
    ask,
  ];
  return parts.filter(Boolean).join(' ');
}

/** Why a doubt is not settled. What the service shows otherwise than it was asked is different each time. */
export function doubtWhy({ about, reason }: Doubt): string {
  const { why } = DOUBT_KINDS[about];
  return about === 'mismatch' ? `${why} ${mismatchText(reason)}` : why;
}

export function mismatchText(reason: Note): string {
  return `${withoutStop(noteText(reason))}.`;
}

/** What became of the answer; the journal's own words are in the report's JSON. */
export function answerText({ answer, answered }: Doubt): string {
  if (answered === 'lost') return t`It was lost on the way or never sent.`;
  if (answered !== null) return t`It does not say whether the payment was made (status ${answered}).`;
  return answer === null ? '' : `${capital(withoutStop(noteText(answer)))}.`;
}

/** How often it was looked for, and what was found. */
export function lookedText({ looks, last_look }: Doubt): string {
  if (looks === 0 || last_look === null) return t`Not looked up yet.`;
  const times = looks === 1 ? t`Once` : t`${looks} times`;
  const last = t`${times} by its token, last at ${localMoment(Date.parse(last_look.at))}`;
  const { found, complete } = last_look;
  if (found > 0) return t`${last}: ${found === 1 ? t`one payment has` : t`${found} payments have`} it.`;
  return t`${last}: it is not in the service's list, which was ${either(complete, '', 'not ')}complete.`;
}

/** Stands for the id of a transaction at the service. */
const SOME_TRANSACTION = 'TX';

/** Each says what it risks: none of them is a way out for free. The page resubmits nothing of a whole run. */
export function choiceTexts(doubt: Doubt, command: CommandLine): ChoiceText[] {
  const isOnPage = command === pageSteps;
  const goOn = isOnPage ? t`“Go on”` : 'resume';
  return doubt.choices
    .filter(({ act }) => !isOnPage || act !== 'resubmit_absent')
    .map((choice) => ({ command: choiceCommand(doubt, choice, command), ...choiceWords(doubt, choice, goOn) }));
}

/** What a person can do about a payee that is parked. `isUnresolved`: nobody knows whether it was made at the service. */
export function parkedChoices(runId: string, isUnresolved: boolean, command: CommandLine): ChoiceText[] {
  const again = { command: command('resume', runId), does: t`Checks the service again.`, risk: t`No risk.` };
  if (!isUnresolved) return [again];
  const absent = {
    command: command('resume', runId, '--resubmit-absent'),
    does: t`Checks again, and creates again what is not in the service's list. Unconfirmed payouts are resent too.`,
    risk: t`The service may have one record too many; a payout that was made after all is paid twice.`,
  };
  return [again, absent];
}

function choiceCommand({ runId, row }: Doubt, { act, transaction }: Choice, command: CommandLine): string {
  switch (act) {
    case 'resume':
      return command('resume', runId);
    case 'sent':
      return command('resolve', runId, String(row), '--sent', transaction ?? SOME_TRANSACTION);
    case 'not_sent':
      return command('resolve', runId, String(row), '--not-sent');
    case 'resubmit_absent':
      return command('resume', runId, '--resubmit-absent');
  }
}

/** `goOn`: what going on with the run is called where this is read. */
export function choiceWords(doubt: Doubt, { act, transaction }: Choice, goOn: string): ChoiceWords {
  switch (act) {
    case 'resume':
      return { does: t`Checks the service again.`, risk: t`No risk.` };
    case 'sent':
      return sentWords(doubt, transaction);
    case 'not_sent':
      return notSentWords(doubt, goOn);
    case 'resubmit_absent':
      return {
        does: t`Checks again, and resends every unconfirmed payout of this run that is not in the service's list.`,
        risk: t`Any that were made after all will be paid twice.`,
      };
  }
}

function sentWords({ payee, about }: Doubt, id: string | null): ChoiceWords {
  const does = t`Records ${id ?? t`the transaction that you name`} as this payout. Its amount, currency and account are compared first.`;
  if (about === 'twice') return { does, risk: t`The others stay as they are: ${payee} keeps what they paid.` };
  return { does, risk: t`If it is another payment, ${payee} is not paid.` };
}

function notSentWords({ payee, about, isCancelled }: Doubt, goOn: string): ChoiceWords {
  const risk = t`If it was sent after all, the report wrongly says that ${payee} was not paid.`;
  if (about === 'refused') return { does: t`${IS_ANOTHER.old_copy}: it stays refused.`, risk };
  const what = about === 'old_copy' || about === 'mismatch' ? IS_ANOTHER[about] : neverMade();
  if (isCancelled) return { does: t`${what}. The run is cancelled, so it is not sent again.`, risk };
  const then = about === 'old_copy' ? t`sends this one` : t`sends it again`;
  return { does: t`${what}; ${goOn} then ${then}.`, risk: t`If it was sent after all, ${payee} is paid twice.` };
}

const neverMade = () => t`Records that it was never made, unless the service shows it`;

const IS_ANOTHER = textTable({
  old_copy: 'Records that those payments are others',
  mismatch: 'Records that this payout was never made, and that what the service shows is another payment',
});

/** The words around the doubts of one kind on a page. */
export const DOUBT_PAGE = textTable({
  heading: 'Needs you',
  columns: ['Row', 'Payee', 'Amount', 'To', 'Sent', 'Looked up'],
  payouts: (heading: string) => t`${heading}: the payouts`,
  found: 'Found:',
  more: (count: number, show: string) =>
    t`${counted(count, 'more payout')} of this kind: report.json has all, and ${show} shows them.`,
  choices: (count: number, row: number) =>
    count === 1 ? t`What you can do` : t`What you can do, as for row ${row}; the same for each other row`,
});
