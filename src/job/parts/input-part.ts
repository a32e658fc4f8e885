import { z } from 'zod';
import type { Wanted } from '../../domain/refusals/settings-faults.ts';
import { parseCurrency } from '../../input/cells/currency-cells.ts';
import { parseDefaultRail } from '../../input/cells/rail-cells.ts';
import { parseExpectedTotal } from '../../input/checks/control-figures.ts';
import type { ExplicitColumn } from '../../input/header/columns.ts';
import { headerIdentity } from '../../input/header/header-key.ts';
import { COLUMN_NAMES, type ColumnName } from '../../input/header/synonyms.ts';
import { ENCODING_NAMES } from '../../input/source/encoding/encodings.ts';
import { nearestKey } from '../nearest-key.ts';
import { addProblem, form, wanting } from '../schema-problems.ts';
import { numberText, wholeText } from '../values.ts';

const input = z
  .string()
  .refine((text) => !isPattern(text.split(/[\\/]/).slice(0, -1).join('/')), {
    ...wanting({ form: 'pattern_of_name' }),
    abort: true,
  })
  .refine((text) => !/[\\/]$|^\s|\s$/.test(text), form('file_path'));

const column = z
  .union([z.string(), z.literal(false), z.null()], form('column'))
  .meta({ enum: [...COLUMN_NAMES, false, null, ''] })
  .transform((written, context): ColumnName | null => {
    if (written === false || written === null || written === '') return null;
    const known = COLUMN_NAMES.find((name) => name === written);
    if (known !== undefined) return known;
    const nearest = nearestKey(written, COLUMN_NAMES);
    addProblem(context, { wanted: { form: 'known_column', nearest, columns: COLUMN_NAMES } });
    return z.NEVER;
  });

const columns = z.record(z.string(), column).transform((written, context): ExplicitColumn[] => {
  const seen = new Map<string, string>();
  return Object.entries(written).map(([header, meant]) => {
    const before = seen.get(headerIdentity(header));
    seen.set(headerIdentity(header), header);
    const at = { path: [header], isKey: true };
    if (header.trim() === '') addProblem(context, { code: 'no_header' }, at);
    else if (before !== undefined) addProblem(context, { code: 'same_header', other: before }, at);
    return { header: header.trim(), column: meant };
  });
});

const currency = z.string().transform((text, context): string => {
  const parsed = parseCurrency(text);
  if (!parsed.ok) addProblem(context, { wanted: parsed.wanted });
  return parsed.ok ? parsed.code : z.NEVER;
});

type Parsed = { ok: true; code: string } | { ok: false; wanted: Wanted };

/** A value for each currency, as the texts of an option that is given several times: `AUD=…`. */
export function byCurrency(value: z.ZodType<string>, parse: (text: string) => Parsed) {
  return z.record(z.string(), value).transform((written, context): string[] => {
    const codes = new Set<string>();
    return Object.entries(written).map(([currency, meant]) => {
      const text = `${currency}=${meant}`;
      const parsed = parse(text);
      const path = [currency];
      if (!parsed.ok) addProblem(context, { wanted: parsed.wanted }, { path });
      else if (codes.has(parsed.code)) addProblem(context, { code: 'same_currency' }, { path, isKey: true });
      else codes.add(parsed.code);
      return text;
    });
  });
}

/** What is paid, and how it is read. */
export const inputPart = {
  input: input.describe('the file to pay, or a pattern such as inbox/payroll-*.xlsx, beside this file'),
  sheet: z.string().min(1).optional().describe('the sheet of a workbook'),
  encoding: z.enum(ENCODING_NAMES).optional().describe('the encoding of a text file that does not show it'),
  decimal: z.enum(['.', ',']).optional().describe('the decimal separator of the amounts, where they do not prove it'),
  columns: columns.optional().describe('what headers mean: `Header: column`, or `Header: false` to ignore it'),
  currency: currency.optional().describe('the currency of rows that name none, such as GBP'),
  fold_references: z
    .boolean()
    .optional()
    .describe('whether references are written in the characters that their rails carry (Nómina as Nomina)'),
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
