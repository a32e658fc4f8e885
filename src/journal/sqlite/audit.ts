import type { JournalDamage } from '../../domain/outcomes/journal-damage.ts';
import { JournalDamaged } from '../errors.ts';
import type { Verification, Witness } from '../journal.ts';
import { verifyRun } from '../verify.ts';
import { everyEntry } from './entries.ts';
import { leaseOf } from './leases.ts';
import type { Store } from './store.ts';

/** SQLite's own findings that are named. */
const FINDINGS_MAX = 5;

/** `Journal.verifyRun`. */
export function verifyRunIn(store: Store, runId: string, witness: Witness | null): Verification {
  const { db, runs, projections } = store;
  const find = () => {
    const record = runs.find(runId);
    if (record === null) return null;
    const { run } = record;
    return {
      record,
      entries: everyEntry(db, run),
      lease: () => leaseOf(store, run),
      projected: () => projections.find(run),
    };
  };
  return db.snapshot(() => verifyRun(runId, find, witness));
}

/** `Journal.faults`: runs that were deleted, and pages and indexes that are not as SQLite wrote them. */
export function faultsIn({ db, runs }: Store): JournalDamage[] {
  return db.snapshot(() => {
    const findings = db.all(`PRAGMA integrity_check(${FINDINGS_MAX})`).map((row) => String(row.integrity_check));
    const damage = findings
      .filter((finding) => finding !== 'ok')
      .map((text): JournalDamage => ({ code: 'finding', text }));
    try {
      runs.requireWhole();
      return damage;
    } catch (error) {
      if (!(error instanceof JournalDamaged)) throw error;
      return [error.damage, ...damage];
    }
  });
}

/** Whether nothing is wrong with any run, nor beside them. In one turn: the journal is opened in one. */
export function isSound(store: Store): boolean {
  const isWhole = store.runs.heads().every(({ runId }) => verifyRunIn(store, runId, null).ok);
  return isWhole && faultsIn(store).length === 0;
}
