import { NONCE_HEADER, NONCE_USED, REHEARSAL_HEADER } from '../../contract/headers.ts';
import { type Verification, verifyRequest, verifyRequestInPool } from '../../contract/signature.ts';
import type { ApiKey } from '../accounts/api-keys.ts';
import type { Core } from '../core.ts';
import type { HttpRequest } from '../http.ts';
import type { Parts } from '../live-data.ts';
import {
  type Answer,
  answerOf,
  BROKEN,
  firstCopyOf,
  malformed,
  type Outcome,
  type Refused,
  refused,
  replayed,
  TOO_MANY_REQUESTS,
} from './answers.ts';
import { FAULTS, type Fault, type Faults, type LateRequests } from './faults.ts';
import { HANDLERS, type Handler } from './handlers.ts';
import type { Nonces } from './nonces.ts';
import type { RateCheck } from './rate-limit.ts';
import { parseStrictJson } from './strict-json.ts';

export type GatewayOptions = {
  /** What works on the data of now: asked for again after each wait, because a restore puts other data in its place. */
  parts(): Parts;
  nonces: Nonces;
  faults: Faults;
  late: LateRequests;
  rateLimit(apiKey: number): RateCheck;
  /** Whether this authority is one of the service's own (a page elsewhere may have its name point at us). */
  isOwnHost(authority: string): boolean;
};

type Verified = Extract<Verification, { ok: true }>;

/** A request whose signature is good, and that came with these bytes for the first time. */
type Signed = { handler: Handler; key: ApiKey; verified: Verified };

/** Takes a request from its bytes to its answer: guards, faults, signature, replay, rate limit, schema, commit. */
export class Gateway {
  readonly #options: GatewayOptions;
  readonly #arrived = new Map<string, number>();
  /** Requests that are being carried out, by key and nonce. */
  readonly #underWay = new Map<string, Promise<Outcome>>();
  /** Requests that are being answered. */
  #inFlight = 0;
  #isClosed = false;
  /** The `Date` of answers, written once a second. */
  #date = { second: -1, text: '' };

  constructor(options: GatewayOptions) {
    this.#options = options;
  }

  async handle(request: HttpRequest): Promise<Answer> {
    this.#inFlight += 1;
    try {
      const answer = await this.#answer(request);
      answer.headers.date = this.#dateText();
      answer.headers[REHEARSAL_HEADER] = 'true';
      return answer;
    } finally {
      this.#inFlight -= 1;
    }
  }

  /** Requests that arrived, by operation, whatever became of them. */
  arrivals(): Record<string, number> {
    return Object.fromEntries(this.#arrived);
  }

  /** From now on everything is answered with 503. */
  close(): void {
    this.#isClosed = true;
  }

  async #answer(request: HttpRequest): Promise<Answer> {
    if (this.#isClosed) return answerOf(refused('SERVICE_UNAVAILABLE', 'the service is stopping'));
    const handler = this.#guard(request);
    if ('ok' in handler) return answerOf(handler, handler.code === 'METHOD_NOT_SUPPORTED' ? { allow: 'POST' } : {});
    this.#arrived.set(handler.name, (this.#arrived.get(handler.name) ?? 0) + 1);
    const fault = this.#options.faults.meet(handler.name);
    return fault === null ? this.#serve(request, handler) : this.#serveFaulty(request, handler, fault);
  }

  /** What can be refused by looking at the request line and the headers alone. */
  #guard({ method, target, authority, headers }: HttpRequest): Handler | Refused {
    if (!this.#options.isOwnHost(authority)) return refused('FORBIDDEN', 'the Host is not one of this service');
    const handler = HANDLERS.get(target);
    if (!handler) return refused('NOT_FOUND', 'there is no such operation');
    if (method !== 'POST') return refused('METHOD_NOT_SUPPORTED', 'every operation is a POST');
    if (!/^application\/json(;\s*charset=utf-8)?$/i.test(String(headers['content-type'])))
      return refused('UNSUPPORTED_MEDIA_TYPE', 'the content-type must be application/json');
    return handler;
  }

  async #serveFaulty(request: HttpRequest, handler: Handler, { kind, ms = 0 }: Fault): Promise<Answer> {
    const { carriedOut, answer } = FAULTS[kind];
    switch (carriedOut) {
      case 'never':
        return answer(answerOf(BROKEN));
      case 'later':
        this.#options.late.begin(ms, () => this.#serve(request, handler));
        return answer(answerOf(BROKEN));
      case 'twice':
        await this.#serve(request, handler);
        break;
      case 'once':
        if (ms > 0) await this.#options.parts().core.machine.sleep(ms);
        break;
    }
    return answer(await this.#serve(request, handler));
  }

  async #serve(request: HttpRequest, handler: Handler): Promise<Answer> {
    const { body } = request;
    if (body === null) return answerOf(refused('PAYLOAD_TOO_LARGE', 'the body is larger than 1 MiB'));
    const verification = this.#verify(request, body);
    const verified = verification instanceof Promise ? await verification : verification;
    if (!verified.ok) return answerOf(refused(verified.code, verified.message, verified.reason));
    // Looked at again: the signature may have been verified beside a revocation, or a restore of a state without the key.
    const { keys, core } = this.#options.parts();
    const key = keys.find(verified.keyId);
    if (!key) return answerOf(refused('UNAUTHORIZED', 'there is no such key', 'UNKNOWN_KEY'));
    if (key.revoked) return answerOf(refused('UNAUTHORIZED', 'the key was revoked', 'REVOKED'));
    const { nonces } = this.#options;
    // Before the rate limit: a 429 promises that nothing took effect, and the first sending of these bytes may have.
    if (nonces.isUsed(key.number, verified.nonce)) {
      // The client may look for what the first sending did: it has to be there by then.
      await this.#underWay.get(nameOf(key, verified));
      return answerOf(replayed(nonces.firstCopy(key.number, verified.nonce)));
    }
    // From here on these bytes are used up, whatever the answer: one that was refused must not come true later.
    if (!nonces.keep(key.number, verified.nonce, verified.expires, core.machine.wallMs() / 1_000))
      return answerOf(refused('SERVICE_UNAVAILABLE', 'too many requests are alive at once'));
    const { allowed, headers } = this.#options.rateLimit(key.number);
    const signed = { handler, key, verified };
    const outcome = await this.#remember(signed, allowed ? this.#perform(signed, body) : this.#limit(signed));
    const answer = answerOf(outcome, { ...headers });
    // So that the client need not fear another copy of what was refused.
    if (!outcome.ok && handler.kind === 'change') answer.headers[NONCE_HEADER] = NONCE_USED;
    return answer;
  }

