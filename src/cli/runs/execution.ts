import { writeSync } from 'node:fs';
import process from 'node:process';
import type { ExecutedRun, RunDeps, RunEvent, Watching } from '../../app/run/run-deps.ts';
import { endSoon, stopOnInterrupt } from '../../compose/machine/interrupt.ts';
import { notifyHere } from '../../compose/machine/notifying.ts';
import { actorHere } from '../../compose/person.ts';
import { runDeps } from '../../compose/run-deps.ts';
import { assert } from '../../domain/refusal.ts';
import { ENDING_EXIT } from '../../domain/run/ending.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { messages } from '../../messages/messages.ts';
import { counted, printable } from '../../messages/text.ts';
import { machineClock } from '../../platform/machine.ts';
import { EXIT } from '../exit.ts';
import type { LoggedHere as Here } from '../here.ts';
import type { RanOutput, RefusalOutput } from '../json/outputs.ts';
import { jsonLine } from '../json/print.ts';
import { createProgress, type Progress } from './progress.ts';
import { summaryText } from './summary.ts';

/** What `--json` has beside the outcome: how the input was read, where it was read now. */
export type Reading = Pick<RanOutput, 'inferred_rails' | 'mapping' | 'given_currency' | 'given_encoding' | 'layout'>;

/**
 * What a run is started and gone on with at a command line: its progress, its summary, and Ctrl-C. `readingOf`: how the input
 * was read, once the run has ended.
 */
export function runDepsHere(here: Here, readingOf: () => Reading = () => ({})): RunDeps {
  return runDeps(here, {
    actor: actorHere(),
    isSeen: here.io.isInteractive,
    notify: notifyHere(here),
    watch: (run) => watchHere(run, here, readingOf),
  });
}

const NO_MORE = 'nothing more is submitted, and what is in flight is finished.';

/** What Ctrl-C does: a line for the first, and what is written for the second, which ends the process. */
export type Interrupting = { first: string; leave(runId: string, here: Here): void };

const HERE: Interrupting = { first: `Stopping: ${NO_MORE} Ctrl-C again leaves at once.`, leave: writeLeft };

/** Shows a run at the command line. */
export function watchHere(
  run: RunState,
  here: Here,
  readingOf: () => Reading,
  { first, leave }: Interrupting = HERE,
): Watching {
  const runId = run.header?.run_id ?? '';
  const { io } = here;
  const progress = beginProgress(run, runId, here);
  const interrupt = stopOnInterrupt(
    () => progress.note(first),
    () => leave(runId, here),
  );
  return {
    stop: interrupt.signal,
    note: (text) => progress.note(text),
    onProgress: (snapshot) => progress.update(snapshot),
    onPausing: () => progress.note(`Pausing: ${NO_MORE}`),
    onEvent(event) {
      progress.stop();
      const text = eventText(event, runId, here);
      if (text !== '') io.stderr(text);
    },
    onEnded(executed) {
      progress.stop();
      print(executed, readingOf(), here);
      interrupt.release();
    },
    end() {
      progress.stop();
      interrupt.release();
      endSoon();
    },
  };
}

/** The progress, with what is shown of a run before its first step. */
function beginProgress(run: RunState, runId: string, { io, settings }: Here): Progress {
  const { quiet } = settings;
  const progress = createProgress({ stream: process.stderr, colour: io.colour, quiet, clock: machineClock });
  assert(run.header, 'a run without its header');
  if (run.header.rehearsal) progress.note('REHEARSAL: no money moves');
  progress.note(`run ${runId}: ${counted(run.header.payouts, 'payout')} from ${run.header.input.name}`);
  return progress;
}

/** After the second Ctrl-C: written with the file's own descriptors, since the process ends with the next statement. */
function writeLeft(runId: string, here: Here): void {
  const message = `Left run ${runId} at once. What was in flight is in doubt until it is looked up.`;
  writeLast(runId, here, { message, remedy: `Look it up and continue: ${here.command('resume', runId)}` });
}

/** The last lines of a process that is left while a run is not over. */
export function writeLast(
  runId: string,
  { settings }: Here,
  { message, remedy }: { message: string; remedy: string },
): void {
  const result = { run_id: runId, state: 'stopped', message, remedy, exit: EXIT.interrupted } as const;
  try {
    if (settings.json) writeSync(1, jsonLine<RefusalOutput>(result));
    writeSync(2, `${message}\n${remedy}\n`);
  } catch {
    // Nobody listens any more, which is no reason to stay.
  }
}

/** Empty where nothing is to be printed. */
function eventText(event: RunEvent, runId: string, { settings, command }: Here): string {
  switch (event.event) {
    case 'payees_not_notified':
      return `${counted(event.count, 'payee')} would be notified by e-mail, but a rehearsal notifies nobody.\n`;
    case 'notifying_payees':
      return settings.quiet ? '' : `notifying ${counted(event.count, 'payee')} by e-mail\n`;
    case 'advice_to_do':
      return event.lines.map((line) => `${printable(line)}\n`).join('');
    case 'heads_against': {
      const { path, n } = event;
      return `${path} names ${n} entries of run ${event.runId} that this journal does not hold: it was altered, or an older copy was put back. See: payrun verify\n`;
    }
    case 'heads_not_noted':
      return `The heads of the journal could not be recorded (${event.why}).\n`;
    case 'report_not_written': {
      const again = command('report', runId, '--report-dir', 'DIR');
      return `The report could not be written (${event.why}). Write it again: ${again}\n`;
    }
  }
}

function print({ end, ending, run, result }: ExecutedRun, reading: Reading, { io, settings, command }: Here): void {
  const { counts, totals, report } = result;
  if (!settings.json) {
    io.stdout(summaryText({ run, end, counts, totals, report, command }));
    return;
  }
  // In the order in which these members have always stood.
  const { remittance, report: _, message, ...first } = result;
  const last = {
    ...(remittance !== undefined && { remittance }),
    report,
    ...(message !== undefined && { message }),
    exit: ENDING_EXIT[ending],
  };
  io.stdout(jsonLine<RanOutput>({ ...first, ...reading, ...last }));
  if (end.end === 'halted') io.stderr(`${messages.stops.stopText(end.why, 'command_line')}\n`);
}
