import type { Log } from '../../../domain/log.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { isPlannedOnly } from '../../../domain/run/run-plan.ts';
import type { RunState } from '../../../domain/run/run-state.ts';
import { tallyOf } from '../../../domain/run/tally.ts';
import type { Journal, RunWriter } from '../../../journal/journal.ts';
import { KeyFileError } from '../../../keys/key-file.ts';
import { machineClock, machineRandomness } from '../../../platform/machine.ts';
import type { CommandLine } from '../../../report/command-line.ts';
import { countDoubts } from '../../../report/doubts/doubts.ts';
import { actorText } from '../../../report/model/actor-text.ts';
import { type CancelEnd, endCancelled, markCancelled } from '../../../runner/cancel.ts';
import { openContext } from '../../../runner/recorder.ts';
import { commandsFor } from '../../command-hints.ts';
import { endSoon, LEASE_MS, openLog, stopOnInterrupt } from '../../compose.ts';
import { keepPromises } from '../../connection/promises.ts';
import { atService, connectionSettings } from '../../connection/service-connection.ts';
import { EXIT, exitOfRefusal } from '../../exit.ts';
import { withJournal } from '../../journal-command.ts';
import { actorHere, onPage } from '../../person.ts';
import { wasAnythingSent } from '../../runs/execution.ts';
import { readKnownRun } from '../../runs/known-run.ts';
import { keepingRun } from '../../runs/lost-run.ts';
import type { Settings } from '../../settings.ts';
import type { Io } from '../../terminal.ts';
import { cancelledJson, cancelledText, exitOfCancelled, type NotLooked } from './cancelled-text.ts';
import { NO_SERVICE } from './no-service.ts';

type Given = { journal: Journal; io: Io; settings: Settings; command: CommandLine };

/**
 * `payrun cancel RUN`: nothing more of it is submitted. A run that nobody works on is cancelled here, and the service is
 * asked about what waits; the process that works on a run is asked to. What was submitted is not taken back by either.
 */
export async function runCancel(options: Record<string, unknown>): Promise<void> {
  if (options.run === undefined || options.waiting === true) {
    const remedy = 'Give the id of one run, or --waiting for the plans that cannot be run any more.';
    throw new Refusal('usage', 'Give a run ID or --waiting, not both.', remedy);
  }
  const runId = String(options.run);
  await withJournal(options, ({ journal, io, settings }) => {
    const command = commandsFor(settings);
    return keepingRun(runId, command, async () => {
      if (isDone(readKnownRun(journal, runId, command))) return nothingToCancel(runId, io, settings);
      const opened = await journal.openRun(runId, onPage());
      switch (opened.outcome) {
        case 'held':
          return ask({ journal, io, settings, command }, runId, opened.holder);
        case 'opened':
          return cancel({ journal, io, settings, command }, opened.writer);
        case 'unknown':
          throw new Refusal('usage', `There is no run ${runId}.`, `List them: ${command('runs')}`);
      }
    });
  });
}

/** Nothing waits, nothing is to be waited for, and nothing is in doubt. */
function isDone(run: RunState): boolean {
  return run.finished !== null && countDoubts(run) === 0;
}

function nothingToCancel(runId: string, io: Io, settings: Settings): number {
  const result = {
    run_id: runId,
    cancelled: false,
    not_submitted: 0,
    waiting: 0,
    to_wait_for: 0,
    in_doubt: 0,
    exit: EXIT.ok,
  };
  if (settings.json) io.stdout(`${JSON.stringify(result)}\n`);
  else io.stdout(`Run ${runId} is finished: there is nothing to cancel.\n`);
  return EXIT.ok;
}

/** A living process holds the run: it is asked, and stops submitting within about a second. */
async function ask(
  { journal, io, settings, command }: Given,
  runId: string,
  { pid, host }: { pid: number; host: string },
): Promise<number> {
  const by = actorText(actorHere());
  await journal.askToCancel(runId, by);
  if (settings.json) {
    io.stdout(`${JSON.stringify({ run_id: runId, cancelled: false, asked: { pid, host }, by, exit: EXIT.ok })}\n`);
    return EXIT.ok;
  }
  io.stdout(
    `Process ${pid} on ${host} works on run ${runId}. It was asked to submit nothing more: it does so within a second, waits for what it has submitted, and writes the report. Should it end before, the next resume does the same.\nSee how far it is: ${command('show', runId)}\n`,
  );
  return EXIT.ok;
}

