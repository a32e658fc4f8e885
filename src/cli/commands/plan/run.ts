import process from 'node:process';
import { z } from 'zod';
import type { InputDraft } from '../../../app/plan/draft.ts';
import { type Planned, planInput } from '../../../app/plan/make-plan.ts';
import type { WantedStart } from '../../../app/schedule/plan-start.ts';
import { approvalOf } from '../../../compose/given.ts';
import { withLoggedJournal } from '../../../compose/machine/here.ts';
import { notifyingOfRefusals } from '../../../compose/machine/refused-notices.ts';
import { assert } from '../../../domain/refusal.ts';
import { readTypedTime } from '../../../domain/zone.ts';
import type { Given as Options } from '../../command.ts';
import { EXIT } from '../../exit.ts';
import { type Given, gather, openGivenHere } from '../../input/given.ts';
import { planned, refusedInput } from '../../json/outputs.ts';
import { printPlan } from '../../plans/plan-text.ts';
import { planningHere, preparationHere } from '../../plans/planning.ts';

export const output = z
  .union([planned, refusedInput])
  .meta({ description: 'A plan, or an input whose problems refuse it.' });

/**
 * `payrun plan FILE`: everything that `run` would look at, written to the journal as a run that waits to be started.
 * Nothing is written to the service.
 */
export async function run(options: Options): Promise<void> {
  await notifyingOfRefusals(options, async () => {
    const given = await openGivenHere(options);
    await planOf(String(options.input), given, EXIT.ok, startOf(given));
  });
}

/** By the clocks of the zone that was named, else of the job's schedule, else in UTC. */
function startOf({ job, settings: { startAt, startZone, anyDay } }: Given): WantedStart | null {
  if (startAt === undefined) return null;
  const timeZone = startZone ?? job?.schedule?.timeZone ?? 'UTC';
  const read = readTypedTime({ ...startAt, timeZone });
  assert(!('fault' in read), 'a time that was read cannot be read again');
  return { at: read.at, time_zone: timeZone, anyDay };
}

/**
 * The same, of options that were read. `exit`: that of a plan that was written; one that was not asked for by name is not made
 * beside one that is approved.
 */
export async function planOf(
  named: string,
  given: Given,
  exit: number,
  start: WantedStart | null = null,
): Promise<void> {
  const { job, settings, io } = given;
  const preparation = await preparationHere(await approvalOf(job?.approval ?? null, settings), job, given);
  const gathered = await gather(named, given);
  if (gathered === null) return;
  await withLoggedJournal(settings, async (here) => {
    const { deps, release } = planningHere({ ...here, io }, given);
    const onPlanned = ({ plan, draft, older }: Planned<InputDraft>) => {
      const shown = { plan, start, ofInput: draft.read.problems, allowRepeat: settings.allowRepeat, older };
      process.exitCode = printPlan({ ...here, io }, shown, exit);
      release();
    };
    const input = { given, gathered, preparation, yieldsToApproved: exit !== EXIT.ok, start };
    await planInput({ ...deps, onPlanned }, input).finally(release);
  });
}
