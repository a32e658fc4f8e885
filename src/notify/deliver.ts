import { Agent, request } from 'undici';
import { parseWebhookSecret, signWebhook } from '../contract/webhook.ts';
import type { NotifySettings } from '../domain/notices/notify.ts';
import type { DeliveryFault, DeliveryWay, Undelivered } from '../domain/outcomes/notice-outcome.ts';
import { Refusal } from '../domain/refusal.ts';
import { isoUtc } from '../domain/time.ts';
import type { Clock } from '../platform/clock.ts';
import { MailLine, readSmtpAddress } from './mail-line.ts';
import { faultOf, type Notice, type Secrets } from './notice.ts';

/** For all ways of delivery together. */
export const DELIVER_MS = 30_000;

export type DeliverDeps = {
  clock: Clock;
  secrets: Secrets;
  /** Aborted by Ctrl-C. */
  stop: AbortSignal;
};

const NO_TIME: DeliveryFault = { fault: 'no_time' };

/** A delivery. Its work returns why it failed, or null. */
type Way = { to: DeliveryWay; work(stop: AbortSignal): Promise<DeliveryFault | null> };

/**
 * Delivers a notice in every way that the job names, side by side, and returns which failed. Ends after `DELIVER_MS`, or at
 * once where it is stopped. Never rejects.
 */
export async function deliver(notice: Notice, settings: NotifySettings, deps: DeliverDeps): Promise<Undelivered[]> {
  const over = new AbortController();
  const stop = AbortSignal.any([deps.stop, over.signal]);
  const timeout = deps.clock.sleep(DELIVER_MS, stop).then(() => NO_TIME);
  const delivered = waysOf(notice, settings, deps).map(async ({ to, work }) => {
    const settled = work(stop)
      .catch(faultOf)
      .then((why) => (stop.aborted ? NO_TIME : why));
    return { to, why: await Promise.race([settled, timeout]) };
  });
  const outcomes = await Promise.all(delivered);
  over.abort();
  return outcomes.filter((outcome): outcome is Undelivered => outcome.why !== null);
}

function waysOf(notice: Notice, { email, webhook }: NotifySettings, { clock, secrets }: DeliverDeps): Way[] {
  const ways: Way[] = [];
  if (email !== null) {
    const work: Way['work'] = (stop) => mailNotice(email, notice, secrets, stop);
    ways.push({ to: { way: 'email', to: email.to }, work });
  }
  if (webhook !== null) {
    const { url, secret } = webhook;
    const work: Way['work'] = async (stop) =>
      postWebhook({ url, secret: readWebhookSecret(secret, secrets), notice, clock, stop });
    ways.push({ to: { way: 'webhook', origin: new URL(url).origin }, work });
  }
  return ways;
}

/** Hands one mail over. Returns why that failed, or null; rejects where the server cannot be reached or the address read. */
export async function mailNotice(
  email: NonNullable<NotifySettings['email']>,
  { id, subject, text }: Pick<Notice, 'id' | 'subject' | 'text'>,
  secrets: Secrets,
  stop: AbortSignal,
): Promise<DeliveryFault | null> {
  const line = await MailLine.open(readSmtpAddress(email.smtp, secrets), stop);
  try {
    const domain = email.from.address.slice(email.from.address.lastIndexOf('@') + 1);
    const handed = await line.send({ ...email, subject, text, messageId: `${id}@${domain}` });
    if (handed.outcome !== 'taken') return handed.why;
    return handed.notTo.length === 0 ? null : { fault: 'recipients_refused', to: handed.notTo };
  } finally {
    line.close();
  }
}

/** Of a webhook, for the connection, and again for the answer. */
const TRY_MS = 15_000;
/** Before the second try, and before the third. */
const PAUSES_MS = [1_000, 4_000];

type Post = { url: string; secret: Uint8Array; notice: Notice; clock: Clock; stop: AbortSignal };

/** Answers after which another try may help. */
const LATER: ReadonlySet<number> = new Set([408, 425, 429]);

/**
 * Posts a notice as a Standard Webhook: `{type: "run.finished", timestamp, data}`, signed `v1`. Null where a 2xx came
 * back, else why not. A redirect is not followed: it would take what was meant for one address to another.
 */
async function postWebhook({ url, secret, notice, clock, stop }: Post): Promise<DeliveryFault | null> {
  const timestamp = isoUtc(Math.trunc(notice.at));
  const body = JSON.stringify({ type: `run.${notice.event}`, timestamp, data: notice.data });
  const dispatcher = new Agent({ connect: { timeout: TRY_MS }, allowH2: false });
  let why: DeliveryFault = NO_TIME;
  try {
    for (let tries = 0; tries <= PAUSES_MS.length; tries++) {
      if (tries > 0) await clock.sleep(PAUSES_MS[tries - 1] ?? 0, stop);
      if (stop.aborted) return why;
      const timestampSeconds = Math.floor(clock.wallMs() / 1_000);
      const signed = signWebhook({ id: notice.id, timestampSeconds, body, secret });
      const headers = { ...signed, 'content-type': 'application/json', 'user-agent': 'payrun' };
      const posting = await posted({ url, headers, body, dispatcher, stop });
      if (posting.outcome === 'taken') return null;
      why = posting.why;
      if (!posting.again) return why;
    }
    return why;
  } finally {
    await dispatcher.destroy();
  }
}

type Posted = { outcome: 'taken' } | { outcome: 'not_taken'; why: DeliveryFault; again: boolean };

type Sent = { url: string; headers: Record<string, string>; body: string; dispatcher: Agent; stop: AbortSignal };

async function posted({ url, headers, body, dispatcher, stop }: Sent): Promise<Posted> {
  try {
    const times = { headersTimeout: TRY_MS, bodyTimeout: TRY_MS };
    const answer = await request(url, { method: 'POST', headers, body, dispatcher, signal: stop, ...times });
    const { statusCode } = answer;
    // Its body is not read: it could be long.
    answer.body.on('error', () => {}).destroy();
    if (statusCode >= 200 && statusCode < 300) return { outcome: 'taken' };
    const again = statusCode >= 500 || LATER.has(statusCode);
    return { outcome: 'not_taken', why: { fault: 'answered', status: statusCode }, again };
  } catch (error) {
    return { outcome: 'not_taken', why: faultOf(error), again: !stop.aborted };
  }
}

/** Throws a `Refusal` (`usage`) that does not repeat what stands there. */
function readWebhookSecret(reference: string, secrets: Secrets): Uint8Array {
  const secret = parseWebhookSecret(secrets(reference, 'webhook.secret'));
  if (secret !== null) return secret;
  throw new Refusal({ code: 'secret_unusable', setting: 'webhook.secret', reference });
}
