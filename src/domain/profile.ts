import { z } from 'zod';
import { count, milliseconds, text } from './entries/members.ts';

const signing = z.discriminatedUnion('scheme', [
  z.strictObject({ scheme: z.literal('rfc9421') }),
  /** For services that sign a text such as `{timestamp}{method}{path}{body}`. Such a service promises no expiry. */
  z.strictObject({ scheme: z.literal('template'), headers: z.record(text, text), message: text }),
]);

/** Each key that is named has to verify a webhook; one is named at least. */
const webhooks = z.strictObject({
  /** `ADDRESS:PORT` on this machine. */
  listen: text,
  /** `whpk_…`, the service's public key. */
  public_key: text.nullable(),
  /** `env:NAME` or `file:PATH`: where the secret is, and never the secret. */
  secret: text.nullable(),
});
export type WebhookProfile = z.output<typeof webhooks>;

/** What a run may rely on at its service. */
export const promises = z.strictObject({
  guarantees: z.strictObject({
    /**
     * Whether the service refuses a request after its `expires`: when it commits (`true`), or only when the request arrives,
     * so that the commit may follow up to `commits_within_ms` later.
     */
    enforces_expiry: z.union([z.boolean(), z.literal('at_arrival')]),
    /** The service refuses a nonce that took effect before. */
    replay_protection: z.boolean(),
    /** A refused request (4xx, 429) has used its nonce up, so that no other copy of it can take effect. False where absent. */
    refusals_are_final: z.boolean().optional(),
  }),
  /** How long after its arrival a request may be committed, where expiry is enforced at arrival. Null or absent: not stated. */
  commits_within_ms: milliseconds.nullable().optional(),
  /** How long after its acceptance a transaction may be missing from the listing. Null: nobody stated it. */
  listing_lag_ms: milliseconds.nullable(),
  /** Whether `transaction.getMany` gives a cursor. */
  cursor: z.boolean(),
});
export type Promises = z.output<typeof promises>;

/** What the client may assume of a service. Every value here is configuration; the shipped service's is the default. */
export const profile = z.strictObject({
  ...promises.shape,
  /** Null: the shipped service, started inside the process. */
  base_url: text.nullable(),
  /** The key's id, which names a key and is no secret on its own. */
  api_key: text.nullable(),
  signing_key_file: text.nullable(),
  /** A PEM file of certificate authorities, trusted besides those of Node. Absent: none. */
  ca_file: text.optional(),
  signing,
  /** From `created` to `expires` of a request. At most 300 s (the service's window), 30 s by default. */
  request_lifetime_ms: milliseconds,
  /** Requests in a window; null for no limit. */
  rate: z.strictObject({ requests: z.number(), window_ms: milliseconds }).nullable(),
  concurrency: count,
  /** Where the run receives webhooks while it lasts; null: nowhere, it polls. Absent in journals of version 1. */
  webhooks: webhooks.nullable().default(null),
});
export type Profile = z.output<typeof profile>;

export function promisesIn({ guarantees, commits_within_ms, listing_lag_ms, cursor }: Profile): Promises {
  return { guarantees, commits_within_ms: commits_within_ms ?? null, listing_lag_ms, cursor };
}

/** The weaker of two statements, point by point. A stated time replaces one that nobody stated. */
export function weakest(one: Promises, other: Promises): Promises {
  return {
    guarantees: {
      enforces_expiry: weakerExpiry(one.guarantees.enforces_expiry, other.guarantees.enforces_expiry),
      replay_protection: one.guarantees.replay_protection && other.guarantees.replay_protection,
      refusals_are_final: one.guarantees.refusals_are_final === true && other.guarantees.refusals_are_final === true,
    },
    commits_within_ms: longer(one.commits_within_ms ?? null, other.commits_within_ms ?? null),
    listing_lag_ms: longer(one.listing_lag_ms, other.listing_lag_ms),
    cursor: one.cursor && other.cursor,
  };
}

type Expiry = Profile['guarantees']['enforces_expiry'];

function weakerExpiry(one: Expiry, other: Expiry): Expiry {
  if (one === false || other === false) return false;
  return one === 'at_arrival' ? one : other;
}

function longer(oneMs: number | null, otherMs: number | null): number | null {
  return oneMs === null || otherMs === null ? (oneMs ?? otherMs) : Math.max(oneMs, otherMs);
}

export const DEFAULT_PROFILE: Profile = Object.freeze({
  base_url: null,
  api_key: null,
  signing_key_file: null,
  signing: Object.freeze({ scheme: 'rfc9421' }),
  request_lifetime_ms: 30_000,
  guarantees: Object.freeze({ enforces_expiry: true, replay_protection: true, refusals_are_final: true }),
  listing_lag_ms: 0,
  cursor: true,
  rate: Object.freeze({ requests: 10, window_ms: 1_000 }),
  concurrency: 8,
  webhooks: null,
});
