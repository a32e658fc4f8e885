/** What the client may assume of a service. Every value here is configuration; the shipped service's is the default. */
export type Profile = {
  /** Null: the shipped service, started inside the process. */
  base_url: string | null;
  /** The key's id, which names a key and is no secret by itself. */
  api_key: string | null;
  signing_key_file: string | null;
  signing: Signing;
  /** From `created` to `expires` of a request. At most 300 s (the service's window), 30 s by default. */
  request_lifetime_ms: number;
  guarantees: {
    /** The service refuses a request after its `expires`. */
    enforces_expiry: boolean;
    /** The service refuses a nonce that took effect before. */
    replay_protection: boolean;
  };
  /** How long after its acceptance a transaction may be missing from the listing. */
  listing_lag_ms: number;
  /** Whether `transaction.getMany` gives a cursor. */
  cursor: boolean;
  /** Requests in a window; null for no limit. */
  rate: { requests: number; window_ms: number } | null;
  concurrency: number;
  /** Where the run receives webhooks while it lasts; null: nowhere, it polls. */
  webhooks: WebhookProfile | null;
};

/** Each key that is named has to verify a webhook; one is named at least. */
export type WebhookProfile = {
  /** `ADDRESS:PORT` on this machine. */
  listen: string;
  /** `whpk_…`, the service's public key. */
  public_key: string | null;
  /** `env:NAME` or `file:PATH`: where the secret is, and never the secret. */
  secret: string | null;
};

/** What a run may rely on at its service. */
export type Promises = Pick<Profile, 'guarantees' | 'listing_lag_ms' | 'cursor'>;

/** Of two sayings, the one that promises less, in each point. */
export function weakest(one: Promises, other: Promises): Promises {
  return {
    guarantees: {
      enforces_expiry: one.guarantees.enforces_expiry && other.guarantees.enforces_expiry,
      replay_protection: one.guarantees.replay_protection && other.guarantees.replay_protection,
    },
    listing_lag_ms: Math.max(one.listing_lag_ms, other.listing_lag_ms),
    cursor: one.cursor && other.cursor,
  };
}

export type Signing =
  | { scheme: 'rfc9421' }
  /** For services that sign a text such as `{timestamp}{method}{path}{body}`. Such a service promises no expiry. */
  | { scheme: 'template'; headers: Record<string, string>; message: string };

export const DEFAULT_PROFILE: Profile = Object.freeze({
  base_url: null,
  api_key: null,
  signing_key_file: null,
  signing: Object.freeze({ scheme: 'rfc9421' }),
  request_lifetime_ms: 30_000,
  guarantees: Object.freeze({ enforces_expiry: true, replay_protection: true }),
  listing_lag_ms: 0,
  cursor: true,
  rate: Object.freeze({ requests: 10, window_ms: 1_000 }),
  concurrency: 8,
  webhooks: null,
});
