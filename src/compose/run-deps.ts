import process from 'node:process';
import type { RunDeps } from '../app/run/run-deps.ts';
import type { StartDeps } from '../app/run/start-plan.ts';
import type { ServiceDeps } from '../app/service/at-service.ts';
import type { Profile } from '../domain/profile.ts';
import { assert } from '../domain/refusal.ts';
import type { RunState } from '../domain/run/run-state.ts';
import type { Journal } from '../journal/journal.ts';
import type { SigningKey } from '../keys/ed25519.ts';
import { promisesText } from '../messages/service-words.ts';
import type { Log } from '../platform/log.ts';
import { machineClock, machineRandomness } from '../platform/machine.ts';
import { commandsFor } from './command-hints.ts';
import { connect, readSigningKey } from './connect.ts';
import { LEASE_MS } from './data-dir.ts';
import { secretsHere } from './notices.ts';
import { profileNow } from './profile.ts';
import type { Settings } from './settings.ts';
import { packageVersion } from './version.ts';
import { type ErrorOutput, noteOf, readWebhookKeys, whileReceiving } from './webhooks.ts';
import { withdrawalsOf } from './withdrawals.ts';

type Given = { journal: Journal; settings: Settings; log: Log; io: ErrorOutput };

/** All that a use case needs which works at the service of a run. */
export function serviceDeps(given: Given): ServiceDeps {
  const { journal, settings, log, io } = given;
  return {
    journal,
    clock: machineClock,
    randomness: machineRandomness,
    log,
    isProfileNamed: settings.profile !== undefined,
    note: (promises) => io.stderr(`${promisesText(promises)}\n`),
    wayOf(run) {
      const { profile, key } = connectionSettings(run, settings);
      const { dataDir } = settings;
      return { profile, connect: () => connect({ profile, key, dataDir, log, note: noteOf(io, settings) }) };
    },
  };
}

/** The way with which the run began, changed by what the settings say now. Throws a `Refusal` (`usage`). */
export function connectionSettings(run: RunState, settings: Settings): { profile: Profile; key: SigningKey | null } {
  assert(run.header, 'a run without its header');
  const profile = profileNow(run.header.profile, settings, process.env);
  return { profile, key: readSigningKey(profile) };
}

/** What a run is started and gone on with; who watches it is for the caller to say. */
export function runDeps(given: Given, seen: Pick<RunDeps, 'actor' | 'watch' | 'tell' | 'isSeen'>): RunDeps {
  const { journal, settings, log, io } = given;
  return {
    ...serviceDeps(given),
    ...seen,
    leaseMs: LEASE_MS,
    version: packageVersion(),
    command: commandsFor(settings),
    secrets: secretsHere,
    reportDir: settings.reportDir,
    pollEveryMs: settings.pollEvery,
    waitTimeoutMs: settings.waitTimeout,
    whileReceiving(profile, work) {
      const keys = readWebhookKeys(profile, process.env);
      return whileReceiving({ webhooks: profile.webhooks, keys, journal, log, note: noteOf(io, settings) }, work);
    },
  };
}

/** The same of a plan, which whoever starts it has agreed to pay already, and nobody stops before it is started. */
export function startDeps(deps: RunDeps, { dataDir }: Pick<Settings, 'dataDir'>): StartDeps {
  return {
    ...deps,
    withdrawals: (run) => withdrawalsOf(run, dataDir),
    confirm: async () => {},
    whileLooking: (work) => work(new AbortController().signal),
    onFileGone: () => {},
  };
}
