import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import process from 'node:process';
import { DEFAULT_PROFILE, type Profile, type WebhookProfile } from '../domain/profile.ts';
import { assert, Refusal } from '../domain/refusal.ts';
import type { CredentialsFault, WebhooksFault } from '../domain/refusals/settings-reasons.ts';
import { baseUrlFault } from '../job/connection.ts';
import type { Job, JobService } from '../job/job.ts';
import { readProfileFile } from '../job/profile-file.ts';
import type { Settings } from './settings.ts';

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
  const keyBeside = (text: string) => (text.startsWith('env:') ? text : besideFile(text));
  const signing = file.signing ?? DEFAULT_PROFILE.signing;
  // A text that is signed carries no deadline, so such a service can promise none unless its profile says so.
  const promised = signing.scheme === 'rfc9421' ? DEFAULT_PROFILE.guarantees : NO_GUARANTEES;
  const baseUrl = settings.baseUrl ?? file.base_url ?? null;
  const fileKey = named === null ? null : apiKeyOf(named, environment);
  const keyFile = file.signing_key_file === undefined ? null : keyBeside(file.signing_key_file);
  const profile: Profile = {
    base_url: baseUrl === null ? null : checkedUrl(baseUrl),
    api_key: settings.apiKey ?? fileKey,
    signing_key_file: settings.signingKey === undefined ? keyFile : resolve(settings.signingKey),
    ...(file.ca_file !== undefined && { ca_file: besideFile(file.ca_file) }),
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
    throw wrongCredentials({ why: 'no_variable', name: `${where}: api_key`, variable: text.slice(4) });
  }
  if (!text.startsWith('file:')) return text;
  try {
    return readFileSync(resolve(folder, text.slice(5)), 'utf8').trim();
  } catch {
    throw wrongCredentials({ why: 'unreadable_file', name: `${where}: api_key`, path: text.slice(5) });
  }
}

/** Of an option, the environment, or a file whose own address was looked at already. */
function checkedUrl(text: string): string {
  const fault = baseUrlFault(text);
  if (fault === null) return new URL(text).href;
  throw wrongCredentials({ why: 'wanted' in fault ? 'not_a_url' : 'no_tls', url: text });
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

/** The service inside a run's own process ends with it and sends nothing: webhooks are of another one. */
function requireSender({ base_url, webhooks }: Profile): void {
  if (base_url !== null || webhooks === null) return;
  throw wrongCredentials({ why: 'no_sender', listen: webhooks.listen });
}

function requireCredentials({ base_url, api_key, signing_key_file }: Profile): void {
  if (base_url === null) {
    if (api_key !== null || signing_key_file !== null) throw wrongCredentials({ why: 'key_without_service' });
    return;
  }
  if (api_key === null) throw wrongCredentials({ why: 'no_api_key' });
  if (signing_key_file === null) throw wrongCredentials({ why: 'no_signing_key' });
}

/**
 * The secret that `env:NAME` or `file:PATH` names. Throws a `Refusal` (`usage`) where it is not there, or where others than
 * its owner can read the file; `name` is the key that names it.
 */
export function secretOf(reference: string, name: string, environment: NodeJS.ProcessEnv): string {
  const colon = reference.indexOf(':');
  const [kind, rest] = [reference.slice(0, colon), reference.slice(colon + 1)];
  if (kind === 'env') {
    const value = environment[rest];
    if (value) return value.trim();
    throw wrongCredentials({ why: 'no_variable', name, variable: rest });
  }
  assert(kind === 'file', 'a secret is referred to by env: or file:');
  try {
    if (process.platform !== 'win32' && (statSync(rest).mode & 0o077) !== 0)
      throw wrongCredentials({ why: 'open_file', name, path: rest });
    return readFileSync(rest, 'utf8').trim();
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw wrongCredentials({ why: 'unreadable_file', name, path: rest });
  }
}

function wrongCredentials(fault: CredentialsFault): Refusal {
  return new Refusal({ code: 'wrong_credentials', fault });
}

/** The option's value that switches off what a profile or an earlier process says. */
const NO_LISTENING = 'none';

/**
 * Where webhooks are received: the options over what the profile's file, or the run's journal, says. Throws a `Refusal`
 * (`usage`) where it does not fit together.
 */
export function webhookProfile(
  { webhookListen, webhookKey }: Settings,
  base: Partial<WebhookProfile> | null,
): WebhookProfile | null {
  if (webhookListen === NO_LISTENING) return null;
  const listen = webhookListen ?? base?.listen;
  if (listen === undefined) {
    if (webhookKey === undefined) return null;
    throw wrongWebhooks({ why: 'no_address' });
  }
  const { host, port } = webhookAddress(listen);
  const public_key = webhookKey ?? base?.public_key ?? null;
  const secret = base?.secret ?? null;
  if (public_key === null && secret === null) throw wrongWebhooks({ why: 'no_key' });
  if (secret !== null && !/^(?:env|file):./.test(secret)) throw wrongWebhooks({ why: 'secret_itself' });
  return { listen: `${isIP(host) === 6 ? `[${host}]` : host}:${port}`, public_key, secret };
}

/** Only addresses: a name may come to mean another machine, or all of the network. Null for any other text. */
export function listenAddress(text: string): { host: string; port: number } | null {
  const parts = /^(?:\[([0-9a-fA-F:.]{2,45})\]|(localhost|[0-9.]{7,15})):(\d{1,5})$/.exec(text);
  const host = parts?.[1] ?? (parts?.[2] === 'localhost' ? '127.0.0.1' : parts?.[2]) ?? '';
  const port = Number(parts?.[3]);
  return isIP(host) !== 0 && port <= 65_535 ? { host, port } : null;
}

export function webhookAddress(text: string): { host: string; port: number } {
  const address = listenAddress(text);
  if (address === null) throw wrongWebhooks({ why: 'wrong_address', text });
  return address;
}

export function wrongWebhooks(fault: WebhooksFault): Refusal {
  return new Refusal({ code: 'webhooks_unusable', fault });
}
