import { existsSync } from 'node:fs';
import { peopleIn, withdrawnBy } from '../app/people/access.ts';
import { openWebStore, webStorePath } from '../app/people/page-store.ts';
import type { Withdrawals } from '../approval/check.ts';
import type { RunState } from '../domain/run/run-state.ts';
import { machineClock, machineRandomness } from '../platform/machine.ts';

/**
 * Whose approvals of a plan do not count any more, by the people of the page on the same data directory as they are now:
 * what the page shows and what a run is started by is one rule. Nobody's where there is no page, or the plan was started.
 * Throws a `Refusal` (`usage`) where the page's database cannot be read.
 */
export function withdrawalsOf({ plan, startedAt }: RunState, dataDir: string): Withdrawals {
  const policy = plan?.approval ?? null;
  if (policy === null || startedAt !== null || !existsSync(webStorePath(dataDir))) return new Map();
  const store = openWebStore(dataDir);
  try {
    const people = peopleIn({ store, clock: machineClock, randomness: machineRandomness });
    const found = policy.approvers.flatMap(({ public_key }) => {
      const withdrawn = withdrawnBy(people, public_key, policy);
      return withdrawn === null ? [] : [[public_key, withdrawn.why] as const];
    });
    return new Map(found);
  } finally {
    store.close();
  }
}
