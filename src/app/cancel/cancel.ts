import type { Actor } from '../../domain/entry.ts';
import type { CancelOutcome, NotLooked } from '../../domain/outcomes/cancel-outcome.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { isPlannedOnly } from '../../domain/run/run-state.ts';
import { tallyOf, wasAnythingSent } from '../../domain/run/tally.ts';
import type { RunWriter } from '../../journal/journal.ts';
import { countDoubts } from '../../report/doubts/doubts.ts';
import { actorText } from '../../report/model/actor-text.ts';
import { countsOf, hasRetryable } from '../../report/model/outcome.ts';
import { type CancelEnd, endCancelled, markCancelled } from '../../runner/cancel.ts';
import { openContext } from '../../runner/recorder.ts';
import { openRun, readRun, reportingLoss } from '../runs/known-run.ts';
import { atService, notePromises, type ServiceDeps, serviceUnusable } from '../service/at-service.ts';
import { NO_SERVICE } from './no-service.ts';

/** `whileLooking` does what asks the service, until somebody stops it. */
export type CancelDeps = ServiceDeps & {
  leaseMs: number;
  whileLooking(work: (stop: AbortSignal) => Promise<NotLooked | null>): Promise<NotLooked | null>;
};

export type CancelRun = { runId: string; actor: Actor };

/**
 * Nothing more of the run is submitted. A run that nobody works on is cancelled here, and the service is asked about what
 * waits; the process that works on a run is asked to. What was submitted is not taken back by either.
 */
export function cancelRun(deps: CancelDeps, { runId, actor }: CancelRun): Promise<CancelOutcome> {
  const { journal } = deps;
  return reportingLoss<CancelOutcome>(runId, async () => {
    const read = await readRun(journal, runId);
    if (read.outcome !== 'read') return read;
    if (isDone(read.run)) return { outcome: 'finished', runId };
    const { by: _, ...person } = actor;
    const opened = await openRun(journal, runId, person);
    if (opened.outcome === 'held') {
      const by = actorText(actor);
      await journal.askToCancel(runId, by);
      return { outcome: 'asked', runId, holder: opened.holder, by };
    }
    if (opened.outcome !== 'opened') return opened;
    try {
      return await cancel(deps, opened.writer, actor);
    } finally {
      await opened.writer.release();
    }
  });
}

/** Nothing waits, nothing is to be waited for, and nothing is in doubt. */
function isDone(run: RunState): boolean {
  return run.finished !== null && countDoubts(run) === 0;
}

async function cancel(deps: CancelDeps, writer: RunWriter, actor: Actor): Promise<CancelOutcome> {
  const { runId } = writer;
  const read = await readRun(deps.journal, runId);
  if (read.outcome !== 'read') return read;
  const { run } = read;
  const { by } = actor;
  const wasCancelled = run.cancelled;
  const before = tallyOf(run);
  const isToLook = before.waiting > 0 && !isPlannedOnly(run);
  await markCancelled(run, writer, actor);
  const notLooked = isToLook ? await look(deps, writer, run) : await end(deps, writer, run);
  const { waiting, accepted, suspected, not_submitted } = tallyOf(run);
  const notSubmitted = not_submitted - before.not_submitted;
  deps.log.info({ run: runId, by, notSubmitted, notLooked }, 'cancelled');
  return {
    outcome: 'cancelled',
    runId,
    isRehearsal: run.header?.rehearsal === true,
    by,
    wasCancelled,
    notSubmitted,
    notLooked,
    waiting,
    accepted,
    suspected,
    twice: run.surfaced.length,
    inDoubt: countDoubts(run),
    counts: countsOf(run),
    canRetry: hasRetryable(run),
    wasAnythingSent: wasAnythingSent(run),
  };
}

/** Nothing waits, so that nothing is to be asked. */
async function end(deps: CancelDeps, writer: RunWriter, run: RunState): Promise<null> {
  const { journal, clock, randomness, log, leaseMs } = deps;
  await notePromises(run, writer, () => deps.wayOf(run).profile, deps);
  const stop = new AbortController().signal;
  const context = openContext({ run, writer, journal, client: NO_SERVICE, clock, randomness, log, stop });
  await endCancelled(context, { leaseMs });
  return null;
}

/**
 * Asks the service whether what waits was paid all the same, and ends it. The run is cancelled by then: what keeps the
 * service from being asked undoes nothing.
 */
function look(deps: CancelDeps, writer: RunWriter, run: RunState): Promise<NotLooked | null> {
  const { journal, clock, randomness, log, leaseMs } = deps;
  return deps.whileLooking(async (stop) => {
    try {
      return await atService({ run, writer, way: deps.wayOf(run) }, deps, async ({ client }) => {
        const context = openContext({ run, writer, journal, client, clock, randomness, log, stop });
        return whyNotLooked(await endCancelled(context, { leaseMs }));
      });
    } catch (error) {
      const unusable = serviceUnusable(error);
      if (unusable === null) throw error;
      return unusable;
    }
  });
}

function whyNotLooked(ended: CancelEnd): NotLooked | null {
  if (ended.end === 'interrupted') return { outcome: 'interrupted' };
  if (ended.end !== 'halted' || ended.reason === 'person_needed') return null;
  return { outcome: 'stopped', message: ended.message, refusedCredentials: ended.refusedCredentials === true };
}
