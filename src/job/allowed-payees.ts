import { readFileSync, statSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { Refusal } from '../domain/refusal.ts';
import type { AllowedPayeesFault } from '../domain/refusals/job-reasons.ts';
import { headerIdentity } from '../input/header/header-key.ts';

/** A million ids of twelve letters. */
const BYTES_MAX = 16 * 1024 * 1024;

const COLUMN = 'payee_id';

/**
 * The payee_ids of a file: of a table the column payee_id, else one in each line. `where` is the place in the job that
 * names it. Throws a `Refusal` (`usage`) for a file that cannot be read, or that does not say which ids it means.
 */
export function readAllowedPayees(path: string, where: string): string[] {
  const [first, ...rest] = recordsOf(path, where);
  if (first === undefined) throw unusable(path, where, { why: 'empty' });
  const column = first.findIndex((cell) => headerIdentity(cell) === headerIdentity(COLUMN));
  if (column === -1 && first.length > 1) throw unusable(path, where, { why: 'no_column' });
  const rows = column === -1 ? [first, ...rest] : rest;
  const ids = rows.map((cells) => (cells[Math.max(column, 0)] ?? '').trim()).filter((id) => id !== '');
  if (ids.length === 0) throw unusable(path, where, { why: 'empty' });
  return ids;
}

function recordsOf(path: string, where: string): string[][] {
  try {
    if (statSync(path).size > BYTES_MAX) throw new Error(`it has more than ${BYTES_MAX / 1024 / 1024} MiB`);
    const text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
    return parse(text, {
      bom: true,
      delimiter: [',', ';', '\t'],
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    });
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw unusable(path, where, { why: 'unreadable', cause });
  }
}

function unusable(path: string, where: string, fault: AllowedPayeesFault): Refusal {
  return new Refusal({ code: 'allowed_payees_unusable', where, path, fault });
}
