import { createReadStream, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { parse } from 'csv-parse';
import { type CellValue, writeXlsx } from 'hucre/xlsx';
import { generatePayroll } from './generate-payroll.ts';

/** Ten columns, as payrolls have them. */
const COLUMNS = [
  'payee_id',
  'name',
  'amount',
  'currency',
  'rail',
  'account_number',
  'national_clearing_code',
  'bic',
  'reference',
  'email',
];

/** Writes the payroll of `generatePayroll` as a workbook: each cell with a style, amounts as numbers, the rest as text. */
export async function generateWorkbook(options: { rows: number; path: string; seed: number }): Promise<void> {
  const csv = `${options.path}.csv`;
  await generatePayroll({ ...options, path: csv, mode: 'full' });
  const rows: CellValue[][] = [COLUMNS];
  for await (const record of createReadStream(csv).pipe(parse({ columns: true }))) {
    // Crypto assets need two columns more.
    if (record.rail !== 'WEB3')
      rows.push(COLUMNS.map((column) => (column === 'amount' ? Number(record.amount) : (record[column] ?? ''))));
  }
  const columns = COLUMNS.map((column) => ({ width: 14, style: { numFmt: column === 'amount' ? '#,##0.00' : '@' } }));
  writeFileSync(options.path, await writeXlsx({ sheets: [{ name: 'Payroll', rows, columns }] }));
  await rm(csv);
}
