import process from 'node:process';
import { z } from 'zod';
import type { WorkerEvent } from '../../../app/worker/worker-event.ts';
import { placeFor } from '../../../compose/command-hints.ts';
import { stopOnInterrupt } from '../../../compose/machine/interrupt.ts';
import { readSettings, type Settings } from '../../../compose/settings.ts';
import { prepareDatabase, startWorker } from '../../../compose/worker/worker.ts';
import { text } from '../../../domain/entries/members.ts';
import { runId, time } from '../../../domain/result.ts';
import { ENDING_EXIT } from '../../../domain/run/ending.ts';
import { isoUtc } from '../../../domain/time.ts';
import { messages } from '../../../messages/messages.ts';
import { machineClock } from '../../../platform/machine.ts';
import type { Given } from '../../command.ts';
import { exitCode } from '../../json/outputs.ts';
import { jsonLine } from '../../json/print.ts';
import { type Io, processIo } from '../../terminal.ts';
import { eventWords } from './event-words.ts';

function line<Name extends string, Members extends z.ZodRawShape>(event: Name, members: Members, what: string) {
  return z.strictObject({ at: time, event: z.literal(event), ...members }).describe(what);
}

const ofRun = { run_id: runId };
const why = { message: text, remedy: text };

export const output = z
  .discriminatedUnion('event', [
    line('ready', {}, 'It takes runs.'),
    line('taken', ofRun, 'It works on a run.'),
    line('ended', { ...ofRun, exit: exitCode, report: z.array(text) }, 'A run ended or stopped; `exit` as of `run`.'),
    line('handed_over', ofRun, 'It goes to another worker.'),
    line('lost', { ...ofRun, ...why }, 'It works on the run no more; a worker goes on.'),
    line('left', { ...ofRun, ...why, is_tried_again: z.boolean() }, 'It cannot work on the run.'),
    line('database_away', { message: text }, 'It tries until the database can be used.'),
    line('database_back', {}, 'The database can be used again.'),
    line('stopping', {}, 'It hands over what it works on, and ends.'),
  ])
  .meta({ description: 'One line for each thing that happens.' });
type Line = z.output<typeof output>;

/** `payrun worker`: executes runs that are left to workers until Ctrl-C or SIGTERM, and then hands over. */
export async function run(given: Given): Promise<void> {
  const settings = readSettings(given, process.env);
  const io = processIo(process.env);
  if (given.prepare === true) {
    await prepareDatabase(settings);
    io.stderr('The tables of journal and queue are there. Grant the permissions: samples/deploy/postgres-roles.sql\n');
    return;
  }
  const report = (event: WorkerEvent) => print(event, settings, io);
  const { signal: stop, release } = stopOnInterrupt(() => report({ event: 'stopping' }));
  await startWorker({ settings, io, stop, report }).finally(release);
}

function print(event: WorkerEvent, settings: Settings, io: Io): void {
  const now = isoUtc(machineClock.wallMs());
  if (settings.json) io.stdout(jsonLine<Line>(lineOf(event, now, settings)));
  else if (!settings.quiet) io.stderr(`${now.slice(0, 19)}Z ${eventWords(event, placeFor(settings))}\n`);
}

function lineOf(event: WorkerEvent, at: string, settings: Settings): Line {
  switch (event.event) {
    case 'ready':
    case 'database_back':
    case 'stopping':
      return { at, event: event.event };
    case 'taken':
    case 'handed_over':
      return { at, event: event.event, run_id: event.runId };
    case 'ended':
      return { at, event: 'ended', run_id: event.runId, exit: ENDING_EXIT[event.ending], report: [...event.report] };
    case 'lost':
    case 'left': {
      const { message, remedy } = messages.refusals.refusalText({ reason: event.why }, placeFor(settings));
      const of = { at, run_id: event.runId, message, remedy };
      return event.event === 'lost'
        ? { ...of, event: 'lost' }
        : { ...of, event: 'left', is_tried_again: event.isTriedAgain };
    }
    case 'database_away':
      return { at, ...event };
  }
}
