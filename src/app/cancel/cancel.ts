import type { Client } from '../../client/client.ts';
import type { Actor } from '../../domain/entry.ts';
import type { Asked, CancelOutcome } from '../../domain/outcomes/cancel-outcome.ts';
import { Bug, Refusal } from '../../domain/refusal.ts';
import type { RefusalReason } from '../../domain/refusals/reason.ts';
import { isPlannedOnly, type RunState } from '../../domain/run/run-state.ts';
import { tallyOf, wasAnythingSent } from '../../domain/run/tally.ts';
import type { RunWriter } from '../../journal/journal.ts';
import { KeyFileError } from '../../keys/key-file.ts';
import { messages } from '../../messages/messages.ts';
import { countDoubts } from '../../report/model/doubts.ts';
import { countsOf, hasRetryable } from '../../report/model/outcome.ts';
import { type CancelEnd, endCancelled, markCancelled } from '../../runner/cancel.ts';
import { openContext } from '../../runner/recorder.ts';
import { holdingRun, readKnownRun, refusalIn } from '../runs/known-run.ts';
import { atService, notePromises, type ServiceDeps } from '../service/at-service.ts';

/** `whileLooking` does what asks the service, until somebody stops it. */
export type CancelDeps = ServiceDeps & {
  leaseMs: number;
  whileLooking<Result>(work: (stop: AbortSignal) => Promise<Result>): Promise<Result>;
};

export type CancelRun = { runId: string; actor: Actor };

/**
 * Nothing more of the run is submitted. A run that nobody works on is cancelled here, and the service is asked about what
 * waits; the process that works on a run is asked to. What was submitted is not taken back by either.
 */
export async function cancelRun(deps: CancelDeps, input: CancelRun): Promise<CancelOutcome> {
  const { journal } = deps;
  const { runId, actor } = input;
  if (isDone(await readKnownRun(journal, runId))) return { outcome: 'finished', runId };
  const { by: _, ...person } = actor;
  const cancelling = holdingRun(journal, { runId, person }, (writer) => cancelHeld(deps, writer, actor));
  return orAsk(input, cancelling, (by) => journal.askToCancel(runId, by));
}

/** What the work gives; where another process holds the run, that one is asked. */
export async function orAsk<Result>(
  { runId, actor }: CancelRun,
  work: Promise<Result>,
  ask: (by: string) => Promise<void>,
): Promise<Result | Asked> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Refusal) || error.reason.code !== 'held') throw error;
    const by = messages.actors.actorText(actor);
    await ask(by);
    return { outcome: 'asked', runId, holder: error.reason.holder, by };
  }
}

/** Nothing waits, nothing is to be waited for, and nothing is in doubt. */
function isDone(run: RunState): boolean {
  return run.finished !== null && countDoubts(run) === 0;
}

async function cancelHeld(deps: CancelDeps, writer: RunWriter, actor: Actor): Promise<CancelOutcome> {
  const { runId } = writer;
  const run = await readKnownRun(deps.journal, runId);
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
  await notePromises(deps, { run, writer });
  const stop = new AbortController().signal;
  const context = openContext({ ...contextOf(deps), run, writer, client: NO_SERVICE, stop });
  await endCancelled(context, { leaseMs: deps.leaseMs });
  return null;
}

/**
 * Asks the service whether what waits was paid all the same, and ends it. The run is cancelled by then: what keeps the
 * service from being asked undoes nothing, and is returned.
 */
function look(deps: CancelDeps, writer: RunWriter, run: RunState): Promise<RefusalReason | null> {
  return deps.whileLooking(async (stop) => {
    try {
      return await atService(deps, { run, writer }, async ({ client }) => {
        const context = openContext({ ...contextOf(deps), run, writer, client, stop });
        return whyNotLooked(await endCancelled(context, { leaseMs: deps.leaseMs }));
      });
    } catch (error) {
      const refusal = error instanceof KeyFileError ? refusalIn(error) : error;
      if (!(refusal instanceof Refusal)) throw error;
      return refusal.reason;
    }
  });
}

function contextOf({ journal, clock, randomness, log }: CancelDeps) {
  return { journal, clock, randomness, log };
}

function whyNotLooked(ended: CancelEnd): RefusalReason | null {
  if (ended.end === 'interrupted') return { code: 'look_interrupted' };
  if (ended.end !== 'halted' || ended.reason === 'person_needed') return null;
  return { code: 'look_stopped', why: ended.why };
}

/** For commands that change a run without asking the service anything: a request would be a mistake of ours. */
export const NO_SERVICE: Client = {
  read: () => Promise.reject(new Bug('a command without a service asked it')),
  change: () => Promise.reject(new Bug('a command without a service asked it to change something')),
  resend: () => Promise.reject(new Bug('a command without a service sent something again')),
  resendRefused: () => Promise.reject(new Bug('a command without a service sent something again')),
  awaits: () => null,
  close: () => Promise.resolve(),
};
