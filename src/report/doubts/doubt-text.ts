import { momentText } from '../../domain/time.ts';
import { withoutStop } from '../../messages/text.ts';
import type { CommandLine } from '../command-line.ts';
import { type ChoiceText, choiceTexts } from './choice-text.ts';
import type { DoubtAbout } from './doubts.ts';
import { type Doubt, isLookedFor } from './doubts.ts';

/** Wide enough for a sentence, narrow enough for a terminal beside a spreadsheet. Commands are never broken. */
const LINE_WIDTH = 100;

/** Under the longest label. */
const INDENT = ' '.repeat(11);

/**
 * A doubt in words, for the screen: what was sent, what became of the answer, what was looked for and found, why it is
 * open, and what a person can do, with what each choice risks.
 */
export function doubtLines(doubt: Doubt, command: CommandLine): string[] {
  const { row, payee, about, candidates } = doubt;
  return [
    `row ${row}, ${payee}: ${TITLE[about]}`,
    ...labelled('payout', payoutText(doubt)),
    ...(doubt.sent_at === null ? [] : labelled('sent', sentText(doubt.sent_at, doubt.token))),
    ...(doubt.answer === null ? [] : labelled('answer', answerText(doubt))),
    ...(isLookedFor(about) ? labelled('looked', lookedText(doubt)) : []),
    ...(candidates.length === 0 ? [] : labelled('found', candidates.join(', '))),
    ...labelled('why', whyText(doubt)),
    ...choiceLines(doubt, command),
  ];
}

/** What a person can do about a doubt, and where to ask when no command helps. */
export function choiceLines(doubt: Doubt, command: CommandLine): string[] {
  return choicesText(choiceTexts(doubt, command), ASK[doubt.about] ?? null);
}

/** Each choice as a command on a line of its own, and under it what it does and risks; then what no command does. */
export function choicesText(choices: readonly ChoiceText[], advice: string | null): string[] {
  const lines = choices.flatMap(({ command, does, risk }) => [command, ...wrapped(`  ${does} ${risk}`, INDENT.length)]);
  if (advice !== null) lines.push(...wrapped(advice, INDENT.length));
  return lines.map((line, at) => (at === 0 ? `  you can  ${line}` : INDENT + line));
}

/** The same in one paragraph, for a cell of the report. */
export function doubtMessage(doubt: Doubt, command: CommandLine): string {
  const { about, answer, candidates } = doubt;
  const choices = choiceTexts(doubt, command);
  const parts = [`${capital(TITLE[about])}, and a person is needed.`];
  if (doubt.sent_at !== null) parts.push(`Sent ${momentText(doubt.sent_at)}.`);
  if (answer !== null) parts.push(`The answer: ${answerText(doubt)}`);
  if (doubt.sent_at !== null) parts.push(`Looked for: ${lookedText(doubt)}`);
  if (candidates.length > 0) parts.push(`Found: ${candidates.join(', ')}.`);
  parts.push(whyText(doubt));
  if (choices.length > 0) parts.push('What can be done:');
  parts.push(...choices.map(({ command, does, risk }) => `[${command}] ${does} ${risk}`));
  const ask = ASK[about];
  if (ask) parts.push(ask);
  return parts.join(' ');
}

/** What the doubts of a run are called on one line each: `row 5  Payee 5  1250.00 AUD  sent 2026-11-25 09:00:03 UTC`. */
export function doubtLine({ row, payee, amount, currency, sent_at, candidates }: Doubt): string {
  const sent = sent_at === null ? '' : `  sent ${momentText(sent_at)}`;
  const found = candidates.length === 0 ? '' : `  found ${candidates.join(', ')}`;
  return `row ${row}  ${payee}  ${amount} ${currency}${sent}${found}`;
}

export const TITLE: Readonly<Record<DoubtAbout, string>> = {
  open: 'in doubt',
  no_expiry: 'in doubt',
  incomplete: 'in doubt',
  candidate: 'in doubt',
  mismatch: 'in doubt',
  replayed: 'in doubt',
  no_canary: 'in doubt',
  unknown_id: 'in doubt',
  twice: 'paid more than once',
  old_copy: 'perhaps paid already',
  refused: 'refused, and perhaps paid',
  surfaced: 'perhaps paid twice',
};

