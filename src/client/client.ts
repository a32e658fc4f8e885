import { REHEARSAL_HEADER } from '../contract/headers.ts';
import {
  OPERATIONS,
  type OperationName,
  type OperationRequest,
  type OperationResponse,
} from '../contract/operations.ts';
import type { Note } from '../domain/entries/note.ts';
import type { SignedRequest } from '../domain/entry.ts';
import { SchemaReader } from '../domain/lazy/schema-reader.ts';
import type { Awaited } from '../domain/outcomes/awaited.ts';
import type { ServiceTrouble } from '../domain/outcomes/service-trouble.ts';
import { assert } from '../domain/refusal.ts';
import { httpDateMs, type Outcome } from './classify.ts';
import { Exchange, type ExchangeOptions } from './exchange.ts';
import type { Priority } from './line.ts';
import type { Turn } from './rate-limit.ts';
import type { Sent } from './transport.ts';
import { troubleOf } from './trouble.ts';

export type { Outcome } from './classify.ts';
export { NotBegun } from './rate-limit.ts';

/** The operations that change something; all others are reads and may be repeated. */
export type ChangingOperation =
  | 'transaction.transfer'
  | 'account.recipient.create'
  | 'account.external.bank.add'
  | 'account.external.web3.add';

/** `stop`: given up on while it waits for its turn. `isOurs`: asked when the first byte is about to leave. */
type ChangeOptions = { stop?: AbortSignal; isOurs?: () => boolean; priority?: Priority };

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
   * deadline on both clocks. A `makeDurable` that rejects sends nothing and rejects this call. Where `stop` aborts while
   * the request still waits for its turn, nothing is made durable and the call rejects with `NotBegun`. `isOurs` is
   * asked when the first byte is about to leave: where it returns false, nothing leaves.
   */
  change(
    operation: ChangingOperation,
    body: object,
    makeDurable: (request: SignedRequest) => Promise<unknown>,
    options?: ChangeOptions,
  ): Promise<Outcome>;
  /**
   * The same bytes once more, before their deadline on both clocks. Only the request that this client's own `change`
   * gave to `makeDurable` is taken, and any other is a bug: a process that reads one from a journal may only look it up.
   * `accepted`, or `in_doubt`: any other answer to the second sending proves nothing about the first.
   */
  resend(request: SignedRequest, isOurs?: () => boolean): Promise<Extract<Outcome, { kind: 'accepted' | 'in_doubt' }>>;
  /**
   * The same bytes once more, of a request of this client's own that was refused for its pace (429) and whose every
   * sending so far was answered. The answer to this sending. With `stop`, as `change`.
   */
  resendRefused(request: SignedRequest, isOurs: () => boolean, stop: AbortSignal): Promise<Outcome>;
  /** What requests wait for, which may be for a moment only; null while none waits. */
  awaits(): Awaited | null;
  close(): Promise<void>;
};

export const READ_ATTEMPTS_MAX = 6;
const READ_BACKOFF_FIRST_MS = 200;
const READ_BACKOFF_MAX_MS = 5_000;

/** A client of one service with one key. Every request is signed at the last moment and goes through one queue. */
export function createClient(options: ExchangeOptions): Client {
  const { transport, queue, clock } = options;
  const exchange = new Exchange(options);
  /** When each request was composed, on the monotonic clock: the right to send it lives here, in memory. */
  const own = new WeakMap<SignedRequest, number>();

  return {
    read: (operation, body, priority = 'poll') => read(options, exchange, operation, body, priority),
    change,
    resend,
    resendRefused: (request, isOurs, stop) => sendAgain('submit', request, isOurs, stop),
    awaits: () => queue.rest ?? exchange.silence.now(),
    close: () => transport.close(),
  };

  async function change(
    operation: ChangingOperation,
    body: object,
    makeDurable: (request: SignedRequest) => Promise<unknown>,
    { stop, isOurs = () => true, priority = 'submit' }: ChangeOptions = {},
  ): Promise<Outcome> {
    const work = async (turn: Turn): Promise<Outcome> => {
      const bornMs = clock.monotonicMs();
      const request = exchange.compose(operation, body);
      own.set(request, bornMs);
      await makeDurable(request);
      return (await exchange.transmit(request, turn, bornMs, isOurs)).outcome;
    };
    return queue.run(priority, work, stop);
  }

  async function resend(
    request: SignedRequest,
    isOurs: () => boolean = () => true,
  ): Promise<Extract<Outcome, { kind: 'accepted' | 'in_doubt' }>> {
    const outcome = await sendAgain('settle', request, isOurs);
    if (outcome.kind === 'accepted' || outcome.kind === 'in_doubt') return outcome;
    const about = outcome.kind === 'no_effect' ? outcome.reason : outcome.message;
    return { kind: 'in_doubt', reason: { code: 'resent_in_vain', about } };
  }

  async function sendAgain(
    priority: Priority,
    request: SignedRequest,
    isOurs: () => boolean,
    stop?: AbortSignal,
  ): Promise<Outcome> {
    const bornMs = own.get(request);
    assert(bornMs !== undefined, 'a request was to be sent again by another process than the one that made it durable');
    const work = async (turn: Turn) => (await exchange.transmit(request, turn, bornMs, isOurs)).outcome;
    return queue.run(priority, work, stop);
  }
}

