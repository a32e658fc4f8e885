import type { Core } from '../core.ts';
import { eventId, renderLater } from '../events.ts';
import type { Row } from '../store/database.ts';
import { isoText } from '../time/clock.ts';
import { switchOff } from './endpoints.ts';

/** A delivery that is about to be tried. */
export type Due = { event: number; endpoint: number; round: number; attempts: number; id: string; body: string };

/** What is written of an attempt. `attempts` counts it; times are by the service's clock. */
export type Result = Pick<Due, 'event' | 'endpoint' | 'round' | 'attempts'> & {
  triedMs: number;
  httpStatus: number | null;
  problem: string | null;
  /** `pending`: it is tried again at `dueMs`. */
  state: 'delivered' | 'failed' | 'pending';
  dueMs: number | null;
};

/** Numbers of the events that are due for an endpoint, the longest due first. */
export function dueEvents(core: Core, endpoint: number, nowMs: number, limit: number): number[] {
  return core.store.all(DUE, endpoint, Math.floor(nowMs), limit).map(({ event }) => Number(event));
}

/** When the next delivery after `nowMs` is due, or null. */
export function nextDueMs(core: Core, endpoint: number, nowMs: number): number | null {
  const due = core.store.get(NEXT_DUE, endpoint, Math.floor(nowMs))?.due_at ?? null;
  return due === null ? null : Number(due);
}

/** The delivery as it is now, or null where it is not to be made any more. */
export function readDue(core: Core, event: number, endpoint: number): Due | null {
  const row = core.store.get(READ_DUE, event, endpoint);
  if (!row) return null;
  const { round, attempts, code, body } = row;
  const id = eventId(event, String(code));
  return { event, endpoint, round: Number(round), attempts: Number(attempts), id, body: String(body) };
}

// What follows changes the tables, and so belongs inside a transaction of the committer.

/**
 * Writes what became of an attempt. One of a round that a replay has ended changes nothing; one of a delivery that was
 * given up meanwhile counts only where it arrived.
 */
export function writeResult(core: Core, result: Result): void {
  const { state, dueMs, attempts, triedMs, httpStatus, problem, event, endpoint, round } = result;
  const changed = [state, dueMs, attempts, triedMs, httpStatus, problem] as const;
  core.store.run(WRITE_RESULT, ...changed, event, endpoint, round, state);
  if (httpStatus === GONE) switchOff(core, endpoint, 'it answered 410 Gone');
}

const GONE = 410;

/** Makes an event due now for each endpoint, whatever came of it before, or for the first time. */
export function replay(core: Core, event: Row, endpoints: readonly { endpoint: number }[]): void {
  // Once, not for each endpoint: what an event says is written for ever.
  if (event.body === null) renderLater(core, event);
  const nowMs = Math.floor(core.clock.wallMs());
  for (const { endpoint } of endpoints) core.store.run(REPLAY, Number(event.event), endpoint, nowMs);
}

/** Failed deliveries that one call takes up: a call is one transaction, and others wait for it. */
export const REPLAYS_MAX = 10_000;

/** The same for what has failed, of endpoints that are on. Says how many, `REPLAYS_MAX` at most. */
export function replayFailed(core: Core): number {
  return core.store.run(REPLAY_FAILED, Math.floor(core.clock.wallMs()), REPLAYS_MAX).changes;
}

/** The newest deliveries, for people. */
export function listDeliveries(core: Core, limit: number) {
  return core.store.all(LIST, limit).map((row) => ({
    event_id: eventId(Number(row.event), String(row.code)),
    endpoint_id: row.endpoint_id,
    transaction_id: row.transaction_id,
    type: row.type,
    status: row.status,
    state: row.state,
    attempts: row.attempts,
    replays: row.round,
    due_at: row.due_at === null ? null : isoText(Number(row.due_at)),
    tried_at: row.tried_at === null ? null : isoText(Number(row.tried_at)),
    http_status: row.http_status,
    problem: row.problem,
  }));
}

const DUE = `SELECT event FROM delivery WHERE endpoint = ? AND due_at IS NOT NULL AND due_at <= ?
  ORDER BY due_at, event LIMIT ?`;
const NEXT_DUE = `SELECT due_at FROM delivery WHERE endpoint = ? AND due_at IS NOT NULL AND due_at > ?
  ORDER BY due_at LIMIT 1`;
const READ_DUE = `SELECT d.round, d.attempts, e.code, e.body FROM delivery d JOIN event e ON e.event = d.event
  WHERE d.event = ? AND d.endpoint = ? AND d.due_at IS NOT NULL`;
const WRITE_RESULT = `UPDATE delivery SET state = ?, due_at = ?, attempts = ?, tried_at = ?, http_status = ?, problem = ?
  WHERE event = ? AND endpoint = ? AND round = ? AND (state = 'pending' OR ? = 'delivered')`;
const REPLAY = `INSERT INTO delivery (event, endpoint, state, round, attempts, due_at) VALUES (?, ?, 'pending', 0, 0, ?)
  ON CONFLICT (event, endpoint) DO UPDATE SET state = 'pending', round = round + 1, attempts = 0,
  due_at = excluded.due_at, problem = NULL`;
const REPLAY_FAILED = `UPDATE delivery SET state = 'pending', round = round + 1, attempts = 0, due_at = ?, problem = NULL
  WHERE (event, endpoint) IN (SELECT d.event, d.endpoint FROM delivery d JOIN webhook_endpoint w USING (endpoint)
  WHERE d.state = 'failed' AND w.state = 'on' ORDER BY d.event LIMIT ?)`;
const LIST = `SELECT d.*, e.code, e.type, e.status, t.id AS transaction_id, w.id AS endpoint_id
  FROM delivery d JOIN event e ON e.event = d.event JOIN transfer t ON t.transfer = e.transfer
  JOIN webhook_endpoint w ON w.endpoint = d.endpoint ORDER BY d.event DESC, d.endpoint DESC LIMIT ?`;

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** From the end of an attempt to the next (`decisions.md`). The first is made at once, so there are ten. */
const DELAYS_MS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];

export const ATTEMPTS_MAX = DELAYS_MS.length + 1;

/** Longest that a receiver can put a delivery off. */
const RETRY_AFTER_MAX_MS = 24 * HOUR_MS;

/**
 * When the next attempt is due (Unix ms, whole), or null where `attempts` were the last. `chance` is 0 to less than 1
 * and moves the delay by up to a tenth either way, so that deliveries that failed together do not all come back
 * together. A later time that the receiver has asked for counts, for a day at most.
 */
export function nextAttemptMs(options: {
  attempts: number;
  nowMs: number;
  chance: number;
  retryAfterMs: number | null;
}): number | null {
  const { attempts, nowMs, chance, retryAfterMs } = options;
  const delayMs = DELAYS_MS[attempts - 1];
  if (delayMs === undefined) return null;
  const jitteredMs = delayMs * (0.9 + 0.2 * chance);
  return Math.floor(nowMs + Math.max(jitteredMs, Math.min(retryAfterMs ?? 0, RETRY_AFTER_MAX_MS)));
}

/**
 * Milliseconds of a Retry-After (RFC 9110, section 10.2.3): seconds, or an IMF-fixdate, which is by the machine's clock
 * (`nowMs`). Null for what is neither.
 */
export function readRetryAfter(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  if (/^\d{1,10}$/.test(header)) return Number(header) * SECOND_MS;
  if (!/^\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(header)) return null;
  const ms = Date.parse(header);
  return Number.isNaN(ms) ? null : Math.max(ms - nowMs, 0);
}