/** Why a doubt is not settled, as one sentence or two. */
export const WHY: Readonly<Record<DoubtAbout, string>> = {
  open: 'Nobody has finished looking for it at the service. It is not sent again before that.',
  no_expiry:
    'The service does not promise that a request which it did not take in time is dropped. It may still be made, so its absence from the list proves nothing.',
  incomplete:
    'The list that the service gives is no proof: it is cut off, or changes while it is read, or does not say when it was made. What is missing from it may still have been made.',
  candidate: 'The service shows a payment of this amount that could be this one, and nothing in it says whether it is.',
  mismatch: 'The service shows a payment with the token of this one that is not what was sent.',
  replayed:
    'The service says that it had this request before, and its list does not show the payment. It may have been made and be listed late, or it may have been refused. Ask the service with the token.',
  no_canary:
    'It is the first payment of this run, and none has come back from the service yet. Its absence from the list proves nothing until one has.',
  unknown_id:
    'The service accepted it and named a transaction, and does not know that transaction now. Ask the service with the token.',
  twice: 'The service shows several payments with the token of this one. payrun asked for one.',
  old_copy:
    'The service shows payments like this one, and this journal knows nothing of them. Either the journal is an old copy that was restored, or the same file was paid from another machine or another data directory.',
  refused:
    'The service refused it, and holds a payment like it without a token. Another copy of the request may have been taken, or somebody else made that payment.',
  surfaced: 'The service holds another payment for this row, beside the one by which it counts as paid here.',
};

/** What the doubts of one kind are called together. */
export const HEADING: Readonly<Record<DoubtAbout, string>> = {
  open: 'In doubt, and still to be looked for',
  no_expiry: 'In doubt, perhaps paid',
  incomplete: 'In doubt, perhaps paid',
  candidate: 'In doubt, perhaps paid',
  mismatch: 'In doubt, paid otherwise than asked',
  replayed: 'In doubt, perhaps paid',
  no_canary: 'In doubt, perhaps paid',
  unknown_id: 'In doubt, perhaps paid',
  twice: 'Paid more than once',
  old_copy: 'Perhaps paid already',
  refused: 'Refused, and perhaps paid',
  surfaced: 'Perhaps paid twice',
};

/** What no command can do. */
export const ASK: Readonly<Partial<Record<DoubtAbout, string>>> = {
  mismatch: 'Ask the service what it has made of this payment, and name the transaction and the token.',
  twice: 'Ask the service, or the payee, to return what was paid too much.',
  old_copy: 'If a newer copy of the journal exists, put it back first: nothing is sent while this is open.',
  surfaced:
    'Ask the service whether both were made, and the service or the payee to return one of them. Every report of this run goes on saying so.',
};

/** What the service shows otherwise than it was asked is different each time. */
function whyText({ about, reason }: Doubt): string {
  return about === 'mismatch' ? `${WHY.mismatch} ${withoutStop(reason)}.` : WHY[about];
}

function payoutText({ amount, currency, account }: Doubt): string {
  return `${amount} ${currency} to ${account}`;
}

function sentText(sentAt: string, token: string | null): string {
  return `${momentText(sentAt)}${token === null ? '' : `, with the token ${token} in its description`}`;
}

/** What became of the answer, in words; the journal's own stand in the report's JSON. */
export function answerText({ answer, answered }: Doubt): string {
  if (answered === 'lost') return 'It was lost on the way, or never came.';
  if (answered !== null) return `It leaves open whether the payment was made (status ${answered}).`;
  return answer === null ? '' : `${capital(withoutStop(answer))}.`;
}

/** How often it was looked for, and what was found. */
export function lookedText({ looks, last_look }: Doubt): string {
  if (looks === 0 || last_look === null) return 'Not looked for yet.';
  const times = looks === 1 ? 'Once' : `${looks} times`;
  const last = `${times} by its token, last at ${momentText(last_look.at)}`;
  const { found, complete } = last_look;
  if (found > 0) return `${last}: ${found === 1 ? 'one payment has' : `${found} payments have`} it.`;
  return complete
    ? `${last}: it is not in the service's list, which was complete.`
    : `${last}: it is not in the service's list, which was not complete.`;
}

function labelled(label: string, text: string): string[] {
  return wrapped(text, INDENT.length).map((line, at) => (at === 0 ? `  ${label.padEnd(9)}${line}` : INDENT + line));
}

/** The text in lines that fit after so many columns. What it is indented by, all its lines are. */
export function wrapped(text: string, columns: number): string[] {
  const indent = /^ */.exec(text)?.[0] ?? '';
  const lines: string[] = [];
  let line = indent;
  for (const word of text.trim().split(' ')) {
    const isFirst = line === indent;
    if (!isFirst && columns + line.length + 1 + word.length > LINE_WIDTH) {
      lines.push(line);
      line = indent + word;
    } else line += isFirst ? word : ` ${word}`;
  }
  return [...lines, line];
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
