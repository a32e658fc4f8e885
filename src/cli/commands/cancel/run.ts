import { z } from 'zod';
import { type CancelDeps, cancelRun } from '../../../app/cancel/cancel.ts';
import { placeFor } from '../../../compose/command-hints.ts';
import { LEASE_MS } from '../../../compose/data-dir.ts';
import { endSoon, untilInterrupt } from '../../../compose/machine/interrupt.ts';
import { actorHere } from '../../../compose/person.ts';
import { serviceDeps } from '../../../compose/run-deps.ts';
import { count, text } from '../../../domain/entries/members.ts';
import { counts } from '../../../domain/entries/run.ts';
import type { CancelOutcome } from '../../../domain/outcomes/cancel-outcome.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { runId as runIdText } from '../../../domain/result.ts';
import type { CommandLine } from '../../../messages/command-line.ts';
import { messages } from '../../../messages/messages.ts';
import type { Given } from '../../command.ts';
import { EXIT } from '../../exit.ts';
import { type Here, withLoggedJournal } from '../../here.ts';
import { exitCode, holder } from '../../json/outputs.ts';
import { print } from '../../json/print.ts';
import { cancelledText, exitOfCancelled } from './cancelled-text.ts';
import { cancelWaiting, plans } from './waiting.ts';

const nothing = z.strictObject({
  run_id: runIdText,
  cancelled: z.boolean(),
  not_submitted: count.describe('Payouts that are not sent because of it.'),
  waiting: count.describe('Payouts of which the service could not be asked whether they were paid already.'),
  to_wait_for: count.describe('Payouts that were submitted and are not final.'),
  in_doubt: count,
  exit: exitCode,
});

const cancelled = nothing.extend({
  by: text.describe('The account that cancelled it.'),
  counts,
  message: text.optional().describe('Why the service was not asked.'),
  remedy: text.optional(),
});

const asked = z
  .strictObject({ run_id: runIdText, cancelled: z.literal(false), asked: holder, by: text, exit: exitCode })
  .describe('A process is working on the run and was asked to submit nothing more.');

export const output = z
  .union([cancelled, nothing, asked, plans])
  .meta({ description: 'A run that submits nothing more, or with --waiting the plans that were ended.' });

/**
 * `payrun cancel RUN`: nothing more of it is submitted. A run that nobody works on is cancelled here, and the service is
 * asked about what waits; the process that works on a run is asked to. What was submitted is not taken back by either.
 */
export async function run(given: Given): Promise<void> {
  const isOfWaiting = given.waiting === true;
  if (isOfWaiting === (given.run !== undefined)) throw new Refusal({ code: 'cancel_unclear' });
  if (isOfWaiting) return cancelWaiting(given);
  const runId = String(given.run);
  await withLoggedJournal(given, async (here) => {
    const deps = { ...serviceDeps(here), leaseMs: LEASE_MS, whileLooking: lookingAloud(runId, here) };
    return show(await cancelRun(deps, { runId, actor: actorHere() }), here);
  });
}

/** Ctrl-C ends the look at the service, and undoes nothing. */
function lookingAloud(runId: string, { io, settings }: Here): CancelDeps['whileLooking'] {
  return (work) => {
    if (!settings.quiet && !settings.json)
      io.stderr(`Run ${runId} is cancelled. Checking with the service whether waiting payouts were already paid.\n`);
    const note = () => io.stderr('Stopping. The run is cancelled; Ctrl-C again leaves at once.\n');
    return untilInterrupt(note, work).finally(endSoon);
  };
}

/** Returns the exit code. */
function show(outcome: CancelOutcome, here: Here): number {
  const { io, settings, command } = here;
  const place = placeFor(settings);
  switch (outcome.outcome) {
    case 'finished': {
      const none = { not_submitted: 0, waiting: 0, to_wait_for: 0, in_doubt: 0 };
      const result = { run_id: outcome.runId, cancelled: false, ...none, exit: EXIT.ok };
      const words = `Run ${outcome.runId} is finished: there is nothing to cancel.\n`;
      return print<z.output<typeof nothing>>(here, result, () => words);
    }
    case 'asked': {
      const { runId, holder: asks, by } = outcome;
      const result = { run_id: runId, cancelled: false, asked: asks, by, exit: EXIT.ok } as const;
      return print<z.output<typeof asked>>(here, result, () => askedText(outcome, command));
    }
    case 'cancelled': {
      const { runId, by, notSubmitted, notLooked, waiting, accepted, inDoubt } = outcome;
      const why = notLooked && messages.refusals.refusalText({ reason: notLooked }, place);
      const result = {
        run_id: runId,
        cancelled: true,
        by,
        not_submitted: notSubmitted,
        waiting,
        to_wait_for: accepted,
        in_doubt: inDoubt,
        counts: outcome.counts,
        ...(why && { message: why.message, remedy: `${why.remedy}\n${command('resume', runId)}` }),
        exit: exitOfCancelled(outcome),
      };
      const exit = print<z.output<typeof cancelled>>(here, result, () => cancelledText(outcome, place));
      if (settings.json && why !== null) io.stderr(`${why.message}\n${why.remedy}\n`);
      return exit;
    }
  }
}

/** A living process holds the run: it is asked, and stops submitting within about a second. */
function askedText(
  { runId, holder: { pid, host } }: Extract<CancelOutcome, { outcome: 'asked' }>,
  command: CommandLine,
): string {
  return `Process ${pid} on ${host} works on run ${runId}. It was asked to submit nothing more: within a second it stops, waits for what it has submitted, and writes the report. If it ends before that, the next resume does the same.\nSee its progress: ${command('show', runId)}\n`;
}
