import type { Core } from './core.ts';

export type EventType = 'transaction.created' | 'transaction.updated';

/**
 * Writes that a transaction was created or changed its status, inside the transaction of that change: so there is
 * exactly one event for each change, and none is lost or invented by a crash.
 */
export function recordEvent(core: Core, transfer: number, type: EventType, status: string, atMs: number): void {
  core.store.run(INSERT, transfer, type, status, atMs);
}

const INSERT = 'INSERT INTO event (transfer, type, status, at) VALUES (?, ?, ?, ?)';
