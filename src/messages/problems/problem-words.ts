import type { OfAny, ProblemCode, Worded } from '../../domain/problem.ts';
import { ENGLISH } from './english.ts';
import { kindTitle } from './kind-titles.ts';
import { markWords } from './mark-words.ts';
import { shortReason } from './short-words.ts';
import type { Audience, ProblemCatalogue, ProblemWords, Remedy } from './words.ts';

/** A problem, or another thing that has its code and parameters, perhaps kept as JSON. */
export type Wordable = { code: string; params: object };

/** What is wrong and how to correct it, as this audience reads it. */
export function problemWords(
  { code, params }: Wordable,
  audience: Audience,
  { problems, better: betterWords, oddCharacter: oddWords, addColumn, forms }: ProblemCatalogue = ENGLISH,
): Worded {
  const words = wordsFor(problems, code, params);
  if (words === null) return { message: `${code.replaceAll('_', ' ')}.`, remedy: '' };
  const { better, absentColumn, oddCharacter } = params as OfAny;
  const { message: plain, remedy: own } = words;
  const message = oddCharacter === undefined ? plain : `${plain} ${oddWords(oddCharacter)}`;
  const remedy = absentColumn === undefined ? remedyText(own) : `${addColumn(absentColumn)} ${remedyText(own)}`;
  return better === undefined ? { message, remedy } : { message, remedy, ...betterWords(better) };

  function remedyText(remedy: Remedy): string {
    if (typeof remedy === 'string') return remedy;
    if (audience === 'command_line') return remedy.command_line;
    return typeof remedy.page === 'string' ? remedy.page : remedy.page(forms[audience]);
  }
}

/** Null where another version of payrun kept the problem, under a code or with parameters that this one does not know. */
function wordsFor(problems: ProblemCatalogue['problems'], code: string, params: object): ProblemWords | null {
  // The compiler cannot see that the code picks the words of its own parameters.
  const words = problems[code as ProblemCode] as ProblemWords | ((params: object) => ProblemWords) | undefined;
  if (words === undefined) return null;
  if (typeof words !== 'function') return words;
  try {
    return words(params);
  } catch {
    return null;
  }
}

/** Both sentences, as a command line prints them. */
export function problemLine(problem: Wordable, catalogue = ENGLISH): string {
  const { message, remedy } = problemWords(problem, 'command_line', catalogue);
  return `${message} ${remedy}`;
}

/** What gives problems their words in one language. */
export type ProblemText = {
  problemWords(problem: Wordable, audience: Audience): Worded;
  problemLine(problem: Wordable): string;
  worded<P extends Wordable>(problem: P, audience: Audience): P & Worded;
  /** What is wrong in a few words; null where only the whole sentence says it. */
  shortReason(problem: Wordable): string | null;
  /** The title of all problems of that code; null for one of another version of payrun. */
  kindTitle(code: string): string | null;
  /** The words for problems in a copy of the file. */
  markWords: typeof markWords;
};

export function problemsIn(catalogue: ProblemCatalogue): ProblemText {
  return {
    problemWords: (problem, audience) => problemWords(problem, audience, catalogue),
    problemLine: (problem) => problemLine(problem, catalogue),
    worded: (problem, audience) => worded(problem, audience, catalogue),
    shortReason,
    kindTitle,
    markWords,
  };
}

/** The problem with its words. */
export function worded<P extends Wordable>(problem: P, audience: Audience, catalogue = ENGLISH): P & Worded {
  return { ...problem, ...problemWords(problem, audience, catalogue) };
}
