import { openRun } from '../../app/runs/known-run.ts';
import type { OnPage } from '../../domain/entry.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { JobHolder, Journal, RunWriter } from '../../journal/journal.ts';
import { assertKnown } from './known-run.ts';

/**
 * Takes the lease of a run. Throws a Refusal: `usage` for a run that does not exist, `held` where another process works
 * on it.
 */
export async function openToWrite(journal: Journal, runId: string, person: OnPage): Promise<RunWriter> {
  await assertKnown(journal, runId);
  const opened = await openRun(journal, runId, person);
  if (opened.outcome === 'opened') return opened.writer;
  throw new Refusal({ code: 'run_unavailable', why: opened });
}

/** Throws a Refusal (`held`) where a process works on a run of the job. */
export async function requireJobFree(journal: Journal, job: string): Promise<void> {
  const holder = await journal.jobHolder(job);
  if (holder !== null) throw jobHeld(job, holder);
}

/** Where another process works on a run of the job. */
export function jobHeld(job: string, { runId, holder: { pid, host } }: JobHolder): Refusal {
  return new Refusal(
    'held',
    `Job ${job} is held: process ${pid} on ${host} works on its run ${runId}. Nothing was sent.`,
    'Wait for it, or stop that process; nothing is lost by either.',
    { run_id: runId },
  );
}
