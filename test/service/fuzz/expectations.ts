import { expect } from 'vitest';
import { ERROR_CODES, type OperationName } from '../../../src/contract/operations.ts';
import { SENT } from '../../../src/service/openapi/response-shapes.ts';
import type { Reply, TestService } from '../harness.ts';

/** Which status has which code, and the words that explain one (`decisions.md`, "Errors"). */
const STATUS_OF: Readonly<Record<string, number>> = {
  PARSE_ERROR: 400,
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_SUPPORTED: 405,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
};

/** Never a 500, always one of the two envelopes, complete and in order. Says whether it was a success. */
export function expectEnvelope(reply: Reply, sent: string): boolean {
  const context = `${sent.slice(0, 1_000)} was answered with ${reply.status} ${reply.text.slice(0, 500)}`;
  expect(reply.status, context).toBeLessThan(500);
  const envelope = JSON.parse(reply.text);
  if (reply.status === 200) {
    expect(Object.keys(envelope), context).toEqual(['data']);
    return true;
  }
  expect(Object.keys(envelope), context).toEqual(['error']);
  const { code, message, reason, ...others } = envelope.error;
  expect(ERROR_CODES, context).toContain(code);
  expect(STATUS_OF[code], context).toBe(reply.status);
  expect([typeof message, message !== '', others], context).toEqual(['string', true, {}]);
  if (code === 'BAD_REQUEST') expect(reason, context).toMatch(/^[A-Z_]+$/);
  return false;
}

/** The same, and a success has exactly the shape that the document of the service promises. */
export function expectAnswer(operation: OperationName, reply: Reply, sent: string): boolean {
  if (!expectEnvelope(reply, sent)) return false;
  const problems = SENT[operation].safeParse(reply.data).error?.issues ?? [];
  expect(problems, `${operation} ${sent.slice(0, 1_000)}: ${reply.text.slice(0, 1_000)}`).toEqual([]);
  return true;
}

/** Everything that an error must leave as it was: what is written, and what can be spent. */
export async function everythingOf(service: TestService): Promise<string> {
  const [state, balances] = await Promise.all([service.admin('state'), service.balances()]);
  const { now: _now, unix_ms: _ms, clock_offset_ms: _offset, nonces: _nonces, ...rest } = state.data;
  return JSON.stringify(rest) + balances;
}
