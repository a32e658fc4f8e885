import type { z } from 'zod';
import { REHEARSAL_HEADER } from '../contract/headers.ts';
import { OPERATIONS, type OperationName, type OperationResponse } from '../contract/operations.ts';
import type { ServiceTrouble } from '../domain/outcomes/service-trouble.ts';
import { httpDateMs, type Outcome } from './classify.ts';
import type { Sent } from './transport.ts';

/** Why a read gave nothing. */
export type ReadFailure =
  /** `trouble`: what it was in the last attempt. */
  | { ok: false; kind: 'unreachable'; trouble: ServiceTrouble; serverMs?: number | null }
  /** `serverMs`: the answer's `Date`, since a clock that is far off looks like a key that is refused. */
  | { ok: false; kind: 'refused_credentials'; message: string; serverMs?: number | null }
  /** `reason`: the machine-readable word, where the service has one. */
  | { ok: false; kind: 'rejected'; code: string; message: string; reason: string | null }
  /** The answer is not of the contract's shape. */
  | { ok: false; kind: 'unreadable'; message: string };

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

/** The `Date` of an answer, Unix ms; null where there is none. */
export function serverMsOf(sent: Sent): number | null {
  return sent.kind === 'answer' ? httpDateMs(sent.headers.date) : null;
}
