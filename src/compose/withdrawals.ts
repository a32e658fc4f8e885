import { peopleIn, withdrawnBy } from '../app/people/access.ts';
import type { PagePlace } from '../app/people/store/open-page-store.ts';
import { openKnownPageStore } from '../app/people/store/open-page-store.ts';
import type { Withdrawals } from '../approval/check.ts';
import type { Withdrawal } from '../domain/outcomes/approve-outcome.ts';
import type { RunState } from '../domain/run/run-state.ts';
import { machineClock, machineRandomness } from '../platform/machine.ts';

/**
 * Whose approvals of a plan do not count any more, by the people of the page on the same data as they are now: what the page
 * shows and what a run is started by is one rule. Nobody's where there is no page, or the plan was started. Throws a `Refusal`
 * where what the page keeps cannot be read.
 */
export async function withdrawalsOf({ header, plan, startedAt }: RunState, place: PagePlace): Promise<Withdrawals> {
  const policy = plan?.approval ?? null;
  if (policy === null || startedAt !== null) return new Map();
  const store = await openKnownPageStore(place, machineClock);
  if (store === null) return new Map();
  try {
    const people = peopleIn({ store, clock: machineClock, randomness: machineRandomness });
    const found = new Map<string, Withdrawal>();
    for (const { public_key } of policy.approvers) {
      const withdrawn = await withdrawnBy(people, public_key, { header, policy });
      if (withdrawn !== null) found.set(public_key, withdrawn.why);
    }
    return found;
  } finally {
    await store.close();
  }
}
