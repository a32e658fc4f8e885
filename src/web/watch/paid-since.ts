import type { RunState } from '../../domain/run/run-state.ts';
import { hasRetryable } from '../../report/model/outcome.ts';
import { familyOf } from '../../runner/submit/retries.ts';
import type { Web } from '../web.ts';

/** The retries that have paid all that a run could not pay; null where there is something left, or never was anything. */
export async function paidSince({ deps, runs }: Pick<Web, 'deps' | 'runs'>, run: RunState): Promise<string[] | null> {
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
