import type { OperationRequest } from '../../contract/operations.ts';
import { findRecipient } from '../accounts/recipients.ts';
import type { Caller, Core } from '../core.ts';
import { accepted, badRequest, notFound, type Outcome } from '../gateway/answers.ts';
import { cursorText, NEWEST, PAGE_DEFAULT, readCursor, searchWords } from '../listing.ts';
import type { Row, Value } from '../store/database.ts';
import { DETAIL_ROW, transactionDetail, transactionRecord } from './record.ts';
import { WORTH_SUM, wireTotals } from './totals.ts';
import { transferOf } from './transfer.ts';

/** `transaction.get` (specification, 4.9; `decisions.md`, shapes). */
export function getTransaction(core: Core, caller: Caller, { id }: OperationRequest<'transaction.get'>): Outcome {
  const row = core.store.get(DETAIL, id, caller.customer);
  return row ? accepted(transactionDetail(row)) : notFound('transaction');
}

/**
 * `transaction.getMany` (specification, 4.4; `decisions.md`, shapes): newest first, which is the order of the rows'
 * numbers, since times of creation never go back. Reads its own writes: there is one connection, and answers are given
 * after COMMIT.
 */
export function getTransactions(core: Core, caller: Caller, request: OperationRequest<'transaction.getMany'>): Outcome {
  const { limit = PAGE_DEFAULT, cursor } = request;
  const before = cursor === undefined ? NEWEST : readCursor(cursor);
  if (before === null) return badRequest('INVALID', 'cursor: is not one that this service gave');
  const filter = filterOf(core, caller, request);
  if (!filter.ok) return filter;
  const { table, where, values } = filter.data;
  const rows = core.store.all(
    `SELECT t.* FROM ${table} WHERE ${where.join(' AND ')} AND ${place(table)} < ? ORDER BY ${place(table)} DESC LIMIT ?`,
    ...values,
    before,
    limit + 1,
  );
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return accepted({
    transactions: page.map((row) => transactionRecord(transferOf(row))),
    totals: totalsOf(core, caller, request, filter.data, rows),
    next_cursor: rows.length > limit && last ? cursorText(Number(last.transfer)) : null,
  });
}

type Filter = { table: string; where: string[]; values: Value[]; isPlain: boolean };

const DETAIL = `${DETAIL_ROW} WHERE t.id = ? AND t.customer = ?`;

/** A search reads the narrow table from end to end and only its matches from the wide one. */
const SEARCHED = 'transfer_search s CROSS JOIN transfer t ON t.transfer = s.transfer';

function filterOf(core: Core, caller: Caller, request: OperationRequest<'transaction.getMany'>): Outcome<Filter> {
  const { search, type = 'all', recipient_id } = request;
  const words = searchWords(search ?? '');
  const table = words.length > 0 ? SEARCHED : 'transfer t';
  const where = [words.length > 0 ? 's.customer = ?' : 't.customer = ?'];
  const values: Value[] = [caller.customer];
  for (const word of words) {
    where.push('instr(s.text, ?) > 0');
    values.push(word);
  }
  if (type !== 'all') {
    where.push('t.kind = ?');
    values.push(type);
  }
  if (recipient_id !== undefined) {
    const recipient = findRecipient(core, caller, recipient_id);
    if (!recipient) return notFound('recipient');
    where.push('t.recipient = ?');
    values.push(recipient.recipient ?? null);
  }
  return accepted({ table, where, values, isPlain: words.length === 0 && recipient_id === undefined });
}

function place(table: string): string {
  return table === SEARCHED ? 's.transfer' : 't.transfer';
}

/** Over the whole filtered set, whatever the page: `fiatAmount` in US dollars, FAILED left out. */
function totalsOf(
  core: Core,
  caller: Caller,
  request: OperationRequest<'transaction.getMany'>,
  filter: Filter,
  rows: readonly Row[],
) {
  if (filter.isPlain) return plainTotals(core, caller, request);
  const isWhole = request.cursor === undefined && rows.length <= (request.limit ?? PAGE_DEFAULT);
  return isWhole ? addUp(rows) : filteredTotals(core, filter);
}

/** Where the page is the whole set, it is not looked for a second time: a search reads every text there is. */
function addUp(rows: readonly Row[]) {
  const counted = rows.filter(({ status }) => status !== 'FAILED');
  const sum = (column: 'usd_cents' | 'usd_rest') =>
    String(counted.reduce((total, row) => total + BigInt(Number(row[column])), 0n));
  return wireTotals({ transfers: counted.length, usd_cents: sum('usd_cents'), usd_rest: sum('usd_rest') });
}

function filteredTotals(core: Core, { table, where, values }: Filter) {
  const sql = `SELECT count(*) AS transfers, ${WORTH_SUM}
    FROM ${table} WHERE ${where.join(' AND ')} AND t.status <> 'FAILED'`;
  return wireTotals(core.store.get(sql, ...values));
}

function plainTotals(core: Core, caller: Caller, { type = 'all' }: OperationRequest<'transaction.getMany'>) {
  return wireTotals(core.store.get(KEPT_TOTALS, caller.customer, type, type));
}

const KEPT_TOTALS = `SELECT coalesce(sum(transfers), 0) AS transfers, ${WORTH_SUM}
  FROM transfer_total WHERE customer = ? AND (? = 'all' OR kind = ?)`;
