import { isIP } from 'node:net';
import { parseWebhookPublicKey, parseWebhookSecret } from '../contract/webhook.ts';
import type { Profile, WebhookProfile } from '../domain/profile.ts';
import type { Journal } from '../journal/journal.ts';
import type { Log } from '../platform/log.ts';
import { machineClock } from '../platform/machine.ts';
import { type HintSource, hintsFromNow } from '../runner/hinted.ts';
import type { Receiver, SenderKeys } from '../webhook/receive.ts';
import { secretOf } from './secret-reference.ts';
import type { Settings } from './settings.ts';
import { wrongSetting } from './wrong-setting.ts';

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
    throw wrongSetting(
      'webhooks',
      'There is a key for webhooks and no address.',
      'Give --webhook-listen 127.0.0.1:8795.',
    );
  }
  const { host, port } = listenAddress(listen);
  const public_key = webhookKey ?? base?.public_key ?? null;
  const secret = base?.secret ?? null;
  if (public_key === null && secret === null) {
    throw wrongSetting(
      'webhooks',
      'Webhooks cannot be received without a key to know their sender by.',
      'Give --webhook-key whpk_…, or public_key or secret under webhooks in the profile.',
    );
  }
  if (secret !== null && !/^(?:env|file):./.test(secret)) {
    throw wrongSetting('webhooks', 'webhooks.secret: the secret itself does not belong there.', SECRET_FORMS);
  }
  return { listen: `${isIP(host) === 6 ? `[${host}]` : host}:${port}`, public_key, secret };
}

const SECRET_FORMS = 'Write env:NAME or file:PATH.';

/** Only addresses: a name may come to mean another machine, or all of the network. */
function listenAddress(text: string): { host: string; port: number } {
  const parts = /^(?:\[([0-9a-fA-F:.]{2,45})\]|(localhost|[0-9.]{7,15})):(\d{1,5})$/.exec(text);
  const host = parts?.[1] ?? (parts?.[2] === 'localhost' ? '127.0.0.1' : parts?.[2]) ?? '';
  const port = Number(parts?.[3]);
  if (isIP(host) !== 0 && port <= 65_535) return { host, port };
  throw wrongSetting(
    'webhooks',
    `--webhook-listen: ${text} is no address with a port.`,
    'Write it like 127.0.0.1:8795 or [::1]:8795; 0.0.0.0 where others than this machine shall reach it; none for none.',
  );
}

/** The keys that a profile names, read now, so that a wrong one is found before anything happens. */
export function readWebhookKeys({ webhooks }: Profile, environment: NodeJS.ProcessEnv): SenderKeys | null {
  if (webhooks === null) return null;
  const publicKey = webhooks.public_key === null ? null : parseWebhookPublicKey(webhooks.public_key);
  if (publicKey !== null && !publicKey.ok) {
    const why = publicKey.problem === 'not_whpk_base64' ? 'is no whpk_ key' : `cannot be used: ${publicKey.problem}`;
    throw wrongSetting(
      'webhooks',
      `The key for webhooks ${why}.`,
      'Copy it as the service showed it: whpk_ and 44 characters.',
    );
  }
  const secret =
    webhooks.secret === null ? null : parseWebhookSecret(secretOf(webhooks.secret, 'webhooks.secret', environment));
  if (webhooks.secret !== null && secret === null) {
    throw wrongSetting(
      'webhooks',
      `webhooks.secret: ${webhooks.secret} holds no secret.`,
      'A secret is whsec_ and 24 to 64 bytes in base64, as the service showed it once.',
    );
  }
  return { publicKey: publicKey?.key ?? null, secret };
}

/**
 * Does `work` while webhooks are received, where the profile says so; stops receiving before it returns. Throws a
 * `Refusal` (`usage`) where the address cannot be had: nothing has begun then.
 */
export async function whileReceiving<Result>(
  options: {
    webhooks: WebhookProfile | null;
    keys: SenderKeys | null;
    journal: Journal;
    log: Log;
    note(text: string): void;
  },
  work: (hints: HintSource | null) => Promise<Result>,
): Promise<Result> {
  const { webhooks, keys, journal, log, note } = options;
  if (webhooks === null || keys === null) return work(null);
  const receiver = await started(webhooks, keys, journal, log);
  try {
    note(`webhooks are received at ${receiver.url}`);
    log.info({ url: receiver.url }, 'webhooks are received');
    return await work(await hintsFromNow(journal));
  } finally {
    await receiver.stop();
    const { count, lastWhy } = receiver.refusals();
    if (count > 0)
      note(`${count} webhooks were refused, the last one: ${lastWhy}. Check --webhook-key and the secret.`);
  }
}

async function started(webhooks: WebhookProfile, keys: SenderKeys, journal: Journal, log: Log): Promise<Receiver> {
  const { host, port } = listenAddress(webhooks.listen);
  // Only here: with Node's server its fetch is loaded too, which takes longer than all else of a short command's start.
  const { startReceiver } = await import('../webhook/receive.ts');
  try {
    return await startReceiver({ host, port, keys, journal, clock: machineClock, log });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined || !LISTEN_ERRORS.has(code)) throw error;
    const why = code === 'EADDRINUSE' ? 'is taken' : `cannot be listened on (${code})`;
    throw wrongSetting(
      'webhooks',
      `--webhook-listen: ${webhooks.listen} ${why}.`,
      'Name another address, or none to go on without webhooks.',
    );
  }
}

/** Where lines for people go that are no result. */
export type ErrorOutput = { stderr(text: string): void };

/** For people, beside the progress; never on standard output. */
export function noteOf(io: ErrorOutput, settings: Pick<Settings, 'quiet'>): (text: string) => void {
  return (text) => {
    if (!settings.quiet) io.stderr(`${text}\n`);
  };
}

const LISTEN_ERRORS: ReadonlySet<string> = new Set(['EADDRINUSE', 'EADDRNOTAVAIL', 'EACCES', 'EAFNOSUPPORT', 'EINVAL']);
