import type { WebParts } from '../parts.ts';
import { isCutOff } from './followed-run.ts';

/** How often the page looks whether a run that another process holds is let go. */
const HELD_LOOK_MS = 2_000;

type Resume = (act: {
  runId: string;
  act: 'resumed_by_itself';
  task: { name: 'resume' };
  person: null;
}) => Promise<string | null>;

/** Takes up the runs that this page has started and that were cut off, until each was looked at and nobody else holds one. */
export async function resumeCutOffRuns(parts: WebParts, resume: Resume, closing: AbortSignal): Promise<void> {
  const { store, deps } = parts;
  const started = await store.all<{ run_id: string }>('SELECT run_id FROM started_run ORDER BY at');
  let left = started.map(({ run_id }) => run_id);
  while (left.length > 0 && !closing.aborted) {
    const held: string[] = [];
    for (const runId of left) {
      if (await deps.reads.isHeld(runId)) held.push(runId);
      else await resumeIfCutOff(parts, resume, runId);
    }
    left = held;
    if (left.length > 0) await deps.clock.sleep(HELD_LOOK_MS, closing);
  }
}

async function resumeIfCutOff({ runs, store, deps }: WebParts, resume: Resume, runId: string): Promise<void> {
  try {
    const followed = await runs.read(runId);
    if (followed === null || followed.run.finished !== null)
      await store.run('DELETE FROM started_run WHERE run_id = ?', runId);
    const { isCancelAsked, isPauseAsked } = await deps.reads.work(runId);
    if (followed === null || !isCutOff(followed) || isCancelAsked || isPauseAsked) return;
    const under = await resume({ runId, act: 'resumed_by_itself', task: { name: 'resume' }, person: null });
    if (under !== null) deps.log.info({ run: runId, under }, 'somebody was faster');
  } catch (error) {
    deps.log.warn({ error, run: runId }, 'a run that was cut off could not be taken up again');
  }
}
