import process from 'node:process';
import { mappingOf } from '../../../app/check/check-result.ts';
import { type InputProposal, payInput } from '../../../app/run/pay-input.ts';
import { connect } from '../../../compose/connect.ts';
import { withDataDir } from '../../../compose/data-dir.ts';
import { noteOf, readWebhookKeys } from '../../../compose/webhooks.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { ENDING_EXIT } from '../../../domain/run/ending.ts';
import { problemLine } from '../../../messages/problems/problem-words.ts';
import { EXIT } from '../../exit.ts';
import { notifyingOfRefusals } from '../../jobs/refused-notices.ts';
import { firstText } from '../../paid/compare-text.ts';
import { conversionNotes } from '../../plans/conversion-text.ts';
import { type Given, gather, openGivenHere } from '../../plans/prepared-run.ts';
import { type Reading, runDepsHere } from '../../runs/execution.ts';
import { unnamedRailsText } from '../check/check-text.ts';
import { askToPay } from './consent.ts';

/** What a plan has already, by the options that cannot change it: why not, and what to do. */
const OF_PLAN: readonly { options: readonly string[]; message: string; remedy: string }[] = [
  {
    options: ['period'],
    message: 'A plan has its period already, and --period cannot change it.',
    remedy: 'Leave --period out.',
  },
  {
    options: ['rateCeiling', 'runRateCeiling'],
    message: 'A plan has its ceilings already, and --rate-ceiling and --run-rate-ceiling cannot change them.',
    remedy: 'Leave them out, or make a new plan with them.',
  },
  {
    options: ['skipPaid'],
    message: 'A plan has its rows already, and --skip-paid cannot change them.',
    remedy: 'Leave it out, or make a new plan with it.',
  },
];

/** What `newRunId` makes. A file of that name is a file all the same where it has an ending. */
const RUN_ID = /^R\d{8}-[0-9A-HJKMNP-TV-Z]{8}$/;

/**
 * `payrun run FILE|JOB`: everything that can be refused is refused before anything is created at the service, in the order
 * job, options, key file, input, earlier runs, service, balance, consent. `payrun run RUN` does what was planned.
 */
export async function runRun(options: Record<string, unknown>): Promise<void> {
  if (!RUN_ID.test(String(options.input))) return notifyingOfRefusals(options, () => runInput(options));
  for (const { options: names, message, remedy } of OF_PLAN)
    if (names.some((name) => options[name] !== undefined)) throw new Refusal('usage', message, remedy);
  const { runPlanned } = await import('./planned.ts');
  return runPlanned(options);
}

async function runInput(options: Record<string, unknown>): Promise<void> {
  const given = await openGivenHere(options);
  const { job, settings, io, profile, key } = given;
  const { dataDir } = settings;
  if (job?.approval || settings.approval !== undefined) return planInstead(String(options.input), given);
  // A wrong one is found before the input is read.
  readWebhookKeys(profile, process.env);
  const gathered = await gather(String(options.input), given, { showsChanges: true });
  if (gathered === null) return;
  let reading: Reading = {};
  await withDataDir(settings, async ({ journal, log }) => {
    const deps = {
      ...runDepsHere({ journal, io, settings, log }, null, () => reading),
      connect: () => connect({ profile, key, dataDir, log, note: noteOf(io, settings) }),
      onPassedOver: (paths: readonly string[]) => io.stderr(`${passedText(paths)}\n`),
      async confirm(proposal: InputProposal) {
        const { read } = proposal;
        reading = { inferred_rails: read.inferredRails, ...mappingOf(read) };
        await confirm(proposal, given);
      },
    };
    process.exitCode = ENDING_EXIT[(await payInput(deps, { given, gathered })).ending];
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
    notes: [...unnamedRailsText(read), ...conversionNotes(conversions), ...small.map(problemLine)],
    isRehearsal,
  });
}

function passedText(paths: readonly string[]): string {
  return `Not taken, and never run: ${paths.join(', ')}. To pay one, save it again, so that it is the newest, and run the job.`;
}
