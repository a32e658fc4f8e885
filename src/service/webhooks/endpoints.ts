import { z } from 'zod';
import type { Core } from '../core.ts';
import type { Row } from '../store/database.ts';

/** Endpoints that are not removed. Each has connections of its own, so their number bounds those of all. */
export const ENDPOINTS_MAX = 16;

export const endpointState = z.enum(['on', 'off', 'removed']);
export type EndpointState = z.output<typeof endpointState>;

/** An endpoint as it stands in the table. */
export type EndpointRecord = {
  endpoint: number;
  id: string;
  url: string;
  secret: string | null;
  state: EndpointState;
  stateReason: string;
  createdMs: number;
};

/** All that are not removed, in the order of their making. */
export function listEndpoints(core: Core): EndpointRecord[] {
  return core.store.all("SELECT * FROM webhook_endpoint WHERE state <> 'removed' ORDER BY endpoint").map(recordOf);
}

export function findEndpoint(core: Core, id: string): EndpointRecord | null {
  const row = core.store.get("SELECT * FROM webhook_endpoint WHERE id = ? AND state <> 'removed'", id);
  return row ? recordOf(row) : null;
}

export function findEndpointOfUrl(core: Core, url: string): EndpointRecord | null {
  const row = core.store.get("SELECT * FROM webhook_endpoint WHERE url = ? AND state <> 'removed'", url);
  return row ? recordOf(row) : null;
}

// What follows changes the tables, and so belongs inside a transaction of the committer.

/** Makes an endpoint and switches it on, or finds the one that the URL has; a secret that is given replaces the old. */
export function keepEndpoint(core: Core, url: string, secret: string | null): EndpointRecord | 'TOO_MANY' {
  const found = findEndpointOfUrl(core, url);
  if (found) {
    if (secret === null) return found;
    core.store.run('UPDATE webhook_endpoint SET secret = ? WHERE endpoint = ?', secret, found.endpoint);
    endpointsChanged(core);
    return { ...found, secret };
  }
  if (listEndpoints(core).length >= ENDPOINTS_MAX) return 'TOO_MANY';
  const atMs = core.stamps.nowMs();
  const id = core.stamps.id('whe', atMs);
  const { lastId } = core.store.run(INSERT, id, url, secret, atMs);
  beginPeriod(core, lastId);
  endpointsChanged(core);
  return { endpoint: lastId, id, url, secret, state: 'on', stateReason: '', createdMs: atMs };
}

export function switchOn(core: Core, { endpoint, state }: EndpointRecord): void {
  if (state === 'on') return;
  setState(core, endpoint, 'on', '');
  beginPeriod(core, endpoint);
  endpointsChanged(core);
}

/** Nothing more is sent. What was still to be sent has failed, so that it can be replayed once the endpoint is on again. */
export function switchOff(core: Core, endpoint: number, reason: string): void {
  if (!core.outbox.endpoints.some((active) => active.endpoint === endpoint)) return;
  setState(core, endpoint, 'off', reason);
  endPeriod(core, endpoint);
  core.store.run(GIVE_UP, 'failed', 'the endpoint was switched off', endpoint);
  endpointsChanged(core);
}

/** For good: deliveries that were to be made are cancelled, and what happened so far stays on record. */
export function removeEndpoint(core: Core, { endpoint }: EndpointRecord): void {
  setState(core, endpoint, 'removed', '');
  core.store.run('UPDATE webhook_endpoint SET secret = NULL WHERE endpoint = ?', endpoint);
  endPeriod(core, endpoint);
  core.store.run(GIVE_UP, 'cancelled', 'the endpoint was removed', endpoint);
  endpointsChanged(core);
}

function setState(core: Core, endpoint: number, state: EndpointState, reason: string): void {
  core.store.run('UPDATE webhook_endpoint SET state = ?, state_reason = ? WHERE endpoint = ?', state, reason, endpoint);
}

function beginPeriod(core: Core, endpoint: number): void {
  core.store.run(BEGIN_PERIOD, endpoint);
}

function endPeriod(core: Core, endpoint: number): void {
  core.store.run(END_PERIOD, endpoint);
}

/** The list in memory follows the table at once, also back where the transaction is undone. */
function endpointsChanged(core: Core): void {
  core.ledger.whenUndone(() => core.outbox.reload());
  core.outbox.reload();
  core.outbox.written();
}

function recordOf(row: Row): EndpointRecord {
  return {
    endpoint: Number(row.endpoint),
    id: String(row.id),
    url: String(row.url),
    secret: row.secret === null ? null : String(row.secret),
    state: row.state as EndpointState,
    stateReason: String(row.state_reason),
    createdMs: Number(row.created_at),
  };
}

const INSERT = `INSERT INTO webhook_endpoint (id, url, secret, state, state_reason, created_at)
  VALUES (?, ?, ?, 'on', '', ?)`;
const BEGIN_PERIOD = `INSERT INTO webhook_period (endpoint, after_event, until_event)
  VALUES (?, (SELECT coalesce(max(event), 0) FROM event), NULL)
  ON CONFLICT (endpoint, after_event) DO UPDATE SET until_event = NULL`;
const END_PERIOD = `UPDATE webhook_period SET until_event = (SELECT coalesce(max(event), 0) FROM event)
  WHERE endpoint = ? AND until_event IS NULL`;
const GIVE_UP = `UPDATE delivery SET state = ?, due_at = NULL, problem = ? WHERE endpoint = ? AND due_at IS NOT NULL`;
