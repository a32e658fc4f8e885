import { comparable, type Payee } from '../../domain/payee.ts';
import { Refusal } from '../../domain/refusal.ts';
import { HOLD_ACCOUNTS_MAX, type HoldRecord, type PlacedHold, payeeHash } from '../../domain/run/holds.ts';
import { KnownHolds } from '../../journal/holds.ts';
import type { Journal } from '../../journal/journal.ts';
import type { Clock } from '../../platform/clock.ts';
import { TimeSlice } from '../background/time-slice.ts';
import { Payouts } from '../history/payouts.ts';
import { type BookedPayee, bookOf } from './payee-book.ts';

/** A payee as files name them: by payee id, or by name and e-mail where there is none. */
export type NamedPayee = Pick<Payee, 'payee_id' | 'name' | 'email'>;

type Recording = { payee: NamedPayee; reason: string; by: string };

/** `wasHeld`: the payee was on hold already. `isKnown`: runs have paid the payee, whose accounts are held too. */
export type PayeeHeld = { hold: PlacedHold; wasHeld: boolean; isKnown: boolean };

/** What is recorded of a payee who is known: every account that runs paid them on is held with them. */
export function heldWithAccounts({ id: payee, name, payeeId: payee_id, payouts }: BookedPayee): Held {
  const accounts = [...new Set(payouts.map(({ accountKey }) => accountKey))].slice(0, HOLD_ACCOUNTS_MAX);
  return { act: 'hold', payee, name, payee_id, accounts };
}

type Held = Pick<HoldRecord, 'act' | 'payee' | 'name' | 'payee_id' | 'accounts'>;

/**
 * Records that nobody may pay a payee. Throws a `Refusal` where one is named by name alone whom runs know by payee ids: those rows
 * would not be held.
 */
export async function holdPayee(
  { journal, clock }: { journal: Journal; clock: Clock },
  { payee, reason, by }: Recording,
): Promise<PayeeHeld> {
  const turns = new TimeSlice(clock);
  const { payees } = await bookOf(await new Payouts(journal).gather(turns), turns);
  const id = payeeHash(payee);
  const known = payees.find((one) => one.id === id);
  if (known === undefined && payee.payee_id === null) refuseKnownById(payees, payee.name);
  const { now } = await new KnownHolds(journal).look();
  const { name, payee_id } = payee;
  const held =
    known === undefined ? { act: 'hold' as const, payee: id, name, payee_id, accounts: [] } : heldWithAccounts(known);
  const hold = await journal.payeeHolds.add({ ...held, reason, by });
  return { hold, wasHeld: now.ofPayee(id) !== null, isKnown: known !== undefined };
}

/** Records that a payee may be paid again. Throws a `Refusal` where they are not on hold. */
export async function releasePayee(
  { journal }: { journal: Journal },
  { payee, reason, by }: Recording,
): Promise<PlacedHold> {
  const { now } = await new KnownHolds(journal).look();
  const held = now.ofPayee(payeeHash(payee));
  if (held === null) throw new Refusal({ code: 'payee_not_held', payee: payee.payee_id ?? payee.name });
  return journal.payeeHolds.add({ ...held, act: 'release', accounts: [], reason, by });
}

/** Who must not be paid, in the order in which it was recorded. */
export async function payeesHeld(journal: Journal): Promise<PlacedHold[]> {
  return (await new KnownHolds(journal).look()).now.all;
}

function refuseKnownById(payees: readonly BookedPayee[], name: string): void {
  const ids = payees.flatMap((one) =>
    one.payeeId !== null && comparable(one.name) === comparable(name) ? [one.payeeId] : [],
  );
  if (ids.length > 0) throw new Refusal({ code: 'payee_known_by_id', name, payeeIds: ids.slice(0, NAMED_MAX) });
}

const NAMED_MAX = 10;
