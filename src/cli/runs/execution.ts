import { writeSync } from 'node:fs';
import type { Executed } from '../../app/launcher/tasks.ts';
import type { Log } from '../../domain/log.ts';
import { assert } from '../../domain/refusal.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { wasAnythingSent } from '../../domain/run/tally.ts';
import type { Journal, RunWriter } from '../../journal/journal.ts';
import { counted } from '../../messages/text.ts';
import { machineClock, machineRandomness } from '../../platform/machine.ts';
import type { CommandLine } from '../../report/command-line.ts';
import { REPORT_FORMATS } from '../../report/formats.ts';
import { writeHeads } from '../../report/heads.ts';
import { countForPerson, countsOf, standingOf } from '../../report/model/outcome.ts';
import { conversionsOf, totalsOf } from '../../report/model/totals.ts';
import { type WriteReports, writeReports } from '../../report/write.ts';
import type { Phase } from '../../runner/phase.ts';
import { openContext } from '../../runner/recorder.ts';
import { execute, type RunEnd } from '../../runner/run.ts';
import type { RunContext } from '../../runner/run-context.ts';
import { retriedBy } from '../../runner/submit/retries.ts';
import type { HintSource } from '../../runner/wait/hinted.ts';
import { commandsFor } from '../command-hints.ts';
import type { RanOutput } from '../commands/run/json.ts';
import { endSoon, LEASE_MS, stopOnInterrupt } from '../compose.ts';
import type { Connection } from '../connection/connect.ts';
import { EXIT } from '../exit.ts';
import { jsonLine } from '../json/line.ts';
import type { RefusalOutput } from '../json/refusal.ts';
import { approvalsOf } from '../plans/approvals.ts';
import type { Settings } from '../settings.ts';
import type { Io } from '../terminal.ts';
import { packageVersion } from '../version.ts';
import { noteEnd, notifyEnd, notifyPayees, reportUnsentAdvice } from './end-notices.ts';
import { createProgress, type Progress } from './progress.ts';
import { summaryText } from './summary.ts';

/** What `--json` says beside the outcome. */
type Reading = Pick<RanOutput, 'inferred_rails' | 'mapping' | 'remittance'>;

/** How often the progress is asked for; it decides itself what to draw. */
const PROGRESS_EVERY_MS = 100;

/** Executes a run that this process holds, writes its report, and prints its summary. */
export async function executeAndReport(options: {
  /** The fold of the run's journal. */
  run: RunState;
  journal: Journal;
  writer: RunWriter;
  connection: Pick<Connection, 'client' | 'reportTo'>;
  log: Log;
  io: Io;
  settings: Settings;
  /** Where webhooks are received. */
  hints: HintSource | null;
  /** A person accepts what the service lists as proof, where it promises no expiry. */
  resubmitAbsent?: boolean;
  /** What `--json` says beside the outcome: how the input was read, where it was read now. */
  reading?: Reading;
}): Promise<Executed> {
  const { run, journal, writer, connection, log, io, settings, hints, resubmitAbsent = false, reading = {} } = options;
  assert(run.header, 'a run without its header');
  const progress = beginProgress(run, writer.runId, { io, settings });
  connection.reportTo((text) => progress.note(text));
  const interrupt = stopOnInterrupt(
    () => progress.note(`Stopping: ${NO_MORE} Ctrl-C again leaves at once.`),
    () => sayLeft(writer.runId, settings),
  );
  const context = openContext({
    run,
    writer,
    client: connection.client,
    clock: machineClock,
    randomness: machineRandomness,
    log,
    stop: interrupt.signal,
    hints,
    resubmitAbsent,
  });
  let phase: Phase = 'checking the journal';
  context.stop.addEventListener('abort', () => run.paused && progress.note(`Pausing: ${NO_MORE}`));
  const ticking = new AbortController();
  const ticks = tick(ticking.signal, () => progress.update(snapshot(context, phase)));
  try {
    const end = await execute(context, journal, writer, {
      leaseMs: LEASE_MS,
      pollEveryMs: settings.pollEvery ?? run.header.settings.poll_every_ms,
      waitTimeoutMs: settings.waitTimeout ?? run.header.settings.wait_timeout_ms,
      onPhase(next) {
        phase = next;
        progress.update(snapshot(context, phase));
        log.info({ run: writer.runId, phase }, 'phase');
      },
    });
    ticking.abort();
    await ticks;
    progress.update(snapshot(context, phase));
    progress.stop();
    const isOver = end.end === 'finished';
    const unsentAdvice = isOver ? await notifyPayees(run, interrupt.signal, { writer, io, log, settings }) : null;
    const said = { ...reading, ...(await reportUnsentAdvice(run, unsentAdvice, { io, settings })) };
    if (end.end === 'interrupted')
      log.info({ run: writer.runId, resume: resumeCommand(writer.runId, settings) }, 'interrupted');
    const { exit, event } = await finish({ run, end, journal, writer, io, settings, reading: said });
    interrupt.release();
    await notifyEnd({ run, end, exit, unsentAdvice }, event, { io, log, settings });
    return { exit, halted: end.end === 'halted' ? end.message : null };
  } finally {
    ticking.abort();
    progress.stop();
    interrupt.release();
    endSoon();
  }
}

const NO_MORE = 'nothing more is submitted; what is in flight is settled.';

