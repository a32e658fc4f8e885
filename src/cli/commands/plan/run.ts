import process from 'node:process';
import { type InputPlanned, planInput } from '../../../app/plan/plan-input.ts';
import { preparationOf } from '../../../app/plan/preparer.ts';
import { commandsFor } from '../../../compose/command-hints.ts';
import { approvalOf, planDeps, policyPlace } from '../../../compose/given.ts';
import { actorHere } from '../../../compose/person.ts';
import { noteOf } from '../../../compose/webhooks.ts';
import { EXIT } from '../../exit.ts';
import { stopOnInterrupt } from '../../interrupt.ts';
import { notifyingOfRefusals } from '../../jobs/refused-notices.ts';
import { makerHere, tellLogged } from '../../plans/maker.ts';
import { planJson, planText } from '../../plans/plan-text.ts';
import { chosenInput, type Given, openGivenHere, refuseInput, showRead } from '../../plans/prepared-run.ts';

/**
 * `payrun plan FILE`: everything that `run` would look at, written to the journal as a run that waits to be started.
 * Nothing is written to the service.
 */
export async function runPlan(options: Record<string, unknown>): Promise<void> {
  await notifyingOfRefusals(options, async () => planOf(String(options.input), await openGivenHere(options), EXIT.ok));
}

/**
 * The same, of what was read of the command line. `exit` is what the command ends with where the plan was written: one that
 * was not asked for by name is not made beside one that is approved.
 */
export async function planOf(named: string, given: Given, exit: number): Promise<void> {
  const { job, settings, io } = given;
  const policy = await approvalOf(job?.approval ?? null, settings);
  const preparation = await preparationOf(policy, makerHere(policy, settings, io), policyPlace(job, settings));
  const chosen = await chosenInput(named, given);
  const interrupt = stopOnInterrupt(() => io.stderr('Stopping: nothing was sent.\n'));
  const by = { actor: actorHere(), stop: interrupt.signal, tell: tellLogged(settings, io) };
  const hooks = {
    onRead: (gathered: Parameters<typeof showRead>[0]) => showRead(gathered, given, { showsChanges: true }),
    onPlanned(made: InputPlanned) {
      show(made, given, exit);
      interrupt.release();
    },
  };
  try {
    const deps = { ...planDeps(given, by, noteOf(io, settings)), ...hooks };
    const made = await planInput(deps, { given, chosen, preparation, yieldsToApproved: exit !== EXIT.ok });
    if (made.outcome === 'has_problems') refuseInput(made, given);
  } finally {
    interrupt.release();
  }
}

function show({ plan, gathered, older }: InputPlanned, { settings, io }: Given, exit: number): void {
  const command = commandsFor(settings);
  const shown = { plan, ofInput: gathered.read.problems, allowRepeat: settings.allowRepeat, older };
  const { colour } = io;
  io.stdout(settings.json ? planJson({ ...shown, exit }, command) : planText({ ...shown, colour }, command));
  process.exitCode = exit;
}
