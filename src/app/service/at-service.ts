import type { Client } from '../../client/client.ts';
import type { Clock, Randomness } from '../../domain/clock.ts';
import type { Log } from '../../domain/log.ts';
import type { AnotherService, PromisesKept } from '../../domain/outcomes/service-outcome.ts';
import type { ServiceUnusable } from '../../domain/outcomes/service-unusable.ts';
import type { Profile } from '../../domain/profile.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import type { Journal, RunWriter } from '../../journal/journal.ts';
import { KeyFileError } from '../../keys/key-file.ts';
import { preflight } from '../../runner/plan/preflight.ts';
import { keepPromises } from './promises.ts';
import { anotherService } from './same-service.ts';

export type Connected = { client: Client; close(): Promise<void> };

/** How the service of a run is reached now. */
export type Way<Connection extends Connected = Connected> = {
  profile: Profile;
  /** Throws a `Refusal`. */
  connect(): Promise<Connection>;
};

/**
 * `isProfileNamed`: a profile is named now, and not only when the run began; what it promises less is kept, and `note` is
 * called with it.
 */
export type ServiceMeans = { clock: Clock; isProfileNamed: boolean; note(promises: PromisesKept): void };

/** `wayOf` says how the service of a run is reached; it throws a `Refusal` or a `KeyFileError`. */
export type ServiceDeps = ServiceMeans & {
  journal: Journal;
  randomness: Randomness;
  log: Log;
  wayOf(run: RunState): Way;
};

/**
 * Connects to the service of a run, shows that it answers and is the one where the run began, keeps what a profile that
 * is named now promises less, and does the work there. Throws a `Refusal` where the service cannot be used.
 */
export async function atService<Result, Connection extends Connected>(
  { run, writer, way }: { run: RunState; writer: RunWriter; way: Way<Connection> },
  means: ServiceMeans,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result | AnotherService> {
  const connection = await way.connect();
  try {
    const { isRehearsal } = await preflight(connection.client, means.clock, []);
    const another = await anotherService(connection.client, run, way.profile, isRehearsal);
    if (another !== null) return another;
    await notePromises(run, writer, () => way.profile, means);
    return await work(connection);
  } finally {
    await connection.close();
  }
}

/** Keeps what a profile that is named now promises less. */
export async function notePromises(
  run: RunState,
  writer: RunWriter,
  profile: () => Profile,
  { isProfileNamed, note }: ServiceMeans,
): Promise<void> {
  const kept = isProfileNamed ? await keepPromises(run, writer, profile()) : null;
  if (kept !== null) note(kept);
}

/** What keeps the service from being used, where the error says that. */
export function serviceUnusable(error: unknown): ServiceUnusable | null {
  const refusal = error instanceof KeyFileError ? keyFileRefusal(error) : error;
  return refusal instanceof Refusal ? { outcome: 'service_unusable', reason: refusal.reason } : null;
}

/** That a key file cannot be used. */
export function keyFileRefusal({ message, remedy }: KeyFileError): Refusal {
  return new Refusal('usage', message, remedy, {}, { code: 'set_up', part: 'key_file' });
}
