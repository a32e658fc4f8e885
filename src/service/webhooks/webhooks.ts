import { existsSync } from 'node:fs';
import { parseWebhookSecret, printWebhookPublicKey, printWebhookSecret } from '../../contract/webhook.ts';
import type { SigningKey } from '../../keys/ed25519.ts';
import { createKeyFile, readKeyFile } from '../../keys/key-file.ts';
import type { Core } from '../core.ts';
import { DeliveryFaults } from './delivery-faults.ts';
import { type AddressChecks, checkAddresses, type Resolve, readEndpointUrl, systemResolve } from './endpoint-url.ts';
import { type EndpointRecord, findEndpointOfUrl, keepEndpoint } from './endpoints.ts';
import { openPost } from './post.ts';
import { Sender } from './sender.ts';

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

/** The secret is null where none was asked for; it is shown this once. `problem` is the end of a sentence about the URL. */
export type AddedEndpoint =
  | { ok: true; endpoint: EndpointRecord; secret: string | null }
  | { ok: false; problem: string };

const ATTEMPT_TIMEOUT_MS = 15_000;
const SECRET_BYTES = 32;

/**
 * The sending of webhooks on what the database holds, with the service's own key for them in a file, which is made when it
 * is first needed. Whatever needs the key throws `KeyFileError` where it cannot be read or made.
 */
export class Webhooks {
  readonly faults: DeliveryFaults;
  readonly sender: Sender;
  readonly #core: Core;
  readonly #checks: AddressChecks;
  readonly #keyFile: string;
  #key: SigningKey | null = null;
  #isWaking = false;

  constructor(core: Core, options: WebhookOptions, keyFile: string) {
    const { allowPrivate, resolve = systemResolve, timeoutMs = ATTEMPT_TIMEOUT_MS } = options;
    this.#core = core;
    this.#checks = { resolve, allowPrivate, timeoutMs, clock: core.machine };
    this.#keyFile = keyFile;
    // Not in the middle of the sending, where nobody could learn that it cannot be read.
    if (core.outbox.endpoints.length > 0) this.#signingKey();
    this.faults = new DeliveryFaults(core.randomness);
    this.sender = new Sender({
      core,
      signingKey: () => this.#signingKey(),
      faults: this.faults,
      openPost: ({ url }) => openPost(new URL(url), this.#checks),
    });
    core.outbox.listen(() => this.#wakeAfterCommit());
  }

  /** `whpk_…`: what receivers verify with. */
  publicKey(): string {
    return printWebhookPublicKey(this.#signingKey().publicKey);
  }

  /** Registers a URL, or finds its endpoint. `asked`: true makes a secret, a `whsec_…` text is taken as it is. */
  async add(text: string, asked: true | string | null): Promise<AddedEndpoint> {
    this.#signingKey();
    const core = this.#core;
    const read = readEndpointUrl(text, this.#checks.allowPrivate);
    if (!read.ok) return read;
    const secret = asked === true ? printWebhookSecret(core.randomness.bytes(SECRET_BYTES)) : asked;
    if (secret !== null && parseWebhookSecret(secret) === null)
      return { ok: false, problem: 'was given a secret that is not whsec_ and 24 to 64 bytes in base64' };
    // A resolver that fails does not keep a service from starting with an endpoint that it has already.
    if (findEndpointOfUrl(core, read.url.href) === null) {
      const checked = await checkAddresses(read.url, this.#checks);
      if (!checked.ok) return checked;
    }
    const endpoint = await core.committer.submit(() => keepEndpoint(core, read.url.href, secret));
    if (endpoint === 'TOO_MANY') return { ok: false, problem: 'is one too many: remove another endpoint first' };
    return { ok: true, endpoint, secret };
  }

  /** Registers the URLs of the options, those that have no endpoint yet. Throws `WebhookUrlRefused`. */
  async addAll(urls: readonly string[]): Promise<void> {
    for (const url of urls) {
      const added = await this.add(url, null);
      if (!added.ok) throw new WebhookUrlRefused(url, added.problem);
      const { id, state, stateReason } = added.endpoint;
      if (state === 'off')
        this.#core.log.warn({ id, stateReason }, 'a webhook endpoint is off: webhook.enable sends again');
    }
  }

  stop(): Promise<void> {
    this.#core.outbox.listen(() => {});
    return this.sender.stop();
  }

  #signingKey(): SigningKey {
    const file = this.#keyFile;
    this.#key ??= existsSync(file) ? readKeyFile(file) : createKeyFile(file, this.#core.randomness);
    return this.#key;
  }

  /** Once for all that a transaction has written, after its end. */
  #wakeAfterCommit(): void {
    if (this.#isWaking) return;
    this.#isWaking = true;
    this.#core.clock.soon(() => {
      this.#isWaking = false;
      this.sender.wake();
    });
  }
}
