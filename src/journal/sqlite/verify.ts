import { ChainWalk } from '../chain.ts';
import { decodeEntry } from '../entries.ts';
import { JournalDamaged, type Verification, type Witness } from '../journal.ts';
import type { EntryTable } from './entry-table.ts';
import type { Leases } from './lease.ts';
import type { RunRecord, RunTable } from './run-table.ts';

export type VerifyParts = { entries: EntryTable; runs: RunTable; leases: Leases };

/** More entries than a run can have, so that entries after the recorded head are read too. */
const EVERY_ENTRY = Number.MAX_SAFE_INTEGER;

/** `Journal.verifyRun`, over one consistent view that the caller holds open. */
export function verifyRun(parts: VerifyParts, runId: string, witness: Witness | null): Verification {
  const walk = new ChainWalk(runId);
  try {
    const run = parts.runs.find(runId);
    if (!run) return failure(walk, null, `there is no run ${runId}`);
    let witnessed = witness === null;
    for (const stored of parts.entries.read(run.run, EVERY_ENTRY)) {
      const step = walk.step(stored);
      if (!step.ok) return failure(walk, step.n, step.message);
      if (witness?.n === stored.n) {
        if (witness.hash !== stored.hash)
          return failure(walk, stored.n, `entry ${stored.n} is not the one that an earlier report names`);
        witnessed = true;
      }
    }
    if (!witnessed)
      return failure(walk, witness?.n ?? null, `entry ${witness?.n}, which an earlier report names, is gone`);
    return verifyRecord(parts, run, walk);
  } catch (error) {
    if (!(error instanceof JournalDamaged)) throw error;
    return failure(walk, null, error.message);
  }
}

/** The run's own row and lease repeat what the entries say: each difference is an edit. */
function verifyRecord(parts: VerifyParts, run: RunRecord, walk: ChainWalk): Verification {
  const { n, hash } = walk.head;
  if (run.head.n > n) return failure(walk, n + 1, `entries ${n + 1} to ${run.head.n} are missing at the end`);
  if (run.head.n < n) return failure(walk, run.head.n + 1, `the run ends at entry ${run.head.n}, but there are ${n}`);
  if (run.head.hash !== hash) return failure(walk, n, `the run's last hash is not that of entry ${n}`);
  const first = run.header === null ? null : decodeEntry(run.header);
  if (first?.kind !== 'run_created') return failure(walk, 1, 'entry 1, which creates the run, is missing');
  if (first.input.sha256 !== run.inputSha256)
    return failure(walk, null, "the run's input hash is not the one that it was created with");
  if (run.createdAt !== walk.createdAt)
    return failure(walk, null, "the run's creation time is not the one that it was created with");
  const epoch = parts.leases.epoch(run.run);
  if (epoch !== walk.epoch)
    return failure(walk, null, `the lease has the epoch ${epoch}, but the entries ${walk.epoch}`);
  return { ok: true, entries: n, head: hash };
}

function failure(walk: ChainWalk, n: number | null, message: string): Verification {
  return { ok: false, entries: walk.head.n, n, message };
}
