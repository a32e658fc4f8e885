import { NONCE_HEADER, NONCE_USED } from '../../contract/nonce-header.ts';
import { OPERATIONS, type OperationName, pathOf } from '../../contract/operations.ts';
import {
  type RequestToVerify,
  type Verification,
  verifyRequest,
  verifyRequestInPool,
} from '../../contract/signature.ts';
import type { ApiKey } from '../accounts/api-keys.ts';
import type { Parts } from '../assemble.ts';
import type { Core } from '../core.ts';
import { httpDate } from '../time/time-text.ts';
import { type Answer, answerOf, BROKEN, badRequest, firstCopyOf, type Outcome, refused, replayed } from './answers.ts';
import { answerFaulted } from './fault-answers.ts';
import type { Faults } from './faults.ts';
import { HANDLERS, type Handler } from './handlers.ts';
import type { IncomingRequest } from './incoming.ts';
import type { LateRequests } from './late-requests.ts';
import type { Nonces } from './nonces.ts';
import type { RateVerdict } from './rate-limit.ts';
import { schemaMessage } from './schema-message.ts';
import { parseStrictJson } from './strict-json.ts';

export type GatewayOptions = {
  /** What works on the data of now: asked for again after each wait, because a restore puts other data in its place. */
  parts(): Parts;
  nonces: Nonces;
  faults: Faults;
  late: LateRequests;
  rateLimit(apiKey: number): RateVerdict;
  /** Whether this authority is one of the service's own (a page elsewhere may have its name point at us). */
  isOwnHost(authority: string): boolean;
};

/** What lies between HTTP and the operations: guards, faults, signature, replay, rate limit, schema, commit. */
export class Gateway {
  readonly #options: GatewayOptions;
  readonly #arrived = new Map<string, number>();
  readonly #date: () => string;
  /** Requests that are being carried out, by key and nonce. */
  readonly #underWay = new Map<string, Promise<Outcome>>();
  /** Requests that are being answered. */
  #inFlight = 0;
  #isClosed = false;

  constructor(options: GatewayOptions) {
    this.#options = options;
    this.#date = dateHeader(() => options.parts().core.machine.wallMs());
  }

