import type { BetterRemedy, OfAny, ProblemParams, Worded } from '../../domain/problem.ts';
import type { StrangeCharacter } from '../../domain/strange-characters.ts';

/** Where it is read: at a command line with its options, on the page with its fields, or in a copy that is taken from there. */
export type Audience = 'command_line' | 'page' | 'page_copy';

/** What the two forms of the page are called where it is read. */
export type Forms = { columns: string; reading: string };

/** The same for all who read it, or what each of them reads: an option or a command, or a field of the page. */
export type Remedy = string | { command_line: string; page: string | ((forms: Forms) => string) };

export type ProblemWords = { message: string; remedy: Remedy };

/** The words of each of some problems. What lacks one does not compile. */
export type WordsOf<Params> = {
  readonly [Code in keyof Params]: ProblemWords | ((params: Params[Code] & OfAny) => ProblemWords);
};

/** The words of all problems in one language. */
export type ProblemCatalogue = {
  problems: WordsOf<ProblemParams>;
  /** What takes the place of a problem's own words, or of its remedy alone. */
  better: (better: BetterRemedy) => Partial<Worded>;
  /** A sentence on a character of the cell that explains the problem. */
  oddCharacter: (odd: StrangeCharacter) => string;
  /** What comes before a remedy about cells whose column is not there. */
  addColumn: (column: string) => string;
  forms: Readonly<Record<'page' | 'page_copy', Forms>>;
};

/** The same words under the code of each of these fields, as in `sort_code_missing`. */
export function forEachField<Field extends string, Kind extends string, Params>(
  fields: readonly Field[],
  kind: Kind,
  words: (params: Params) => ProblemWords,
): Record<`${Field}_${Kind}`, (params: Params) => ProblemWords> {
  const entries = fields.map((field) => [`${field}_${kind}`, words]);
  return Object.fromEntries(entries) as Record<`${Field}_${Kind}`, (params: Params) => ProblemWords>;
}
