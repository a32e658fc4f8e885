import { writeSync } from 'node:fs';
import process from 'node:process';
import type { ExecutedRun, RunDeps, RunEvent, Watching } from '../../app/run/run-deps.ts';
import { commandsFor } from '../../compose/command-hints.ts';
import { actorHere } from '../../compose/person.ts';
import { runDeps } from '../../compose/run-deps.ts';
import type { Settings } from '../../compose/settings.ts';
import { assert } from '../../domain/refusal.ts';
import { ENDING_EXIT } from '../../domain/run/ending.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import type { Journal } from '../../journal/journal.ts';
import { stopText } from '../../messages/stop-words.ts';
import { counted, printable } from '../../messages/text.ts';
import type { Log } from '../../platform/log.ts';
import { machineClock } from '../../platform/machine.ts';
import type { RanOutput } from '../commands/run/json.ts';
import { EXIT } from '../exit.ts';
import { endSoon, stopOnInterrupt } from '../interrupt.ts';
import { jsonLine } from '../json/line.ts';
import type { RefusalOutput } from '../json/refusal.ts';
import { notifyHere } from '../plans/maker.ts';
import type { Io } from '../terminal.ts';
import { createProgress, type Progress } from './progress.ts';
import { summaryText } from './summary.ts';

/** What `--json` says beside the outcome: how the input was read, where it was read now. */
export type Reading = Pick<RanOutput, 'inferred_rails' | 'mapping'>;

type Here = { journal: Journal; io: Io; settings: Settings; log: Log };

/**
 * What a run is started and gone on with at a command line: its progress, its summary, and Ctrl-C. `person` is the one on the
 * page for whom it is. `readingOf` says how the input was read, once the run has ended.
 */
export function runDepsHere(here: Here, person: string | null, readingOf: () => Reading = () => ({})): RunDeps {
  const { io, settings } = here;
  return runDeps(here, {
    actor: actorHere(person),
    isSeen: io.isInteractive,
    notify: notifyHere(here, commandsFor(settings)),
    watch: (run) => watchHere(run, here, readingOf),
  });
}

function watchHere(run: RunState, { io, settings }: Here, readingOf: () => Reading): Watching {
  const runId = run.header?.run_id ?? '';
  const progress = beginProgress(run, runId, { io, settings });
  const interrupt = stopOnInterrupt(
    () => progress.note(`Stopping: ${NO_MORE} Ctrl-C again leaves at once.`),
    () => sayLeft(runId, settings),
  );
  return {
    stop: interrupt.signal,
    note: (text) => progress.note(text),
    onProgress: (snapshot) => progress.update(snapshot),
    onPausing: () => progress.note(`Pausing: ${NO_MORE}`),
    onEvent(event) {
      progress.stop();
      const text = eventText(event, { runId, settings });
      if (text !== '') io.stderr(text);
    },
    onEnded(executed) {
      progress.stop();
      print(executed, readingOf(), { io, settings });
      interrupt.release();
    },
    end() {
      progress.stop();
      interrupt.release();
      endSoon();
    },
  };
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
  const remedy = `Look for it, and go on: ${commandsFor(settings)('resume', runId)}`;
  const result = { run_id: runId, state: 'stopped', message, remedy, exit: EXIT.interrupted } as const;
  try {
    if (settings.json) writeSync(1, jsonLine<RefusalOutput>(result));
    writeSync(2, `${message}\n${remedy}\n`);
  } catch {
    // Nobody listens any more, which is no reason to stay.
  }
}

/** Empty where nothing is to be printed. */
function eventText(event: RunEvent, { runId, settings }: { runId: string; settings: Settings }): string {
  switch (event.event) {
    case 'payees_not_told':
      return `${counted(event.count, 'payee')} would be told by e-mail: a rehearsal tells none.\n`;
    case 'telling_payees':
      return settings.quiet ? '' : `telling ${counted(event.count, 'payee')} by e-mail\n`;
    case 'advice_to_do':
      return event.lines.map((line) => `${printable(line)}\n`).join('');
    case 'heads_against': {
      const { path, n } = event;
      return `${path} names ${n} entries of run ${event.runId} that this journal does not hold: it was altered, or an older copy was put back. See: payrun verify\n`;
    }
    case 'heads_not_noted':
      return `The heads of the journal could not be noted (${event.why}).\n`;
    case 'report_not_written': {
      const again = commandsFor(settings)('report', runId, '--report-dir', 'DIR');
      return `The report could not be written (${event.why}). Write it again: ${again}\n`;
    }
  }
}

function print(
  { end, ending, run, result }: ExecutedRun,
  reading: Reading,
  { io, settings }: Pick<Here, 'io' | 'settings'>,
) {
  const { counts, totals, report } = result;
  if (!settings.json) {
    io.stdout(summaryText({ run, end, counts, totals, report, command: commandsFor(settings) }));
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
  if (end.end === 'halted') io.stderr(`${stopText(end.why, 'command_line')}\n`);
}
