import { type CoolingRow, coolingText } from '../../../app/compare/cooling-off.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { printable, rowsText } from '../../../messages/text.ts';
import type { Io } from '../../terminal.ts';

/**
 * What `--rows` says: `all`, `none`, or numbers such as `17,23`. Null where nothing was said, and somebody can be asked.
 * Throws a `Refusal`: `usage` for a row that does not wait, `refused` where nothing was said and nobody can be asked.
 */
export function rowsFrom(option: unknown, runId: string, waiting: readonly number[], io: Io): number[] | null {
  if (option === undefined) {
    if (waiting.length === 0) return [];
    if (io.isInteractive) return null;
    const what = waiting.length === 1 ? `row ${waiting[0]} waits` : `rows ${rowsText(waiting)} wait`;
    const message = `Not approved: ${what} for an approval of their own, which cannot be asked for without a terminal.`;
    const remedy = 'Ask the payees by a way that you know, and say the rows: --rows 17,23, --rows all, or --rows none.';
    throw new Refusal('refused', message, remedy, { run_id: runId });
  }
  const text = String(option).trim();
  if (text === 'all') return [...waiting];
  if (text === 'none') return [];
  const rows = text.split(/[\s,]+/).map((part) => (/^[1-9]\d{0,8}$/.test(part) ? Number(part) : part));
  const wrong = rows.find((row) => typeof row !== 'number' || !waiting.includes(row));
  if (wrong === undefined) return [...new Set(rows as number[])].sort((one, other) => one - other);
  const remedy = waiting.length === 0 ? 'Leave --rows out.' : `The rows are ${rowsText(waiting)}.`;
  throw new Refusal('usage', `--rows: no row ${printable(String(wrong))} waits for an approval of its own.`, remedy);
}

/** Asks about each row in words, or takes all that are left at once. What is not answered with yes is not approved. */
export async function askRows(cooling: ReadonlyMap<number, CoolingRow>, io: Io): Promise<number[]> {
  const approved: number[] = [];
  let left = cooling.size;
  for (const [row, one] of cooling) {
    const all = left > 1 ? `, or all for all ${left}` : '';
    const answer = await io.ask(`${printable(coolingText(one))}\nType yes to approve this row${all}: `);
    const word = answer?.trim().toLowerCase() ?? '';
    if (word === 'all' && left > 1) return [...approved, ...[...cooling.keys()].slice(-left)];
    if (word === 'yes') approved.push(row);
    left--;
  }
  return approved;
}
