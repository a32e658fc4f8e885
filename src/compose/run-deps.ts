import process from 'node:process';
import type { PlanDeps } from '../app/plan/given.ts';
import type { Report, RunDeps } from '../app/run/run-deps.ts';
import type { StartDeps } from '../app/run/start-plan.ts';
import type { ServiceDeps } from '../app/service/at-service.ts';
import type { Profile } from '../domain/profile.ts';
import { assert } from '../domain/refusal.ts';
import type { RunState } from '../domain/run/run-state.ts';
import type { Journal } from '../journal/journal.ts';
import type { SigningKey } from '../keys/ed25519.ts';
import type { CommandLine } from '../messages/command-line.ts';
import { messages } from '../messages/messages.ts';
import type { Log } from '../platform/log.ts';
import { machineClock, machineRandomness } from '../platform/machine.ts';
import { writeReports } from '../report/write.ts';
import { commandsFor } from './command-hints.ts';
import { connect, readSigningKey } from './connect.ts';
import { LEASE_MS } from './data-dir.ts';
import { secretsHere } from './notices.ts';
import { requireOpenConnection, withPresentKeys } from './present-keys.ts';
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
    note: (promises) => io.stderr(`${messages.promises.promisesText(promises)}\n`),
    async wayOf(run) {
      const { profile, key } = await connectionSettings(run, settings);
      const { dataDir } = settings;
      return { profile, connect: () => connect({ profile, key, dataDir, journal, log, note: noteOf(io, settings) }) };
    },
  };
}

/**
 * The way with which the run began, with the present keys of its connection, changed by what the settings say now. Throws a
 * `Refusal` (`usage`).
 */
export async function connectionSettings(
  { header }: RunState,
  settings: Settings,
): Promise<{ profile: Profile; key: SigningKey | null }> {
  assert(header, 'a run without its header');
  const { profile: named, apiKey, signingKey } = settings;
  const isNamed = (named ?? apiKey ?? signingKey) !== undefined;
  const began = isNamed ? header.profile : await withPresentKeys(header, settings);
  const profile = profileNow(began, settings, process.env);
  return { profile, key: readSigningKey(profile) };
}

/** What a run is started and gone on with; how it is seen is for the caller to give. */
export function runDeps(given: Given, seen: Pick<RunDeps, 'actor' | 'watch' | 'notify' | 'isSeen'>): RunDeps {
  const { journal, settings, log, io } = given;
  const command = commandsFor(settings);
  return {
    ...serviceDeps(given),
    ...seen,
    leaseMs: LEASE_MS,
    secrets: secretsHere,
    reportDir: settings.reportDir,
    pollEveryMs: settings.pollEvery,
    waitTimeoutMs: settings.waitTimeout,
    report: reportIn(command),
    onInterrupted: (runId) => log.info({ run: runId, resume: command('resume', runId) }, 'interrupted'),
    advice: async (run, why) => (await import('../notify/remittance-trouble.ts')).remittanceOutcome(run, why, command),
    whileReceiving(profile, work) {
      const keys = readWebhookKeys(profile, process.env);
      return whileReceiving({ webhooks: profile.webhooks, keys, journal, log, note: noteOf(io, settings) }, work);
    },
  };
}

/** Writes reports that name commands as `command` does. */
export function reportIn(command: CommandLine): Report {
  return (report) => writeReports({ ...report, version: packageVersion(), command });
}

/** What a plan is made with on this machine, at the service of its profile. */
export function planDeps(
  { journal, settings, log, io }: Given,
  { profile, key }: { profile: Profile; key: SigningKey | null },
  by: Pick<PlanDeps, 'actor' | 'stop' | 'notify' | 'isRehearsal'>,
): PlanDeps {
  const { dataDir } = settings;
  return {
    ...by,
    journal,
    clock: machineClock,
    randomness: machineRandomness,
    log,
    connect: () => connect({ profile, key, dataDir, journal, log, note: noteOf(io, settings) }),
    requireOpen: (connection) => requireOpenConnection(connection, settings),
  };
}

/** The same of a plan that a person has agreed to pay already, and nobody stops before it is started. */
export function startDeps(deps: RunDeps, place: Pick<Settings, 'dataDir' | 'database'>): StartDeps {
  return {
    ...deps,
    withdrawals: (run) => withdrawalsOf(run, place),
    requireOpen: (connection) => requireOpenConnection(connection, place),
    confirm: async () => {},
    whileLooking: (work) => work(new AbortController().signal),
    onFileGone: () => {},
  };
}
