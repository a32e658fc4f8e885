import { parseWebhookSecret, signWebhook } from '../../contract/webhook.ts';
import { assert } from '../../domain/refusal.ts';
import { machineClock } from '../../platform/machine.ts';
import { type AddressChecks, readEndpointUrl, systemResolve } from '../../service/webhooks/endpoint-url.ts';
import { openPost } from '../../service/webhooks/post.ts';
import type { PageWebhooks } from '../../web/parts.ts';

/** Of one try, from resolving the name to the answer. */
const TRY_MS = 15_000;

/**
 * Posts the page's webhooks (Standard Webhooks, `v1`), by the rules by which the shipped service posts its own: a name is
 * resolved for each connection, and no private, loopback or link-local address is connected to unless `allowPrivate`, a
 * redirect is not followed, and the answer is not read.
 */
export function pageWebhooks(allowPrivate: boolean): PageWebhooks {
  const checks: AddressChecks = { resolve: systemResolve, allowPrivate, clock: machineClock, timeoutMs: TRY_MS };
  return {
    mayUse: (url) => readEndpointUrl(url, allowPrivate).ok,
    async send({ id, url, secret: printed, body }) {
      const read = readEndpointUrl(url, allowPrivate);
      if (!read.ok) return 'its address is not allowed any more';
      const secret = parseWebhookSecret(printed);
      assert(secret !== null, 'a webhook endpoint without its secret');
      const timestampSeconds = Math.floor(machineClock.wallMs() / 1_000);
      const signed = signWebhook({ id, timestampSeconds, body, secret });
      const post = openPost(read.url, checks);
      try {
        const headers = { ...signed, 'content-type': 'application/json', 'user-agent': 'payrun' };
        const attempt = await post.send(headers, body);
        if (attempt.kind === 'failed') return attempt.problem;
        return attempt.status >= 200 && attempt.status < 300 ? null : `it answered ${attempt.status}`;
      } finally {
        await post.close();
      }
    },
  };
}