  /**
   * A signature takes 90 µs. Beside other requests another thread takes them; a request that is alone would only wait
   * for that thread to wake up.
   */
  #verify({ method, authority, target, headers }: HttpRequest, body: Uint8Array): Verification | Promise<Verification> {
    const { core } = this.#options.parts();
    const request = {
      method,
      authority,
      path: target,
      headers,
      body,
      nowSeconds: core.machine.wallMs() / 1_000,
      keyOf: (id: string) => {
        const key = this.#options.parts().keys.find(id);
        if (!key) return 'unknown';
        return key.revoked ? 'revoked' : key.key;
      },
    };
    return this.#inFlight > 1 ? verifyRequestInPool(request) : verifyRequest(request);
  }

  async #perform(signed: Signed, body: Uint8Array): Promise<Outcome> {
    const { handler, key } = signed;
    const { core } = this.#options.parts();
    const json = body.length === 0 && handler.isBodyOptional ? NO_BODY : parseStrictJson(body);
    if (!json.ok) return refused('PARSE_ERROR', json.problem);
    const parsed = handler.request.read(json.value);
    if (!parsed.success) return malformed(parsed.error);
    const run = (): Outcome => handler.run(core, key.caller, parsed.data);
    if (handler.kind === 'change') return this.#commit(core, signed, run);
    try {
      return run();
    } catch (error) {
      core.log.error({ error }, 'a read failed');
      return BROKEN;
    }
  }

  /** What is refused for its time, and not for what it is, could come true after a restart: its nonce is written too. */
  async #limit(signed: Signed): Promise<Outcome> {
    if (signed.handler.kind === 'read') return TOO_MANY_REQUESTS;
    return this.#commit(this.#options.parts().core, signed, () => TOO_MANY_REQUESTS);
  }

  /** Keeps what becomes of a request, for copies of it that come later or meanwhile. */
  #remember({ key, verified }: Signed, performed: Promise<Outcome>): Promise<Outcome> {
    const name = nameOf(key, verified);
    const outcome = performed
      .catch(() => BROKEN)
      .then((result) => {
        this.#options.nonces.settle(key.number, verified.nonce, firstCopyOf(result));
        this.#underWay.delete(name);
        return result;
      });
    this.#underWay.set(name, outcome);
    return outcome;
  }

  /** Carries a change out in one transaction with its nonce, and with what copies of it will learn. */
  #commit(core: Core, { key, verified }: Signed, run: () => Outcome): Promise<Outcome> {
    const { nonces } = this.#options;
    const record = (outcome: Outcome): Outcome => {
      nonces.clear(core.machine.unskewedMs() / 1_000);
      nonces.record(key.number, verified.nonce, verified.expires, firstCopyOf(outcome));
      return outcome;
    };
    return core.committer.submit<Outcome>(() => record(run()), {
      notAfterMs: verified.expires * 1_000,
      late: () => record(refused('UNAUTHORIZED', 'the request expired before it took effect', 'EXPIRED')),
      crashed: () => record(BROKEN),
    });
  }

  #dateText(): string {
    const second = Math.floor(this.#options.parts().core.machine.wallMs() / 1_000);
    if (second !== this.#date.second) this.#date = { second, text: new Date(second * 1_000).toUTCString() };
    return this.#date.text;
  }
}

/** Which request it is, however often it is sent. */
function nameOf({ number }: ApiKey, { nonce }: Verified): string {
  return `${number} ${nonce}`;
}

const NO_BODY = { ok: true, value: Object.freeze({}) } as const;
