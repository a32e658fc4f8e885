import { writeSync } from 'node:fs';
import process from 'node:process';
import type { RunEvent } from '../../app/run/end-notices.ts';
import { type ExecutedRun, executeRun, type RunToExecute } from '../../app/run/execute-run.ts';
import { commandsFor } from '../../compose/command-hints.ts';
import type { Connection } from '../../compose/connect.ts';
import { LEASE_MS } from '../../compose/data-dir.ts';
import type { Settings } from '../../compose/settings.ts';
import { packageVersion } from '../../compose/version.ts';
import type { Log } from '../../domain/log.ts';
import { assert } from '../../domain/refusal.ts';
import { ENDING_EXIT } from '../../domain/run/ending.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import type { Journal } from '../../journal/journal.ts';
import { counted, printable } from '../../messages/text.ts';
import { machineClock, machineRandomness } from '../../platform/machine.ts';
import type { HintSource } from '../../runner/wait/hinted.ts';
import type { RanOutput } from '../commands/run/json.ts';
import { EXIT } from '../exit.ts';
import { endSoon, stopOnInterrupt } from '../interrupt.ts';
import { notify, secretsHere } from '../jobs/notices.ts';
import { jsonLine } from '../json/line.ts';
import type { RefusalOutput } from '../json/refusal.ts';
import type { Io } from '../terminal.ts';
import { createProgress, type Progress } from './progress.ts';
import { summaryText } from './summary.ts';

/** What `--json` says beside the outcome: how the input was read, where it was read now. */
type Reading = Pick<RanOutput, 'inferred_rails' | 'mapping'>;

/** Who watches a run in place of a terminal: a program that uses the library. Signals are then that program's. */
export type Watcher = { stop: AbortSignal; onProgress: Parameters<typeof executeRun>[0]['onProgress'] };

/** Executes a run that this process holds, writes its report, and prints its summary. */
export async function executeAndReport(
  options: RunToExecute & {
    journal: Journal;
    connection: Pick<Connection, 'client' | 'reportTo'>;
    log: Log;
    io: Io;
    settings: Settings;
    /** Where webhooks are received. */
    hints: HintSource | null;
    reading?: Reading;
    watcher?: Watcher | undefined;
  },
): Promise<ExecutedRun> {
  const { run, journal, writer, connection, log, io, settings, hints, reading = {}, watcher } = options;
  const { runId } = writer;
  const command = commandsFor(settings);
  const progress = beginProgress(run, runId, { io, settings });
  connection.reportTo((text) => progress.note(text));
  const interrupt =
    watcher === undefined
      ? stopOnInterrupt(
          () => progress.note(`Stopping: ${NO_MORE} Ctrl-C again leaves at once.`),
          () => sayLeft(runId, settings),
        )
      : { signal: watcher.stop, release: () => {} };
  try {
    return await executeRun(
      {
        journal,
        clock: machineClock,
        randomness: machineRandomness,
        client: connection.client,
        log,
        hints,
        stop: interrupt.signal,
        leaseMs: LEASE_MS,
        version: packageVersion(),
        command,
        isSeen: io.isInteractive,
        reportDir: settings.reportDir,
        pollEveryMs: settings.pollEvery,
        waitTimeoutMs: settings.waitTimeout,
        secrets: secretsHere,
        tell: (notices, notice) => notify(notices, notice, { io, log, ...(watcher && { stop: watcher.stop }) }),
        onProgress(snapshot) {
          progress.update(snapshot);
          watcher?.onProgress(snapshot);
        },
        onPausing: () => progress.note(`Pausing: ${NO_MORE}`),
        onEvent(event) {
          progress.stop();
          const text = eventText(event, { runId, settings });
          if (text !== '') io.stderr(text);
        },
        onEnded(executed) {
          progress.stop();
          print(executed, reading, { io, settings });
          interrupt.release();
        },
      },
      options,
    );
  } finally {
    progress.stop();
    interrupt.release();
    if (watcher === undefined) endSoon();
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
  if (end.end === 'halted') io.stderr(`${end.message}\n`);
}

type Here = { io: Io; settings: Settings };
