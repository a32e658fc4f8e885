import type { EntryKind } from '../domain/entry.ts';
import type { JournalDamage } from '../domain/outcomes/journal-damage.ts';
import { ChainWalk, type StoredEntry } from './chain.ts';
import { JournalDamaged } from './errors.ts';
import type { Verification, Witness } from './journal.ts';
import { RunProjection } from './projections/run-projection.ts';
import { differenceOf, type StoredProjection } from './projections/stored-projection.ts';
import { payingOf, provenStart, type RunRecord, type StandingLease } from './run-record.ts';

/** What a database holds of a run: its entries, also those after its end, and what repeats them. */
export type HeldRun = {
  record: RunRecord;
  entries: Iterable<StoredEntry>;
  lease(): StandingLease;
  projected(): StoredProjection | null;
};

/** `Journal.verifyRun`; `find` gives what is held of the run, null where it is unknown. */
export function verifyRun(runId: string, find: () => HeldRun | null, witness: Witness | null): Verification {
  const walk = new ChainWalk(runId);
  const failure = (n: number | null, damage: JournalDamage): Verification => {
    return { ok: false, entries: walk.head.n, n, damage };
  };
  try {
    const held = find();
    if (held === null) return failure(null, { code: 'no_run' });
    const projection = new RunProjection(runId);
    const kinds = new Set<EntryKind>();
    let isWitnessed = witness === null;
    for (const stored of held.entries) {
      const step = walk.step(stored);
      if (!step.ok) return failure(step.n, step.damage);
      kinds.add(step.placed.entry.kind);
      projection.follow(step.placed);
      if (witness?.n !== stored.n) continue;
      if (witness.hash !== stored.hash)
        return failure(stored.n, { code: 'entry_not_as_noted', n: stored.n, path: null });
      isWitnessed = true;
    }
    if (witness !== null && !isWitnessed)
      return failure(witness.n, { code: 'entries_gone', from: witness.n, to: witness.n, path: null });
    const { n, hash } = walk.head;
    const { head } = held.record;
    if (head.n > n) return failure(n + 1, { code: 'end_missing', from: n + 1, to: head.n });
    if (head.n < n) return failure(head.n + 1, { code: 'beyond_end', end: head.n, entries: n });
    if (head.hash !== hash) return failure(n, { code: 'other_last_hash', n });
    const difference =
      columnDifference(held.record, kinds.has('planned') && !kinds.has('started')) ??
      leaseDifference(held.lease(), walk) ??
      differenceOf(held.projected(), head, projection);
    return difference === null ? { ok: true, entries: n, head: hash } : failure(null, difference);
  } catch (error) {
    if (!(error instanceof JournalDamaged)) throw error;
    return failure(null, error.damage);
  }
}

/** The run's own row repeats what its entries say: each difference is an edit. */
function columnDifference(record: RunRecord, isPlanned: boolean): JournalDamage | null {
  const { first, header } = provenStart(record);
  const { inputSha256, jobPeriod } = payingOf(header);
  const { columns } = record;
  if (columns.inputSha256 !== inputSha256) return { code: 'column_changed', column: 'input_sha256' };
  if (columns.createdAt !== first.at) return { code: 'column_changed', column: 'created_at' };
  if (columns.isPlanned !== isPlanned) return { code: 'is_planned_changed', isPlanned: !isPlanned };
  if (columns.jobPeriod !== jobPeriod) return { code: 'column_changed', column: 'job_period' };
  return null;
}

function leaseDifference(standing: StandingLease, { epoch, lease }: ChainWalk): JournalDamage | null {
  if (standing.epoch !== epoch) return { code: 'lease_epoch', lease: standing.epoch, entries: epoch };
  // Leases from before they had ids have none.
  if (lease?.lease_id !== undefined && standing.id !== lease.lease_id) return { code: 'lease_changed', what: 'id' };
  if (standing.holder !== null && standing.holder !== lease?.holder) return { code: 'lease_changed', what: 'holder' };
  return null;
}
