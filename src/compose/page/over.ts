import { mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Over } from '../../app/service/over.ts';
import { sha256 } from '../../domain/hashing.ts';
import { readSettings, type Settings } from '../settings.ts';

type Given = Record<string, unknown>;

/** The options that say where a service is and how it is reached: a connection has them all in its profile. */
const OF_A_SERVICE: ReadonlySet<string> = new Set([
  'profile',
  'baseUrl',
  'apiKey',
  'signingKey',
  'webhookListen',
  'webhookKey',
]);

/** How fast it may be asked: a connection that an administrator made says so itself. */
const PACE: ReadonlySet<string> = new Set(['rate', 'concurrency']);

/**
 * The options that the page was started with, as work over a connection is done by them: with the connection's profile in
 * place of all that names a service. `given` as they are written; unchanged where the work is over none.
 */
export function givenOver(given: Given, over: Over | undefined): Given {
  if (over === undefined) return given;
  const { dataDir, database } = readSettings(given, {});
  const { entity, connection } = over;
  return {
    ...without(given, over),
    ...(database !== undefined && { database }),
    ...(entity !== null && { entity }),
    ...(connection !== null && { connection }),
    profile: profileFile(dataDir, over.profile),
  };
}

/** The same of settings that were read. */
export function settingsOver(settings: Settings, over: Over | undefined): Settings {
  if (over === undefined) return settings;
  return { ...(without(settings, over) as Settings), profile: profileFile(settings.dataDir, over.profile) };
}

function without(given: Given, { connection }: Over): Given {
  const isKept = (name: string) => !OF_A_SERVICE.has(name) && (connection === null || !PACE.has(name));
  return Object.fromEntries(Object.entries(given).filter(([name]) => isKept(name)));
}

/** The file of a profile, named by what is in it: written once, whole, and never changed. */
function profileFile(dataDir: string, text: string): string {
  const folder = join(dataDir, 'web', 'connections');
  const path = join(folder, `${sha256(text)}.yaml`);
  if (statSync(path, { throwIfNoEntry: false }) !== undefined) return path;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const written = `${path}.${process.pid}`;
  writeFileSync(written, text, { mode: 0o600 });
  renameSync(written, path);
  return path;
}
