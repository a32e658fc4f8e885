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
import { classify, httpDateMs, type Outcome } from './classify.ts';
import type { Priority, RequestQueue } from './rate-limit.ts';
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
  /** The same bytes once more: only for the process that made them durable, before their deadline. */
  resend(request: SignedRequest): Promise<Outcome>;
  close(): Promise<void>;
};

export const READ_ATTEMPTS_MAX = 6;
const READ_BACKOFF_FIRST_MS = 200;
const READ_BACKOFF_MAX_MS = 5_000;
/** Where the service says 429 without a time. */
const PAUSE_DEFAULT_MS = 1_000;
/** How long after a request's deadline its answer is waited for: it may have been on its way. */
const ANSWER_GRACE_MS = 2_000;

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

  async function transmit(request: SignedRequest, timeoutMs: number): Promise<Sent> {
    const path = transport.prefix + pathOf(request.operation);
    const headers = signer.sign({ path, authority: transport.authority, ...request });
    const sent = await transport.send({ path, headers, body: request.body, timeoutMs });
    log.debug({ operation: request.operation, result: sent.kind === 'answer' ? sent.status : sent.reason }, 'request');
    return sent;
  }

  async function change(
    operation: ChangingOperation,
    body: object,
    makeDurable: (request: SignedRequest) => Promise<unknown>,
  ): Promise<Outcome> {
    return queue.run('submit', async (gate) => {
      const startedMs = clock.monotonicMs();
      const request = compose(operation, body);
      await makeDurable(request);
      await gate();
      const leftMs = timeLeftMs(request, startedMs);
      if (leftMs <= 0) return TOO_LATE;
      return finish(await transmit(request, leftMs + ANSWER_GRACE_MS));
    });
  }

  async function resend(request: SignedRequest): Promise<Outcome> {
    return queue.run('settle', async (gate) => {
      await gate();
      const leftMs = request.expires * 1_000 - clock.wallMs();
      if (leftMs <= 0) return TOO_LATE;
      return finish(await transmit(request, leftMs + ANSWER_GRACE_MS));
    });
  }

  /** Time to the deadline by whichever clock is nearer: a clock that was set back must not lengthen a request's life. */
  function timeLeftMs(request: SignedRequest, startedMs: number): number {
    const byWall = request.expires * 1_000 - clock.wallMs();
    const byMonotonic = requestLifetimeMs - (clock.monotonicMs() - startedMs);
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
      const sent = await queue.run(priority, async (gate) => {
        await gate();
        return transmit(compose(operation, body), requestLifetimeMs);
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

const TOO_LATE: Outcome = Object.freeze({
  kind: 'no_effect',
  reason: 'the deadline passed before the request could be sent',
  retryAfterMs: null,
  unreached: false,
});

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
