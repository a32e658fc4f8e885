import type { ReadSettings } from '../../app/check/read-settings.ts';
import type { WholeAnswer } from '../../app/check/whole-answers.ts';
import { plainCommand } from '../../messages/command-line.ts';
import { printable } from '../../messages/text.ts';

/** What was given to the command that asks. */
type Given = Pick<ReadSettings, 'currency' | 'defaultRail' | 'sheet' | 'encoding' | 'decimal' | 'foldReferences'> & {
  columns: WholeAnswer['columns'];
};

/** The same command with all options that the file asks for, to be copied: one line, or one for each alternative. */
export function answerLines(input: string, given: Given, answers: readonly WholeAnswer[]): string {
  if (answers.length === 0) return '';
  const title =
    answers.length === 1
      ? 'If all of that is right, this answers it at once:'
      : 'Each of these answers all of it at once; take the one that is right:';
  const commands = answers.map((answer) => `  ${plainCommand('check', input, ...optionsOf(given, answer))}`);
  return [title, ...commands, ...otherRails(answers)].map((line) => `${printable(line)}\n`).join('');
}

function optionsOf({ columns, currency, defaultRail, ...given }: Given, answer: WholeAnswer): string[] {
  const code = answer.currency ?? currency;
  const rails = [...(defaultRail ?? []), ...[...answer.rails].map(([of, [rail]]) => [of, rail] as const)];
  const option = (name: string, value: string | undefined) => (value === undefined ? [] : [name, value]);
  return [
    ...option('--sheet', given.sheet),
    ...option('--encoding', given.encoding),
    ...option('--decimal', given.decimal),
    ...(given.foldReferences === true ? ['--fold-references'] : []),
    ...[...columns, ...answer.columns].flatMap(({ header, column }) => ['--column', `${header}=${column ?? ''}`]),
    ...option('--currency', code),
    ...rails.flatMap(([of, rail]) => ['--default-rail', `${of}=${rail}`]),
  ];
}

/** Rails that fit as well as the one in the lines. */
function otherRails(answers: readonly WholeAnswer[]): string[] {
  const notes = answers.flatMap(({ rails }) =>
    [...rails].map(
      ([currency, [rail, ...others]]) => `${others.join(' and ')} can pay ${currency} too, in place of ${rail}.`,
    ),
  );
  return [...new Set(notes)];
}
