import type { z } from 'zod';

/** How a schema of ours says what is wrong, for `schemaProblems` to put it into words and to find its place. */
export type SchemaProblem = {
  /** What to write. */
  remedy: string;
  /** What is wrong; that the value cannot be what it is, if nothing is said. */
  what?: string;
  /** Below the value that is checked. */
  path?: PropertyKey[];
  /** The place is that of the key. */
  isKey?: boolean;
  /** The value may be a secret and is not repeated. */
  isHidden?: boolean;
};

type Context = { addIssue(issue: { code: 'custom'; message: string; params: object; path?: PropertyKey[] }): void };

export function addProblem(context: Context, { path, ...problem }: SchemaProblem): void {
  const place = path === undefined ? {} : { path };
  context.addIssue({ code: 'custom', message: problem.remedy, params: problem, ...place });
}

/** What `addProblem` said, or null for an issue that zod made. */
export function addedProblem(issue: z.core.$ZodIssue): Omit<SchemaProblem, 'path'> | null {
  if (issue.code !== 'custom' || typeof issue.params?.remedy !== 'string') return null;
  return issue.params as Omit<SchemaProblem, 'path'>;
}
