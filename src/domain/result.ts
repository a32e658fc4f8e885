import { z } from 'zod';
import { count, text } from './entries/members.ts';
import type { StartTime } from './entries/plan.ts';
import { isoUtc } from './time.ts';

/** Members of results that programs read: of `--json`, and of `report.json`. Their schemas are published. */
export const runId = z.string().meta({ id: 'run_id', description: 'A run.', examples: ['R20261125-7K3M9QZ2'] });
export const rowNumber = z
  .int()
  .meta({ id: 'row', description: 'As a spreadsheet program numbers it: the header of a plain CSV is row 1.' });
export const rowNumbers = z.array(rowNumber);

/** A decimal text: JSON numbers are binary fractions in most programs. */
export const amount = z
  .string()
  .regex(/^-?\d+(?:\.\d+)?$/)
  .meta({ id: 'amount', description: 'A decimal in major units of the currency, without grouping: 1234.50.' });
export const currencyName = z
  .string()
  .meta({ id: 'currency', description: 'AUD, or a token with its chain: USDC on polygon.' });
export const time = z.string().meta({ id: 'time', format: 'date-time', description: 'ISO 8601, UTC.' });
/** When a plan is, or was, to be started on its own. */
export const scheduledStart = z
  .strictObject({ start_at: time, time_zone: text.describe('In which a person set it, by its IANA name.') })
  .describe('When it is, or was, to be started on its own; absent where nobody scheduled it.');

export function scheduledResult({ at, time_zone }: StartTime): z.output<typeof scheduledStart> {
  return { start_at: isoUtc(at), time_zone };
}

export const sha256 = z.string().meta({ id: 'sha256', description: 'SHA-256 in hexadecimal.' });

/** The file that was read. */
export const inputName = z.strictObject({ name: text, sha256, bytes: count });
export const inputPlace = z.strictObject({ name: text, path: text, sha256, bytes: count });

/** A problem of a file of settings as programs read it: its place, what is wrong, and how to correct it. */
export const fileProblemResult = z
  .strictObject({ line: z.int(), column: z.int(), message: z.string(), remedy: z.string() })
  .describe('Lines and columns begin at 1.');
export type FileProblemResult = z.output<typeof fileProblemResult>;
