import type { EntryKind } from '../domain/entry.ts';
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
  const failure = (n: number | null, message: string): Verification => {
    return { ok: false, entries: walk.head.n, n, message };
  };
  try {
    const held = find();
    if (held === null) return failure(null, `there is no run ${runId}`);
    const projection = new RunProjection(runId);
    const kinds = new Set<EntryKind>();
    let isWitnessed = witness === null;
    for (const stored of held.entries) {
      const step = walk.step(stored);
      if (!step.ok) return failure(step.n, step.message);
      kinds.add(step.placed.entry.kind);
      projection.follow(step.placed);
      if (witness?.n !== stored.n) continue;
      if (witness.hash !== stored.hash)
        return failure(stored.n, `entry ${stored.n} is not the one that an earlier report names`);
      isWitnessed = true;
    }
    if (!isWitnessed) return failure(witness?.n ?? null, `entry ${witness?.n}, which an earlier report names, is gone`);
    const { n, hash } = walk.head;
    const { head } = held.record;
    if (head.n > n) return failure(n + 1, `entries ${n + 1} to ${head.n} are missing at the end`);
    if (head.n < n) return failure(head.n + 1, `the run ends at entry ${head.n}, but there are ${n}`);
    if (head.hash !== hash) return failure(n, `the run's last hash is not that of entry ${n}`);
    const difference =
      columnDifference(held.record, kinds.has('planned') && !kinds.has('started')) ??
      leaseDifference(held.lease(), walk) ??
      differenceOf(held.projected(), head, projection);
    return difference === null ? { ok: true, entries: n, head: hash } : failure(null, difference);
  } catch (error) {
    if (!(error instanceof JournalDamaged)) throw error;
    return failure(null, error.message);
  }
}

/** The run's own row repeats what its entries say: each difference is an edit. */
function columnDifference(record: RunRecord, isPlanned: boolean): string | null {
  const { first, header } = provenStart(record);
  const { inputSha256, jobPeriod } = payingOf(header);
  const { columns } = record;
  if (columns.inputSha256 !== inputSha256)
    return "the run's input hash (input_sha256) is not the one that it was created with";
  if (columns.createdAt !== first.at)
    return "the run's creation time (created_at) is not the one that it was created with";
  if (columns.isPlanned !== isPlanned) {
    const claim = columns.isPlanned ? 'was never started, but it was' : 'was started, but it never was';
    return `the run's column is_planned says that it ${claim}`;
  }
  if (columns.jobPeriod !== jobPeriod)
    return "the run's job and period (job_period) are not those that it was created with";
  return null;
}

function leaseDifference(standing: StandingLease, { epoch, lease }: ChainWalk): string | null {
  if (standing.epoch !== epoch) return `the lease has the epoch ${standing.epoch}, but the entries ${epoch}`;
  // Leases from before they had ids have none.
  if (lease?.lease_id !== undefined && standing.id !== lease.lease_id)
    return 'the lease has another id than the entries';
  if (standing.holder !== null && standing.holder !== lease?.holder)
    return 'the lease has another holder than the entries';
  return null;
}
