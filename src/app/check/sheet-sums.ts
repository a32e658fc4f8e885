import { z } from 'zod';
import { count, text } from '../../domain/entries/members.ts';
import { formatMajor } from '../../domain/money.ts';
import { amount } from '../../domain/result.ts';
import type { ReadResult } from '../../input/read-result.ts';

/** What all rows add up to, those with problems too. */
export const sheetSums = z.object({
  sums: z.array(z.object({ currency: text, amount })).describe('By code, of a crypto asset over all its chains.'),
  unread: count.describe('Rows whose amount or currency could not be read.'),
});

type SheetSums = z.output<typeof sheetSums>;

/** With the sums of all rows, for a person who is still correcting them. */
export function sumsOfAllRows({ sums }: ReadResult): { of_all_rows?: SheetSums } {
  if (sums === null) return {};
  const ofCodes = [...sums.byCode].map(([currency, { minor, decimals }]) => ({
    currency,
    amount: formatMajor(minor, decimals),
  }));
  return { of_all_rows: { sums: ofCodes, unread: sums.unread } };
}
