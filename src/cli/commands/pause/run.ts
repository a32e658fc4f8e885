import type { Entry } from '../../../domain/entry.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { applyToRun } from '../../../domain/run/run.ts';
import type { RunState } from '../../../domain/run/run-state.ts';
import { tallyOf } from '../../../domain/run/tally.ts';
import type { Holder, Journal, RunWriter } from '../../../journal/journal.ts';
import type { CommandLine } from '../../../report/command-line.ts';
import { actorText } from '../../../report/model/actor-text.ts';
import { commandsFor } from '../../command-hints.ts';
import { openLog } from '../../compose.ts';
import { EXIT } from '../../exit.ts';
import { withJournal } from '../../journal-command.ts';
import { actorHere, onPage } from '../../person.ts';
import { counted } from '../../problem-text.ts';
import { readKnownRun, requireStarted } from '../../runs/known-run.ts';
import { keepingRun } from '../../runs/lost-run.ts';
import type { Settings } from '../../settings.ts';
import type { Io } from '../../terminal.ts';

type Given = { journal: Journal; io: Io; settings: Settings; command: CommandLine };

/**
 * `payrun pause RUN`: the process that works on the run submits nothing more, settles what is in flight and ends. Nothing
 * goes on with the run but a person's `resume`.
 */
export async function runPause(options: Record<string, unknown>): Promise<void> {
  const runId = String(options.run);
  await withJournal(options, ({ journal, io, settings }) => {
    const command = commandsFor(settings);
    const given = { journal, io, settings, command };
    return keepingRun(runId, command, async () => {
      const before = readKnownRun(journal, runId, command);
      requireStarted(before, command);
      requireNotCancelled(before, given);
      if (before.finished !== null) return over(runId, given);
      const opened = await journal.openRun(runId, onPage());
      switch (opened.outcome) {
        case 'held':
          return ask(runId, opened.holder, given);
        case 'opened':
          return pause(before, opened.writer, given);
        case 'unknown':
          throw new Refusal('usage', `There is no run ${runId}.`, `List them: ${command('runs')}`);
      }
    });
  });
}

function requireNotCancelled({ header, cancelled, finished }: RunState, { command }: Given): void {
  if (!cancelled || finished !== null) return;
  const runId = header?.run_id ?? '';
  const what = `${runId} was cancelled: nothing more of it is submitted, and there is nothing to pause.`;
  throw new Refusal('refused', what, `See how far it is: ${command('show', runId)}`, { run_id: runId });
}

function over(runId: string, { io, settings }: Given): number {
  if (settings.json) io.stdout(`${JSON.stringify({ run_id: runId, paused: false, waiting: 0, exit: EXIT.ok })}\n`);
  else io.stdout(`Run ${runId} is over: there is nothing to pause.\n`);
  return EXIT.ok;
}

/** A living process holds the run: it is asked, and stops submitting within about a second. */
async function ask(runId: string, { pid, host }: Holder, { journal, io, settings, command }: Given): Promise<number> {
  const by = actorText(actorHere());
  await journal.pauseRequests.ask(runId, by);
  if (settings.json) {
    io.stdout(`${JSON.stringify({ run_id: runId, paused: false, asked: { pid, host }, by, exit: EXIT.ok })}\n`);
    return EXIT.ok;
  }
  io.stdout(
    `Process ${pid} on ${host} works on run ${runId}. It was asked to pause: within a second it submits nothing more, settles what is in flight, writes the report and ends.\nSee how far it is: ${command('show', runId)}\nGo on later: ${command('resume', runId)}\n`,
  );
  return EXIT.ok;
}

/** Nobody works on it. Why it stopped stays in the journal: taking the run up has cleared that. */
async function pause(before: RunState, writer: RunWriter, given: Given): Promise<number> {
  const { journal, io, settings, command } = given;
  const { log, flush } = openLog(settings.dataDir, settings.logLevel);
  const { runId } = writer;
  try {
    const run = readKnownRun(journal, runId, command);
    requireNotCancelled(run, given);
    const actor = actorHere();
    const { stopped, stopMessage, paused: wasPaused } = before;
    const message = stopMessage === null ? {} : { message: stopMessage };
    const entries: Entry[] = [
      ...(wasPaused ? [] : [{ kind: 'paused' as const, ...actor }]),
      { kind: 'stopped', reason: stopped ?? 'interrupted', ...message },
    ];
    const at = await writer.append(entries);
    for (const entry of entries) applyToRun(run, entry, at);
    log.info({ run: runId, by: actor.by }, 'paused');
    const { waiting } = tallyOf(run);
    const { by } = actor;
    if (settings.json) io.stdout(`${JSON.stringify({ run_id: runId, paused: true, by, waiting, exit: EXIT.ok })}\n`);
    else io.stdout(pausedText(runId, { wasPaused, waiting }, command));
    return EXIT.ok;
  } finally {
    await writer.release();
    flush();
  }
}

function pausedText(
  runId: string,
  { wasPaused, waiting }: { wasPaused: boolean; waiting: number },
  command: CommandLine,
): string {
  const what = wasPaused ? 'was paused before' : 'is paused';
  const left = waiting === 0 ? '' : ` ${counted(waiting, 'payout')} not sent yet.`;
  return `Run ${runId} ${what}: nothing more of it is submitted.${left}\ngo on   ${command('resume', runId)}\n`;
}
