import { ERROR_CODES } from '../../contract/operations.ts';
import { REASONS, STATUS } from '../gateway/answers.ts';
import { type JsonSchema, reference } from './components.ts';

const WHEN: Readonly<Record<number, string>> = {
  400: 'The body is not JSON, or breaks the schema or a rule; nothing took effect.',
  401: 'The signature, its key or its time is not good, or these bytes were received before.',
  403: 'The Host is not one of this service.',
  404: 'There is no such thing, or no such operation.',
  413: 'The body is larger than 1 MiB.',
  415: 'The content-type is not application/json.',
  429: 'Too many requests with this key; nothing took effect.',
  500: 'Something is broken. Of a transfer, the outcome is unknown.',
  503: 'The service stops, or holds too many requests. Of a transfer, the outcome is unknown.',
};

/** The statuses of errors that a POST can have, each with its codes and reasons. */
export function errorResponses(): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(WHEN).map(([status, description]) => [`Error${status}`, errorResponse(Number(status), description)]),
  );
}

/** For the `responses` of every operation. */
export function errorReferences(): Record<string, { $ref: string }> {
  return Object.fromEntries(Object.keys(WHEN).map((status) => [status, reference('responses', `Error${status}`)]));
}

function errorResponse(status: number, description: string): JsonSchema {
  const codes = ERROR_CODES.filter((code) => STATUS[code] === status);
  const reasons = Object.entries(REASONS).flatMap(([reason, code]) => (codes.includes(code) ? [reason] : []));
  const retry = status === 429 ? { 'Retry-After': reference('headers', 'Retry-After') } : {};
  const limits = UNCOUNTED.has(status) ? {} : rateHeaders();
  return {
    description,
    headers: { ...limits, ...retry, 'x-payrun-rehearsal': reference('headers', 'x-payrun-rehearsal') },
    content: { 'application/json': { schema: errorSchema(codes, reasons) } },
  };
}

/** Said before the limit counts a request. A 404 may be of either kind: that of an id is counted, that of a path is not. */
const UNCOUNTED: ReadonlySet<number> = new Set([403, 413, 415]);

function errorSchema(codes: readonly string[], reasons: readonly string[]): JsonSchema {
  // Only what this status can be, on top of the shape of all errors.
  const reason = reasons.length > 0 ? { reason: { enum: reasons } } : {};
  const error = { type: 'object', properties: { code: { enum: codes }, ...reason } };
  return { allOf: [reference('schemas', 'Error'), { type: 'object', properties: { error } }] };
}

/** Those of answers that the limit has counted; none where the service has no limit. */
export function rateHeaders(): JsonSchema {
  return {
    RateLimit: reference('headers', 'RateLimit'),
    'RateLimit-Policy': reference('headers', 'RateLimit-Policy'),
  };
}
