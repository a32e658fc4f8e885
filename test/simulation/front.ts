import type { Outgoing } from '../../src/client/transport.ts';
import { NONCE_HEADER } from '../../src/contract/headers.ts';
import { signRequest } from '../../src/contract/signature.ts';
import { readSignatureInput, type SignatureInput } from '../../src/contract/signature-input.ts';
import type { SigningKey } from '../../src/keys/ed25519.ts';
import { type Answer, answerOf, refused, replayed } from '../../src/service/gateway/answers.ts';
import { HANDLERS } from '../../src/service/gateway/handlers.ts';
import type { Random } from './random.ts';
import type { ServiceVariant } from './variant.ts';

/** What became of the first copy of a request; null while nobody knows. */
type First = { status: number; transaction_id?: string } | null;

export type FrontOptions = { authority: string; random: Random; key: SigningKey; variant: ServiceVariant };

/** What stands behind the front, for as long as one incarnation of the service lives. */
export type Behind = {
  nowSeconds(): number;
  pass(headers: Record<string, string>): Promise<Answer>;
  /** Never ends where the service goes down meanwhile. */
  wait(ms: number): Promise<void>;
};

/**
 * What another deployment has before the shipped service where it promises or keeps less: it looks at deadlines and nonces
 * itself, takes its time, and signs anew what goes on, with a deadline and a nonce that are not the client's. What it
 * knows of nonces outlives the service.
 */
export class Front {
  readonly #options: FrontOptions;
  readonly #used = new Map<string, { first: First }>();

  constructor(options: FrontOptions) {
    this.#options = options;
  }

  async take(request: Outgoing, behind: Behind): Promise<Answer> {
    const { expiry, commitsWithinMs, replayProtection, refusalsUseUp } = this.#options.variant;
    const input = readSignatureInput(request.headers);
    const isShipped = expiry === 'at_commit' && replayProtection && refusalsUseUp && commitsWithinMs === 0;
    if (isShipped || typeof input === 'string') return this.#withoutFirst(await behind.pass(request.headers));
    const isChange = HANDLERS.get(request.path)?.kind === 'change';
    if (expiry !== 'never' && behind.nowSeconds() > input.expires) return EXPIRED();
    if (!isChange || !replayProtection) return this.#pass(request, input, behind, isChange);
    const used = this.#used.get(input.nonce);
    if (used) return this.#withoutFirst(answerOf(replayed(used.first)));
    const own: { first: First } = { first: null };
    this.#used.set(input.nonce, own);
    const answer = await this.#pass(request, input, behind, true);
    if (answer.status >= 400 && answer.status < 500 && !refusalsUseUp) this.#used.delete(input.nonce);
    else own.first = firstOf(answer);
    return answer;
  }

  async #pass(request: Outgoing, input: SignatureInput, behind: Behind, isChange: boolean): Promise<Answer> {
    const { expiry, commitsWithinMs } = this.#options.variant;
    if (isChange && commitsWithinMs > 0) await behind.wait(this.#options.random.next() * commitsWithinMs);
    const isKept = expiry === 'at_commit';
    const created = isKept ? input.created : Math.floor(behind.nowSeconds());
    const expires = isKept ? input.expires : created + 60;
    const answer = await behind.pass(this.#signed(request, input.keyId, { created, expires }));
    return this.#withoutFirst(answer, isChange);
  }

  #signed({ path, body }: Outgoing, keyId: string, times: { created: number; expires: number }) {
    const { authority, random, key } = this.#options;
    const nonce = Buffer.from(random.bytes(16)).toString('base64url');
    const bytes = Buffer.from(body);
    const named = { method: 'POST', authority, path, contentType: 'application/json', body: bytes, keyId, nonce, key };
    return { ...signRequest({ ...named, ...times }) };
  }

  /** Where it does not tell what became of the first copy, or where a refusal is not the last word. */
  #withoutFirst(answer: Answer, isChange = true): Answer {
    const { hasFirst, refusalsUseUp } = this.#options.variant;
    if ((hasFirst && refusalsUseUp) || !isChange) return answer;
    const { [NONCE_HEADER]: _, ...headers } = answer.headers;
    if (!answer.body.includes('"first"')) return { ...answer, headers };
    const parsed = JSON.parse(answer.body);
    delete parsed.error?.first;
    return { ...answer, headers, body: JSON.stringify(parsed) };
  }
}

function firstOf({ status, body }: Answer): First {
  const { data } = JSON.parse(body);
  return { status, ...(typeof data === 'string' ? { transaction_id: data } : {}) };
}

const EXPIRED = (): Answer => answerOf(refused('UNAUTHORIZED', 'the request came after its deadline', 'EXPIRED'));
