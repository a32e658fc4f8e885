import type { BetterRemedy, OfAny, ProblemCode, Worded } from '../../domain/problem.ts';
import { t, textTable } from '../translate.ts';
import { PROBLEM_WORDS } from './all-problems.ts';
import { strangeText } from './strange-words.ts';
import type { Audience, Forms, ProblemWords, Remedy } from './words.ts';

/** A problem, or another thing that has its code and parameters, perhaps kept as JSON. */
export type Wordable = { code: string; params: object };

const FORMS: Readonly<Record<'page' | 'page_copy', Forms>> = textTable({
  page: { columns: '“Columns”', reading: '“File settings”' },
  page_copy: { columns: '“Columns” on the page', reading: '“File settings” on the page' },
});

/** What is wrong and how to correct it, as this audience reads it. */
export function problemWords({ code, params }: Wordable, audience: Audience): Worded {
  const words = wordsFor(code, params);
  if (words === null) return { message: `${code.replaceAll('_', ' ')}.`, remedy: '' };
  const { better, absentColumn, oddCharacter } = params as OfAny;
  const { message: plain, remedy: own } = words;
  const message = oddCharacter === undefined ? plain : `${plain} ${strangeText(oddCharacter)}`;
  const remedy = absentColumn === undefined ? remedyText(own) : `${addColumn(absentColumn)} ${remedyText(own)}`;
  return better === undefined ? { message, remedy } : { message, remedy, ...betterWords(better) };

  function remedyText(remedy: Remedy): string {
    if (typeof remedy === 'string') return remedy;
    if (audience === 'command_line') return remedy.command_line;
    return typeof remedy.page === 'string' ? remedy.page : remedy.page(FORMS[audience]);
  }
}

/** Comes before the remedy of a problem whose column is missing. */
function addColumn(column: string): string {
  return t`Add a column with the header ${column}.`;
}

/** Replaces a problem's message and remedy, or its remedy alone. */
function betterWords(better: BetterRemedy): Partial<Worded> {
  switch (better.do) {
    case 'write_alone':
      return {
        remedy: t`Write only ${better.text}: the rest of the cell is invisible, or does not belong there.`,
      };
    case 'write_plain':
      return { remedy: t`Write ${better.text} in plain letters and digits.` };
    case 'split_iban':
      return {
        message: t`The cell holds an IBAN, and GBP_FPS takes an account number and a sort code.`,
        remedy: t`Write ${better.account} here, and ${better.sortCode} into the column national_clearing_code.`,
      };
    case 'take_from_iban':
      return { remedy: t`Write ${better.sortCode}, which is in the IBAN.` };
  }
}

/** Null where another version of payrun kept the problem, under a code or with parameters that this one does not know. */
function wordsFor(code: string, params: object): ProblemWords | null {
  // The compiler cannot see that the code picks the words of its own parameters.
  const words = PROBLEM_WORDS[code as ProblemCode] as ProblemWords | ((params: object) => ProblemWords) | undefined;
  if (words === undefined) return null;
  if (typeof words !== 'function') return words;
  try {
    return words(params);
  } catch {
    return null;
  }
}

/** Both sentences, as a command line prints them. */
export function problemLine(problem: Wordable): string {
  const { message, remedy } = problemWords(problem, 'command_line');
  return `${message} ${remedy}`;
}

/** The problem with its words. */
export function worded<P extends Wordable>(problem: P, audience: Audience): P & Worded {
  return { ...problem, ...problemWords(problem, audience) };
}