async function read<Name extends Exclude<OperationName, ChangingOperation>>(
  { queue, clock }: ExchangeOptions,
  exchange: Exchange,
  operation: Name,
  body: OperationRequest<Name>,
  priority: Priority,
): Promise<ReadResult<Name>> {
  let backoffMs = READ_BACKOFF_FIRST_MS;
  for (let attempt = 1; ; attempt++) {
    const { sent, outcome } = await queue.run(priority, async (turn) => {
      await turn.gate();
      const bornMs = clock.monotonicMs();
      const request = exchange.compose(operation, body);
      return exchange.transmit(request, turn, bornMs, () => true);
    });
    const result = readResult(operation, sent, outcome);
    if (result !== 'again') return result;
    if (attempt >= READ_ATTEMPTS_MAX)
      return { ok: false, kind: 'unreachable', trouble: troubleOf(sent), serverMs: serverMsOf(sent) };
    await clock.sleep(backoffMs);
    backoffMs = Math.min(backoffMs * 2, READ_BACKOFF_MAX_MS);
  }
}

/** Why a read gave nothing. */
export type ReadFailure =
  /** `trouble`: what it was in the last attempt. */
  | { ok: false; kind: 'unreachable'; trouble: ServiceTrouble; serverMs?: number | null }
  /** `serverMs`: the answer's `Date`, since a clock that is far off looks like a key that is refused. */
  | { ok: false; kind: 'refused_credentials'; message: string; serverMs?: number | null }
  /** `reason`: the machine-readable word, where the service has one. */
  | { ok: false; kind: 'rejected'; code: string; message: string; reason: string | null }
  /** The answer is not of the contract's shape. */
  | { ok: false; kind: 'unreadable'; message: Note };

export type ReadResult<Name extends OperationName> =
  | {
      ok: true;
      data: OperationResponse<Name>;
      /** The answer's `Date`, Unix ms. */
      serverMs: number | null;
      /** The shipped service marks its answers: no money moves. */
      isRehearsal: boolean;
    }
  | ReadFailure;

/** What the answer to a read gives, or `again` where a repetition can help. */
export function readResult<Name extends OperationName>(
  operation: Name,
  sent: Sent,
  outcome: Outcome,
): ReadResult<Name> | 'again' {
  switch (outcome.kind) {
    case 'accepted': {
      const parsed = readerOf(operation).read(outcome.data);
      if (!parsed.success) {
        const issue = parsed.error.issues[0];
        const problem = issue ? `${issue.path.join('.')}: ${issue.message}` : 'unknown';
        return { ok: false, kind: 'unreadable', message: { code: 'another_shape', operation, problem } };
      }
      const headers = sent.kind === 'answer' ? sent.headers : {};
      return {
        ok: true,
        data: parsed.data as OperationResponse<Name>,
        serverMs: serverMsOf(sent),
        isRehearsal: headers[REHEARSAL_HEADER] === 'true',
      };
    }
    case 'rejected':
      return {
        ok: false,
        kind: 'rejected',
        code: outcome.code,
        message: outcome.message,
        reason: outcome.reason,
      };
    case 'refused_credentials':
      return { ok: false, kind: 'refused_credentials', message: outcome.message, serverMs: serverMsOf(sent) };
    case 'no_effect':
    case 'in_doubt':
      return 'again';
  }
}

const readers = new Map<OperationName, SchemaReader<unknown>>();

function readerOf(operation: OperationName): SchemaReader<unknown> {
  const reader = readers.get(operation) ?? new SchemaReader<unknown>(OPERATIONS[operation].response);
  readers.set(operation, reader);
  return reader;
}

/** The `Date` of an answer, Unix ms; null where there is none. */
export function serverMsOf(sent: Sent): number | null {
  return sent.kind === 'answer' ? httpDateMs(sent.headers.date) : null;
}
