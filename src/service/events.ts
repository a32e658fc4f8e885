import assert from 'node:assert/strict';
import type { TransactionEventType } from '../contract/webhook.ts';
import type { Core } from './core.ts';
import type { Row, Store } from './store/database.ts';
import { isoText } from './time/clock.ts';
import { DETAIL_ROW, transactionDetail } from './transfers/record.ts';
import { type Transfer, transferOf } from './transfers/transfer.ts';

/**
 * Writes that a transaction was created or changed its status, inside the transaction of that change: so there is
 * exactly one event for each change, and none is lost or invented by a crash. Call it when the row of the transfer is as
 * it will be: what is sent is rendered here, as `transaction.get` shows it at this moment, and never again.
 */
export function recordEvent(
  core: Core,
  transfer: number,
  type: TransactionEventType,
  status: Transfer['status'],
  atMs: number,
): void {
  const { endpoints } = core.outbox;
  const code = core.stamps.characters(CODE_CHARACTERS);
  let body: string | null = null;
  if (endpoints.length > 0) {
    const row = rowOf(core, transfer);
    assert(row.status === status, 'an event was recorded before the change that it tells of');
    body = eventBody(type, atMs, row);
  }
  const { lastId } = core.store.run(INSERT, transfer, type, status, atMs, code, body);
  if (endpoints.length === 0) return;
  const dueMs = Math.floor(core.clock.wallMs());
  for (const { endpoint } of endpoints) core.store.run(INSERT_DELIVERY, lastId, endpoint, dueMs);
  core.outbox.written();
}

/** 50 random bits. */
const CODE_CHARACTERS = 10;

/**
 * The `webhook-id` of an event. The number finds it; the code makes it one that no other data directory has, and no
 * state that was restored: receivers drop ids that they have seen.
 */
export function eventId(event: number, code: string): string {
  return `evt_${event}_${code}`;
}

/** The row of an event by its id, or undefined. */
export function findEvent(store: Store, id: string): Row | undefined {
  const parts = /^evt_([1-9]\d{0,14})_([0-9a-z]{10})$/.exec(id);
  return parts === null ? undefined : store.get(BY_NUMBER, Number(parts[1]), String(parts[2]));
}

/**
 * Gives a text to an event of a time when no endpoint was on. Of what has changed since, the status is undone, and the
 * amount that a swap received.
 */
export function renderLater(core: Core, event: Row): void {
  const status = event.status as Transfer['status'];
  const row = rowOf(core, Number(event.transfer));
  const { askedMinor, received, failure } = transferOf(row);
  const minor = status === 'PENDING' ? (askedMinor ?? received.minor) : received.minor;
  const then = { status, failure: status === 'FAILED' ? failure : null, received: { ...received, minor } };
  const body = eventBody(event.type as TransactionEventType, Number(event.at), row, then);
  core.store.run('UPDATE event SET body = ? WHERE event = ?', body, Number(event.event));
}

function eventBody(type: TransactionEventType, atMs: number, row: Row, then?: Partial<Transfer>): string {
  return JSON.stringify({ type, timestamp: isoText(atMs), data: transactionDetail(row, then) });
}

function rowOf(core: Core, transfer: number): Row {
  const row = core.store.get(`${DETAIL_ROW} WHERE t.transfer = ?`, transfer);
  assert(row !== undefined, 'an event was recorded of a transaction that is not there');
  return row;
}

const INSERT = 'INSERT INTO event (transfer, type, status, at, code, body) VALUES (?, ?, ?, ?, ?, ?)';

const INSERT_DELIVERY = `INSERT INTO delivery (event, endpoint, state, round, attempts, due_at)
  VALUES (?, ?, 'pending', 0, 0, ?)`;

const BY_NUMBER = 'SELECT * FROM event WHERE event = ? AND code = ?';
