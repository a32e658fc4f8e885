import type { Client } from '../../client/client.ts';
import type { Entry } from '../../domain/entry.ts';
import type { PromiseLess, PromisesKept } from '../../domain/outcomes/service-outcome.ts';
import { type Profile, type Promises, promisesIn } from '../../domain/profile.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { AnotherService } from '../../domain/refusals/run-reasons.ts';
import { applyToRun, promisesOf } from '../../domain/run/run.ts';
import { rowNumbered } from '../../domain/run/run-rows.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import type { Journal, RunWriter } from '../../journal/journal.ts';
import type { Clock, Randomness } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { preflight } from '../../runner/plan/preflight.ts';
import { isWhatWasSent } from '../../runner/poll.ts';
import { idOf, recipientKey } from '../../runner/provision/payees.ts';

/** A service that payouts are sent to. */
export type Connection = {
  client: Client;
  /** Under which the journal keeps what it knows of this service's records. */
  scope: string;
  /** From now on `note` takes the lines about waiting for the service. */
  reportTo(note: (text: string) => void): void;
  close(): Promise<void>;
};

/** How a service is reached. `connect` throws a `Refusal`. */
export type Way = { profile: Profile; connect(): Promise<Connection> };

/** What use cases need that work at the service of a run. */
export type ServiceDeps = {
  journal: Journal;
  clock: Clock;
  randomness: Randomness;
  log: Log;
  /** How the service of a run is reached now. Throws a `Refusal` or a `KeyFileError`. */
  wayOf(run: RunState): Promise<Way>;
  /** A profile is named now, and not only when the run began: what it promises less is kept, and `note` is called with it. */
  isProfileNamed: boolean;
  note(promises: PromisesKept): void;
};

/**
 * Connects to the service of a run, shows that it answers and is the one where the run began, keeps what a profile that
 * is named now promises less, and does the work there. Throws a `Refusal` where the service cannot be used.
 */
export async function atService<Result>(
  deps: ServiceDeps,
  { run, writer, way: given }: { run: RunState; writer: RunWriter; way?: Way },
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const way = given ?? (await deps.wayOf(run));
  const connection = await way.connect();
  try {
    const { isRehearsal } = await preflight(connection.client, deps.clock, []);
    const another = await anotherService(connection.client, run, way.profile, isRehearsal);
    if (another !== null) throw new Refusal(another);
    await notePromises(deps, { run, writer, way });
    return await work(connection);
  } finally {
    await connection.close();
  }
}

/** Keeps what a profile that is named now promises less. */
export async function notePromises(
  deps: Pick<ServiceDeps, 'isProfileNamed' | 'note' | 'wayOf'>,
  { run, writer, way }: { run: RunState; writer: RunWriter; way?: Way },
): Promise<void> {
  if (!deps.isProfileNamed) return;
  const kept = await keepPromises(run, writer, (way ?? (await deps.wayOf(run))).profile);
  if (kept !== null) deps.note(kept);
}

/**
 * A run goes on only at the service where it began. At another one everything that was sent looks absent, and would be
 * paid a second time. Where address or key are not the run's own, one of its transactions must be readable there; where
 * there is none yet, and only the key was rotated, the recipient of a payout in doubt. Null where it is that service.
 */
export async function anotherService(
  client: Client,
  run: RunState,
  profile: Profile,
  isRehearsal: boolean,
): Promise<AnotherService | null> {
  const { header } = run;
  if (header === null) return null;
  const code = 'another_service';
  if (isRehearsal !== header.rehearsal) return { code, why: 'rehearsal_differs', wasRehearsal: header.rehearsal };
  const { base_url, api_key } = header.profile;
  if (profile.base_url === base_url && profile.api_key === api_key) return null;
  let doubtfulRow: number | null = null;
  for (const [row, payout] of run.payouts) {
    if ('sent' in payout) {
      const transactionId = payout.sent.transaction_id;
      const found = await client.read('transaction.get', { id: transactionId });
      if (found.ok && isWhatWasSent(found.data, payout.sent)) return null;
      return { code, why: 'unknown_transaction', transactionId };
    }
    if ('intent' in payout) doubtfulRow = row;
  }
  if (doubtfulRow === null) return null;
  const isKnown = profile.base_url === base_url && (await hasRecipient(client, run, doubtfulRow));
  return isKnown ? null : { code, why: 'nothing_shows_it' };
}

