import { readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { generatePayroll } from '../support/generate-payroll.ts';

/**
 * What makes rows harder to tell apart: nothing; one amount for all, as salaries may have; or payees that are paid several
 * times, each to the one account that they have.
 */
export type Shape = 'distinct' | 'equal amounts' | 'payees repeated';

/** The generator takes eight rails in turn, and an amount is of its rail's currency. */
const RAILS = 8;
const COPIED = /^(?!amount$|description$)/;

/** Writes a payroll of this shape. The same seed gives the same bytes. */
export async function writeSoakInput(path: string, rows: number, seed: number, shape: Shape): Promise<void> {
  await generatePayroll({ rows, path, seed, mode: 'full' });
  if (shape === 'distinct') return;
  const input: Record<string, string>[] = parse(readFileSync(path), { columns: true });
  const payees = Math.max(1, Math.floor(rows / 2 / RAILS)) * RAILS;
  const shaped = input.map((row, at) => {
    if (shape === 'equal amounts') return { ...row, amount: '1500.00' };
    const copied = Object.entries(input[at % payees] ?? {}).filter(([name]) => COPIED.test(name));
    return { ...row, ...Object.fromEntries(copied) };
  });
  const lines = [Object.keys(input[0] ?? {}), ...shaped.map((row) => Object.values(row))];
  writeFileSync(
    path,
    lines.map((cells) => `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\n`).join(''),
  );
}
