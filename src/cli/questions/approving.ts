import { type CoolingRow, coolingText } from '../../app/compare/cooling-off.ts';
import type { PlanFacts } from '../../domain/plan.ts';
import { Refusal } from '../../domain/refusal.ts';
import { printable } from '../../messages/text.ts';
import { firstTotal, isTotal, isTotalOrAmount, lacksCurrency } from '../plans/approvable-text.ts';
import type { Io } from '../terminal.ts';

/**
 * A wrong total is refused before anybody types a passphrase, and so is one that cannot be asked for. `given` is null where it
 * is to be asked for. Throws a `Refusal` (`total_not_given`).
 */
export function requireTotal(given: string | null, runId: string, facts: PlanFacts, io: Io): void {
  if (given === null ? io.isInteractive : isTotalOrAmount(given, facts)) return;
  const code = 'total_not_given';
  if (given === null) throw new Refusal({ code, runId, why: 'no_terminal' });
  if (!lacksCurrency(given, facts)) throw new Refusal({ code, runId, why: 'another', given });
  throw new Refusal({ code, runId, why: 'no_currency', given, total: firstTotal(facts) });
}

/** Throws a `Refusal` (`total_not_given`) where something else is typed. */
export async function askTotal(runId: string, facts: PlanFacts, io: Io): Promise<void> {
  const answer = await io.ask(`Type ${firstTotal(facts)} to approve: `);
  if (answer === null || !isTotal(answer, facts))
    throw new Refusal({ code: 'total_not_given', runId, why: 'mistyped' });
}

/**
 * The rows of `--rows`: `all`, `none`, or numbers such as `17,23`. Null where it is not given, and somebody can be asked.
 * Throws a `Refusal`: `row_not_waiting`, or `rows_not_given` where nobody can be asked.
 */
export function rowsFrom(option: unknown, runId: string, waiting: readonly number[], io: Io): number[] | null {
  if (option === undefined) {
    if (waiting.length === 0) return [];
    if (io.isInteractive) return null;
    throw new Refusal({ code: 'rows_not_given', runId, rows: waiting });
  }
  const text = String(option).trim();
  if (text === 'all') return [...waiting];
  if (text === 'none') return [];
  const rows = text.split(/[\s,]+/).map((part) => (/^[1-9]\d{0,8}$/.test(part) ? Number(part) : part));
  const wrong = rows.find((row) => typeof row !== 'number' || !waiting.includes(row));
  if (wrong !== undefined) throw new Refusal({ code: 'row_not_waiting', given: String(wrong), waiting });
  return [...new Set(rows as number[])].sort((one, other) => one - other);
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
