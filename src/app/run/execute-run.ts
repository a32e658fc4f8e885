import { AWAITED_FROM_MS, type Awaited } from '../../domain/outcomes/awaited.ts';
import type { RunStep } from '../../domain/outcomes/run-outcome.ts';
import { assert } from '../../domain/refusal.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import type { RunWriter } from '../../journal/journal.ts';
import { endingOf } from '../../report/model/outcome.ts';
import { snapshotAt } from '../../report/model/snapshot.ts';
import type { HintSource } from '../../runner/hinted.ts';
import { openContext } from '../../runner/recorder.ts';
import { execute, type RunEnd } from '../../runner/run.ts';
import type { RunContext } from '../../runner/run-context.ts';
import type { Connection } from '../service/at-service.ts';
import { noteEnd, notifyPayees } from './end-notices.ts';
import { adviceResult, executedRun, reportedOf, reportRun, stoppedBy } from './ended-run.ts';
import type { ExecutedRun, RunDeps, Watching } from './run-deps.ts';

/** How often `onProgress` is called while nothing else happens. */
const PROGRESS_EVERY_MS = 100;

/** A run that this process holds: `run` is the fold of its journal, which `writer` holds. */
export type RunHeld = {
  run: RunState;
  writer: RunWriter;
  connection: Connection;
  /** Where webhooks are received. */
  hints: HintSource | null;
  /** A person accepts what the service lists as proof, where it promises no expiry. */
  resubmitAbsent?: boolean;
};

/** Executes a run that this process holds until it is final or has to stop, writes its report, and notifies people. */
export async function executeRun(deps: RunDeps, held: RunHeld): Promise<ExecutedRun> {
  const watching = deps.watch(held.run);
  held.connection.reportTo((text) => watching.note(text));
  try {
    const end = await work(deps, watching, held);
    return await finish(deps, watching, held, end);
  } finally {
    watching.end();
  }
}

async function work(
  deps: RunDeps,
  { stop, onProgress, onPausing }: Watching,
  { run, writer, connection, hints, resubmitAbsent = false }: RunHeld,
): Promise<RunEnd> {
  assert(run.header, 'a run without its header');
  const { journal, clock, randomness, log, leaseMs } = deps;
  const { client } = connection;
  const context = openContext({ run, writer, journal, client, clock, randomness, log, stop, hints, resubmitAbsent });
  let phase: RunStep = 'checking_journal';
  const update = () => {
    const awaits = awaitedBy(context);
    onProgress({ ...snapshotAt(phase, run, context.tally), ...(awaits !== null && { awaits }) });
  };
  context.stop.addEventListener('abort', () => run.paused && onPausing());
  const ticking = new AbortController();
  const ticks = tick(deps, ticking.signal, update);
  try {
    const end = await execute(context, {
      leaseMs,
      pollEveryMs: deps.pollEveryMs ?? run.header.settings.poll_every_ms,
      waitTimeoutMs: deps.waitTimeoutMs ?? run.header.settings.wait_timeout_ms,
      onPhase(next) {
        phase = next;
        update();
        log.info({ run: writer.runId, phase }, 'phase');
      },
    });
    ticking.abort();
    await ticks;
    update();
    return end;
  } finally {
    ticking.abort();
  }
}

/** Of the client before that of the run: a look at outcomes may wait for an answer. Null for waits that are short. */
function awaitedBy({ client, clock, awaiting: { current } }: RunContext): Awaited | null {
  const nowMs = clock.monotonicMs();
  const awaited =
    client.awaits() ??
    (current && {
      code: current.code,
      forMs: nowMs - current.sinceMs,
      leftMs: Math.max(current.untilMs - nowMs, 0),
      nextMs: current.nextMs === null ? null : Math.max(current.nextMs - nowMs, 0),
    });
  return awaited === null || awaited.forMs < AWAITED_FROM_MS ? null : awaited;
}

async function tick({ clock }: RunDeps, signal: AbortSignal, update: () => void): Promise<void> {
  while (!signal.aborted) {
    await clock.sleep(PROGRESS_EVERY_MS, signal);
    if (!signal.aborted) update();
  }
}

async function finish(deps: RunDeps, watching: Watching, { run, writer }: RunHeld, end: RunEnd): Promise<ExecutedRun> {
  const { runId } = writer;
  const unsentAdvice = end.end === 'finished' ? await notifyPayees(deps, watching, run, writer) : null;
  const advice = await adviceResult(deps, watching, run, unsentAdvice);
  if (end.end === 'interrupted') deps.onInterrupted(runId);
  const ended = { run, end, ending: endingOf(run, stoppedBy(end)), unsentAdvice };
  const event = await noteEnd(ended, writer, deps);
  const head = await deps.journal.head(runId);
  assert(head, 'a run without its header');
  await writer.release();
  const reported = reportedOf(run);
  const report = await reportRun(deps, watching, reported, head);
  const executed = executedRun(reported, end, { ...advice, report });
  watching.onEnded(executed);
  if (event !== null) await deps.notify(run.notices.settings, async () => ({ news: 'run_ended', ...ended, event }));
  return executed;
}
