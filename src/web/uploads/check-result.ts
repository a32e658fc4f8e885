import { z } from 'zod';

const problem = z.object({
  severity: z.enum(['error', 'warning']),
  code: z.string(),
  sheet: z.string().nullable(),
  row: z.number().nullable(),
  column: z.string().nullable(),
  cell: z.string().nullable(),
  value: z.string().nullable(),
  message: z.string(),
  remedy: z.string(),
  suggestion: z.string().optional(),
});

const group = z.object({
  severity: z.enum(['error', 'warning']),
  code: z.string(),
  column: z.string().nullable(),
  count: z.number(),
  places: z.array(z.string()),
  message: z.string(),
  remedy: z.string(),
});

const column = z.object({
  column: z.string(),
  header: z.string(),
  means: z.string().nullable(),
  ignored: z.boolean(),
});

const named = z.object({ rail: z.string(), count: z.number() });

/** What `check --json` prints of a file that could be opened. */
export const checkResult = z.object({
  rows: z.number(),
  payouts: z.number(),
  totals: z.array(z.object({ currency: z.string(), count: z.number(), amount: z.string() })),
  inferred_rails: z.array(named),
  default_rails: z.array(named),
  sheet: z.string().nullable(),
  header_row: z.number().nullable(),
  columns: z.array(column),
  problem_counts: z.object({ errors: z.number(), warnings: z.number() }),
  /** At most 1,000. */
  problems: z.array(problem),
  groups: z.array(group),
});

/** What every command prints that did not do its work. */
export const refusalResult = z.object({
  message: z.string(),
  remedy: z.string().default(''),
  /** Which rows earlier runs paid, where it was refused for their sake and not for that of the whole file. */
  rows: z.array(z.number()).optional(),
});

export type CheckResult = z.output<typeof checkResult>;
export type CheckProblem = z.output<typeof problem>;
export type CheckGroup = z.output<typeof group>;
export type CheckColumn = z.output<typeof column>;
