import process from 'node:process';
import { refusalIn } from '../../app/runs/known-run.ts';
import type { Profile } from '../../domain/profile.ts';
import { assert, Refusal } from '../../domain/refusal.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import type { SigningKey } from '../../keys/ed25519.ts';
import { readSigningKey } from '../connect.ts';
import { withPresentKeys } from '../present-keys.ts';
import { profileNow, readProfile } from '../profile.ts';
import type { Settings } from '../settings.ts';

/** A profile with its key. `isOwn`: it is that of the worker, and not that of the run. */
export type RunService = { profile: Profile; key: SigningKey | null; isOwn: boolean };

/** The service that a worker is started for; null where it names none. Throws a `Refusal` or a `KeyFileError`. */
export function ownService(settings: Settings): RunService | null {
  const profile = readProfile(withoutConcurrency(settings), process.env);
  return profile.base_url === null ? null : { profile, key: readSigningKey(profile), isOwn: true };
}

/** `--concurrency` of a worker says how many runs it executes, and not how many requests are under way. */
function withoutConcurrency({ concurrency: _, ...settings }: Settings): Settings {
  return settings;
}

/**
 * The service of a run as a worker reaches it: with its own profile and key where they are of the same service and key id, else
 * with those that the run names, or its connection of the page by now. Throws a `Refusal`: `worker_lacks_key` where neither can be
 * used.
 */
export async function serviceOfRun(
  { header }: RunState,
  settings: Settings,
  own: RunService | null,
): Promise<RunService> {
  assert(header, 'a run without its header');
  const { run_id: runId, profile: began } = header;
  const lacking = (error: unknown): Error => {
    const refusal = refusalIn(error);
    if (refusal === null) return error as Error;
    return new Refusal({ code: 'worker_lacks_key', runId, service: began.base_url ?? '', cause: refusal.reason });
  };
  const named = await withPresentKeys(header, settings).catch((error: unknown) => Promise.reject(lacking(error)));
  if (own !== null && own.profile.base_url === named.base_url && own.profile.api_key === named.api_key) return own;
  if (named.base_url === null) throw new Refusal({ code: 'workers_need_service' });
  const { baseUrl: _, apiKey: __, signingKey: ___, profile: ____, ...pace } = withoutConcurrency(settings);
  try {
    const profile = profileNow(named, pace, process.env);
    return { profile, key: readSigningKey(profile), isOwn: false };
  } catch (error) {
    throw lacking(error);
  }
}
