import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import { DEFAULT_PROFILE, type Profile } from '../domain/profile.ts';
import { Refusal } from '../domain/refusal.ts';
import { durationText, rateText, type Settings } from './settings.ts';
import { webhookProfile } from './webhooks.ts';

const PROFILE_BYTES_MAX = 64 * 1024;

const schema = z.strictObject({
  base_url: z.string().optional(),
  api_key: z.string().optional(),
  signing_key_file: z.string().optional(),
  signing: z
    .union([
      z.literal('rfc9421').transform(() => ({ scheme: 'rfc9421' as const })),
      z.strictObject({
        scheme: z.literal('template'),
        headers: z.record(z.string(), z.string()),
        message: z.string(),
      }),
    ])
    .optional(),
  request_lifetime: durationText.optional(),
  guarantees: z
    .strictObject({ enforces_expiry: z.boolean().optional(), replay_protection: z.boolean().optional() })
    .optional(),
  listing_lag: durationText.optional(),
  cursor: z.boolean().optional(),
  rate: z
    .union([z.string(), z.number().transform(String)])
    .pipe(rateText)
    .optional(),
  concurrency: z.int().min(1).max(1_024).optional(),
  webhooks: z
    .strictObject({ listen: z.string(), public_key: z.string().optional(), secret: z.string().optional() })
    .optional(),
});

/**
 * The connection profile: options over the profile's file over the shipped service's values. Unknown keys are errors,
 * named as file:line:column. Throws a `Refusal` (`usage`).
 */
export function readProfile(settings: Settings, environment: NodeJS.ProcessEnv): Profile {
  const file = settings.profile === undefined ? {} : parseProfile(settings.profile);
  const besideFile = (path: string) =>
    settings.profile === undefined ? path : resolve(dirname(settings.profile), path);
  const secretBeside = (text: string | undefined) =>
    text?.startsWith('file:') ? `file:${besideFile(text.slice(5))}` : (text ?? null);
  const signing = file.signing ?? DEFAULT_PROFILE.signing;
  // A text that is signed carries no deadline, so such a service can promise none unless its profile says so.
  const promised = signing.scheme === 'rfc9421' ? DEFAULT_PROFILE.guarantees : NO_GUARANTEES;
  const baseUrl = settings.baseUrl ?? file.base_url ?? null;
  const fileKey = file.api_key === undefined ? null : reference(file.api_key, environment, besideFile);
  const keyFile = file.signing_key_file === undefined ? null : besideFile(file.signing_key_file);
  const profile: Profile = {
    base_url: baseUrl === null ? null : checkedUrl(baseUrl),
    api_key: settings.apiKey ?? fileKey,
    signing_key_file: settings.signingKey === undefined ? keyFile : resolve(settings.signingKey),
    signing,
    request_lifetime_ms: lifetime(file.request_lifetime ?? DEFAULT_PROFILE.request_lifetime_ms),
    guarantees: {
      enforces_expiry: file.guarantees?.enforces_expiry ?? promised.enforces_expiry,
      replay_protection: file.guarantees?.replay_protection ?? promised.replay_protection,
    },
    listing_lag_ms: file.listing_lag ?? DEFAULT_PROFILE.listing_lag_ms,
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

function parseProfile(path: string): z.output<typeof schema> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Refusal('usage', `The profile cannot be read: ${why}.`, 'Check --profile.');
  }
  if (text.length > PROFILE_BYTES_MAX)
    throw new Refusal('usage', `${path} is too large for a profile.`, 'Check --profile.');
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const at = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${path}:${line}:${col}`;
  };
  const [fault] = [...document.errors, ...document.warnings];
  if (fault) throw new Refusal('usage', `${at(fault.pos[0])}: ${fault.message.split('\n')[0]}`, 'Mend the profile.');
  const parsed = schema.safeParse(document.toJS({ maxAliasCount: 10 }) ?? {});
  if (parsed.success) return parsed.data;
  const messages = parsed.error.issues.map((issue) => {
    const [unknown] = issue.code === 'unrecognized_keys' ? issue.keys : [];
    const path = unknown === undefined ? issue.path : [...issue.path, unknown];
    const node = document.getIn(path, true) as { range?: [number, number, number] } | undefined;
    return `${at(node?.range?.[0] ?? 0)}: ${path.join('.')}: ${issue.message}`;
  });
  throw new Refusal('usage', messages.join('\n'), 'Mend the profile; the keys are in the README.');
}

/** `env:NAME` and `file:PATH` keep secrets out of the YAML. */
function reference(text: string, environment: NodeJS.ProcessEnv, besideFile: (path: string) => string): string {
  if (text.startsWith('env:')) {
    const value = environment[text.slice(4)];
    if (value) return value;
    throw new Refusal('usage', `api_key: the environment has no ${text.slice(4)}.`, 'Set it, or name another source.');
  }
  if (!text.startsWith('file:')) return text;
  try {
    return readFileSync(besideFile(text.slice(5)), 'utf8').trim();
  } catch {
    throw new Refusal('usage', `api_key: ${text.slice(5)} cannot be read.`, 'Check the path after file:.');
  }
}

function checkedUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.username || url.search || url.hash) {
    throw new Refusal('usage', `${text} is no base URL.`, 'Write it like https://payouts.example/');
  }
  const isLoopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
  if (url.protocol === 'http:' && !isLoopback) {
    throw new Refusal(
      'usage',
      `${text} would send signed payouts without TLS.`,
      'Use https; http is for loopback only.',
    );
  }
  return url.href;
}

function lifetime(ms: number): number {
  if (ms >= 1_000 && ms <= 30_000) return ms;
  throw new Refusal('usage', 'request_lifetime must be from 1s to 30s.', 'The protocol allows at most 30s.');
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
  throw new Refusal(
    'usage',
    'There is an address for webhooks and no service that sends them: the one inside this process sends none.',
    `Start \`payrun service --allow-private-webhooks --webhook http://${webhooks.listen}/\` and name its --base-url, or give --webhook-listen none.`,
  );
}

function requireCredentials(profile: Profile): void {
  if (profile.base_url === null) {
    if (profile.api_key === null && profile.signing_key_file === null) return;
    throw new Refusal('usage', 'There is a key but no service.', 'Give --base-url, or no key to rehearse.');
  }
  if (profile.api_key === null) throw new Refusal('usage', 'The API key id is missing.', 'Give --api-key or api_key.');
  if (profile.signing_key_file === null) {
    throw new Refusal('usage', 'The signing key is missing.', 'Give --signing-key FILE or signing_key_file.');
  }
}
