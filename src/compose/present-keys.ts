import { dirname, isAbsolute, join } from 'node:path';
import { shownProfileOf } from '../app/people/connection-profile.ts';
import { Connections, type KeptConnection, whyClosed } from '../app/people/connections.ts';
import { openKnownPageStore, type PagePlace } from '../app/people/store/open-page-store.ts';
import type { RunCreated } from '../domain/entry.ts';
import type { Profile } from '../domain/profile.ts';
import { Refusal } from '../domain/refusal.ts';
import { machineClock, machineRandomness } from '../platform/machine.ts';
import { KEYS_FOLDER } from './page/connection-profile.ts';

type OfRun = Pick<RunCreated, 'run_id' | 'connection' | 'profile'>;

/**
 * The profile that a run began with, with the keys that its connection of the page has by now: they may have been rotated. A new
 * key file is looked for beside the old one. Throws a `Refusal` (`connection_unknown`) where nobody knows the connection here.
 */
export async function withPresentKeys({ run_id, connection: id, profile }: OfRun, place: PagePlace): Promise<Profile> {
  if (id === undefined) return profile;
  const kept = await connectionHere(id, place);
  if (kept === null)
    throw new Refusal({ code: 'connection_unknown', runId: run_id, connection: id, dataDir: place.dataDir });
  const { api_key, signing_key_file } = shownProfileOf(kept.profile);
  return { ...profile, api_key, signing_key_file: keyBeside(profile.signing_key_file, signing_key_file, place) };
}

/**
 * Throws a `Refusal` (`connection_closed`) if the page here allows nothing new over that connection. Where there is no
 * such page, a run over a profile is not checked.
 */
export async function requireOpenConnection(id: string | undefined, place: PagePlace): Promise<void> {
  const kept = id === undefined ? null : await connectionHere(id, place);
  const why = kept && whyClosed(kept);
  if (kept !== null && why !== null) throw new Refusal({ code: 'connection_closed', connection: kept.name, why });
}

async function connectionHere(id: string, place: PagePlace): Promise<KeptConnection | null> {
  const store = await openKnownPageStore(place, machineClock);
  if (store === null) return null;
  try {
    const kept = new Connections({ store, clock: machineClock, randomness: machineRandomness });
    return await kept.get(id);
  } finally {
    await store.close();
  }
}

function keyBeside(old: string | null, reference: string, { dataDir }: PagePlace): string {
  if (reference.startsWith('env:')) return reference;
  const folder = old !== null && isAbsolute(old) ? dirname(old) : join(dataDir, KEYS_FOLDER);
  return join(folder, reference.replace(/^file:/, ''));
}
