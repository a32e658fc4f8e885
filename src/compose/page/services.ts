import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import process from 'node:process';
import type { ConnectionTest } from '../../app/people/connections.ts';
import { refusalIn } from '../../app/runs/known-run.ts';
import type { Connection } from '../../app/service/at-service.ts';
import type { Over } from '../../app/service/over.ts';
import type { Profile } from '../../domain/profile.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { Journal } from '../../journal/journal.ts';
import type { SigningKey } from '../../keys/ed25519.ts';
import { messages } from '../../messages/messages.ts';
import { ANYBODY, asViewer } from '../../messages/viewer.ts';
import { within } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { machineClock } from '../../platform/machine.ts';
import { askForBalances } from '../../runner/plan/preflight.ts';
import { addressProblem, systemResolve } from '../../service/webhooks/endpoint-url.ts';
import type { PageServices } from '../../web/page-services.ts';
import { connect, readSigningKey } from '../connect.ts';
import { readProfile } from '../profile.ts';
import type { Settings } from '../settings.ts';
import { askBalances } from './balances.ts';
import { KEYS_FOLDER, profileHere, readConnectionProfile } from './connection-profile.ts';
import { settingsOver } from './over.ts';
import { isRehearsal, type Rehearsal } from './rehearsal.ts';

/** A test that takes longer has failed. */
const TEST_MS = 15_000;
const KEY_FILES_MAX = 100;

type Started = { profile: Profile; key: SigningKey | null };
type Here = { settings: Settings; started: Started; journal: Journal; log: Log; rehearsal: Rehearsal };

/** Connects over a connection of the page, or to what it was started with. Throws a `Refusal` where its keys cannot be used. */
export function connectOver({ settings, started, journal, log, rehearsal }: Here, over: Over | undefined) {
  return async (): Promise<Connection> => {
    if (isRehearsal(over)) await rehearsal.ready();
    const way = over === undefined ? started : wayOver(settings, over);
    return connect({ ...way, dataDir: settings.dataDir, journal, log });
  };
}

function wayOver(settings: Settings, over: Over): Started {
  const profile = readProfile(settingsOver(settings, over), process.env);
  return { profile, key: readSigningKey(profile) };
}

/** How the page reaches the services of its connections from this host. */
export function pageServices(here: Here): PageServices {
  const { settings, started, journal, log } = here;
  const { dataDir, allowPrivateServices: allowPrivate } = settings;
  const { base_url, api_key } = started.profile;
  const keysFolder = resolve(dataDir, KEYS_FOLDER);
  return {
    started: base_url === null ? null : { service: base_url, keyId: api_key ?? '' },
    hasRehearsal: base_url === null || !settings.detach,
    keysFolder,
    keyFiles: () => keyFilesIn(keysFolder),
    read: (text) => readConnectionProfile(text, allowPrivate),
    profileHere: (profile) => profileHere(profile, resolve(dataDir)),
    async test(over) {
      const began = machineClock.monotonicMs();
      try {
        const way = wayOver(settings, over);
        await requireAllowed(way.profile, allowPrivate);
        const connection = await connect({ ...way, dataDir, journal, log });
        const asked = askForBalances(connection.client, machineClock);
        void asked.catch(() => {}).then(() => connection.close());
        const answer = await within(machineClock, TEST_MS, asked);
        if (answer === null)
          throw new Refusal({ code: 'service_unreachable', trouble: { code: 'no_answer' }, cause: '' });
        const { isRehearsal, currencies, aheadMs } = answer;
        return { ok: true, isRehearsal, currencies, aheadMs, tookMs: Math.round(machineClock.monotonicMs() - began) };
      } catch (error) {
        return failedBy(error);
      }
    },
    balances: (over) => askBalances(connectOver(here, over)),
  };
}

/** Throws what is a bug. */
function failedBy(error: unknown): ConnectionTest {
  const refusal = refusalIn(error);
  if (refusal === null) throw error;
  const { message, remedy } = asViewer(ANYBODY, () => messages.refusals.refusalOfTest(refusal));
  return { ok: false, message, remedy, refusal: refusal.reason };
}

/** A name may lead to another address than its letters show. Throws a `Refusal` (`wrong_credentials`). */
async function requireAllowed({ base_url }: Profile, allowPrivate: boolean): Promise<void> {
  if (base_url === null) return;
  const url = new URL(base_url);
  // A name without addresses is not reached, which is said better then.
  const addresses = await systemResolve(url.hostname.replace(/^\[|\]$/g, '')).catch(() => []);
  if (addresses.length === 0 || addressProblem(url, addresses, allowPrivate) === null) return;
  throw new Refusal({ code: 'wrong_credentials', fault: { why: 'private_address', url: base_url } });
}

/** The names of key files, which an administrator chooses from. */
function keyFilesIn(folder: string): string[] {
  try {
    const files = readdirSync(folder, { withFileTypes: true }).filter((one) => !one.isDirectory());
    return files
      .map(({ name }) => name)
      .filter((name) => /\.pem$/i.test(name))
      .sort()
      .slice(0, KEY_FILES_MAX);
  } catch {
    return [];
  }
}