  /** One request from its bytes to its answer. */
  async handle(request: IncomingRequest): Promise<Answer> {
    this.#inFlight += 1;
    const answer = await this.#meetFault(request).finally(() => {
      this.#inFlight -= 1;
    });
    answer.headers['content-type'] = 'application/json';
    answer.headers.date = this.#date();
    return answer;
  }

  /** Requests that arrived, by operation, whatever became of them. */
  arrivals(): Record<string, number> {
    return Object.fromEntries(this.#arrived);
  }

  /** From now on everything is answered with 503. */
  close(): void {
    this.#isClosed = true;
  }

  async #meetFault(request: IncomingRequest): Promise<Answer> {
    if (this.#isClosed) return answerOf(refused('SERVICE_UNAVAILABLE', 'the service is stopping'));
    const handler = this.#guard(request);
    if ('ok' in handler) {
      const answer = answerOf(handler);
      if (handler.code === 'METHOD_NOT_SUPPORTED') answer.headers.allow = 'POST';
      return answer;
    }
    const operation = request.operation as OperationName;
    this.#arrived.set(operation, (this.#arrived.get(operation) ?? 0) + 1);
    const fault = this.#options.faults.meet(operation);
    if (fault === null) return this.#serve(request, handler);
    const serve = (sent: IncomingRequest, delayMs?: number) => this.#serve(sent, handler, delayMs);
    return answerFaulted(fault, request, serve, this.#options.late);
  }

  /** What can be refused by looking at the request line and the headers alone. */
  #guard({ operation, method, target, authority, headers }: IncomingRequest): Handler | Refusal {
    if (!this.#options.isOwnHost(authority)) return refused('FORBIDDEN', 'the Host is not one of this service');
    const handler = HANDLERS.get(operation);
    if (!handler || target !== pathOf(operation)) {
      const isKnown = Object.hasOwn(OPERATIONS, operation);
      return refused('NOT_FOUND', isKnown ? `${operation} is not there yet` : 'there is no such operation');
    }
    if (method !== 'POST') return refused('METHOD_NOT_SUPPORTED', 'every operation is a POST');
    if (!/^application\/json(;\s*charset=utf-8)?$/i.test(String(headers['content-type'])))
      return refused('UNSUPPORTED_MEDIA_TYPE', 'the content-type must be application/json');
    return handler;
  }

  async #serve(request: IncomingRequest, handler: Handler, delayMs = 0): Promise<Answer> {
    const body = await request.body();
    if (body === 'TOO_LARGE') return answerOf(refused('PAYLOAD_TOO_LARGE', 'the body is larger than 1 MiB'));
    if (delayMs > 0) await this.#options.parts().core.machine.sleep(delayMs);
    const verification = this.#verify({
      method: request.method,
      authority: request.authority,
      path: request.target,
      headers: request.headers,
      body,
      nowSeconds: this.#options.parts().core.machine.wallMs() / 1_000,
      keyOf: (id) => verifyingKeyOf(this.#options.parts().keys.find(id)),
    });
    const verified = verification instanceof Promise ? await verification : verification;
    if (!verified.ok) return answerOf(refused(verified.code, verified.message, verified.reason));
    // Looked at again: the signature may have been verified beside a revocation, or a restore of a state without the key.
    const key = this.#options.parts().keys.find(verified.keyId);
    if (!key) return answerOf(refused('UNAUTHORIZED', 'there is no such key', 'UNKNOWN_KEY'));
    if (key.revoked) return answerOf(refused('UNAUTHORIZED', 'the key was revoked', 'REVOKED'));
    // Before the rate limit: a 429 promises that nothing took effect, and the first sending of these bytes may have.
    if (this.#options.nonces.isUsed(key.number, verified.nonce)) {
      // Whoever hears this may look for what the first sending did: it has to be there by then.
      await this.#underWay.get(nameOf(key, verified));
      return answerOf(replayed(this.#options.nonces.firstCopy(key.number, verified.nonce)));
    }
    // From here on these bytes are used up, whatever the answer: one that was refused must not come true later.
    const nowSeconds = this.#options.parts().core.machine.wallMs() / 1_000;
    if (!this.#options.nonces.keep(key.number, verified.nonce, verified.expires, nowSeconds))
      return answerOf(refused('SERVICE_UNAVAILABLE', 'too many requests are alive at once'));
    const rate = this.#options.rateLimit(key.number);
    const outcome = rate.allowed ? this.#perform(handler, key, verified, body) : this.#limit(handler, key, verified);
    const result = await this.#remember(key, verified, outcome);
    const answer = answerOf(result);
    Object.assign(answer.headers, rate.headers);
    // So that the client need not fear another copy of what was refused.
    if (!result.ok && handler.kind === 'change') answer.headers[NONCE_HEADER] = NONCE_USED;
    return answer;
  }

  /**
   * A signature takes 90 µs. Beside other requests another thread takes them; a request that is alone would only wait
   * for that thread to wake up.
   */
  #verify(request: RequestToVerify): Verification | Promise<Verification> {
    return this.#inFlight > 1 ? verifyRequestInPool(request) : verifyRequest(request);
  }

  async #perform(handler: Handler, key: ApiKey, verified: Verified, body: Uint8Array): Promise<Outcome> {
    const { core } = this.#options.parts();
    const json = body.length === 0 && handler.isBodyOptional ? NO_BODY : parseStrictJson(body);
    if (!json.ok) return refused('PARSE_ERROR', json.problem);
    const parsed = handler.schema.safeParse(json.value);
    if (!parsed.success) return badRequest('INVALID', schemaMessage(parsed.error));
    if (handler.kind === 'read') return attempt(core, () => handler.run(core, key.caller, parsed.data));
    return this.#commit(core, key, verified, () => handler.run(core, key.caller, parsed.data));
  }

  /** What is refused for its time, and not for what it is, could come true after a restart: its nonce is written too. */
  async #limit({ kind }: Handler, key: ApiKey, verified: Verified): Promise<Outcome> {
    const limited = refused('TOO_MANY_REQUESTS', 'too many requests with this key; see Retry-After');
    if (kind === 'read') return limited;
    return this.#commit(this.#options.parts().core, key, verified, () => limited);
  }

  /** Keeps what becomes of a request, for copies of it that come later or meanwhile. */
  #remember(key: ApiKey, verified: Verified, performed: Promise<Outcome>): Promise<Outcome> {
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

  /** Carries a change out in one transaction with its nonce, and with what copies of it are told. */
  async #commit(core: Core, key: ApiKey, verified: Verified, run: () => Outcome): Promise<Outcome> {
    const { nonces } = this.#options;
    const record = (outcome: Outcome): Outcome => {
      nonces.clear(core.machine.unskewedMs() / 1_000);
      nonces.record(key.number, verified.nonce, verified.expires, firstCopyOf(outcome));
      return outcome;
    };
    return core.committer.submit<Outcome>({
      run: () => record(run()),
      notAfterMs: verified.expires * 1_000,
      late: () => record(refused('UNAUTHORIZED', 'the request expired before it took effect', 'EXPIRED')),
      crashed: () => record(BROKEN),
    });
  }
}

/** Which request it is, however often it is sent. */
function nameOf({ number }: ApiKey, { nonce }: Verified): string {
  return `${number} ${nonce}`;
}

type Verified = Extract<Verification, { ok: true }>;

const NO_BODY = { ok: true, value: Object.freeze({}) } as const;

function attempt(core: Core, run: () => Outcome): Outcome {
  try {
    return run();
  } catch (error) {
    core.log.error({ error }, 'a read failed');
    return BROKEN;
  }
}

type Refusal = Extract<Outcome, { ok: false }>;

function verifyingKeyOf(key: ApiKey | undefined) {
  if (!key) return 'unknown';
  return key.revoked ? 'revoked' : key.key;
}

/** The `Date` of answers, written once a second. */
function dateHeader(wallMs: () => number): () => string {
  let second = -1;
  let text = '';
  return () => {
    const nowSecond = Math.floor(wallMs() / 1_000);
    if (nowSecond !== second) {
      second = nowSecond;
      text = httpDate(second * 1_000);
    }
    return text;
  };
}
