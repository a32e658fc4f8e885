import type { RunRow } from '../../domain/entry.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { NOTHING_SINCE, type SinceOfRun } from '../../domain/run/since.ts';
import { sinceText } from '../../messages/report/outcome-words.ts';
import { hasRetryable } from '../../report/model/outcome.ts';
import { type Family, familyOf, retryableAmong } from '../../runner/retries.ts';
import { relativeIds, sinceOf } from '../../runner/since.ts';
import { WorkedOut } from '../once.ts';
import type { WebParts } from '../parts.ts';
import type { FollowedRun } from './followed-run.ts';
import type { RowsPage } from './rows.ts';

/** What became in other runs of what a run did not pay, and the rows that may be planned again. */
type RunSince = { since: SinceOfRun; retryable: RunRow[] };

/** By the entries of the run and of its family that it was worked out of. */
const KNOWN = new WorkedOut<RunState, Promise<RunSince>>();

/**
 * As the runs of its family stand now; a relative that is damaged is left out. Of a large run it goes through all rows, so
 * it is worked out once for all who look, until something more is written to one of them.
 */
export async function runSince(
  parts: WebParts,
  { run, runId, n }: Pick<FollowedRun, 'run' | 'runId' | 'n'>,
  retriedBy: readonly string[],
): Promise<RunSince> {
  const { journal } = parts.deps;
  const isAlone = retriedBy.length === 0 && run.header?.retries === null;
  const family = isAlone ? null : await familyOf(journal, runId);
  const heads: string[] = [];
  for (const id of family === null ? [] : relativeIds(run, family)) heads.push(`${id} ${(await journal.head(id))?.n}`);
  return KNOWN.of(run, [n, ...heads].join(), () => {
    const since = family === null ? alone(run) : amongOthers(parts, run, family);
    // What could not be read is read again by whoever looks next.
    since.catch(() => KNOWN.forget(run));
    return since;
  });
}

async function alone(run: RunState): Promise<RunSince> {
  return { since: NOTHING_SINCE, retryable: retryableAmong(run, []).rows };
}

async function amongOthers({ deps, runs }: WebParts, run: RunState, family: Family): Promise<RunSince> {
  // Before the runs are read, so that it claims nothing that was not read; what is made of them is made in one turn.
  const asOf = await deps.journal.newestEntryAt();
  const others: RunState[] = [];
  for (const runId of relativeIds(run, family)) {
    const followed = await runs.read(runId).catch((error: unknown) => {
      if (error instanceof Refusal) return null;
      throw error;
    });
    if (followed !== null) others.push(followed.run);
  }
  const started = new Set(family.retries.filter(({ isPlanned }) => !isPlanned).map(({ run_id }) => run_id));
  const mayHavePaid = others.filter(
    ({ header }) => header?.run_id === family.first.run_id || started.has(header?.run_id ?? ''),
  );
  return {
    since: { rows: sinceOf(run, family, others), asOf },
    retryable: retryableAmong(run, mayHavePaid).rows,
  };
}

/** The rows with what became of them since, beside why they were not paid. */
export function withSince(page: RowsPage, run: RunState, { rows: since }: SinceOfRun): RowsPage {
  const rows = page.rows.map((row) => {
    const became = since.get(row.row);
    if (became === undefined) return row;
    const text = sinceText(became, run.header?.rehearsal ?? false);
    const sentence = `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
    return { ...row, message: row.message === null ? sentence : `${row.message} ${sentence}` };
  });
  return { ...page, rows };
}

/** The retries that have paid all that a run could not pay; null where there is something left, or never was anything. */
export async function paidSince({ deps, runs }: WebParts, run: RunState): Promise<string[] | null> {
  const runId = run.header?.run_id ?? '';
  if (run.header === null || run.finished === null || !hasRetryable(run)) return null;
  const left = new Set<number>();
  for (const [row, { state }] of run.payouts) if (state !== 'completed') left.add(row);
  const by: string[] = [];
  for (const { run_id, isPlanned } of (await familyOf(deps.journal, runId)).retries) {
    if (isPlanned || run_id === runId) continue;
    const before = left.size;
    for (const [row, { state }] of (await runs.read(run_id))?.run.payouts ?? [])
      if (state === 'completed') left.delete(row);
    if (left.size < before) by.push(run_id);
  }
  return left.size === 0 ? by : null;
}
