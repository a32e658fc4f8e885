import { z } from 'zod';
import { accepted, badRequest, notFound, type Outcome, refused } from '../gateway/answers.ts';
import type { Store } from '../store/database.ts';
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
import { isoText, keepClock, keptClock, restoredClock } from '../time/clock.ts';
import { verifyLedger } from '../verify/verify.ts';
import { clockState } from './clock.ts';
import { type AdminOperations, type AdminTools, alone, direct, nothing } from './operation.ts';

const named = z.strictObject({
  name: z.string().regex(SNAPSHOT_NAME, '1 to 64 lower-case letters, digits and hyphens'),
});
const NAME = { name: 'before-payday' };

export const STATE_OPERATIONS: AdminOperations = {
  state: direct('clock, keys, transactions by status, counts', nothing, {}, readState),
  stats: direct('requests that arrived, by operation', nothing, {}, ({ gateway }) =>
    accepted({ arrivals: gateway.arrivals() }),
  ),
  verify: direct('what is wrong with the books; an empty list is right', nothing, {}, ({ core }) =>
    accepted({ findings: verifyLedger(core.store) }),
  ),
};

export const SNAPSHOT_OPERATIONS: AdminOperations = {
  'state.snapshot': alone('keeps everything that is stored, under a name', named, NAME, takeSnapshot),
  'state.restore': alone('puts it back, while requests go on', named, NAME, restoreSnapshot),
  'state.snapshots': direct('those that are there', nothing, {}, ({ dataDir }) =>
    accepted(listSnapshots(servicePaths(dataDir).snapshots).map(wireSnapshot)),
  ),
  'state.forget': alone('removes one', named, NAME, ({ dataDir }, { name }) =>
    removeSnapshot(servicePaths(dataDir).snapshots, name) ? accepted({ name }) : notFound('snapshot'),
  ),
};

function readState({ core, customer, keys }: AdminTools): Outcome {
  return accepted({
    ...clockState(core),
    customer_id: customer.customerId,
    active_keys: keys.activeOf(customer.customer).map(({ id }) => id),
    transactions: Object.fromEntries(core.store.all(BY_STATUS).map(({ status, count }) => [status, count])),
    ...core.store.get(COUNTS),
  });
}

const COUNTS = `SELECT (SELECT count(*) FROM recipient) AS recipients, (SELECT count(*) FROM external_account) AS
  external_accounts, (SELECT count(*) FROM posting) AS postings, (SELECT count(*) FROM nonce) AS nonces`;
const BY_STATUS = 'SELECT status, count(*) AS count FROM transfer GROUP BY status ORDER BY status';

/** In the place of a snapshot that has the name already. */
function takeSnapshot({ core, dataDir }: AdminTools, { name }: z.output<typeof named>): Outcome {
  const taken = writeSnapshot(core.store, servicePaths(dataDir).snapshots, name);
  if (taken !== 'TOO_MANY') return accepted(wireSnapshot(taken));
  return badRequest('INVALID', `there are ${SNAPSHOTS_MAX} snapshots, the most there can be: forget one`);
}

/**
 * Puts a snapshot in the place of the data, while requests go on. What was signed before stays used up, and the service's
 * clock does not go back.
 */
async function restoreSnapshot({ data, dataDir }: AdminTools, { name }: z.output<typeof named>): Promise<Outcome> {
  const { snapshots, restoring } = servicePaths(dataDir);
  const copy = openCopy(snapshots, name, restoring);
  if (copy === 'ABSENT') return notFound('snapshot');
  if ('problem' in copy) return badRequest('INVALID', copy.problem);
  let isOpen = true;
  const close = (): void => {
    if (isOpen) copy.close();
    isOpen = false;
  };
  try {
    if (!data.canRead(copy)) return badRequest('INVALID', `the snapshot ${name} is damaged`);
    await data.replace(restoring, ({ core }) => {
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
  const { parts, rehearsal } = data;
  return accepted({ name, now: isoText(parts.core.clock.wallMs()), api_key: rehearsal.apiKey });
}

/** Those of keys that the snapshot does not know cannot come again: the keys are gone. */
function carryNonces(from: Store, to: Store): void {
  const known = new Set<string>();
  let place = 0;
  for (const row of to.iterate(NONCES)) {
    known.add(`${row.expires} ${row.id} ${row.nonce}`);
    place = Math.max(place, Number(row.place));
  }
  for (const { expires = null, nonce = null, status = null, transaction_id = null, id = null } of from.iterate(
    NONCES,
  )) {
    if (known.has(`${expires} ${id} ${nonce}`)) continue;
    place += 1;
    to.run(CARRY, expires, place, nonce, status, transaction_id, id);
  }
}

const NONCES = 'SELECT expires, place, id, nonce, status, transaction_id FROM nonce JOIN api_key USING (api_key)';
const CARRY = `INSERT INTO nonce (expires, place, nonce, status, transaction_id, api_key)
  SELECT ?, ?, ?, ?, ?, api_key FROM api_key WHERE id = ?`;

function wireSnapshot({ name, bytes, atMs }: Snapshot) {
  return { name, bytes, created_at: isoText(atMs) };
}
