import process from 'node:process';
import { z } from 'zod';
import { givenWithHeaders } from '../../../app/check/check-result.ts';
import { executedHere, leftToWorkers } from '../../../app/run/beginning.ts';
import { requireSharedService } from '../../../app/run/left-run.ts';
import { type InputProposal, payInput } from '../../../app/run/pay-input.ts';
import { connect } from '../../../compose/connect.ts';
import { withLoggedJournal } from '../../../compose/machine/here.ts';
import { passMeasuresToSchedule } from '../../../compose/machine/job-process.ts';
import { notifyingOfRefusals } from '../../../compose/machine/refused-notices.ts';
import { noteOf, readWebhookKeys } from '../../../compose/webhooks.ts';
import { requireDatabase } from '../../../compose/worker/queue.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { ENDING_EXIT } from '../../../domain/run/ending.ts';
import { messages } from '../../../messages/messages.ts';
import type { Given as Options } from '../../command.ts';
import { EXIT } from '../../exit.ts';
import { unnamedRailsText } from '../../input/check-text.ts';
import { type Given, gather, openGivenHere } from '../../input/given.ts';
import { runOutput } from '../../json/outputs.ts';
import { firstText } from '../../plans/compare-text.ts';
import { conversionNotes } from '../../plans/conversion-text.ts';
import { askToPay } from '../../questions/consent.ts';
import { type Reading, runDepsHere } from '../../runs/execution.ts';
import { leaveHere, leftOutput } from '../../runs/leaving.ts';

export const output = z.union([...runOutput.options, leftOutput]).meta({
  description: `${runOutput.description} With --detach, a run that was left to workers.`,
});

/** What `newRunId` makes. A file of that name is a file all the same where it has an ending. */
const RUN_ID = /^R\d{8}-[0-9A-HJKMNP-TV-Z]{8}$/;

/** What a plan has already, by the options that cannot change it. */
const FIXED_BY_PLAN = {
  period: 'period',
  rateCeiling: 'ceilings',
  runRateCeiling: 'ceilings',
  skipPaid: 'rows',
} as const;

/**
 * `payrun run FILE|JOB`: everything that can be refused is refused before anything is created at the service, in the order
 * job, options, key file, input, earlier runs, service, balance, consent. `payrun run RUN` does what was planned.
 */
export async function run(options: Options): Promise<void> {
  passMeasuresToSchedule();
  if (!RUN_ID.test(String(options.input))) return notifyingOfRefusals(options, () => runInput(options));
  for (const [option, what] of Object.entries(FIXED_BY_PLAN))
    if (options[option] !== undefined) throw new Refusal({ code: 'fixed_by_plan', what });
  const { runPlanned } = await import('../../runs/planned.ts');
  return runPlanned(options);
}

async function runInput(options: Options): Promise<void> {
  const given = await openGivenHere(options);
  const { job, settings, io, profile, key } = given;
  if (job?.approval || settings.approval !== undefined) return planInstead(String(options.input), given);
  // What is wrong of these is found before the input is read.
  readWebhookKeys(profile, process.env);
  if (settings.detach) requireDatabase(settings, 'detach');
  if (settings.detach) requireSharedService(profile);
  const gathered = await gather(String(options.input), given);
  if (gathered === null) return;
  await withLoggedJournal(settings, async (here) => {
    const { dataDir } = settings;
    const { journal, log } = here;
    let reading: Reading = {};
    const deps = {
      ...runDepsHere({ ...here, io }, () => reading),
      connect: () => connect({ profile, key, dataDir, journal, log, note: noteOf(io, settings) }),
      onPassedOver: (paths: readonly string[]) => io.stderr(`${passedText(paths)}\n`),
      async confirm(proposal: InputProposal) {
        const { read } = proposal;
        reading = { inferred_rails: read.inferredRails, ...givenWithHeaders(read) };
        await confirm(proposal, given);
      },
    };
    const input = { given, gathered };
    process.exitCode = settings.detach
      ? await leaveHere({ ...here, io }, (also) =>
          payInput({ ...deps, ...also }, input, leftToWorkers({ ...deps, ...also })),
        )
      : ENDING_EXIT[(await payInput(deps, input, executedHere(deps))).ending];
  });
}

/** A job that has to be approved is planned, and its plan is run once it was: `--yes` is no approval. */
async function planInstead(named: string, given: Given): Promise<void> {
  const { planOf } = await import('../plan/run.ts');
  await planOf(named, given, EXIT.refused);
  if (process.exitCode === EXIT.refused)
    given.io.stderr('Refused: this is paid from an approved plan only. The plan was made, and nothing was sent.\n');
}

async function confirm(proposal: InputProposal, { io, settings }: Given): Promise<void> {
  const { read, totals, comparison, conversions, small, isRehearsal } = proposal;
  await askToPay(io, settings, {
    payouts: read.payouts,
    from: read.input.name,
    totals,
    first: comparison === null ? '' : firstText(comparison, io.colour),
    notes: [...unnamedRailsText(read), ...conversionNotes(conversions), ...small.map(messages.problems.problemLine)],
    isRehearsal,
  });
}

function passedText(paths: readonly string[]): string {
  return `Not taken, and never run: ${paths.join(', ')}. To pay one, save it again, so that it is the newest, and run the job.`;
}
