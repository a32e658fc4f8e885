import type { JournalDamage } from '../../domain/outcomes/journal-damage.ts';
import type { Verification } from '../errors.ts';
import { JournalDamaged } from '../errors.ts';
import type { JournalFacts } from '../facts.ts';
import type { Witness } from '../journal.ts';
import { RunVerification } from '../verify.ts';
import { EntryPages } from './entries.ts';
import { leaseOf } from './leases.ts';
import { moveOf } from './moves.ts';
import type { Steps } from './steps.ts';
import type { Store } from './store.ts';

/** `Journal.verifyRun`, inside one snapshot. */
export function* verifyRunIn(
  { runs, projections }: Store,
  runId: string,
  witness: Witness | null,
): Steps<Verification> {
  const verification = new RunVerification(runId, witness);
  try {
    const record = yield* runs.find(runId);
    if (record === null) return verification.failed(null, { code: 'no_run' });
    const pages = EntryPages.every(record.run);
    for (let page = yield* pages.next(); page.length > 0; page = yield* pages.next()) {
      const failure = verification.follow(page);
      if (failure !== null) return failure;
    }
    return verification.end(record, {
      lease: yield* leaseOf(record.run),
      projected: yield* projections.find(record.run),
      ordersHashes: yield* projections.ordersHashes(record.run),
    });
  } catch (error) {
    if (!(error instanceof JournalDamaged)) throw error;
    return verification.failed(null, error.damage);
  }
}

/** `Journal.faults`, inside one snapshot: runs that were deleted, and what the database finds wrong with its own files. */
export function* faultsIn({ dialect, runs }: Store): Steps<JournalDamage[]> {
  const damage = (yield* dialect.findings()).map((text): JournalDamage => ({ code: 'finding', text }));
  try {
    yield* runs.requireWhole();
    return damage;
  } catch (error) {
    if (!(error instanceof JournalDamaged)) throw error;
    return [error.damage, ...damage];
  }
}

/** Whether nothing is wrong with any run, nor beside them. */
export function* isSound(store: Store): Steps<boolean> {
  for (const { runId } of yield* store.runs.heads()) if (!(yield* verifyRunIn(store, runId, null)).ok) return false;
  return (yield* faultsIn(store)).length === 0;
}

/** How the journal is kept, and whether it is moved. */
export function* factsIn({ dialect }: Store): Steps<Omit<JournalFacts, 'place'>> {
  const move = yield* moveOf();
  const storage = yield* dialect.facts();
  if (move === null || move.state === 'kept') return { storage, move: null };
  return { storage, move: { state: move.state, other: move.other } };
}
