import { Refusal } from '../../domain/refusal.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import type { Journal } from '../../journal/journal.ts';
import { runNamed } from '../plan/earlier-runs.ts';
import { correctionsRun } from '../plan/plan-obstacle.ts';

/**
 * Throws a `Refusal` (`refused`) where a file of corrected rows was run itself, or another retry took rows from it. The file
 * of the run that is retried is none of its corrections, but may be named.
 */
export async function requireNewFile(
  journal: Journal,
  run: RunState,
  { name, sha256 }: { name: string; sha256: string },
): Promise<void> {
  const earlier = await correctionsRun(journal, run, sha256);
  if (earlier === null) return;
  throw new Refusal({ code: 'corrections_run_before', name, by: await runNamed(journal, earlier) });
}