async function cancel(given: Given, writer: RunWriter): Promise<number> {
  const { journal, io, settings, command } = given;
  const { log, flush } = openLog(settings.dataDir, settings.logLevel);
  try {
    const run = readKnownRun(journal, writer.runId, command);
    const actor = actorHere();
    const { by } = actor;
    const wasCancelled = run.cancelled;
    const before = tallyOf(run);
    const isToLook = before.waiting > 0 && !isPlannedOnly(run);
    await markCancelled(run, writer, actor);
    const work = { ...given, writer, run, log };
    const notLooked = isToLook ? await lookAndEnd(work) : await end(work);
    const notSubmitted = tallyOf(run).not_submitted - before.not_submitted;
    log.info({ run: writer.runId, by, notSubmitted, notLooked }, 'cancelled');
    const cancelled = { by, wasCancelled, notSubmitted, notLooked };
    if (settings.json) {
      io.stdout(cancelledJson(run, cancelled, command));
      if (notLooked !== null) io.stderr(`${notLooked.message}\n${notLooked.remedy}\n`);
    } else io.stdout(cancelledText(run, cancelled, command));
    return exitOfCancelled(run, notLooked);
  } finally {
    await writer.release();
    flush();
  }
}

type Work = Given & { writer: RunWriter; run: RunState; log: Log };

/** Nothing waits, so that nothing is to be asked. */
async function end({ journal, io, settings, writer, run, log }: Work): Promise<null> {
  const said =
    settings.profile === undefined ? null : await keepPromises(run, writer, connectionSettings(run, settings).profile);
  if (said !== null) io.stderr(`${said}\n`);
  const stop = new AbortController().signal;
  const given = { client: NO_SERVICE, clock: machineClock, randomness: machineRandomness, log, stop, hints: null };
  await endCancelled(openContext({ run, writer, ...given }), journal, writer, { leaseMs: LEASE_MS });
  return null;
}

/**
 * Asks the service whether what waits was paid all the same, and ends it. The run is cancelled by then: what keeps the
 * service from being asked is said, and undoes nothing.
 */
async function lookAndEnd({ journal, io, settings, writer, run, log }: Work): Promise<NotLooked | null> {
  if (!settings.quiet && !settings.json) {
    io.stderr(`Run ${writer.runId} is cancelled. Looking at the service whether what waits was paid already.\n`);
  }
  const interrupt = stopOnInterrupt(() => io.stderr('Stopping. The run is cancelled; Ctrl-C again leaves at once.\n'));
  try {
    const way = connectionSettings(run, settings);
    return await atService({ run, writer, way, settings, log, io }, async ({ client }) => {
      const given = { client, clock: machineClock, randomness: machineRandomness, log, stop: interrupt.signal };
      const context = openContext({ run, writer, ...given, hints: null });
      return whyNotLooked(run, await endCancelled(context, journal, writer, { leaseMs: LEASE_MS }));
    });
  } catch (error) {
    if (error instanceof KeyFileError) return { message: error.message, remedy: error.remedy, exit: EXIT.usage };
    if (!(error instanceof Refusal)) throw error;
    const exit = error.kind === 'unreachable' ? exitOfOutage(run) : exitOfRefusal(error.kind);
    return { message: error.message, remedy: error.remedy, exit };
  } finally {
    interrupt.release();
    endSoon();
  }
}

function whyNotLooked(run: RunState, ended: CancelEnd): NotLooked | null {
  if (ended.end === 'interrupted') {
    return { message: 'The look was interrupted.', remedy: 'Let it come to its end.', exit: EXIT.interrupted };
  }
  if (ended.end !== 'halted' || ended.reason === 'person_needed') return null;
  const message = `The look stopped: ${ended.message.replace(/[.\s]+$/, '')}.`;
  const remedy = ended.refusedCredentials ? 'Check --api-key and --signing-key.' : 'Wait until the service answers.';
  return { message, remedy, exit: exitOfOutage(run) };
}

/** As everywhere: a service that is away after payouts were sent needs a person. */
function exitOfOutage(run: RunState): number {
  return wasAnythingSent(run) ? EXIT.person_needed : EXIT.unreachable;
}
