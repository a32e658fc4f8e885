import { z } from 'zod';
import { parseDefaultRail } from '../../input/cells/rail-cells.ts';
import { parseExpectedTotal } from '../../input/checks/control-figures.ts';
import type { ExplicitColumn } from '../../input/header/columns.ts';
import { headerIdentity } from '../../input/header/header-key.ts';
import { COLUMN_NAMES, type ColumnName } from '../../input/header/synonyms.ts';
import { LEGACY_NAMES } from '../../input/source/legacy-encodings.ts';
import { nearestKey } from '../nearest-key.ts';
import { shown } from '../placed-problem.ts';
import { addProblem } from '../schema-problems.ts';
import { numberText, wholeText } from '../values.ts';

const input = z
  .string()
  .refine((text) => !isPattern(text.split(/[\\/]/).slice(0, -1).join('/')), {
    error: 'only the name of the file may have * and ?, not its folder',
    abort: true,
  })
  .refine((text) => !/[\\/]$|^\s|\s$/.test(text), 'write the path of a file');

const column = z
  .union([z.string(), z.literal(false), z.null()], 'write the name of a column, or false to ignore the header')
  .meta({ enum: [...COLUMN_NAMES, false, null, ''] })
  .transform((written, context): ColumnName | null => {
    if (written === false || written === null || written === '') return null;
    const known = COLUMN_NAMES.find((name) => name === written);
    if (known !== undefined) return known;
    const nearest = nearestKey(written, COLUMN_NAMES);
    context.addIssue(nearest === null ? `the columns are ${COLUMN_NAMES.join(', ')}` : `did you mean ${nearest}?`);
    return z.NEVER;
  });

const columns = z.record(z.string(), column).transform((written, context): ExplicitColumn[] => {
  const seen = new Map<string, string>();
  return Object.entries(written).map(([header, meant]) => {
    const before = seen.get(headerIdentity(header));
    seen.set(headerIdentity(header), header);
    const at = { path: [header], isKey: true };
    if (header.trim() === '')
      addProblem(context, { ...at, what: 'names no header', remedy: 'write it as in the file' });
    else if (before !== undefined)
      addProblem(context, { ...at, what: `is the same header as ${shown(before)}`, remedy: 'keep one of them' });
    return { header: header.trim(), column: meant };
  });
});

type Parsed = { ok: true; code: string } | { ok: false; message: string };

/** A value for each currency, as the texts of an option that is given several times: `AUD=…`. */
export function byCurrency(value: z.ZodType<string>, parse: (text: string) => Parsed) {
  return z.record(z.string(), value).transform((written, context): string[] => {
    const codes = new Set<string>();
    return Object.entries(written).map(([currency, meant]) => {
      const text = `${currency}=${meant}`;
      const parsed = parse(text);
      if (!parsed.ok) addProblem(context, { path: [currency], remedy: parsed.message });
      else if (codes.has(parsed.code)) addProblem(context, { path: [currency], isKey: true, ...TWICE });
      else codes.add(parsed.code);
      return text;
    });
  });
}

const TWICE = { what: 'is the same currency as one above', remedy: 'keep one of them' };

/** What is paid, and how it is read. */
export const inputPart = {
  input: input.describe('the file to pay, or a pattern such as inbox/payroll-*.xlsx, beside this file'),
  sheet: z.string().min(1).optional().describe('the sheet of a workbook'),
  encoding: z.enum(LEGACY_NAMES).optional().describe('the encoding of a text file that does not show it'),
  decimal: z.enum(['.', ',']).optional().describe('the decimal separator of the amounts, where they do not prove it'),
  columns: columns.optional().describe('what headers mean: `Header: column`, or `Header: false` to ignore it'),
  default_rails: byCurrency(z.string(), parseDefaultRail)
    .optional()
    .describe('default rail per currency, such as EUR: EUR_SEPA'),
  expect_count: wholeText(0, 999_999_999).optional().describe('how many payouts there must be'),
  expect_total: byCurrency(numberText, parseExpectedTotal)
    .optional()
    .describe('what must be paid in each currency, such as AUD: 1234.50'),
  modulus_table: z.string().min(1).optional().describe("Pay.UK's valacdos.txt, beside this file"),
  modulus_substitutions: z.string().min(1).optional().describe("Pay.UK's scsubtab.txt, beside this file"),
};

/** Whether `input` names several files, of which one is taken. */
export function isPattern(input: string): boolean {
  return /[*?]/.test(input);
}
