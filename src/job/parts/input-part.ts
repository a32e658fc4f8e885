import { z } from 'zod';
import type { SaidColumn } from '../../input/column-mapping.ts';
import { parseExpectedTotal } from '../../input/control-figures.ts';
import { headerIdentity } from '../../input/header-key.ts';
import { COLUMN_NAMES, type ColumnName } from '../../input/synonyms.ts';
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

const columns = z.record(z.string(), column).transform((said, context): SaidColumn[] => {
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

const expectTotal = z
  .record(z.string(), z.string().meta({ type: ['string', 'number'] }))
  .transform((totals, context): string[] => {
    const texts = Object.entries(totals).map(([code, amount]) => `${code}=${amount}`);
    const codes = new Set<string>();
    for (const [at, code] of Object.keys(totals).entries()) {
      const total = parseExpectedTotal(texts[at] ?? '');
      if (!total.ok) addProblem(context, { path: [code], remedy: total.message });
      else if (codes.has(total.code)) addProblem(context, { path: [code], isKey: true, ...TWICE });
      else codes.add(total.code);
    }
    return texts;
  });

/** What is paid, and how it is read. */
export const inputPart = {
  input: input.describe('the file to pay, or a pattern such as inbox/payroll-*.xlsx, beside this file'),
  sheet: z.string().min(1).optional().describe('the sheet of a workbook'),
  decimal: z.enum(['.', ',']).optional().describe('the decimal separator of the amounts, where they do not prove it'),
  columns: columns.optional().describe('what headers mean: `Header: column`, or `Header: false` to ignore it'),
  expect_count: wholeText(0, 999_999_999).optional().describe('how many payouts there must be'),
  expect_total: expectTotal.optional().describe('what must be paid in each currency, such as AUD: 1234.50'),
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
