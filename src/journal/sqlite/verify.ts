import type { EntryKind } from '../../domain/entry.ts';
import { ChainWalk } from '../chain.ts';
import { JournalDamaged, type Verification } from '../journal.ts';
import { RunProjection } from '../projections/run-projection.ts';
import type { Witness } from '../whole-journal.ts';
import { provenStart } from './proven-runs.ts';
import type { Leases } from './tables/lease.ts';
import { jobPeriod, type RunRecord } from './tables/run-table.ts';
import type { Tables } from './tables.ts';

export type VerifyParts = Pick<Tables, 'entries' | 'runs' | 'leases' | 'projections'>;

/** More entries than a run can have, so that entries after the recorded head are read too. */
const EVERY_ENTRY = Number.MAX_SAFE_INTEGER;

/** `Journal.verifyRun`, over one consistent view that the caller holds open. */
export function verifyRun(parts: VerifyParts, runId: string, witness: Witness | null): Verification {
  const walk = new ChainWalk(runId);
  try {
    const run = parts.runs.find(runId);
    if (!run) return failure(walk, null, `there is no run ${runId}`);
    const projection = new RunProjection(runId);
    let witnessed = witness === null;
    const kinds = new Set<EntryKind>();
    for (const stored of parts.entries.read(run.run, EVERY_ENTRY)) {
      const step = walk.step(stored);
      if (!step.ok) return failure(walk, step.n, step.message);
      kinds.add(step.placed.entry.kind);
      projection.follow(step.placed);
      if (witness?.n === stored.n) {
        if (witness.hash !== stored.hash)
          return failure(walk, stored.n, `entry ${stored.n} is not the one that an earlier report names`);
        witnessed = true;
      }
    }
    if (!witnessed)
      return failure(walk, witness?.n ?? null, `entry ${witness?.n}, which an earlier report names, is gone`);
    const verified = verifyRecord(parts, run, walk, kinds.has('planned') && !kinds.has('started'));
    const difference = verified.ok ? parts.projections.difference(run, projection) : null;
    return difference === null ? verified : failure(walk, null, difference);
  } catch (error) {
    if (!(error instanceof JournalDamaged)) throw error;
    return failure(walk, null, error.message);
  }
}

/** The run's own row and lease repeat what the entries say: each difference is an edit. */
function verifyRecord(parts: VerifyParts, run: RunRecord, walk: ChainWalk, isPlanned: boolean): Verification {
  const { n, hash } = walk.head;
  if (run.head.n > n) return failure(walk, n + 1, `entries ${n + 1} to ${run.head.n} are missing at the end`);
  if (run.head.n < n) return failure(walk, run.head.n + 1, `the run ends at entry ${run.head.n}, but there are ${n}`);
  if (run.head.hash !== hash) return failure(walk, n, `the run's last hash is not that of entry ${n}`);
  const { first, header } = provenStart(run);
  const { columns } = run;
  if (header.input.sha256 !== columns.inputSha256)
    return failure(walk, null, "the run's input hash (input_sha256) is not the one that it was created with");
  if (columns.createdAt !== first.at)
    return failure(walk, null, "the run's creation time (created_at) is not the one that it was created with");
  if (columns.isPlanned !== isPlanned)
    return failure(
      walk,
      null,
      `the run's column is_planned says that it ${columns.isPlanned ? 'was never started, but it was' : 'was started, but it never was'}`,
    );
  if (columns.jobPeriod !== jobPeriod(header.job, header.period))
    return failure(walk, null, "the run's job and period (job_period) are not those that it was created with");
  const difference = leaseDifference(parts.leases.standing(run.run), walk);
  return difference === null ? { ok: true, entries: n, head: hash } : failure(walk, null, difference);
}

function leaseDifference(standing: ReturnType<Leases['standing']>, { epoch, lease }: ChainWalk): string | null {
  if (standing.epoch !== epoch) return `the lease has the epoch ${standing.epoch}, but the entries ${epoch}`;
  // Leases from before they had ids have none.
  if (lease?.lease_id !== undefined && standing.id !== lease.lease_id)
    return 'the lease has another id than the entries';
  if (standing.holder !== null && standing.holder !== lease?.holder)
    return 'the lease has another holder than the entries';
  return null;
}

function failure(walk: ChainWalk, n: number | null, message: string): Verification {
  return { ok: false, entries: walk.head.n, n, message };
}
