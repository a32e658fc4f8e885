import { Agent, request } from 'undici';
import { parseWebhookSecret, signWebhook } from '../contract/webhook.ts';
import { Refusal } from '../domain/refusal.ts';
import { isoUtc } from '../domain/time.ts';
import type { Clock } from '../platform/clock.ts';
import type { Notice, Secrets } from './notice.ts';
import { reasonOf } from './words.ts';

/** For the connection, and again for the answer. */
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
export async function postWebhook({ url, secret, notice, clock, stop }: Post): Promise<string | null> {
  const timestamp = isoUtc(Math.trunc(notice.at));
  const body = JSON.stringify({ type: `run.${notice.event}`, timestamp, data: notice.data });
  const dispatcher = new Agent({ connect: { timeout: TRY_MS }, allowH2: false });
  let why = '';
  try {
    for (let tries = 0; tries <= PAUSES_MS.length; tries++) {
      if (tries > 0) await clock.sleep(PAUSES_MS[tries - 1] ?? 0, stop);
      if (stop.aborted) return why === '' ? 'there was no time for it' : why;
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

type Posted = { outcome: 'taken' } | { outcome: 'not_taken'; why: string; again: boolean };

type Sent = { url: string; headers: Record<string, string>; body: string; dispatcher: Agent; stop: AbortSignal };

async function posted({ url, headers, body, dispatcher, stop }: Sent): Promise<Posted> {
  try {
    const times = { headersTimeout: TRY_MS, bodyTimeout: TRY_MS };
    const answer = await request(url, { method: 'POST', headers, body, dispatcher, signal: stop, ...times });
    const { statusCode } = answer;
    // Its body is not read: it could be long.
    answer.body.on('error', () => {}).destroy();
    if (statusCode >= 200 && statusCode < 300) return { outcome: 'taken' };
    const isRedirect = statusCode >= 300 && statusCode < 400;
    const why = isRedirect ? `it answered with a redirect (${statusCode})` : `it answered with ${statusCode}`;
    return { outcome: 'not_taken', why, again: statusCode >= 500 || LATER.has(statusCode) };
  } catch (error) {
    return { outcome: 'not_taken', why: reasonOf(error), again: !stop.aborted };
  }
}

/** Throws a `Refusal` (`usage`) that does not repeat what stands there. */
export function readWebhookSecret(reference: string, secrets: Secrets): Uint8Array {
  const secret = parseWebhookSecret(secrets(reference, 'webhook.secret'));
  if (secret !== null) return secret;
  const remedy = 'A secret is whsec_ and 24 to 64 bytes in base64.';
  throw new Refusal('usage', `webhook.secret: ${reference} holds no secret.`, remedy);
}
