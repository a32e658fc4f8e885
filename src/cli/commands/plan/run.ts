import process from 'node:process';
import { planInput } from '../../../app/plan/plan-input.ts';
import { openDataJournal, openLog } from '../../../compose/data-dir.ts';
import { actorHere } from '../../../compose/person.ts';
import { noteOf } from '../../../compose/webhooks.ts';
import { EXIT } from '../../exit.ts';
import { stopOnInterrupt } from '../../interrupt.ts';
import { notifyingOfRefusals } from '../../jobs/refused-notices.ts';
import { interrupted, planDepsHere } from '../../plans/plan-here.ts';
import { notifyPlanned } from '../../plans/plan-notices.ts';
import { planJson, planText } from '../../plans/plan-text.ts';
import { chosenInput, type Given, openGiven, refuseInput, showRead } from '../../plans/prepared-run.ts';
import { approvalOf, policyPlace, preparationOf } from '../../plans/preparer.ts';
import { jobHeld } from '../../runs/open-run.ts';

/**
 * `payrun plan FILE`: everything that `run` would look at, written to the journal as a run that waits to be started.
 * Nothing is written to the service.
 */
export async function runPlan(options: Record<string, unknown>): Promise<void> {
  await notifyingOfRefusals(options, async () => planOf(String(options.input), await openGiven(options), EXIT.ok));
}

/**
 * The same, of what was read of the command line. `exit` is what the command ends with where the plan was written: one that
 * was not asked for by name is not made beside one that is approved.
 */
export async function planOf(named: string, given: Given, exit: number): Promise<void> {
  const { job, settings, io, profile, key, command } = given;
  const policy = await approvalOf(job?.approval ?? null, settings);
  const preparation = await preparationOf(policy, settings, io, policyPlace(job, settings));
  const chosen = await chosenInput(named, given);
  const interrupt = stopOnInterrupt(() => io.stderr('Stopping: nothing was sent.\n'));
  const service = { profile, key, note: noteOf(io, settings) };
  const deps = planDepsHere({ settings, command, service, actor: actorHere(), stop: interrupt.signal });
  try {
    const made = await planInput(
      { ...deps, onRead: (gathered) => showRead(gathered, given, { showsChanges: true }) },
      { given, chosen, preparation, yieldsToApproved: exit !== EXIT.ok },
    );
    if (made.outcome === 'has_problems') return refuseInput(made, given);
    if (made.outcome === 'interrupted') throw interrupted();
    if (made.outcome === 'job_held') throw jobHeld(made.job, made.held);
    const { plan, gathered, older } = made;
    const shown = { plan, ofInput: gathered.read.problems, allowRepeat: settings.allowRepeat, older };
    const { json } = settings;
    io.stdout(json ? planJson({ ...shown, exit }, command) : planText({ ...shown, colour: io.colour }, command));
    process.exitCode = exit;
    interrupt.release();
    await announce(given, plan);
  } finally {
    interrupt.release();
  }
}

/** Tells the people of the job that a plan awaits approval. */
export async function announce(
  given: Pick<Given, 'job' | 'settings' | 'io' | 'command'>,
  plan: Planned,
): Promise<void> {
  const { job, settings, io, command } = given;
  const { dataDir, logLevel } = settings;
  if ((job?.notify ?? null) === null) return;
  const journal = await openDataJournal(dataDir);
  const { log, flush } = openLog(dataDir, logLevel);
  try {
    await notifyPlanned(job?.notify ?? null, plan, { io, log, command, journal });
  } finally {
    flush();
    await journal.close();
  }
}

type Planned = Parameters<typeof notifyPlanned>[1];
