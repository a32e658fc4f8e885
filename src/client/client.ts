import type { z } from 'zod';
import {
  OPERATIONS,
  type OperationName,
  type OperationRequest,
  type OperationResponse,
  pathOf,
} from '../contract/operations.ts';
import { REHEARSAL_HEADER } from '../contract/rehearsal.ts';
import type { Signer } from '../contract/signer.ts';
import type { Clock, Randomness } from '../domain/clock.ts';
import type { SignedRequest } from '../domain/entry.ts';
import type { Log } from '../domain/log.ts';
import { assert } from '../domain/refusal.ts';
import { classify, httpDateMs, type Outcome } from './classify.ts';
import type { Priority, RequestQueue, Turn } from './rate-limit.ts';
import type { Sent, Transport } from './transport.ts';

export type { Outcome } from './classify.ts';

/** Why a read gave nothing. */
export type ReadFailure =
  | { ok: false; kind: 'unreachable'; message: string }
  | { ok: false; kind: 'refused_credentials'; message: string }
  | { ok: false; kind: 'rejected'; code: string; message: string }
  /** The answer is not of the contract's shape. */
  | { ok: false; kind: 'unreadable'; message: string };

export type ReadResult<Name extends OperationName> =
  | {
      ok: true;
      data: OperationResponse<Name>;
      /** The answer's `Date`, Unix ms. */
      serverMs: number | null;
      /** The answer says that the shipped service gave it: no money moves. */
      isRehearsal: boolean;
    }
  | ReadFailure;

/** The operations that change something; all others are reads and may be repeated. */
export type ChangingOperation =
  | 'transaction.transfer'
  | 'account.recipient.create'
  | 'account.external.bank.add'
  | 'account.external.web3.add';

export type Client = {
  /** Asks until there is an answer, at most `READ_ATTEMPTS_MAX` times: a read may be repeated. */
  read<Name extends Exclude<OperationName, ChangingOperation>>(
    operation: Name,
    body: OperationRequest<Name>,
    priority?: Priority,
  ): Promise<ReadResult<Name>>;
  /**
   * Sends a request that changes something, at most once. When its turn has come `makeDurable` gets the request as it
   * will be signed and puts it on disk; only when that resolves are the bytes signed and sent, and only before their
   * deadline on both clocks. A `makeDurable` that rejects sends nothing and rejects this call.
   */
  change(
    operation: ChangingOperation,
    body: object,
    makeDurable: (request: SignedRequest) => Promise<unknown>,
  ): Promise<Outcome>;
  /**
   * The same bytes once more, before their deadline on both clocks. Only the request that this client's own `change`
   * gave to `makeDurable` is taken, and any other is a bug: whoever reads one from a journal may only look it up.
   * `accepted`, or `in_doubt`: whatever else a service says to the second sending proves nothing about the first.
   */
  resend(request: SignedRequest): Promise<Extract<Outcome, { kind: 'accepted' | 'in_doubt' }>>;
  close(): Promise<void>;
};

export const READ_ATTEMPTS_MAX = 6;
const READ_BACKOFF_FIRST_MS = 200;
const READ_BACKOFF_MAX_MS = 5_000;
/** Where the service says 429 without a time. */
const PAUSE_DEFAULT_MS = 1_000;
/** How long after a request's deadline its answer is waited for: it may have been on its way. */
const ANSWER_GRACE_MS = 2_000;
/** How long after the deadline an answer that trickles in is given up. */
const ANSWER_WHOLE_MS = 60_000;

export type ClientOptions = {
  transport: Transport;
  queue: RequestQueue;
  signer: Signer;
  clock: Clock;
  randomness: Randomness;
  log: Log;
  /** `request_lifetime` of the profile. */
  requestLifetimeMs: number;
};

