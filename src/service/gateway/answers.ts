import type { ErrorCode, FirstCopy } from '../../contract/operations.ts';

/** Machine-readable words of `error.reason`, from `decisions.md`. */
export const REASONS = [
  'INVALID',
  'NOT_PAYABLE',
  'NOT_RECEIVABLE',
  'CRYPTO_TO_CRYPTO',
  'BELOW_MINIMUM',
  'RATE_DRIFT',
  'SAME_CURRENCY',
  'REFERENCE_TOO_LONG',
  'RAIL_CURRENCY_MISMATCH',
  'BAD_SIGNATURE',
  'UNKNOWN_KEY',
  'REVOKED',
  'EXPIRED',
  'REPLAYED',
  'DIGEST_MISMATCH',
] as const;

export type Reason = (typeof REASONS)[number];

/** An operation that was refused, without any effect. */
export type Refused = { ok: false; code: ErrorCode; message: string; reason?: Reason; first?: FirstCopy };

/** What an operation comes to, before it is put into HTTP. */
export type Outcome<Data = unknown> = { ok: true; data: Data } | Refused;

/** An answer of the service, independent of how it is sent. */
export type Answer = {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** What a fault does to the connection in place of sending the whole answer. */
  cut?: Cut;
};

/** `close`: the connection ends without an answer; `reset`: with a TCP reset; `truncate`: in the middle of the body. */
export type Cut = 'close' | 'reset' | 'truncate';

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

/** Longest message: what a request holds may be named in it, and a request may be large. */
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

/** What a copy of a request is told whose nonce was used before; `first` is null where nobody knows any more. */
export function replayed(first: FirstCopy | null): Refused {
  const refusal = refused('UNAUTHORIZED', 'a request with this nonce was received before', 'REPLAYED');
  return first === null ? refusal : { ...refusal, first };
}

/** What copies of a request are told of it. */
export function firstCopyOf(outcome: Outcome): FirstCopy {
  if (!outcome.ok) return { status: STATUS[outcome.code] };
  // Only what makes a transaction answers with nothing but its id (sections 4.1 and 4.3).
  return typeof outcome.data === 'string' ? { status: 200, transaction_id: outcome.data } : { status: 200 };
}

/** Something happened that must not: a bug, or a database that failed. */
export const BROKEN: Refused = Object.freeze(refused('INTERNAL_SERVER_ERROR', 'something is broken in the service'));

export function notFound(what: string): Refused {
  return refused('NOT_FOUND', `there is no such ${what}`);
}

/** The envelope of section 7 or of section 1, with its status. `headers` are added by whoever sends it. */
export function answerOf(outcome: Outcome): Answer {
  if (outcome.ok) return { status: 200, headers: {}, body: JSON.stringify({ data: outcome.data }) };
  const { code, message, reason, first } = outcome;
  return { status: STATUS[code], headers: {}, body: JSON.stringify({ error: { code, message, reason, first } }) };
}
