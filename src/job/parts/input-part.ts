import { z } from 'zod';
import { parseDefaultRail } from '../../input/cells/default-rails.ts';
import { parseExpectedTotal } from '../../input/checks/control-figures.ts';
import type { ExplicitColumn } from '../../input/header/columns.ts';
import { headerIdentity } from '../../input/header/header-key.ts';
import { COLUMN_NAMES, type ColumnName } from '../../input/header/synonyms.ts';
import { LEGACY_NAMES } from '../../input/source/legacy-encodings.ts';
import { addProblem } from '../add-problem.ts';
import { nearestKey } from '../nearest-key.ts';
import { shown } from '../placed-problem.ts';
import { wholeText } from '../values.ts';

const input = z.string().superRefine((text, context) => {
  const remedy = inputRemedy(text);
  if (remedy !== null) addProblem(context, { remedy });
});

const column = z
  .union([z.string(), z.literal(false), z.null()], 'write the name of a column, or false to ignore the header')
  .meta({ enum: [...COLUMN_NAMES, false, null, ''] })
  .transform((said, context): ColumnName | null => {
    if (said === false || said === null || said === '') return null;
    const known = COLUMN_NAMES.find((name) => name === said);
    if (known !== undefined) return known;
    const nearest = nearestKey(said, COLUMN_NAMES);
    const remedy = nearest === null ? `the columns are ${COLUMN_NAMES.join(', ')}` : `did you mean ${nearest}?`;
    addProblem(context, { remedy });
    return z.NEVER;
  });

const columns = z.record(z.string(), column).transform((said, context): ExplicitColumn[] => {
  const seen = new Map<string, string>();
  for (const header of Object.keys(said)) {
    const before = seen.get(headerIdentity(header));
    seen.set(headerIdentity(header), header);
    const at = { path: [header], isKey: true };
    if (header.trim() === '')
      addProblem(context, { ...at, what: 'names no header', remedy: 'write it as in the file' });
    else if (before !== undefined)
      addProblem(context, { ...at, what: `is the same header as ${shown(before)}`, remedy: 'keep one of them' });
  }
  return Object.entries(said).map(([header, meant]) => ({ header: header.trim(), column: meant }));
});

type Parsed = { ok: true; code: string } | { ok: false; message: string };

/** What is said of each currency, as the texts of an option that is given several times: `AUD=…`. */
export function byCurrency(value: z.ZodType<string>, parse: (text: string) => Parsed) {
  return z.record(z.string(), value).transform((said, context): string[] => {
    const codes = new Set<string>();
    return Object.entries(said).map(([currency, meant]) => {
      const text = `${currency}=${meant}`;
      const parsed = parse(text);
      if (!parsed.ok) addProblem(context, { path: [currency], remedy: parsed.message });
      else if (codes.has(parsed.code)) addProblem(context, { path: [currency], isKey: true, ...TWICE });
      else codes.add(parsed.code);
      return text;
    });
  });
}

/** An amount in major units, from its text. */
export const amountText = z.string().meta({ type: ['string', 'number'] });

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
  expect_total: byCurrency(amountText, parseExpectedTotal)
    .optional()
    .describe('what must be paid in each currency, such as AUD: 1234.50'),
  modulus_table: z.string().min(1).optional().describe("Pay.UK's valacdos.txt, beside this file"),
  modulus_substitutions: z.string().min(1).optional().describe("Pay.UK's scsubtab.txt, beside this file"),
};

const TWICE = { what: 'is the same currency as one above', remedy: 'keep one of them' };

const PATTERN_SIGNS = /[*?]/;

/** Whether `input` names several files, of which one is taken. */
export function isPattern(input: string): boolean {
  return PATTERN_SIGNS.test(input);
}

/** What to write instead, or null where it is right. */
function inputRemedy(text: string): string | null {
  const folder = text.split(/[\\/]/).slice(0, -1).join('/');
  if (isPattern(folder)) return 'only the name of the file may have * and ?, not its folder';
  return /[\\/]$|^\s|\s$/.test(text) ? 'write the path of a file' : null;
}