/** A client of one service with one key. Every request is signed at the last moment and goes through one queue. */
export function createClient(options: ClientOptions): Client {
  const { transport, queue, signer, clock, randomness, log, requestLifetimeMs } = options;
  /** When each request was composed, on the monotonic clock: the right to send it lives here, in memory. */
  const own = new WeakMap<SignedRequest, number>();

  return { read, change, resend, close: () => transport.close() };

  function compose(operation: string, body: object): SignedRequest {
    const nowMs = clock.wallMs();
    return {
      operation,
      body: JSON.stringify(body),
      created: Math.floor(nowMs / 1_000),
      expires: Math.max(Math.floor((nowMs + requestLifetimeMs) / 1_000), Math.floor(nowMs / 1_000) + 1),
      nonce: Buffer.from(randomness.bytes(16)).toString('base64url'),
    };
  }

  /** Signs and sends, if the deadline has not passed: neither now nor when the first byte is about to leave. */
  async function transmit(request: SignedRequest, turn: Turn, leftMs: () => number): Promise<Sent> {
    if (!(await turn.gate(leftMs()))) return WITHHELD;
    const timeoutMs = leftMs();
    if (timeoutMs <= 0) return WITHHELD;
    const path = transport.prefix + pathOf(request.operation);
    const headers = signer.sign({ path, authority: transport.authority, ...request });
    const sent = await transport.send({
      path,
      headers,
      body: request.body,
      timeoutMs: timeoutMs + ANSWER_GRACE_MS,
      mayLeave() {
        if (leftMs() <= 0) return false;
        turn.leaves();
        return true;
      },
      isAwaited: () => leftMs() > -ANSWER_WHOLE_MS,
    });
    log.debug({ operation: request.operation, result: resultOf(sent) }, 'request');
    return sent;
  }

  async function change(
    operation: ChangingOperation,
    body: object,
    makeDurable: (request: SignedRequest) => Promise<unknown>,
  ): Promise<Outcome> {
    return queue.run('submit', async (turn) => {
      const bornMs = clock.monotonicMs();
      const request = compose(operation, body);
      own.set(request, bornMs);
      await makeDurable(request);
      return finish(await transmit(request, turn, () => timeLeftMs(request, bornMs)));
    });
  }

  async function resend(request: SignedRequest): Promise<Extract<Outcome, { kind: 'accepted' | 'in_doubt' }>> {
    const bornMs = own.get(request);
    assert(bornMs !== undefined, 'a request was to be sent again by another process than the one that made it durable');
    return queue.run('settle', async (turn) => {
      const outcome = finish(await transmit(request, turn, () => timeLeftMs(request, bornMs)));
      if (outcome.kind === 'accepted' || outcome.kind === 'in_doubt') return outcome;
      const said = outcome.kind === 'no_effect' ? outcome.reason : outcome.message;
      return { kind: 'in_doubt', reason: `the second sending proved nothing (${said})` };
    });
  }

  /** Time to the deadline by whichever clock is nearer: a clock that was set back must not lengthen a request's life. */
  function timeLeftMs(request: SignedRequest, bornMs: number): number {
    const byWall = request.expires * 1_000 - clock.wallMs();
    const byMonotonic = requestLifetimeMs - (clock.monotonicMs() - bornMs);
    return Math.min(byWall, byMonotonic);
  }

  function finish(sent: Sent): Outcome {
    const outcome = classify(sent, clock.wallMs());
    if (sent.kind === 'answer' && sent.status === 429) pause(outcome);
    return outcome;
  }

  function pause(outcome: Outcome): void {
    const retryAfterMs = outcome.kind === 'no_effect' ? outcome.retryAfterMs : null;
    queue.pauseFor(retryAfterMs ?? PAUSE_DEFAULT_MS);
  }

  async function read<Name extends Exclude<OperationName, ChangingOperation>>(
    operation: Name,
    body: OperationRequest<Name>,
    priority: Priority = 'poll',
  ): Promise<ReadResult<Name>> {
    let backoffMs = READ_BACKOFF_FIRST_MS;
    for (let attempt = 1; ; attempt++) {
      const sent = await queue.run(priority, async (turn) => {
        await turn.gate();
        const bornMs = clock.monotonicMs();
        const request = compose(operation, body);
        return transmit(request, turn, () => timeLeftMs(request, bornMs));
      });
      const outcome = finish(sent);
      const result = readResult(operation, sent, outcome);
      if (result !== 'again') return result;
      if (attempt >= READ_ATTEMPTS_MAX) {
        const message = 'reason' in outcome ? (outcome.reason ?? '') : '';
        return { ok: false, kind: 'unreachable', message };
      }
      await clock.sleep(backoffMs);
      backoffMs = Math.min(backoffMs * 2, READ_BACKOFF_MAX_MS);
    }
  }
}

const WITHHELD: Sent = Object.freeze({ kind: 'withheld' });

function resultOf(sent: Sent): number | string {
  switch (sent.kind) {
    case 'answer':
      return sent.status;
    case 'withheld':
      return 'too late';
    case 'not_connected':
    case 'lost':
      return sent.reason;
    default:
      return sent satisfies never;
  }
}

function readResult<Name extends OperationName>(
  operation: Name,
  sent: Sent,
  outcome: Outcome,
): ReadResult<Name> | 'again' {
  switch (outcome.kind) {
    case 'accepted': {
      const schema: z.ZodType = OPERATIONS[operation].response;
      const parsed = schema.safeParse(outcome.data);
      if (!parsed.success) {
        const issue = parsed.error.issues[0];
        const where = issue ? `${issue.path.join('.')}: ${issue.message}` : 'unknown';
        return { ok: false, kind: 'unreadable', message: `${operation} answered in another shape (${where})` };
      }
      const headers = sent.kind === 'answer' ? sent.headers : {};
      return {
        ok: true,
        data: parsed.data as OperationResponse<Name>,
        serverMs: httpDateMs(headers.date),
        isRehearsal: headers[REHEARSAL_HEADER] === 'true',
      };
    }
    case 'rejected':
      return { ok: false, kind: 'rejected', code: outcome.code, message: outcome.message };
    case 'refused_credentials':
      return { ok: false, kind: 'refused_credentials', message: outcome.message };
    case 'no_effect':
    case 'in_doubt':
      return 'again';
  }
}
