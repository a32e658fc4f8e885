import { type EnsureState, ensureKey } from '../../domain/ensure.ts';
import type { EnsureTarget } from '../../domain/entry.ts';
import type { Journal } from '../../journal/journal.ts';
import { Claims } from '../reconcile/claims.ts';
import { looksOf } from '../reconcile/likeness.ts';
import { scopeOf } from '../recorder.ts';
import type { RunContext } from '../run-context.ts';
import { type OneAtATime, oneAtATime } from '../submit/one-at-a-time.ts';
import { countByLooks } from './payees.ts';
import { type ReadRecipients, sharedReading } from './recipients.ts';

/** What the steps share that see to the payees of one run. */
export type Ensuring = {
  readonly context: RunContext;
  readonly claims: Claims;
  readonly readRecipients: ReadRecipients;
  /** Payees that cannot be told apart, and accounts of one recipient, are worked on one after the other. */
  readonly inTurn: OneAtATime;
  /** Accounts that this process made, by recipient and fingerprint. */
  readonly accounts: Map<string, string>;
  /** Creations given up one after the other. */
  givenUp: number;
  ensure(target: EnsureTarget, key: string): EnsureState | undefined;
  /** How many different accounts of the run look the same. Counted once, when it is first asked. */
  accountsThatLook(looks: string): number;
  /** Records whose the service's record is, and claims it. */
  ensured(target: EnsureTarget, key: string, id: string, by: 'created' | 'found'): Promise<void>;
};

export function startEnsuring(context: RunContext, journal: Journal): Ensuring {
  const claims = new Claims(context, journal);
  let counts: Map<string, number> | null = null;
  return {
    context,
    claims,
    readRecipients: sharedReading(context),
    inTurn: oneAtATime(),
    accounts: new Map(),
    givenUp: 0,
    ensure: (target, key) => context.run.ensures.get(ensureKey(target, key)),
    accountsThatLook(looks) {
      counts ??= countByLooks(context.run, looksOf);
      return counts.get(looks) ?? 0;
    },
    async ensured(target, key, id, by) {
      claims.add({ target, key, id });
      await context.record({ kind: 'ensured', target, key, id, by, scope: scopeOf(context) });
    },
  };
}
