import { type CancelDeps, cancelRun } from '../../../app/cancel/cancel.ts';
import { placeFor } from '../../../compose/command-hints.ts';
import { LEASE_MS } from '../../../compose/data-dir.ts';
import { actorHere } from '../../../compose/person.ts';
import { serviceDeps } from '../../../compose/run-deps.ts';
import type { Settings } from '../../../compose/settings.ts';
import type { CancelOutcome } from '../../../domain/outcomes/cancel-outcome.ts';
import { Refusal } from '../../../domain/refusal.ts';
import type { CommandLine } from '../../../messages/command-line.ts';
import { refusalText } from '../../../messages/refusals/refusal.ts';
import { EXIT } from '../../exit.ts';
import { endSoon, stopOnInterrupt } from '../../interrupt.ts';
import { withLoggedJournal } from '../../journal-command.ts';
import { jsonLine } from '../../json/line.ts';
import type { Io } from '../../terminal.ts';
import { cancelledJson, cancelledText, exitOfCancelled } from './cancelled-text.ts';
import type { AskedToCancel, NothingToCancel } from './json.ts';

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
  await withLoggedJournal(options, async (here) => {
    const whileLooking = lookingAloud(runId, here.io, here.settings);
    const deps = { ...serviceDeps(here), leaseMs: LEASE_MS, whileLooking };
    return show(await cancelRun(deps, { runId, actor: actorHere() }), here);
  });
}

/** Ctrl-C ends the look at the service, and undoes nothing. */
function lookingAloud(runId: string, io: Io, settings: Settings): CancelDeps['whileLooking'] {
  return async (work) => {
    if (!settings.quiet && !settings.json)
      io.stderr(`Run ${runId} is cancelled. Looking at the service whether what waits was paid already.\n`);
    const interrupt = stopOnInterrupt(() =>
      io.stderr('Stopping. The run is cancelled; Ctrl-C again leaves at once.\n'),
    );
    try {
      return await work(interrupt.signal);
    } finally {
      interrupt.release();
      endSoon();
    }
  };
}

/** Returns the exit code. */
function show(cancelled: CancelOutcome, { io, settings }: { io: Io; settings: Settings }): number {
  const { json } = settings;
  const place = placeFor(settings);
  switch (cancelled.outcome) {
    case 'finished':
      io.stdout(json ? jsonLine<NothingToCancel>(nothingJson(cancelled.runId)) : nothingText(cancelled.runId));
      return EXIT.ok;
    case 'asked': {
      const { runId, holder, by } = cancelled;
      const asked = { run_id: runId, cancelled: false, asked: holder, by, exit: EXIT.ok } as const;
      io.stdout(json ? jsonLine<AskedToCancel>(asked) : askedText(cancelled, place.command));
      return EXIT.ok;
    }
    case 'cancelled': {
      const { notLooked } = cancelled;
      io.stdout(json ? cancelledJson(cancelled, place) : cancelledText(cancelled, place));
      if (json && notLooked !== null) {
        const { message, remedy } = refusalText({ reason: notLooked }, place);
        io.stderr(`${message}\n${remedy}\n`);
      }
      return exitOfCancelled(cancelled);
    }
  }
}

function nothingText(runId: string): string {
  return `Run ${runId} is finished: there is nothing to cancel.\n`;
}

function nothingJson(runId: string): NothingToCancel {
  const none = { not_submitted: 0, waiting: 0, to_wait_for: 0, in_doubt: 0 };
  return { run_id: runId, cancelled: false, ...none, exit: EXIT.ok };
}

/** A living process holds the run: it is asked, and stops submitting within about a second. */
function askedText(
  { runId, holder: { pid, host } }: Extract<CancelOutcome, { outcome: 'asked' }>,
  command: CommandLine,
): string {
  return `Process ${pid} on ${host} works on run ${runId}. It was asked to submit nothing more: it does so within a second, waits for what it has submitted, and writes the report. Should it end before, the next resume does the same.\nSee how far it is: ${command('show', runId)}\n`;
}
