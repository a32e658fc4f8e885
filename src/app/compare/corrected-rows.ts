import type { RunCreated, RunRow } from '../../domain/entry.ts';
import { maskIdentifier } from '../../domain/mask.ts';
import type { Destination, PayoutOrder } from '../../domain/payee.ts';
import type { RowChange } from '../../domain/problems/payment-problems.ts';
import type { RailFields } from '../../domain/rails/rail.ts';
import { accountColumn, maskedAccount } from '../../input/checks/row-marks.ts';
import type { ColumnName } from '../../input/header/synonyms.ts';
import type { Journal } from '../../journal/journal.ts';
import { foldPages } from '../../journal/pages.ts';

/** Columns of which people see the end alone. */
const NUMBERS: ReadonlySet<string> = new Set(['account_number', 'wallet_address', 'external_account_id']);

/** A run whose rows were corrected, and by row number what it was to pay with those that the plan has. */
export type Corrected = { runId: string; orders: ReadonlyMap<number, PayoutOrder> };

/** What a corrected row changes, and the column that it is changed in. */
export type Correction = { column: ColumnName; runId: string; changes: RowChange[] };

/** The rows that those of a plan correct; null where it is of no corrected rows. */
export async function correctedBy(
  { retries, corrections_sha256 }: Pick<RunCreated, 'retries' | 'corrections_sha256'>,
  rows: Iterable<RunRow>,
  journal: Journal,
): Promise<Corrected | null> {
  if (retries === null || corrections_sha256 === null) return null;
  const planned = new Set(Array.from(rows, ({ row }) => row));
  const orders = new Map<number, PayoutOrder>();
  for (const { row, order } of (await foldPages(journal.readRun(retries))).rows)
    if (order !== null && planned.has(row)) orders.set(row, order);
  return { runId: retries, orders };
}

/** What changes where money would go to another account or name than in the row that is corrected; else null. */
export function correctionOf(order: PayoutOrder, corrected: Corrected | null): Correction | null {
  const before = corrected?.orders.get(order.row);
  if (corrected === null || before === undefined) return null;
  const account = accountChange(before.destination, order.destination);
  const changes = [
    account,
    textChange('recipient_id', masked(before.recipient_id), masked(order.recipient_id)),
    textChange('account_name', accountName(before.destination), accountName(order.destination)),
    textChange('name', before.payee.name, order.payee.name),
  ].filter((change) => change !== null);
  if (changes.length === 0) return null;
  const column = account === null && before.payee.name !== order.payee.name ? 'name' : accountColumn(order.destination);
  return { column, runId: corrected.runId, changes };
}

function accountChange(before: Destination, after: Destination): RowChange | null {
  const others = differences(before, after);
  if (others.length === 0) return null;
  const isNumberChanged = others.some((one) => NUMBERS.has(one));
  return { what: 'account', was: maskedAccount(before), now: maskedAccount(after), others, isNumberChanged };
}

function textChange(what: 'recipient_id' | 'account_name' | 'name', was: string | null, now: string | null) {
  return was === now ? null : { what, was, now };
}

/** The columns in which two destinations differ, but for the account name. */
function differences(before: Destination, now: Destination): string[] {
  if (before.kind === 'existing' || now.kind === 'existing') {
    const ids = [before, now].map((one) => (one.kind === 'existing' ? one.external_account_id : null));
    return ids[0] === ids[1] ? [] : ['external_account_id'];
  }
  const fields = (Object.keys(now.fields) as (keyof RailFields)[]).filter(
    (one) => before.fields[one] !== now.fields[one],
  );
  return before.rail === now.rail ? fields : ['rail', ...fields];
}

function accountName(destination: Destination): string | null {
  return destination.kind === 'account' ? destination.account_name : null;
}

function masked(id: string | null): string | null {
  return id === null ? null : maskIdentifier(id);
}
