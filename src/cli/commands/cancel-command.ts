import { Refusal } from '../../domain/refusal.ts';
import { countPayouts, type RunState } from '../../domain/run.ts';
import type { Journal, RunWriter } from '../../journal/journal.ts';
import type { CommandLine } from '../../report/command-line.ts';
import { countDoubts } from '../../report/doubts.ts';
import { countsOf, REHEARSAL_BAND } from '../../report/outcome.ts';
import { cancelRun } from '../../runner/cancel.ts';
import { openContext, type RunContext } from '../../runner/recorder.ts';
import { commandsFor } from '../command-hints.ts';
import { machineClock, machineRandomness, openLog } from '../compose.ts';
import { EXIT } from '../exit.ts';
import { withJournal } from '../journal-command.ts';
import { readKnownRun } from '../known-run.ts';
import { keepingRun } from '../lost-run.ts';
import { NO_SERVICE } from '../no-service.ts';
import { personHere } from '../person.ts';
import { keepPromises } from '../promises.ts';
import { wayTo } from '../reach.ts';
import type { Settings } from '../settings.ts';
import type { Io } from '../terminal.ts';

type Given = { journal: Journal; io: Io; settings: Settings; command: CommandLine };

/**
 * `payrun cancel RUN`: nothing more of it is submitted. A run that nobody works on is cancelled here; the process that
 * works on a run is asked to. What was submitted is not taken back by either.
 */
export async function runCancel(options: Record<string, unknown>): Promise<void> {
  const runId = String(options.run);
  await withJournal(options, ({ journal, io, settings }) => {
    const command = commandsFor(settings);
    return keepingRun(runId, command, async () => {
      if (isDone(readKnownRun(journal, runId, command))) return nothingToCancel(runId, io, settings);
      const opened = await journal.openRun(runId);
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
  const result = { run_id: runId, cancelled: false, not_submitted: 0, to_wait_for: 0, in_doubt: 0, exit: EXIT.ok };
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
  const by = personHere();
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

async function cancel({ journal, io, settings, command }: Given, writer: RunWriter): Promise<number> {
  const { log, flush } = openLog(settings.dataDir, settings.logLevel);
  try {
    const run = readKnownRun(journal, writer.runId, command);
    const by = personHere();
    const wasCancelled = run.cancelled;
    const said = settings.profile === undefined ? null : await keepPromises(run, writer, wayTo(run, settings).profile);
    if (said !== null) io.stderr(`${said}\n`);
    const stop = new AbortController().signal;
    const given = { client: NO_SERVICE, clock: machineClock, randomness: machineRandomness, log, stop, hints: null };
    const context = openContext({ run, writer, ...given });
    const { notSubmitted } = await cancelRun(context, by);
    await finishIfSettled(context);
    log.info({ run: writer.runId, by, notSubmitted }, 'cancelled');
    const doubts = countDoubts(run);
    const exit = doubts > 0 ? EXIT.person_needed : EXIT.ok;
    const left = { accepted: context.tally.accepted, doubts };
    if (settings.json) io.stdout(resultJson(run, by, notSubmitted, left, exit));
    else io.stdout(resultText(run, { wasCancelled, notSubmitted, ...left }, command));
    return exit;
  } finally {
    await writer.release();
    flush();
  }
}

/** Where an earlier attempt was held for dead, `resume` looks for it once more before the run is called finished. */
async function finishIfSettled(context: RunContext): Promise<void> {
  const { open, ...counts } = countPayouts(context.run);
  if (open === 0 && context.run.dead.size === 0) await context.record({ kind: 'finished', counts });
}

type Left = { accepted: RunContext['tally']['accepted']; doubts: number };

function resultJson(run: RunState, by: string, notSubmitted: number, left: Left, exit: number): string {
  const result = {
    run_id: run.header?.run_id,
    cancelled: true,
    by,
    not_submitted: notSubmitted,
    to_wait_for: left.accepted,
    in_doubt: left.doubts,
    counts: countsOf(run),
    exit,
  };
  return `${JSON.stringify(result)}\n`;
}

function resultText(
  run: RunState,
  { wasCancelled, notSubmitted, accepted, doubts }: Left & { wasCancelled: boolean; notSubmitted: number },
  command: CommandLine,
): string {
  const id = run.header?.run_id ?? '';
  const lines = run.header?.rehearsal ? [REHEARSAL_BAND] : [];
  lines.push(`Run ${id} ${wasCancelled ? 'was cancelled before' : 'is cancelled'}: nothing more of it is submitted.`);
  if (notSubmitted > 0) lines.push(`${payouts(notSubmitted)} ${were(notSubmitted)} not sent, and will not be.`);
  const twice = run.surfaced.length;
  const open = doubts - twice;
  if (open > 0) {
    const many = open === 1 ? 'It may have been made' : 'They may have been made';
    lines.push(`${payouts(open)} ${are(open)} in doubt. ${many}: cancelling takes nothing back.`);
  }
  if (twice > 0) lines.push(`${payouts(twice)} ${were(twice)} perhaps paid twice: cancelling takes nothing back.`);
  if (doubts > 0) lines.push(`see each     ${command('show', id)}`);
  if (accepted > 0) {
    lines.push(`${payouts(accepted)} ${were(accepted)} submitted and ${are(accepted)} not final yet: that goes on.`);
  }
  if (accepted + open > 0) lines.push(`${accepted > 0 ? 'wait for it' : 'look again '}  ${command('resume', id)}`);
  else lines.push(`the report   ${command('report', id)}`);
  return `${lines.join('\n')}\n`;
}

function payouts(count: number): string {
  return count === 1 ? '1 payout' : `${count} payouts`;
}

function were(count: number): string {
  return count === 1 ? 'was' : 'were';
}

function are(count: number): string {
  return count === 1 ? 'is' : 'are';
}