/** What is said of a run before its first step. */
function beginProgress(run: RunState, runId: string, { io, settings }: { io: Io; settings: Settings }): Progress {
  const { quiet } = settings;
  const progress = createProgress({ stream: process.stderr, colour: io.colour, quiet, clock: machineClock });
  assert(run.header, 'a run without its header');
  if (run.header.rehearsal) progress.note('REHEARSAL: no money moves');
  progress.note(`run ${runId}: ${counted(run.header.payouts, 'payout')} from ${run.header.input.name}`);
  return progress;
}

/** After the second Ctrl-C: written with the file's own descriptors, since the process ends with the next statement. */
function sayLeft(runId: string, settings: Settings): void {
  const message = `Left run ${runId} at once. What was in flight is in doubt until it is looked for.`;
  const remedy = `Look for it, and go on: ${resumeCommand(runId, settings)}`;
  const result = { run_id: runId, state: 'stopped', message, remedy, exit: EXIT.interrupted } as const;
  try {
    if (settings.json) writeSync(1, jsonLine<RefusalOutput>(result));
    writeSync(2, `${message}\n${remedy}\n`);
  } catch {
    // Nobody listens any more, which is no reason to stay.
  }
}

function resumeCommand(runId: string, settings: Settings): string {
  return commandsFor(settings)('resume', runId);
}

async function tick(signal: AbortSignal, draw: () => void): Promise<void> {
  while (!signal.aborted) {
    await machineClock.sleep(PROGRESS_EVERY_MS, signal);
    if (!signal.aborted) draw();
  }
}

function snapshot(context: RunContext, phase: Phase) {
  const { tally, run } = context;
  const sent = tally.accepted + tally.completed + tally.failed;
  // A payout that was perhaps paid already waits for a person like any other that is unresolved.
  const counts = { ...tally, unresolved: tally.unresolved + tally.suspected };
  return { phase, counts, total: run.payouts.size, sent };
}

async function finish(options: {
  run: RunState;
  end: RunEnd;
  journal: Journal;
  writer: RunWriter;
  io: Io;
  settings: Settings;
  reading: Reading;
}): Promise<{ exit: number; event: Awaited<ReturnType<typeof noteEnd>> }> {
  const { run, end, journal, writer, io, settings, reading } = options;
  const counts = countsOf(run);
  const exit = exitOf(end, countForPerson(run), counts.failed + counts.rejected + counts.not_submitted, run);
  const event = await noteEnd({ run, end, exit }, { writer, io });
  const head = await journal.head(writer.runId);
  assert(run.header && head, 'a run without its header');
  await writer.release();
  const directory = settings.reportDir ?? run.header.report_dir;
  const command = commandsFor(settings);
  const report = await writeReportsOrSayWhy(io, writer.runId, {
    run,
    head,
    directory,
    formats: REPORT_FORMATS,
    version: packageVersion(),
    retriedBy: await retriedBy(journal, writer.runId),
    approvals: approvalsOf(run).approvals,
    command,
  });
  await noteHeads(io, journal, directory);
  if (settings.json) {
    const { input, digest, rehearsal } = run.header;
    const { name, path, sha256, bytes } = input;
    const state = standingOf(run);
    const totals = totalsOf(run);
    const conversions = conversionsOf(run);
    const converted = conversions.length === 0 ? {} : { conversions };
    const result = { run_id: writer.runId, state, rehearsal, input: { name, path, sha256, bytes }, digest };
    const why = end.end === 'halted' ? { message: end.message } : {};
    io.stdout(jsonLine<RanOutput>({ ...result, counts, totals, ...converted, ...reading, report, ...why, exit }));
    if (end.end === 'halted') io.stderr(`${end.message}\n`);
  } else {
    io.stdout(summaryText({ run, end, counts, totals: totalsOf(run), report, command }));
  }
  return { exit, event };
}

/** How far each run goes is kept outside of the journal too. What cannot be written there changes nothing of the run. */
async function noteHeads(io: Io, journal: Journal, directory: string): Promise<void> {
  try {
    const written = await writeHeads(journal, directory);
    const [first] = written?.against ?? [];
    if (written === null || first === undefined) return;
    io.stderr(
      `${written.path} names ${first.n} entries of run ${first.runId} that this journal does not hold: it was altered, or an older copy was put back. See: payrun verify\n`,
    );
  } catch (error) {
    io.stderr(
      `The heads of the journal could not be noted (${error instanceof Error ? error.message : String(error)}).\n`,
    );
  }
}

/** Who was paid stands in the journal: a report that cannot be written changes neither that nor the exit code. */
async function writeReportsOrSayWhy(
  io: Io,
  runId: string,
  options: WriteReports & { command: CommandLine },
): Promise<string[]> {
  try {
    return await writeReports(options);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const again = options.command('report', runId, '--report-dir', 'DIR');
    io.stderr(`The report could not be written (${why}). Write it again: ${again}\n`);
    return [];
  }
}

/** 5 before 4 before 0: what needs a person is loudest. */
function exitOf(end: RunEnd, needPerson: number, notPaid: number, run: RunState): number {
  switch (end.end) {
    case 'interrupted':
      return EXIT.interrupted;
    case 'halted':
      return end.reason === 'outage' && !wasAnythingSent(run) ? EXIT.unreachable : EXIT.person_needed;
    case 'finished':
      if (needPerson > 0) return EXIT.person_needed;
      return notPaid > 0 ? EXIT.some_failed : EXIT.ok;
  }
}
