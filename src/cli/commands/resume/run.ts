import process from 'node:process';
import { namedOnPage } from '../../../app/actor.ts';
import type { ExecutedRun } from '../../../app/run/execute-run.ts';
import { openLog } from '../../../compose/data-dir.ts';
import { actorHere } from '../../../compose/person.ts';
import { atService, connectionSettings } from '../../../compose/service-connection.ts';
import type { Settings } from '../../../compose/settings.ts';
import { noteOf, readWebhookKeys, whileReceiving } from '../../../compose/webhooks.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { ENDING_EXIT } from '../../../domain/run/ending.ts';
import { applyToRun } from '../../../domain/run/run.ts';
import type { RunState } from '../../../domain/run/run-state.ts';
import { wasAnythingSent } from '../../../domain/run/tally.ts';
import type { Journal, RunWriter } from '../../../journal/journal.ts';
import { withJournal } from '../../journal-command.ts';
import { executeAndReport, type Watcher } from '../../runs/execution.ts';
import { readKnownRun, requireStarted } from '../../runs/known-run.ts';
import { keepingRun } from '../../runs/lost-run.ts';
import { openToWrite } from '../../runs/open-run.ts';
import type { Io } from '../../terminal.ts';

/** `payrun resume RUN`: the run goes on from its journal alone; options may say where the service is now. */
export async function runResume(options: Record<string, unknown>): Promise<void> {
  // Never from the environment: it is a word about this run.
  const resubmitAbsent = options.resubmitAbsent === true;
  await withJournal(options, async (given) => {
    const { ending } = await resumeRun(String(options.run), { ...given, person: null, resubmitAbsent });
    return ENDING_EXIT[ending];
  });
}

type Means = {
  journal: Journal;
  io: Io;
  settings: Settings;
  person: string | null;
  resubmitAbsent: boolean;
  watcher?: Watcher;
};

/** `person` is the one on the page for whom it goes on. Throws a `Refusal`. */
export async function resumeRun(runId: string, means: Means): Promise<ExecutedRun> {
  const { journal, person } = means;
  return keepingRun(runId, async () => {
    const writer = await openToWrite(journal, runId, namedOnPage(person));
    try {
      return await goOn({ ...means, writer });
    } finally {
      await writer.release();
    }
  });
}

async function goOn(options: Means & { writer: RunWriter }): Promise<ExecutedRun> {
  const { journal, writer, io, settings, person, resubmitAbsent, watcher } = options;
  const { log, flush } = openLog(settings.dataDir, settings.logLevel);
  try {
    const run = await readKnownRun(journal, writer.runId);
    requireStarted(run);
    await unpause(run, writer, person);
    const way = connectionSettings(run, settings);
    const keys = readWebhookKeys(way.profile, process.env);
    const receiving = { webhooks: way.profile.webhooks, keys, journal, log, note: noteOf(io, settings) };
    return await whileReceiving(receiving, (hints) =>
      atService({ run, writer, way, settings, log, io }, (connection) =>
        executeAndReport({ run, journal, writer, connection, log, io, settings, hints, resubmitAbsent, watcher }),
      ).catch((error: unknown) => {
        throw isStopped(error, run) ? away(error, run) : error;
      }),
    );
  } finally {
    flush();
  }
}

/** Only a person resumes what a person paused: whatever goes on with runs by itself leaves it alone. */
async function unpause(run: RunState, writer: RunWriter, person: string | null): Promise<void> {
  if (!run.paused) return;
  const entry = { kind: 'resumed' as const, ...actorHere(person) };
  applyToRun(run, entry, await writer.append([entry]));
}

/** A service that is away after payouts were sent is no refusal: the run stays stopped. */
function isStopped(error: unknown, run: RunState): error is Refusal {
  return error instanceof Refusal && error.kind === 'unreachable' && wasAnythingSent(run);
}

function away({ reason }: Refusal, run: RunState): Refusal {
  return new Refusal({ code: 'service_away', runId: run.header?.run_id ?? '', why: reason });
}
