import type { Head } from '../chain.ts';
import { extendLease, releaseLease, requireLease } from './leases.ts';
import type { Steps } from './steps.ts';
import type { Store } from './store.ts';
import type { RunCommit } from './tables.ts';

/** Inside a transaction: the lease is looked at where nobody can take it in between. Returns the run's new end. */
export function* commitSteps(store: Store, commit: RunCommit): Steps<Head> {
  yield* requireLease(store, commit.runId, commit.lease);
  const head = yield* addEntries(store, commit);
  if (commit.leaseThen === 'released') yield* releaseLease(commit.lease);
  else if (commit.leaseThen === 'extended') yield* extendLease(store, commit.lease);
  return head;
}

/** The run's end with these entries, and with what they change of who was paid. */
export function* addEntries(
  { runs, projections }: Store,
  { runId, lease, at, head, given, projection }: Omit<RunCommit, 'leaseThen'>,
): Steps<Head> {
  const end = yield* runs.append({ run: lease.run, runId, epoch: lease.epoch, at }, head, given);
  if (given.length === 0) return end;
  followGiven({ at, head, given, projection });
  yield* projections.save(lease.run, end, projection);
  return end;
}

/** Lets the projection take the entries of a commit. */
export function followGiven({ at, head, given, projection }: Pick<RunCommit, 'at' | 'head' | 'given' | 'projection'>) {
  for (const [index, { entry }] of given.entries()) projection.follow({ n: head.n + 1 + index, at, entry });
}
