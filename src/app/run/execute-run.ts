import type { Client } from '../../client/client.ts';
import { assert } from '../../domain/refusal.ts';
import type { RunEnding } from '../../domain/run/ending.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { wasAnythingSent } from '../../domain/run/tally.ts';
import type { Journal, RunWriter } from '../../journal/journal.ts';
import { stopText } from '../../messages/stop-words.ts';
import type { Randomness } from '../../platform/clock.ts';
import { REPORT_FORMATS } from '../../report/formats.ts';
import { writeHeads } from '../../report/heads.ts';
import { countForPerson, countsOf, standingOf } from '../../report/model/outcome.ts';
import type { ProgressSnapshot } from '../../report/model/pace.ts';
import { conversionsOf, totalsOf } from '../../report/model/totals.ts';
import { type WriteReports, writeReports } from '../../report/write.ts';
import type { HintSource } from '../../runner/hinted.ts';
import { openContext } from '../../runner/recorder.ts';
import { retriedBy } from '../../runner/retries.ts';
import { execute, type RunEnd } from '../../runner/run.ts';
import type { Phase, RunContext } from '../../runner/run-context.ts';
import { approvalsAt } from '../approve/approvals.ts';
import { adviceResult, type NoticeDeps, noteEnd, notifyEnd, notifyPayees } from './end-notices.ts';
import type { RunResult } from './run-result.ts';

/** How often `onProgress` is called while nothing else happens. */
const PROGRESS_EVERY_MS = 100;

/** `version`: payrun's, which reports name. `waitTimeoutMs` and `pollEveryMs`: in place of the run's own. */
export type ExecuteDeps = NoticeDeps & {
  journal: Journal;
  randomness: Randomness;
  client: Client;
  /** Where webhooks are received. */
  hints: HintSource | null;
  /** Nothing more is sent once it is aborted; what is in flight is settled. */
  stop: AbortSignal;
  version: string;
  reportDir: string | undefined;
  pollEveryMs: number | undefined;
  waitTimeoutMs: number | undefined;
  onProgress(snapshot: ProgressSnapshot): void;
  /** A person has asked, elsewhere, that the run pauses: the same as `stop`. */
  onPausing(): void;
  /** The report is there and the lease is given back; only people are told after that. */
  onEnded(executed: ExecutedRun): void;
};

/** `run` is the fold of its journal, which `writer` holds. */
export type RunToExecute = {
  run: RunState;
  writer: RunWriter;
  /** A person accepts what the service lists as proof, where it promises no expiry. */
  resubmitAbsent?: boolean;
};

export type ExecutedRun = { ending: RunEnding; end: RunEnd; run: RunState; result: RunResult };

/** Executes a run that this process holds until it is final or has to stop, writes its report, and tells people. */
export async function executeRun(deps: ExecuteDeps, { run, writer, resubmitAbsent = false }: RunToExecute) {
  assert(run.header, 'a run without its header');
  const { journal, client, clock, randomness, log, stop, hints, onProgress } = deps;
  const context = openContext({ run, writer, journal, client, clock, randomness, log, stop, hints, resubmitAbsent });
  let phase: Phase = 'checking the journal';
  const update = () => onProgress(snapshot(context, phase));
  context.stop.addEventListener('abort', () => run.paused && deps.onPausing());
  const ticking = new AbortController();
  const ticks = tick(deps, ticking.signal, update);
  try {
    const end = await execute(context, {
      leaseMs: deps.leaseMs,
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
    return await finish(deps, { run, end, writer });
  } finally {
    ticking.abort();
  }
}

async function tick({ clock }: ExecuteDeps, signal: AbortSignal, update: () => void): Promise<void> {
  while (!signal.aborted) {
    await clock.sleep(PROGRESS_EVERY_MS, signal);
    if (!signal.aborted) update();
  }
}

function snapshot(context: RunContext, phase: Phase): ProgressSnapshot {
  const { tally, run } = context;
  const sent = tally.accepted + tally.completed + tally.failed;
  // A payout that was perhaps paid already waits for a person like any other that is unresolved.
  const counts = { ...tally, unresolved: tally.unresolved + tally.suspected };
  return { phase, counts, total: run.payouts.size, sent };
}

type Ended = { run: RunState; end: RunEnd; writer: RunWriter };

async function finish(deps: ExecuteDeps, { run, end, writer }: Ended): Promise<ExecutedRun> {
  const { log, command } = deps;
  const { runId } = writer;
  const unsentAdvice = end.end === 'finished' ? await notifyPayees(run, writer, deps.stop, deps) : null;
  const advice = await adviceResult(run, unsentAdvice, deps);
  if (end.end === 'interrupted') log.info({ run: runId, resume: command('resume', runId) }, 'interrupted');
  const ending = endingOf(end, run);
  const event = await noteEnd({ run, end, ending }, writer, deps);
  const report = await leaveRun(deps, run, writer);
  const executed = { ending, end, run, result: { ...resultOf(run, runId), ...advice, report, ...haltOf(end) } };
  deps.onEnded(executed);
  await notifyEnd({ run, end, ending, unsentAdvice }, event, deps);
  return executed;
}

/** Gives the lease back, and writes the report and how far each run goes. The files of the report. */
async function leaveRun(deps: ExecuteDeps, run: RunState, writer: RunWriter): Promise<string[]> {
  const { journal, clock, version, command } = deps;
  const head = await journal.head(writer.runId);
  assert(run.header && head, 'a run without its header');
  await writer.release();
  const directory = deps.reportDir ?? run.header.report_dir;
  const report = await writeReportsOrSayWhy(deps, {
    run,
    head,
    directory,
    formats: REPORT_FORMATS,
    version,
    retriedBy: await retriedBy(journal, writer.runId),
    approvals: approvalsAt(run, clock.wallMs()).approvals,
    command,
  });
  await noteHeads(deps, directory);
  return report;
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
  return end.end === 'halted' ? { message: stopText(end.why, 'command_line') } : {};
}

/** How far each run goes is kept outside of the journal too. What cannot be written there changes nothing of the run. */
async function noteHeads({ journal, onEvent }: ExecuteDeps, directory: string): Promise<void> {
  try {
    const written = await writeHeads(journal, directory);
    const [first] = written?.against ?? [];
    if (written === null || first === undefined) return;
    onEvent({ event: 'heads_against', path: written.path, runId: first.runId, n: first.n });
  } catch (error) {
    onEvent({ event: 'heads_not_noted', why: whyOf(error) });
  }
}

/** Who was paid stands in the journal: a report that cannot be written changes neither that nor how the run ended. */
async function writeReportsOrSayWhy({ onEvent }: ExecuteDeps, options: WriteReports): Promise<string[]> {
  try {
    return await writeReports(options);
  } catch (error) {
    onEvent({ event: 'report_not_written', why: whyOf(error) });
    return [];
  }
}

function whyOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function endingOf(end: RunEnd, run: RunState): RunEnding {
  switch (end.end) {
    case 'interrupted':
      return 'interrupted';
    case 'halted':
      return end.reason === 'outage' && !wasAnythingSent(run) ? 'unreachable' : 'person_needed';
    case 'finished': {
      if (countForPerson(run) > 0) return 'person_needed';
      const { failed, rejected, not_submitted: notSubmitted } = countsOf(run);
      return failed + rejected + notSubmitted > 0 ? 'some_failed' : 'ok';
    }
  }
}
