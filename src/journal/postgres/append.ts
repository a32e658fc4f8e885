import { assert } from '../../domain/refusal.ts';
import { type Head, linkHash } from '../chain.ts';
import { JournalDamaged } from '../errors.ts';
import { followGiven } from '../tables/commit.ts';
import { deposed } from '../tables/leases.ts';
import { toStore } from '../tables/projections.ts';
import type { RunCommit } from '../tables/tables.ts';
import type { Connection } from './connection.ts';

const PARAMETERS = 19;

const SQL = `SELECT append(${Array.from({ length: PARAMETERS }, (_, at) => `$${at + 1}`).join(', ')}) AS outcome`;

/** One commit of a run's writer, in one round trip, by the function of the same name: it looks at the lease and writes. */
export async function append(
  db: Connection,
  { holder, leaseMs }: { holder: string; leaseMs: number },
  commit: RunCommit,
): Promise<Head> {
  const { runId, lease, head, at, given, projection, leaseThen } = commit;
  const { end, hashes } = linked(commit);
  if (given.length > 0) followGiven(commit);
  const stored = given.length > 0 ? toStore(projection, end) : null;
  const pages = stored?.pages ?? [];
  const row = await db.commit('append', SQL, [
    ...[lease.run, lease.epoch, lease.id, holder, db.identity],
    ...[head.n, bytes(head.hash), at],
    ...[given.map(({ kind }) => kind), given.map((one) => one.row), given.map(({ data }) => data), hashes.map(bytes)],
    ...[pages.map(({ n }) => n), pages.map(({ states }) => states)],
    ...[pages.map(({ ordersHash }) => bytes(ordersHash)), pages.map(({ orders }) => orders)],
    ...[stored?.end.facts ?? null, stored === null ? null : bytes(stored.end.proof)],
    leaseThen === 'kept' ? null : leaseThen === 'released' ? 0 : leaseMs,
  ]);
  const outcome = row?.outcome;
  if (outcome === 'taken') throw deposed(runId, lease);
  if (outcome === 'replaced') throw db.foundReplaced();
  if (outcome === 'moved') throw new JournalDamaged({ of: runId, code: 'head_moved' });
  assert(outcome === 'done', 'the database appended with an outcome that nobody knows');
  if (stored !== null) projection.stored();
  return end;
}

/** The hashes of a commit's entries, and the run's end after them. */
function linked({ runId, lease, head, at, given }: RunCommit): { end: Head; hashes: string[] } {
  let { n, hash } = head;
  const hashes = given.map(({ kind, row, data }) => {
    hash = linkHash(hash, runId, { n: ++n, at, epoch: lease.epoch, kind, row, data });
    return hash;
  });
  return { end: { n, hash }, hashes };
}

function bytes(hex: string): Buffer {
  return Buffer.from(hex, 'hex');
}
