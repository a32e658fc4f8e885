import { z } from 'zod';
import { NONCE_HEADER, NONCE_USED } from '../contract/headers.ts';
import type { Note, SimpleNote } from '../domain/entries/note.ts';
import type { DoubtfulAnswer, FirstCopy } from '../domain/entry.ts';
import type { AnswerHeaders, Sent } from './transport.ts';

/**
 * What one answer to a request that changes something means, by the table of the exactly-once protocol. In order of
 * precedence; only `no_effect` may be tried again with a new attempt.
 */
export type Outcome =
  | { kind: 'accepted'; data: unknown }
  /**
   * The service looked at the request and refused it, and trying again cannot help. `spent`: it reports that the nonce is used
   * up, so that no other copy of the request took effect, or can.
   */
  | { kind: 'rejected'; code: string; message: string; reason: string | null; spent?: true | undefined }
  /** The service refused our credentials: nothing happened, and it will be so for every row. */
  | { kind: 'refused_credentials'; message: string }
  /**
   * Nothing happened; a new attempt can help. `unreached`: no connection was made. `answered`: the service answered so, which is
   * true of this copy, and where `spent` of all.
   */
  | {
      kind: 'no_effect';
      reason: SimpleNote;
      retryAfterMs: number | null;
      unreached: boolean;
      answered: boolean;
      spent?: true | undefined;
    }
  /**
   * It may have happened. `answer` is not given where the service answers with an error of the contract. `replayed`:
   * the service had these bytes before, and may report what became of the first copy.
   */
  | { kind: 'in_doubt'; reason: Note; answer?: DoubtfulAnswer; replayed?: { first: FirstCopy | null } };

const REJECTING = new Set([400, 401, 403, 404, 405, 413, 415]);
/** A service that asks for a longer pause than this is taken to mean this. */
const RETRY_AFTER_MAX_MS = 600_000;

/** Pure: `nowMs` (Unix) is needed only for a Retry-After that is a date. */
export function classify(sent: Sent, nowMs: number): Outcome {
  switch (sent.kind) {
    case 'not_connected':
      return { ...TOO_LATE, reason: { code: 'no_connection', cause: sent.reason }, unreached: true };
    case 'withheld':
      return TOO_LATE;
    case 'lost':
      return { kind: 'in_doubt', reason: { code: 'answer_lost', cause: sent.reason }, answer: 'lost' };
    case 'answer':
      return classifyAnswer(sent, nowMs);
    default:
      return sent satisfies never;
  }
}

/** The outcome of a request whose deadline passes before its first byte leaves. */
export const TOO_LATE: Extract<Outcome, { kind: 'no_effect' }> = Object.freeze({
  kind: 'no_effect',
  reason: { code: 'too_late' as const },
  retryAfterMs: null,
  unreached: false,
  answered: false,
});

function classifyAnswer(answer: Extract<Sent, { kind: 'answer' }>, nowMs: number): Outcome {
  const { status } = answer;
  if (status === 429) {
    const retryAfterMs = retryAfter(answer.headers['retry-after'], nowMs);
    const refused = { retryAfterMs, unreached: false, answered: true, spent: isSpent(answer) };
    return { kind: 'no_effect', reason: { code: 'slower_pace' }, ...refused };
  }
  if (status >= 200 && status < 300) return accepted(answer.body, status);
  if (!REJECTING.has(status)) return openAnswer(status);
  const error = errorOf(answer.body);
  if (!error) return openAnswer(status, 'error');
  const { code, message, reason, first } = error;
  if (status !== 401) return { kind: 'rejected', code, message, reason, spent: isSpent(answer) };
  if (reason === 'REPLAYED') return { kind: 'in_doubt', reason: { code: 'had_before' }, replayed: { first } };
  // The network may deliver a request twice: that this copy came too late proves nothing of an earlier one.
  if (reason === 'EXPIRED') return { kind: 'in_doubt', reason: { code: 'came_late' } };
  return { kind: 'refused_credentials', message };
}

/** An answer that leaves open whether the request took effect. */
function openAnswer(status: number, lacks: 'error' | 'data' | null = null): Outcome {
  return { kind: 'in_doubt', reason: { code: 'answered', status, lacks }, answer: status };
}

/** Whether the service reports that the request's nonce is used up. */
function isSpent({ headers }: { headers: AnswerHeaders }): true | undefined {
  return headers[NONCE_HEADER] === NONCE_USED || undefined;
}

/** Whether an answer of this status means that the copy of the request which it answers had no effect. */
export function isRefusal(status: number): boolean {
  return REJECTING.has(status) || status === 429;
}

/** A success needs a `data` that is not empty, and no `error`: a 2xx from something else on the way is a doubt. */
function accepted(body: string, status: number): Outcome {
  const parsed = parseJson(body);
  const data = isRecord(parsed) && !('error' in parsed) ? parsed.data : undefined;
  if (data === undefined || data === null || data === '') {
    return openAnswer(status, 'data');
  }
  return { kind: 'accepted', data };
}

type ServiceError = { code: string; message: string; reason: string | null; first: FirstCopy | null };

/** The `error` envelope of the contract. What is additive and of another shape counts as absent. */
const errorAnswer = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    reason: z.string().nullable().catch(null),
    first: z
      .object({ status: z.int(), transaction_id: z.string().min(1).nullable().default(null) })
      .nullable()
      .catch(null),
  }),
});

/** Null for anything else than the envelope. */
function errorOf(body: string): ServiceError | null {
  const parsed = errorAnswer.safeParse(parseJson(body));
  return parsed.success ? parsed.data.error : null;
}

/** Milliseconds of a Retry-After (RFC 9110, section 10.2.3): seconds, or a date. Null for what is neither. */
function retryAfter(header: AnswerHeaders[string], nowMs: number): number | null {
  if (typeof header !== 'string') return null;
  if (/^\d+$/.test(header)) return Math.min(Number(header) * 1_000, RETRY_AFTER_MAX_MS);
  const at = httpDateMs(header);
  return at === null ? null : Math.min(Math.max(at - nowMs, 0), RETRY_AFTER_MAX_MS);
}

/** Unix ms of an IMF-fixdate (RFC 9110, section 5.6.7), whole seconds; null for anything else. */
export function httpDateMs(header: AnswerHeaders[string]): number | null {
  if (typeof header !== 'string') return null;
  const ms = Date.parse(header);
  return Number.isFinite(ms) && new Date(ms).toUTCString() === header ? ms : null;
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
