import PQueue from 'p-queue';
import { setterOf } from '../../app/people/access.ts';
import { LATE_MAX_MS } from '../../app/schedule/schedule-times.ts';
import { isPlannedOnly } from '../../domain/run/run-state.ts';
import { isoUtc } from '../../domain/time.ts';
import { startOf } from '../runs/run-acts.ts';
import type { Web } from '../web.ts';
import { scheduledNow } from './standing.ts';

const LOOK_EVERY_MS = 2_000;
/** A start that another process was in the way of, or whose process died, is tried again after so long. */
const TRY_AGAIN_MS = 30_000;
/** Starts at once: many payments may have one time. */
const AT_ONCE = 4;

/** By run, when this page has tried last to start it (monotonic). */
type Tried = Map<string, number>;

/**
 * Starts plans at their time, each in the name of who set it, until the signal. Any page may: an act on a run is done by one of them,
 * and the journal starts a plan once. Never rejects.
 */
export async function startScheduled(web: Web, signal: AbortSignal): Promise<void> {
  const { clock, log } = web.deps;
  const tried: Tried = new Map();
  while (!signal.aborted) {
    await startDue(web, tried).catch((error: unknown) =>
      log.error({ error }, 'scheduled payments could not be looked for'),
    );
    await clock.sleep(LOOK_EVERY_MS, signal);
  }
}

/** Starts what is due now. */
export async function startDue(web: Web, tried: Tried): Promise<void> {
  const { reads, log } = web.deps;
  const now = await reads.now();
  const starts = new PQueue({ concurrency: AT_ONCE });
  for (const [runId, { start }] of await reads.scheduled())
    if (start !== null && start.at <= now && now - start.at <= LATE_MAX_MS)
      void starts.add(() =>
        startIfDue(web, runId, tried).catch((error: unknown) =>
          log.error({ error, run: runId }, 'a scheduled payment could not be started'),
        ),
      );
  await starts.onIdle();
}

async function startIfDue(web: Web, runId: string, tried: Tried): Promise<void> {
  const { clock } = web.deps;
  const run = (await web.runs.read(runId))?.run;
  if (run === undefined || !isPlannedOnly(run) || run.cancelled) return void tried.delete(runId);
  if (clock.monotonicMs() - (tried.get(runId) ?? Number.NEGATIVE_INFINITY) < TRY_AGAIN_MS) return;
  const scheduled = await scheduledNow(web, run);
  const setBy = scheduled && (await setterOf(web, scheduled.publicKey));
  if (scheduled?.state !== 'due' || setBy === null) return;
  tried.set(runId, clock.monotonicMs());
  const task = await startOf(web, run, runId, false);
  const time = isoUtc(scheduled.start.at);
  await web.runTasks.start({
    runId,
    act: 'started',
    task,
    person: setBy === 'command' ? null : setBy.id,
    scheduled: time,
    details: { scheduled: time },
  });
}
