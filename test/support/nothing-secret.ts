import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { PROJECT } from './payrun-process.ts';

/** Output of payrun that others may read. */
const WRITTEN = ['**/logs/payrun.log*', '**/report.{csv,json,html}'];
const INPUTS = '**/*.csv';
/** Shorter numbers also occur in times and amounts. */
const DIGITS_MIN = 8;

let ofSamples: string[] | null = null;

/**
 * Throws if a log or report below the folder contains a private key, or a full account number from a CSV file there or
 * a sample.
 */
export function requireNothingSecret(folder: string): void {
  const written = globSync(WRITTEN, { cwd: folder });
  if (written.length === 0) return;
  ofSamples ??= accountsIn(join(PROJECT, 'samples'));
  const accounts = new Set([...ofSamples, ...accountsIn(folder)]);
  for (const name of written) {
    const text = readFileSync(join(folder, name), 'utf8');
    if (text.includes('PRIVATE KEY')) throw new Error(`${name} holds a private key`);
    for (const [word] of text.matchAll(/[\dA-Za-z]{8,}/g))
      if (accounts.has(word)) throw new Error(`${name} holds the whole account number ${word}`);
  }
}

function accountsIn(folder: string): string[] {
  return globSync(INPUTS, { cwd: folder }).flatMap((name) => {
    const text = readFileSync(join(folder, name), 'utf8');
    if (name.endsWith('report.csv') || !/account_number|wallet_address/.test(text.slice(0, 1_000))) return [];
    const rows: Record<string, string>[] = parse(text, {
      columns: true,
      bom: true,
      to: 1_000,
      relax_column_count: true,
    });
    const cells = rows.flatMap((row) => [row.account_number, row.wallet_address]);
    return cells.filter((cell) => cell !== undefined && cell.length >= DIGITS_MIN) as string[];
  });
}