/** Whether the recipient that the run made or found for a row is readable by its id, under the payee's name: another customer has others. */
async function hasRecipient(client: Client, run: RunState, row: number): Promise<boolean> {
  const order = rowNumbered(run.rows, row)?.order ?? null;
  const id = order && idOf(run, 'recipient', recipientKey(order));
  if (order === null || id === null) return false;
  const found = await client.read('account.recipient.get', { id });
  return found.ok && found.data.id === id && found.data.metadata.name === order.payee.name;
}

/**
 * Keeps what a profile that is given now promises less than the run relied on before: it stays with the run, because what
 * a person has taken back once must not be relied on by the next `resume` that forgets the profile. Null where nothing
 * changes.
 */
export async function keepPromises(run: RunState, writer: RunWriter, profile: Profile): Promise<PromisesKept | null> {
  const before = promisesOf(run);
  const given = promisesIn(profile);
  const less = differences(before, given);
  const stated = statedNow(before, given);
  if (less.length === 0 && stated.length === 0)
    return differences(given, before).length === 0 ? null : { kept: 'before' };
  const entry: Entry = { kind: 'promises', promises: given };
  applyToRun(run, entry, await writer.append([entry]));
  return less.length === 0 ? { kept: 'stated', stated } : { kept: 'less', less };
}

/** The times that the second states and the first left open. */
function statedNow(first: Promises, second: Promises): Extract<PromiseLess, { ms: number }>[] {
  const stated: Extract<PromiseLess, { ms: number }>[] = [];
  if (first.listing_lag_ms === null && second.listing_lag_ms !== null) {
    stated.push({ code: 'listing_lag', ms: second.listing_lag_ms });
  }
  const [before, now] = [commitsMs(first), commitsMs(second)];
  if (isAtArrival(first) && before === null && now !== null) {
    stated.push({ code: 'commits_within', ms: now });
  }
  return stated;
}

function isAtArrival({ guarantees }: Promises): boolean {
  return guarantees.enforces_expiry === 'at_arrival';
}

/** Null where it is not mapped, and where it means nothing. */
function commitsMs(promises: Promises): number | null {
  return isAtArrival(promises) ? (promises.commits_within_ms ?? null) : null;
}

/** What the second promises less than the first. */
function differences(first: Promises, second: Promises): PromiseLess[] {
  const less: PromiseLess[] = [];
  if (first.guarantees.enforces_expiry && !second.guarantees.enforces_expiry) {
    less.push({ code: 'may_make_late' });
  }
  if (first.guarantees.replay_protection && !second.guarantees.replay_protection) {
    less.push({ code: 'may_make_twice' });
  }
  if (first.guarantees.enforces_expiry === true && isAtArrival(second)) {
    less.push({ code: 'may_make_after_deadline' });
  }
  const [before, now] = [commitsMs(first), commitsMs(second)];
  if (before !== null && now !== null && now > before) {
    less.push({ code: 'commits_within', ms: now });
  }
  if (first.guarantees.refusals_are_final === true && second.guarantees.refusals_are_final !== true) {
    less.push({ code: 'refusals_not_final' });
  }
  if (second.listing_lag_ms !== null && first.listing_lag_ms !== null && second.listing_lag_ms > first.listing_lag_ms) {
    less.push({ code: 'listing_lag', ms: second.listing_lag_ms });
  }
  if (first.cursor && !second.cursor) less.push({ code: 'list_cut_off' });
  return less;
}
