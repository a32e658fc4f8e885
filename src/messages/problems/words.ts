import type { OfAny } from '../../domain/problem.ts';

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

/** The same words under the code of each of these fields, as in `sort_code_missing`. */
export function forEachField<Field extends string, Kind extends string, Params>(
  fields: readonly Field[],
  kind: Kind,
  words: (params: Params) => ProblemWords,
): Record<`${Field}_${Kind}`, (params: Params) => ProblemWords> {
  const entries = fields.map((field) => [`${field}_${kind}`, words]);
  return Object.fromEntries(entries) as Record<`${Field}_${Kind}`, (params: Params) => ProblemWords>;
}
