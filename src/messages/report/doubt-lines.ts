import { type Doubt, isLookedFor } from '../../domain/outcomes/doubt.ts';
import { momentText } from '../../domain/time.ts';
import type { CommandLine } from '../command-line.ts';
import { wrapped } from '../text.ts';
import { answerText, type ChoiceText, choiceTexts, DOUBT_KINDS, doubtWhy, lookedText } from './doubt-words.ts';

/** Under the longest label. */
const INDENT = ' '.repeat(11);

/**
 * A doubt for the screen: what was sent, what became of the answer, what was looked for and found, why it is open, and
 * what a person can do, with what each choice risks.
 */
export function doubtLines(doubt: Doubt, command: CommandLine): string[] {
  const { row, payee, about, amount, currency, account, sent_at, token, answer, candidates } = doubt;
  const withToken = token === null ? '' : `, with the token ${token} in its description`;
  return [
    `row ${row}, ${payee}: ${DOUBT_KINDS[about].title}`,
    ...labelled('payout', `${amount} ${currency} to ${account}`),
    ...labelled('sent', sent_at && `${momentText(sent_at)}${withToken}`),
    ...labelled('answer', answer && answerText(doubt)),
    ...labelled('looked', isLookedFor(about) ? lookedText(doubt) : null),
    ...labelled('found', candidates.length === 0 ? null : candidates.join(', ')),
    ...labelled('why', doubtWhy(doubt)),
    ...choiceLines(doubt, command),
  ];
}

/** What a person can do about a doubt, and where to ask when no command helps. */
export function choiceLines(doubt: Doubt, command: CommandLine): string[] {
  return choicesText(choiceTexts(doubt, command), DOUBT_KINDS[doubt.about].ask ?? null);
}

/** Each choice as a command on a line of its own, and under it what it does and risks; then what no command does. */
export function choicesText(choices: readonly ChoiceText[], advice: string | null): string[] {
  const lines = choices.flatMap(({ command, does, risk }) => [command, ...wrapped(`  ${does} ${risk}`, INDENT.length)]);
  if (advice !== null) lines.push(...wrapped(advice, INDENT.length));
  return lines.map((line, at) => (at === 0 ? `  you can  ${line}` : INDENT + line));
}

/** A doubt on one line: `row 5  Payee 5  1250.00 AUD  sent 2026-11-25 09:00:03 UTC`. */
export function doubtLine({ row, payee, amount, currency, sent_at, candidates }: Doubt): string {
  const sent = sent_at === null ? '' : `  sent ${momentText(sent_at)}`;
  const found = candidates.length === 0 ? '' : `  found ${candidates.join(', ')}`;
  return `row ${row}  ${payee}  ${amount} ${currency}${sent}${found}`;
}

function labelled(label: string, text: string | null): string[] {
  if (text === null) return [];
  return wrapped(text, INDENT.length).map((line, at) => (at === 0 ? `  ${label.padEnd(9)}${line}` : INDENT + line));
}
