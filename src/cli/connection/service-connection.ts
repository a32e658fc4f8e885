import process from 'node:process';
import type { Log } from '../../domain/log.ts';
import type { Profile } from '../../domain/profile.ts';
import { assert } from '../../domain/refusal.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import type { RunWriter } from '../../journal/journal.ts';
import type { SigningKey } from '../../keys/ed25519.ts';
import { machineClock } from '../../platform/machine.ts';
import { preflight } from '../../runner/plan/preflight.ts';
import type { Settings } from '../settings.ts';
import type { Io } from '../terminal.ts';
import { type Connection, connect, readSigningKey } from './connect.ts';
import { profileNow } from './profile.ts';
import { keepPromises } from './promises.ts';
import { proveSameService } from './same-service.ts';
import { noteOf } from './webhooks.ts';

/** How a run's service is reached now. */
export type ConnectionSettings = { profile: Profile; key: SigningKey | null };

/** The way with which the run began, changed by what the command line says now. Throws a `Refusal` (`usage`). */
export function connectionSettings(run: RunState, settings: Settings): ConnectionSettings {
  assert(run.header, 'a run without its header');
  const profile = profileNow(run.header.profile, settings, process.env);
  return { profile, key: readSigningKey(profile) };
}

/**
 * Connects to the service of a run, shows that it answers and is the one where the run began, keeps what a profile that
 * is given now promises less, and does the work there. Throws a `Refusal` of `preflight` and `proveSameService`.
 */
export async function atService<Result>(
  options: { run: RunState; writer: RunWriter; way: ConnectionSettings; settings: Settings; log: Log; io: Io },
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const { run, writer, way, settings, log, io } = options;
  const connection = await connect({ ...way, dataDir: settings.dataDir, log, note: noteOf(io, settings) });
  try {
    const { isRehearsal } = await preflight(connection.client, machineClock, []);
    await proveSameService(connection.client, run, way.profile, isRehearsal);
    const said = settings.profile === undefined ? null : await keepPromises(run, writer, way.profile);
    if (said !== null) io.stderr(`${said}\n`);
    return await work(connection);
  } finally {
    await connection.close();
  }
}
