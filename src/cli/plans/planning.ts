import { type Preparation, preparationOf } from '../../app/plan/preparer.ts';
import { type Given, policyPlace } from '../../compose/given.ts';
import { stopOnInterrupt } from '../../compose/machine/interrupt.ts';
import { makerHere, notifyHere } from '../../compose/machine/notifying.ts';
import { actorHere } from '../../compose/person.ts';
import { planDeps } from '../../compose/run-deps.ts';
import type { Settings } from '../../compose/settings.ts';
import type { LoggedHere } from '../here.ts';
import type { Io } from '../terminal.ts';

/** What a plan is made with at this command line. Until `release` is called, Ctrl-C stops it. */
export function planningHere(here: LoggedHere, given: Pick<Given, 'profile' | 'key'>) {
  const { signal, release } = stopOnInterrupt(() => here.io.stderr('Stopping: nothing was sent.\n'));
  const by = { actor: actorHere(), stop: signal, notify: notifyHere(here) };
  return { deps: planDeps(here, given, by), release };
}

/** Who makes the plan at this command line: its account, or the person whose key `--as` names. `job`: that of the plan, if any. */
export function preparationHere(
  policy: Parameters<typeof preparationOf>[0],
  job: unknown,
  { settings, io }: { settings: Settings; io: Io },
): Promise<Preparation> {
  const { as: path } = settings;
  if (policy === null && path !== undefined) io.stderr('--as has no effect here: this plan needs no approval.\n');
  const maker = makerHere(path, async () => {
    const { askPassphrase } = await import('../questions/passphrase.ts');
    return askPassphrase(path ?? '', settings, io);
  });
  return preparationOf(policy, maker, policyPlace(job, settings));
}
