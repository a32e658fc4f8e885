import { parseWebhookPublicKey, parseWebhookSecret } from '../contract/webhook.ts';
import type { Profile, WebhookProfile } from '../domain/profile.ts';
import type { Journal } from '../journal/journal.ts';
import { messages } from '../messages/messages.ts';
import type { Log } from '../platform/log.ts';
import { machineClock } from '../platform/machine.ts';
import { type HintSource, hintsFromNow } from '../runner/hinted.ts';
import type { Receiver, SenderKeys } from '../webhook/receive.ts';
import { secretOf, webhookAddress, wrongWebhooks } from './profile.ts';
import type { Settings } from './settings.ts';

/** The keys that a profile names, read now, so that a wrong one is found before anything happens. */
export function readWebhookKeys({ webhooks }: Profile, environment: NodeJS.ProcessEnv): SenderKeys | null {
  if (webhooks === null) return null;
  const publicKey = webhooks.public_key === null ? null : parseWebhookPublicKey(webhooks.public_key);
  if (publicKey !== null && !publicKey.ok) {
    const { problem } = publicKey;
    throw wrongWebhooks(problem === 'not_whpk_base64' ? { why: 'no_whpk_key' } : { why: 'unusable_key', problem });
  }
  const secret =
    webhooks.secret === null ? null : parseWebhookSecret(secretOf(webhooks.secret, 'webhooks.secret', environment));
  if (webhooks.secret !== null && secret === null)
    throw wrongWebhooks({ why: 'no_secret', reference: webhooks.secret });
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
  const receiver = await startReceiving(webhooks, keys, { journal, log });
  try {
    note(messages.process.receivedAtText(receiver.url));
    log.info({ url: receiver.url }, 'webhooks are received');
    return await work(await hintsFromNow(journal));
  } finally {
    await receiver.stop();
    const { count, lastWhy } = receiver.refusals();
    if (count > 0) note(messages.process.refusedWebhooksText(count, lastWhy));
  }
}

/** Receives webhooks until it is stopped. Throws as `whileReceiving` does. */
export async function startReceiving(
  webhooks: WebhookProfile,
  keys: SenderKeys,
  { journal, log }: { journal: Journal; log: Log },
): Promise<Receiver> {
  const { host, port } = webhookAddress(webhooks.listen);
  // Only here: with Node's server its fetch is loaded too, which takes longer than all else of a short command's start.
  const { startReceiver } = await import('../webhook/receive.ts');
  try {
    return await startReceiver({ host, port, keys, journal, clock: machineClock, log });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined || !LISTEN_ERRORS.has(code)) throw error;
    const fault = { why: 'not_listening' as const, listen: webhooks.listen };
    throw wrongWebhooks({ ...fault, code: code === 'EADDRINUSE' ? null : code });
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
