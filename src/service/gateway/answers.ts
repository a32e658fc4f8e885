import type { z } from 'zod';
import type { ErrorCode, FirstCopy } from '../../contract/operations.ts';

/** Machine-readable words of `error.reason` (`decisions.md`), each with the code that it comes with. */
export const REASONS = {
  INVALID: 'BAD_REQUEST',
  NOT_PAYABLE: 'BAD_REQUEST',
  NOT_RECEIVABLE: 'BAD_REQUEST',
  CRYPTO_TO_CRYPTO: 'BAD_REQUEST',
  BELOW_MINIMUM: 'BAD_REQUEST',
  RATE_DRIFT: 'BAD_REQUEST',
  SAME_CURRENCY: 'BAD_REQUEST',
  REFERENCE_TOO_LONG: 'BAD_REQUEST',
  RAIL_CURRENCY_MISMATCH: 'BAD_REQUEST',
  BAD_SIGNATURE: 'UNAUTHORIZED',
  UNKNOWN_KEY: 'UNAUTHORIZED',
  REVOKED: 'UNAUTHORIZED',
  EXPIRED: 'UNAUTHORIZED',
  REPLAYED: 'UNAUTHORIZED',
  DIGEST_MISMATCH: 'PARSE_ERROR',
} as const satisfies Record<string, ErrorCode>;

export type Reason = keyof typeof REASONS;

/** The HTTP status of each code (`decisions.md`, "Errors"). */
export const STATUS: Readonly<Record<ErrorCode, number>> = {
  PARSE_ERROR: 400,
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_SUPPORTED: 405,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  TOO_MANY_REQUESTS: 429,
  INTERNAL_SERVER_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
};

/** An operation that was refused, without any effect. */
export type Refused = { ok: false; code: ErrorCode; message: string; reason?: Reason; first?: FirstCopy };

/** What an operation comes to, before it is put into HTTP. */
export type Outcome<Data = unknown> = { ok: true; data: Data } | Refused;

/** An answer, whichever way it is sent. `content-type` and `content-length` are added then. */
export type Answer = {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** What a fault does to the connection in place of sending the whole answer. */
  cut?: Cut;
};

/** `close`: the connection ends without an answer; `reset`: with a TCP reset; `truncate`: in the middle of the body. */
export type Cut = 'close' | 'reset' | 'truncate';

/** Longest message: it may name what a request holds, and a request may be large. */
const MESSAGE_MAX = 500;

export function accepted<Data>(data: Data): { ok: true; data: Data } {
  return { ok: true, data };
}

export function refused(code: ErrorCode, message: string, reason?: Reason): Refused {
  const short = message.length <= MESSAGE_MAX ? message : `${message.slice(0, MESSAGE_MAX - 1).toWellFormed()}…`;
  return reason === undefined ? { ok: false, code, message: short } : { ok: false, code, message: short, reason };
}

export function badRequest(reason: Reason, message: string): Refused {
  return refused('BAD_REQUEST', message, reason);
}

export function notFound(what: string): Refused {
  return refused('NOT_FOUND', `there is no such ${what}`);
}

/** Something happened that must not: a bug, or a database that failed. */
export const BROKEN: Refused = Object.freeze(refused('INTERNAL_SERVER_ERROR', 'something is broken in the service'));

export const TOO_MANY_REQUESTS: Refused = Object.freeze(
  refused('TOO_MANY_REQUESTS', 'too many requests with this key; see Retry-After'),
);

const PROBLEMS_SHOWN_MAX = 3;

/** The first problems that a schema found, by their places. Values are not repeated: they may be account numbers. */
export function malformed({ issues }: z.ZodError): Refused {
  const shown = issues.slice(0, PROBLEMS_SHOWN_MAX);
  const texts = shown.map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message));
  return badRequest('INVALID', texts.join('; '));
}

/** Refuses a request whose nonce was used before; `first` is null where it is not known any more. */
export function replayed(first: FirstCopy | null): Refused {
  const refusal = refused('UNAUTHORIZED', 'a request with this nonce was received before', 'REPLAYED');
  return first === null ? refusal : { ...refusal, first };
}

/** What later copies of a request learn of its outcome. */
export function firstCopyOf(outcome: Outcome): FirstCopy {
  if (!outcome.ok) return { status: STATUS[outcome.code] };
  // Only what makes a transaction answers with nothing but its id (sections 4.1 and 4.3).
  return typeof outcome.data === 'string' ? { status: 200, transaction_id: outcome.data } : { status: 200 };
}

/** The envelope of section 7 or of section 1, with its status. */
export function answerOf(outcome: Outcome, headers: Record<string, string> = {}): Answer {
  if (outcome.ok) return { status: 200, headers, body: JSON.stringify({ data: outcome.data }) };
  const { code, message, reason, first } = outcome;
  return { status: STATUS[code], headers, body: JSON.stringify({ error: { code, message, reason, first } }) };
}
