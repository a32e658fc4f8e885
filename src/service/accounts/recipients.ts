import type { OperationRequest } from '../../contract/operations.ts';
import type { Caller, Core } from '../core.ts';
import { accepted, badRequest, notFound, type Outcome } from '../gateway/answers.ts';
import { cursorText, NEWEST, PAGE_DEFAULT, readCursor } from '../listing.ts';
import type { Row } from '../store/database.ts';
import { isoText } from '../time/clock.ts';
import { WORTH_SUM, wireTotals } from '../transfers/totals.ts';

/** `account.recipient.create` (specification, 4.7). Answers with the whole record; clients rely on its id. */
export function createRecipient(
  core: Core,
  caller: Caller,
  { metadata }: OperationRequest<'account.recipient.create'>,
): Outcome {
  const createdMs = core.stamps.nowMs();
  const id = core.stamps.id('rcp', createdMs);
  const { name, ...details } = metadata;
  core.store.run(INSERT, id, caller.customer, createdMs, name, JSON.stringify(details));
  return accepted(record({ id, created_at: createdMs, name, details: JSON.stringify(details) }));
}

/** `account.recipient.get` (specification, 4.5). */
export function getRecipient(core: Core, caller: Caller, { id }: OperationRequest<'account.recipient.get'>): Outcome {
  const row = findRecipient(core, caller, id);
  return row ? accepted(record(row)) : notFound('recipient');
}

/** `account.recipient.getMany`: newest first, each with the totals that `transaction.getMany` gives for it. */
export function getRecipients(
  core: Core,
  caller: Caller,
  { limit = PAGE_DEFAULT, cursor }: OperationRequest<'account.recipient.getMany'>,
): Outcome {
  const before = cursor === undefined ? NEWEST : readCursor(cursor);
  if (before === null) return badRequest('INVALID', 'cursor: is not one that this service gave');
  const rows = core.store.all(PAGE, caller.customer, before, limit + 1);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return accepted({
    recipients: page.map((row) => ({ ...record(row), totals: totalsOf(core, Number(row.recipient)) })),
    next_cursor: rows.length > limit && last ? cursorText(Number(last.recipient)) : null,
  });
}

/** The caller's recipient of that id, or undefined: another customer's looks like one that never was. */
export function findRecipient(core: Core, caller: Caller, id: string): Row | undefined {
  return core.store.get('SELECT * FROM recipient WHERE id = ? AND customer = ?', id, caller.customer);
}

const INSERT = 'INSERT INTO recipient (id, customer, created_at, name, details) VALUES (?, ?, ?, ?, ?)';
const PAGE = 'SELECT * FROM recipient WHERE customer = ? AND recipient < ? ORDER BY recipient DESC LIMIT ?';
const TOTALS = `SELECT count(*) AS transfers, ${WORTH_SUM}
  FROM transfer WHERE recipient = ? AND status <> 'FAILED'`;

function totalsOf(core: Core, recipient: number) {
  return wireTotals(core.store.get(TOTALS, recipient));
}

function record(row: Row) {
  return {
    id: row.id,
    created_at: isoText(Number(row.created_at)),
    metadata: { name: row.name, ...(JSON.parse(String(row.details)) as object), is_hidden: false },
    preferences: { notifications: { transactions: false } },
  };
}
