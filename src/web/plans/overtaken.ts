import type { RunState } from '../../domain/run/run-state.ts';
import { overtakenRetries } from '../../runner/submit/retries.ts';
import type { WebParts } from '../parts.ts';

/** The newest runs among which a family is looked for, as in the history. */
const RUNS_MAX = 10_000;

/** The run that took the rows of a plan which was to pay them again: it can be started no more. Null where it can. */
export async function overtakenBy(
  { deps }: Pick<WebParts, 'deps'>,
  { header }: Pick<RunState, 'header'>,
): Promise<string | null> {
  if (header === null || header.retries === null) return null;
  return overtakenRetries(await deps.journal.listRuns(RUNS_MAX)).get(header.run_id) ?? null;
}

/** Why it is nothing to wait for any more. */
export function overtakenText(runId: string): string {
  return `It can be paid no more: ${runId}, which pays rows of the same run, was started after it was planned.`;
}
