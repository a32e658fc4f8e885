import process from 'node:process';
import type { InputDraft } from '../../../app/plan/draft.ts';
import { type Planned, planInput } from '../../../app/plan/make-plan.ts';
import { preparationOf } from '../../../app/plan/preparer.ts';
import { commandsFor } from '../../../compose/command-hints.ts';
import { withDataDir } from '../../../compose/data-dir.ts';
import { approvalOf, policyPlace } from '../../../compose/given.ts';
import { actorHere } from '../../../compose/person.ts';
import { planDeps } from '../../../compose/run-deps.ts';
import { EXIT } from '../../exit.ts';
import { stopOnInterrupt } from '../../interrupt.ts';
import { notifyingOfRefusals } from '../../jobs/refused-notices.ts';
import { makerHere, notifyHere } from '../../plans/maker.ts';
import { planJson, planText } from '../../plans/plan-text.ts';
import { type Given, gather, openGivenHere } from '../../plans/prepared-run.ts';

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
  const interrupt = stopOnInterrupt(() => io.stderr('Stopping: nothing was sent.\n'));
  try {
    const gathered = await gather(named, given, { showsChanges: true });
    if (gathered === null) return;
    await withDataDir(settings, async ({ journal, log }) => {
      const notify = notifyHere({ io, log }, commandsFor(settings));
      const by = { actor: actorHere(), stop: interrupt.signal, notify };
      const onPlanned = (planned: Planned<InputDraft>) => {
        show(planned, given, exit);
        interrupt.release();
      };
      const deps = { ...planDeps({ journal, settings, log, io }, given, by), onPlanned };
      await planInput(deps, { given, gathered, preparation, yieldsToApproved: exit !== EXIT.ok });
    });
  } finally {
    interrupt.release();
  }
}

function show({ plan, draft, older }: Planned<InputDraft>, { settings, io }: Given, exit: number): void {
  const command = commandsFor(settings);
  const shown = { plan, ofInput: draft.read.problems, allowRepeat: settings.allowRepeat, older };
  const { colour } = io;
  io.stdout(settings.json ? planJson({ ...shown, exit }, command) : planText({ ...shown, colour }, command));
  process.exitCode = exit;
}
