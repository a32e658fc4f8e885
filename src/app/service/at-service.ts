import type { Client } from '../../client/client.ts';
import type { PromisesKept } from '../../domain/outcomes/service-outcome.ts';
import type { Profile } from '../../domain/profile.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import type { Journal, RunWriter } from '../../journal/journal.ts';
import type { Clock, Randomness } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { preflight } from '../../runner/plan/preflight.ts';
import { keepPromises } from './promises.ts';
import { anotherService } from './same-service.ts';

/** A service that payouts are sent to. */
export type Connection = {
  client: Client;
  /** Under which the journal keeps what it knows of this service's records. */
  scope: string;
  /** Where it is said from now on that the service is waited for. */
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
  wayOf(run: RunState): Way;
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
  { run, writer, way = deps.wayOf(run) }: { run: RunState; writer: RunWriter; way?: Way },
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
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
  const kept = await keepPromises(run, writer, (way ?? deps.wayOf(run)).profile);
  if (kept !== null) deps.note(kept);
}
