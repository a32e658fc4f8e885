import type { EntryKind } from '../domain/entry.ts';
import type { JournalDamage } from '../domain/outcomes/journal-damage.ts';
import { ChainWalk, type StoredEntry } from './chain.ts';
import type { Verification } from './errors.ts';
import type { Witness } from './journal.ts';
import { RunProjection } from './projections/run-projection.ts';
import { differenceOf, type StoredProjection } from './projections/stored-projection.ts';
import { payingOf, provenStart, type RunRecord, type StandingLease } from './run-record.ts';

type Failure = Extract<Verification, { ok: false }>;

/** What a database holds of a run beside its entries, which repeats them. `ordersHashes`: by page of the projection. */
export type HeldBeside = {
  lease: StandingLease;
  projected: StoredProjection | null;
  ordersHashes: ReadonlyMap<number, string>;
};

/** Proves a run to be as it was written, its entries one after another, also those after its end: `Journal.verifyRun`. */
export class RunVerification {
  readonly #witness: Witness | null;
  readonly #walk: ChainWalk;
  readonly #projection: RunProjection;
  readonly #kinds = new Set<EntryKind>();
  #isWitnessed: boolean;

  constructor(runId: string, witness: Witness | null) {
    this.#witness = witness;
    this.#walk = new ChainWalk(runId);
    this.#projection = new RunProjection(runId);
    this.#isWitnessed = witness === null;
  }

  failed(n: number | null, damage: JournalDamage): Failure {
    return { ok: false, entries: this.#walk.head.n, n, damage };
  }

  /** Takes the next entries. After a failure it is over. */
  follow(page: readonly StoredEntry[]): Failure | null {
    const witness = this.#witness;
    for (const stored of page) {
      const step = this.#walk.step(stored);
      if (!step.ok) return this.failed(step.n, step.damage);
      this.#kinds.add(step.placed.entry.kind);
      this.#projection.follow(step.placed);
      if (witness?.n !== stored.n) continue;
      if (witness.hash !== stored.hash)
        return this.failed(stored.n, { code: 'entry_not_as_noted', n: stored.n, path: null });
      this.#isWitnessed = true;
    }
    return null;
  }

  /** After the last entry. Throws `JournalDamaged` where the first ones are gone. */
  end(record: RunRecord, { lease, projected, ordersHashes }: HeldBeside): Verification {
    const witness = this.#witness;
    if (witness !== null && !this.#isWitnessed)
      return this.failed(witness.n, { code: 'entries_gone', from: witness.n, to: witness.n, path: null });
    const { n, hash } = this.#walk.head;
    const { head } = record;
    if (head.n > n) return this.failed(n + 1, { code: 'end_missing', from: n + 1, to: head.n });
    if (head.n < n) return this.failed(head.n + 1, { code: 'beyond_end', end: head.n, entries: n });
    if (head.hash !== hash) return this.failed(n, { code: 'other_last_hash', n });
    const difference =
      columnDifference(record, this.#kinds.has('planned') && !this.#kinds.has('started')) ??
      leaseDifference(lease, this.#walk) ??
      differenceOf(projected, ordersHashes, head, this.#projection);
    return difference === null ? { ok: true, entries: n, head: hash } : this.failed(null, difference);
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
