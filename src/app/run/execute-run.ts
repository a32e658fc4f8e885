import type { DeliveryFault } from '../../domain/outcomes/notice-outcome.ts';
import type { RunStep } from '../../domain/outcomes/run-outcome.ts';
import { assert } from '../../domain/refusal.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import type { RunWriter } from '../../journal/journal.ts';
import { messages } from '../../messages/messages.ts';
import { countsOf, endingOf, standingOf } from '../../report/model/outcome.ts';
import type { ProgressSnapshot } from '../../report/model/pace.ts';
import { conversionsOf, totalsOf } from '../../report/model/totals.ts';
import { REPORT_FORMATS } from '../../report/report-text.ts';
import { writeHeads } from '../../report/witness.ts';
import type { HintSource } from '../../runner/hinted.ts';
import { openContext } from '../../runner/recorder.ts';
import { retriedBy } from '../../runner/retries.ts';
import { execute, type RunEnd } from '../../runner/run.ts';
import type { RunContext } from '../../runner/run-context.ts';
import { approvalsAt } from '../approve/approvals.ts';
import type { Connection } from '../service/at-service.ts';
import { noteEnd, notifyPayees } from './end-notices.ts';
import type { ExecutedRun, RunDeps, Watching } from './run-deps.ts';
import type { RunResult } from './run-result.ts';

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
  const update = () => onProgress(snapshot(context, phase));
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

async function tick({ clock }: RunDeps, signal: AbortSignal, update: () => void): Promise<void> {
  while (!signal.aborted) {
    await clock.sleep(PROGRESS_EVERY_MS, signal);
    if (!signal.aborted) update();
  }
}

function snapshot(context: RunContext, phase: RunStep): ProgressSnapshot {
  const { tally, run } = context;
  const sent = tally.accepted + tally.completed + tally.failed;
  // A payout that was perhaps paid already waits for a person like any other that is unresolved.
  const counts = { ...tally, unresolved: tally.unresolved + tally.suspected };
  return { phase, counts, total: run.payouts.size, sent };
}

async function finish(deps: RunDeps, watching: Watching, { run, writer }: RunHeld, end: RunEnd): Promise<ExecutedRun> {
  const { runId } = writer;
  const unsentAdvice = end.end === 'finished' ? await notifyPayees(deps, watching, run, writer) : null;
  const advice = await adviceResult(deps, watching, run, unsentAdvice);
  if (end.end === 'interrupted') deps.onInterrupted(runId);
  const ending = endingOf(run, stoppedBy(end));
  const ended = { run, end, ending, unsentAdvice };
  const event = await noteEnd(ended, writer, deps);
  const report = await leaveRun(deps, watching, run, writer);
  const executed = { ending, end, run, result: { ...resultOf(run, runId), ...advice, report, ...haltOf(end) } };
  watching.onEnded(executed);
  if (event !== null) await deps.notify(run.notices.settings, async () => ({ news: 'run_ended', ...ended, event }));
  return executed;
}

/** What the result of a run holds of the advice to its payees. */
async function adviceResult(
  { advice }: RunDeps,
  { onEvent }: Watching,
  run: RunState,
  unsentAdvice: DeliveryFault | null,
): Promise<Pick<RunResult, 'remittance'>> {
  if ((run.notices.settings?.remittance ?? null) === null) return {};
  const remittance = await advice(run, unsentAdvice);
  if (remittance !== null && remittance.to_do.length > 0) onEvent({ event: 'advice_to_do', lines: remittance.to_do });
  return { remittance };
}

/**
 * Gives the lease back, and writes the report and how far each run goes. The files of the report. Who was paid stands in the
 * journal: a report that cannot be written changes neither that nor how the run ended.
 */
async function leaveRun(deps: RunDeps, watching: Watching, run: RunState, writer: RunWriter): Promise<string[]> {
  const { journal, clock } = deps;
  const head = await journal.head(writer.runId);
  assert(run.header && head, 'a run without its header');
  await writer.release();
  const directory = deps.reportDir ?? run.header.report_dir;
  const retries = await retriedBy(journal, writer.runId);
  const { approvals } = approvalsAt(run, clock.wallMs());
  let files: string[] = [];
  try {
    files = await deps.report({ run, head, directory, formats: REPORT_FORMATS, retriedBy: retries, approvals });
  } catch (error) {
    watching.onEvent({ event: 'report_not_written', why: whyOf(error) });
  }
  await noteHeads(deps, watching, directory);
  return files;
}

/** How far each run goes is kept outside of the journal too. What cannot be written there changes nothing of the run. */
async function noteHeads({ journal }: RunDeps, { onEvent }: Watching, directory: string): Promise<void> {
  try {
    const written = await writeHeads(journal, directory);
    const [first] = written?.against ?? [];
    if (written === null || first === undefined) return;
    onEvent({ event: 'heads_against', path: written.path, runId: first.runId, n: first.n });
  } catch (error) {
    onEvent({ event: 'heads_not_noted', why: whyOf(error) });
  }
}

function whyOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function resultOf(run: RunState, runId: string): Omit<RunResult, 'report'> {
  assert(run.header, 'a run without its header');
  const { input, digest, rehearsal } = run.header;
  const { name, path, sha256, bytes } = input;
  const conversions = conversionsOf(run);
  const converted = conversions.length === 0 ? {} : { conversions };
  const of = { run_id: runId, state: standingOf(run), rehearsal, input: { name, path, sha256, bytes }, digest };
  return { ...of, counts: countsOf(run), totals: totalsOf(run), ...converted };
}

function haltOf(end: RunEnd): Pick<RunResult, 'message'> {
  return end.end === 'halted' ? { message: messages.stops.stopText(end.why, 'command_line') } : {};
}

/** Null where the run is finished. */
function stoppedBy(end: RunEnd): RunState['stopped'] {
  if (end.end === 'finished') return null;
  return end.end === 'interrupted' ? 'interrupted' : end.reason;
}
