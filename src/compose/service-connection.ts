import process from 'node:process';
import {
  type ServiceDeps,
  type ServiceMeans,
  type Way,
  atService as workAtService,
} from '../app/service/at-service.ts';
import type { Log } from '../domain/log.ts';
import type { PromisesKept } from '../domain/outcomes/service-outcome.ts';
import type { Profile } from '../domain/profile.ts';
import { assert, Refusal } from '../domain/refusal.ts';
import type { RunState } from '../domain/run/run-state.ts';
import type { Journal, RunWriter } from '../journal/journal.ts';
import type { SigningKey } from '../keys/ed25519.ts';
import { promisesText } from '../messages/service-words.ts';
import { machineClock, machineRandomness } from '../platform/machine.ts';
import { type Connection, connect, readSigningKey } from './connect.ts';
import { profileNow } from './profile.ts';
import type { Settings } from './settings.ts';
import { type ErrorOutput, noteOf } from './webhooks.ts';

/** How a run's service is reached now. */
export type ConnectionSettings = { profile: Profile; key: SigningKey | null };

/** The way with which the run began, changed by what the command line says now. Throws a `Refusal` (`usage`). */
export function connectionSettings(run: RunState, settings: Settings): ConnectionSettings {
  assert(run.header, 'a run without its header');
  const profile = profileNow(run.header.profile, settings, process.env);
  return { profile, key: readSigningKey(profile) };
}

/** The same as a use case takes it. Throws a `Refusal` (`usage`) or a `KeyFileError`. */
export function wayOf(
  { profile, key }: ConnectionSettings,
  { settings, log, io }: { settings: Settings; log: Log; io: ErrorOutput },
): Way<Connection> {
  const { dataDir } = settings;
  return { profile, connect: () => connect({ profile, key, dataDir, log, note: noteOf(io, settings) }) };
}

/** What use cases need that work at the service of a run. */
export function serviceMeans({ settings, io }: { settings: Settings; io: ErrorOutput }): ServiceMeans {
  const note = (promises: PromisesKept) => io.stderr(`${promisesText(promises)}\n`);
  return { clock: machineClock, isProfileNamed: settings.profile !== undefined, note };
}

/** All that a use case needs which works at the service of a run. */
export function serviceDeps(given: { journal: Journal; settings: Settings; log: Log; io: ErrorOutput }): ServiceDeps {
  const { journal, settings, log } = given;
  const way = (run: RunState) => wayOf(connectionSettings(run, settings), given);
  return { ...serviceMeans(given), journal, randomness: machineRandomness, log, wayOf: way };
}

/**
 * Does the work at the service of a run, as `atService` of the use cases. Throws a `Refusal`, of another service too.
 */
export async function atService<Result>(
  options: { run: RunState; writer: RunWriter; way: ConnectionSettings; settings: Settings; log: Log; io: ErrorOutput },
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const { run, writer } = options;
  const way = wayOf(options.way, options);
  const done = async (connection: Connection) => ({ outcome: 'done' as const, result: await work(connection) });
  const worked = await workAtService({ run, writer, way }, serviceMeans(options), done);
  if (worked.outcome === 'another_service') throw new Refusal({ code: 'another_service', why: worked });
  return worked.result;
}
