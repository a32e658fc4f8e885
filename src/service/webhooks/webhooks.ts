import { existsSync } from 'node:fs';
import { parseWebhookSecret, printWebhookPublicKey, printWebhookSecret } from '../../contract/webhook.ts';
import type { SigningKey } from '../../keys/ed25519.ts';
import { createKeyFile, readKeyFile } from '../../keys/key-file.ts';
import type { Core } from '../core.ts';
import { type AddressChecks, checkAddresses, systemResolve } from './checked-connector.ts';
import { DeliveryFaults } from './delivery-faults.ts';
import { type Resolve, readEndpointUrl } from './endpoint-url.ts';
import { type EndpointRecord, findEndpointOfUrl, keepEndpoint } from './endpoints.ts';
import { openPost } from './post.ts';
import { type Sender, startSender } from './sender.ts';

export type WebhookOptions = {
  /** Loopback and private networks are accepted, http on loopback too; link-local and metadata addresses never. */
  allowPrivate: boolean;
  /** Registered at the start, once each. */
  urls?: readonly string[];
  /** Default: the machine's resolver. */
  resolve?: Resolve;
  /** Of one attempt, from resolving the name to the end of the answer, by the machine's clock. Default 15 s. */
  timeoutMs?: number;
};

/** A URL of the options that webhooks may not be sent to. */
export class WebhookUrlRefused extends Error {
  readonly url: string;
  constructor(url: string, problem: string) {
    super(`the webhook URL ${url} ${problem}`);
    this.name = 'WebhookUrlRefused';
    this.url = url;
  }
}

export type AddedEndpoint =
  | { ok: true; endpoint: EndpointRecord; secret: string | null }
  | { ok: false; problem: string };

export type Webhooks = {
  readonly faults: DeliveryFaults;
  readonly sender: Sender;
  /** `whpk_…`: what receivers verify with. */
  publicKey(): string;
  /**
   * Registers a URL, or finds its endpoint. `secret`: true makes one, a `whsec_…` text is taken as it is. The secret of
   * the result is null where none was asked for; it is shown this once. `problem` is a sentence without the URL in it.
   */
  add(url: string, secret: true | string | null): Promise<AddedEndpoint>;
  /** Registers the URLs of the options, those that have no endpoint yet. Throws `WebhookUrlRefused`. */
  addAll(urls: readonly string[]): Promise<void>;
  stop(): Promise<void>;
};

const ATTEMPT_TIMEOUT_MS = 15_000;
const SECRET_BYTES = 32;

/**
 * Starts the sending of webhooks on what the database holds, with the service's own key for them in `keyFile`, which is
 * made when it is first needed. Throws `KeyFileError` for a key that cannot be read or made.
 */
export function startWebhooks(core: Core, options: WebhookOptions, keyFile: string): Webhooks {
  const { allowPrivate, resolve = systemResolve, timeoutMs = ATTEMPT_TIMEOUT_MS } = options;
  const checks: AddressChecks = { resolve, allowPrivate, timeoutMs, clock: core.machine };
  const signingKey = keptKey(keyFile, core);
  // Not in the middle of the sending, where nobody could be told that it cannot be read.
  if (core.outbox.endpoints.length > 0) signingKey();
  const faults = new DeliveryFaults(core.randomness);
  const sender = startSender({ core, signingKey, faults, openPost: ({ url }) => openPost(new URL(url), checks) });
  core.outbox.listen(afterCommit(core, () => sender.wake()));
  const add: Webhooks['add'] = (url, secret) => {
    signingKey();
    return addEndpoint(core, checks, url, secret);
  };
  return {
    faults,
    sender,
    publicKey: () => printWebhookPublicKey(signingKey().publicKey),
    add,
    async addAll(urls) {
      for (const url of urls) {
        const added = await add(url, null);
        if (!added.ok) throw new WebhookUrlRefused(url, added.problem);
        const { id, state, stateReason } = added.endpoint;
        if (state === 'off')
          core.log.warn({ id, stateReason }, 'a webhook endpoint is off: webhook.enable sends again');
      }
    },
    stop() {
      core.outbox.listen(() => {});
      return sender.stop();
    },
  };
}

function keptKey(file: string, { randomness }: Core): () => SigningKey {
  let key: SigningKey | null = null;
  return () => {
    key ??= existsSync(file) ? readKeyFile(file) : createKeyFile(file, randomness);
    return key;
  };
}

/** One call for all that a transaction has written, after its end. */
function afterCommit(core: Core, work: () => void): () => void {
  let isComing = false;
  return () => {
    if (isComing) return;
    isComing = true;
    core.clock.soon(() => {
      isComing = false;
      work();
    });
  };
}

async function addEndpoint(
  core: Core,
  checks: AddressChecks,
  text: string,
  asked: true | string | null,
): Promise<AddedEndpoint> {
  const read = readEndpointUrl(text, checks.allowPrivate);
  if (!read.ok) return read;
  const secret = asked === true ? printWebhookSecret(core.randomness.bytes(SECRET_BYTES)) : asked;
  if (secret !== null && parseWebhookSecret(secret) === null)
    return { ok: false, problem: 'was given a secret that is not whsec_ and 24 to 64 bytes in base64' };
  // A resolver that fails does not keep a service from starting with an endpoint that it has already.
  if (findEndpointOfUrl(core, read.url.href) === null) {
    const checked = await checkAddresses(read.url, checks);
    if (!checked.ok) return checked;
  }
  const endpoint = await core.committer.submit(() => keepEndpoint(core, read.url.href, secret));
  if (endpoint === 'TOO_MANY') return { ok: false, problem: 'is one too many: remove another endpoint first' };
  return { ok: true, endpoint, secret };
}
