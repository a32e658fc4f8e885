import type { RunRow } from '../../domain/entry.ts';
import type { RowLeft } from '../../domain/outcomes/run-outcome.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { NOTHING_SINCE, type SinceOfRun } from '../../domain/run/since.ts';
import type { Journal } from '../../journal/journal.ts';
import { hasRetryable } from '../../report/model/outcome.ts';
import { type Family, familyOf, relativeIds, retriedBy, retryableAmong, sinceOf } from '../../runner/retries.ts';

/** The runs that pay the same rows as a run. */
export type RelatedRuns = {
  /** Those that retry rows of it, plans too, oldest first. */
  retriedBy: readonly string[];
  /** Null where there is no other run. */
  family: Family | null;
  /** What is worked out of the other runs holds until this is another text. */
  version: string;
};

/**
 * What became in other runs of what a run did not pay, the rows that may be planned again, and those that may not. `isWhole`:
 * no related run is damaged.
 */
export type RunSince = { since: SinceOfRun; retryable: RunRow[]; leftOut: readonly RowLeft[]; isWhole: boolean };

/** Reads a related run; null where its journal is damaged. */
export type ReadRelative = (runId: string) => Promise<RunState | null>;

export async function relatedRuns(journal: Journal, run: RunState): Promise<RelatedRuns> {
  const { run_id: runId = '', retries = null } = run.header ?? {};
  const others = await retriedBy(journal, runId);
  if (others.length === 0 && retries === null) return { retriedBy: [], family: null, version: '' };
  const family = await familyOf(journal, runId);
  const heads: string[] = [];
  for (const id of relativeIds(run, family)) heads.push(`${id} ${(await journal.head(id))?.n}`);
  return { retriedBy: others, family, version: [...others, ...heads].join() };
}

/** As the related runs stand now; one that is damaged is left out. It goes through all rows of each. */
export async function runSince(
  journal: Journal,
  run: RunState,
  { family }: RelatedRuns,
  read: ReadRelative,
): Promise<RunSince> {
  if (family === null) {
    const { rows: retryable, leftOut } = retryableAmong(run, []);
    return { since: NOTHING_SINCE, retryable, leftOut, isWhole: true };
  }
  // Before the runs are read, so that it claims nothing that was not read; what is made of them is made in one turn.
  const asOf = await journal.newestEntryAt();
  const others: RunState[] = [];
  const ids = relativeIds(run, family);
  for (const runId of ids) {
    const other = await read(runId);
    if (other !== null) others.push(other);
  }
  const started = new Set(family.retries.filter(({ isPlanned }) => !isPlanned).map(({ run_id }) => run_id));
  const mayHavePaid = others.filter(({ header }) => {
    const id = header?.run_id ?? '';
    return id === family.first.run_id || started.has(id);
  });
  const { rows: retryable, leftOut } = retryableAmong(run, mayHavePaid);
  const isWhole = others.length === ids.length;
  return { since: { rows: sinceOf(run, family, others), asOf }, retryable, leftOut, isWhole };
}

/** The retries that have paid all that a run could not pay; null where there is something left, or never was anything. */
export async function paidSince(journal: Journal, run: RunState, read: ReadRelative): Promise<string[] | null> {
  const runId = run.header?.run_id ?? '';
  if (run.header === null || run.finished === null || !hasRetryable(run)) return null;
  const left = new Set<number>();
  for (const [row, { state }] of run.payouts) if (state !== 'completed') left.add(row);
  const by: string[] = [];
  for (const { run_id, isPlanned } of (await familyOf(journal, runId)).retries) {
    if (isPlanned || run_id === runId) continue;
    const before = left.size;
    for (const [row, { state }] of (await read(run_id))?.payouts ?? []) if (state === 'completed') left.delete(row);
    if (left.size < before) by.push(run_id);
  }
  return left.size === 0 ? by : null;
}
