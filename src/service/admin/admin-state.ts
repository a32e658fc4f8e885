import { z } from 'zod';
import { accepted, badRequest, notFound, type Outcome, refused } from '../gateway/answers.ts';
import type { Row, Store } from '../store/database.ts';
import { servicePaths, syncFile } from '../store/open.ts';
import { ServiceDataUnusable } from '../store/schema.ts';
import {
  listSnapshots,
  openCopy,
  removeCopy,
  removeSnapshot,
  SNAPSHOT_NAME,
  SNAPSHOTS_MAX,
  type Snapshot,
  writeSnapshot,
} from '../store/snapshots.ts';
import { keepClock, keptClock, restoredClock } from '../time/kept-clock.ts';
import { isoText } from '../time/time-text.ts';
import type { AdminTools } from './admin-tools.ts';

const WHAT_A_NAME_IS = '1 to 64 lower-case letters, digits and hyphens';

export const snapshotRequest = z.strictObject({ name: z.string().regex(SNAPSHOT_NAME, WHAT_A_NAME_IS) });

export type SnapshotRequest = z.output<typeof snapshotRequest>;

/** `state.snapshot`: keeps everything that is stored under a name, in the place of one that has it already. */
export function takeSnapshot({ core, dataDir }: AdminTools, { name }: SnapshotRequest): Outcome {
  const taken = writeSnapshot(core.store, servicePaths(dataDir).snapshots, name);
  if (taken !== 'TOO_MANY') return accepted(wireSnapshot(taken));
  return badRequest('INVALID', `there are ${SNAPSHOTS_MAX} snapshots, the most there can be: forget one`);
}

/** `state.snapshots`: those that are there, by name. */
export function getSnapshots({ dataDir }: AdminTools): Outcome {
  return accepted(listSnapshots(servicePaths(dataDir).snapshots).map(wireSnapshot));
}

/** `state.forget`. */
export function forgetSnapshot({ dataDir }: AdminTools, { name }: SnapshotRequest): Outcome {
  return removeSnapshot(servicePaths(dataDir).snapshots, name) ? accepted({ name }) : notFound('snapshot');
}

/**
 * `state.restore`: puts a snapshot in the place of the data, while requests go on. What was signed before stays used up,
 * and the service's clock does not go back.
 */
export async function restoreSnapshot(tools: AdminTools, { name }: SnapshotRequest): Promise<Outcome> {
  const { snapshots, restoring } = servicePaths(tools.dataDir);
  const copy = openCopy(snapshots, name, restoring);
  if (copy === 'ABSENT') return notFound('snapshot');
  if ('problem' in copy) return badRequest('INVALID', copy.problem);
  let isOpen = true;
  const close = (): void => {
    if (isOpen) copy.close();
    isOpen = false;
  };
  try {
    if (!tools.data.canRead(copy)) return badRequest('INVALID', `the snapshot ${name} is damaged`);
    await tools.data.replace(restoring, ({ core }) => {
      copy.exec('BEGIN IMMEDIATE');
      carryNonces(core.store, copy);
      keepClock(copy, restoredClock(keptClock(copy), core.clock));
      copy.exec('COMMIT');
      close();
      syncFile(restoring);
    });
  } catch (error) {
    if (error instanceof ServiceDataUnusable) return refused('SERVICE_UNAVAILABLE', error.message);
    throw error;
  } finally {
    close();
    removeCopy(restoring);
  }
  const { parts, rehearsal } = tools.data;
  return accepted({ name, now: isoText(parts.core.clock.wallMs()), api_key: rehearsal.apiKey });
}

/** Those of keys that the snapshot does not know cannot come again: the keys are gone. */
function carryNonces(from: Store, to: Store): void {
  const textOf = ({ expires, id, nonce }: Row): string => `${expires} ${id} ${nonce}`;
  const known = new Set<string>();
  let place = 0;
  for (const row of to.iterate(NONCES)) {
    known.add(textOf(row));
    place = Math.max(place, Number(row.place));
  }
  for (const row of from.iterate(NONCES)) {
    if (known.has(textOf(row))) continue;
    place += 1;
    const { expires = null, nonce = null, status = null, transaction_id = null, id = null } = row;
    to.run(CARRY, expires, place, nonce, status, transaction_id, id);
  }
}

const NONCES = 'SELECT expires, place, id, nonce, status, transaction_id FROM nonce JOIN api_key USING (api_key)';
const CARRY = `INSERT INTO nonce (expires, place, nonce, status, transaction_id, api_key)
  SELECT ?, ?, ?, ?, ?, api_key FROM api_key WHERE id = ?`;

function wireSnapshot({ name, bytes, atMs }: Snapshot) {
  return { name, bytes, created_at: isoText(atMs) };
}
