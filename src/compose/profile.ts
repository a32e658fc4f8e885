import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { DEFAULT_PROFILE, type Profile } from '../domain/profile.ts';
import { baseUrlFault } from '../job/connection.ts';
import type { Job, JobService } from '../job/job.ts';
import { readProfileFile } from '../job/profile-file.ts';
import type { Settings } from './settings.ts';
import { webhookProfile } from './webhooks.ts';
import { wrongSetting } from './wrong-setting.ts';

/**
 * The connection profile: options over the profile's file, or else the job's own, over the shipped service's values.
 * Unknown keys are errors, named as file:line:column. Throws a `Refusal` (`usage`).
 */
export function readProfile(settings: Settings, environment: NodeJS.ProcessEnv, job: Job | null = null): Profile {
  const named = settings.profile === undefined ? (job?.service ?? null) : readProfileFile(settings.profile);
  const file = named?.connection ?? {};
  const besideFile = (path: string) => (named === null ? path : resolve(named.folder, path));
  const secretBeside = (text: string | undefined) =>
    text?.startsWith('file:') ? `file:${besideFile(text.slice(5))}` : (text ?? null);
  const signing = file.signing ?? DEFAULT_PROFILE.signing;
  // A text that is signed carries no deadline, so such a service can promise none unless its profile says so.
  const promised = signing.scheme === 'rfc9421' ? DEFAULT_PROFILE.guarantees : NO_GUARANTEES;
  const baseUrl = settings.baseUrl ?? file.base_url ?? null;
  const fileKey = named === null ? null : apiKeyOf(named, environment);
  const keyFile = file.signing_key_file === undefined ? null : besideFile(file.signing_key_file);
  const profile: Profile = {
    base_url: baseUrl === null ? null : checkedUrl(baseUrl),
    api_key: settings.apiKey ?? fileKey,
    signing_key_file: settings.signingKey === undefined ? keyFile : resolve(settings.signingKey),
    signing,
    request_lifetime_ms: file.request_lifetime ?? DEFAULT_PROFILE.request_lifetime_ms,
    guarantees: {
      enforces_expiry: file.guarantees?.enforces_expiry ?? promised.enforces_expiry,
      replay_protection: file.guarantees?.replay_protection ?? promised.replay_protection,
      // Known of the service inside this process, and of no other unless its profile says so.
      refusals_are_final: file.guarantees?.refusals_are_final ?? baseUrl === null,
    },
    commits_within_ms: file.commits_within ?? null,
    listing_lag_ms: file.listing_lag ?? (baseUrl === null ? DEFAULT_PROFILE.listing_lag_ms : null),
    cursor: file.cursor ?? DEFAULT_PROFILE.cursor,
    rate: settings.rate !== undefined ? settings.rate : file.rate !== undefined ? file.rate : DEFAULT_PROFILE.rate,
    concurrency: settings.concurrency ?? file.concurrency ?? DEFAULT_PROFILE.concurrency,
    webhooks: webhookProfile(
      settings,
      file.webhooks ? { ...file.webhooks, secret: secretBeside(file.webhooks.secret) } : null,
    ),
  };
  requireCredentials(profile);
  requireSender(profile);
  return profile;
}

const NO_GUARANTEES = { enforces_expiry: false, replay_protection: false };

/** `env:NAME` and `file:PATH` keep secrets out of the YAML. */
function apiKeyOf({ connection, folder, whereIs }: JobService, environment: NodeJS.ProcessEnv): string | null {
  const text = connection.api_key;
  if (text === undefined) return null;
  const where = whereIs(['api_key']);
  if (text.startsWith('env:')) {
    const value = environment[text.slice(4)];
    if (value) return value;
    const message = `${where}: api_key: the environment has no ${text.slice(4)}.`;
    throw wrongSetting('credentials', message, 'Set it, or name another source.');
  }
  if (!text.startsWith('file:')) return text;
  try {
    return readFileSync(resolve(folder, text.slice(5)), 'utf8').trim();
  } catch {
    const message = `${where}: api_key: ${text.slice(5)} cannot be read.`;
    throw wrongSetting('credentials', message, 'Check the path after file:.');
  }
}

/** Of an option, the environment, or a file whose own address was looked at already. */
function checkedUrl(text: string): string {
  const fault = baseUrlFault(text);
  if (fault === null) return new URL(text).href;
  const what = fault.what ?? 'is no base URL';
  throw wrongSetting(
    'credentials',
    `${text} ${what}.`,
    `${fault.remedy.charAt(0).toUpperCase()}${fault.remedy.slice(1)}.`,
  );
}

/** The profile of a run, with what the command line says now of the service's place and our pace, checked again. */
export function profileNow(profile: Profile, settings: Settings, environment: NodeJS.ProcessEnv): Profile {
  if (settings.profile !== undefined) return readProfile(settings, environment);
  const { baseUrl, apiKey, signingKey, rate, concurrency } = settings;
  const now: Profile = {
    ...profile,
    base_url: baseUrl === undefined ? profile.base_url : checkedUrl(baseUrl),
    api_key: apiKey ?? profile.api_key,
    signing_key_file: signingKey === undefined ? profile.signing_key_file : resolve(signingKey),
    rate: rate === undefined ? profile.rate : rate,
    concurrency: concurrency ?? profile.concurrency,
    webhooks: webhookProfile(settings, profile.webhooks),
  };
  requireCredentials(now);
  requireSender(now);
  return now;
}

/** The service inside a run's own process ends with it and sends nothing: who asks for webhooks means another one. */
function requireSender({ base_url, webhooks }: Profile): void {
  if (base_url !== null || webhooks === null) return;
  throw wrongSetting(
    'credentials',
    'There is an address for webhooks and no service that sends them: the one inside this process sends none.',
    `Start \`payrun service --allow-private-webhooks --webhook http://${webhooks.listen}/\` and name its --base-url, or give --webhook-listen none.`,
  );
}

function requireCredentials(profile: Profile): void {
  if (profile.base_url === null) {
    if (profile.api_key === null && profile.signing_key_file === null) return;
    throw wrongSetting('credentials', 'There is a key but no service.', 'Give --base-url, or no key to rehearse.');
  }
  if (profile.api_key === null)
    throw wrongSetting('credentials', 'The API key id is missing.', 'Give --api-key or api_key.');
  if (profile.signing_key_file === null) {
    throw wrongSetting('credentials', 'The signing key is missing.', 'Give --signing-key FILE or signing_key_file.');
  }
}
