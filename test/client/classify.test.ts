import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { classify, httpDateMs, type Outcome } from '../../src/client/classify.ts';
import type { AnswerHeaders, Sent } from '../../src/client/transport.ts';

/** 2026-11-25T09:30:00Z */
const NOW_MS = 1_795_599_000_000;
const ENVELOPE = '{"error":{"code":"BAD_REQUEST","message":"no","reason":"NOT_PAYABLE"}}';
const REJECTING = [400, 403, 404, 405, 413, 415];

describe('a 2xx', () => {
  const accepted: [body: string, data: unknown][] = [
    ['{"data":"tx_1"}', 'tx_1'],
    [' {"data" : "tx_1"}\r\n', 'tx_1'],
    ['{"data":{"id":"rec_1"}}', { id: 'rec_1' }],
    ['{"data":[],"more":1}', []],
    ['{"data":0}', 0],
    ['{"data":false}', false],
  ];
  test.each(accepted)('with %s is accepted', (body, data) => {
    for (const status of [200, 201, 202, 299]) expect(outcome(status, body)).toEqual({ kind: 'accepted', data });
  });

  test.each([
    [''],
    ['{}'],
    ['{"data":null}'],
    ['{"data":""}'],
    ['{"id":"tx_1"}'],
    ['{"data":"tx_1"'],
    ['{"data":"tx_1"}}'],
    ['{"data":"tx_1","error":{"code":"INTERNAL_SERVER_ERROR","message":"half done"}}'],
    ['"tx_1"'],
    ['[{"data":"tx_1"}]'],
    ['null'],
    ['<html>{"data":"tx_1"}</html>'],
    ['data=tx_1'],
    [ENVELOPE],
  ])('with %s is a doubt', (body) => {
    for (const status of [200, 201, 204, 206]) expect(outcome(status, body)).toMatchObject({ kind: 'in_doubt' });
  });
});

describe('400, 403, 404, 405, 413, 415', () => {
  test.each(REJECTING)('%i with the envelope is a rejection', (status) => {
    expect(outcome(status, ENVELOPE)).toEqual({
      kind: 'rejected',
      code: 'BAD_REQUEST',
      message: 'no',
      reason: 'NOT_PAYABLE',
    });
    expect(outcome(status, '{"error":{"code":"FORBIDDEN","message":"no","reason":7}}')).toEqual({
      kind: 'rejected',
      code: 'FORBIDDEN',
      message: 'no',
      reason: null,
    });
  });

  test.each([
    [''],
    ['<html>Bad Request</html>'],
    ['{"error":"BAD_REQUEST"}'],
    ['{"error":{"code":400,"message":"no"}}'],
    ['{"error":{"code":"BAD_REQUEST"}}'],
    ['{"error":[]}'],
    ['{"code":"BAD_REQUEST","message":"no"}'],
    [ENVELOPE.slice(0, -1)],
  ])('with %s is somebody else talking, and a doubt', (body) => {
    for (const status of [...REJECTING, 401]) expect(outcome(status, body)).toMatchObject({ kind: 'in_doubt' });
  });
});

describe('401', () => {
  test.each([
    ['REPLAYED', { kind: 'in_doubt' }],
    ['EXPIRED', { kind: 'in_doubt' }],
    ['BAD_SIGNATURE', { kind: 'refused_credentials', message: 'no' }],
    ['REVOKED', { kind: 'refused_credentials', message: 'no' }],
    [undefined, { kind: 'refused_credentials', message: 'no' }],
  ])('with the reason %s', (reason, expected) => {
    const body = JSON.stringify({ error: { code: 'UNAUTHORIZED', message: 'no', reason } });
    expect(outcome(401, body)).toMatchObject(expected);
  });

  test.each(REJECTING)('only 401 gives REPLAYED and EXPIRED their meaning, not %i', (status) => {
    for (const reason of ['REPLAYED', 'EXPIRED']) {
      const body = JSON.stringify({ error: { code: 'BAD_REQUEST', message: 'no', reason } });
      expect(outcome(status, body)).toMatchObject({ kind: 'rejected', reason });
    }
  });
});

describe('429 had no effect, whatever its body, and says when to come again', () => {
  test.each<[string | string[] | undefined, number | null]>([
    ['0', 0],
    ['7', 7_000],
    ['600', 600_000],
    ['601', 600_000],
    ['99999999999999999999', 600_000],
    ['Wed, 25 Nov 2026 09:30:12 GMT', 12_000],
    ['Wed, 25 Nov 2026 09:29:00 GMT', 0],
    ['Thu, 26 Nov 2026 09:30:00 GMT', 600_000],
    ['Wed, 25 Nov 2026 25:30:12 GMT', null],
    ['Mon, 31 Feb 2027 09:30:12 GMT', null],
    ['soon', null],
    ['-1', null],
    ['1.5', null],
    ['', null],
    [['1', '2'], null],
    [undefined, null],
  ])('Retry-After: %s', (header, retryAfterMs) => {
    for (const body of ['', ENVELOPE, '{"data":"tx_1"}', '<html>']) {
      expect(outcome(429, body, { 'retry-after': header })).toMatchObject({
        kind: 'no_effect',
        retryAfterMs,
        unreached: false,
      });
    }
  });
});

test.each([
  300, 301, 302, 303, 304, 307, 308, 402, 406, 408, 409, 410, 418, 421, 422, 423, 425, 451, 499, 500, 501, 502, 503,
  504, 520, 599,
])('%i is a doubt, whatever its body', (status) => {
  for (const body of ['', ENVELOPE, '{"data":"tx_1"}', '<html>']) {
    expect(outcome(status, body, { 'retry-after': '0' })).toEqual({
      kind: 'in_doubt',
      reason: { code: 'answered', status, lacks: null },
      answer: status,
    });
  }
});

test('what never left had no effect; what left and was not answered is a doubt', () => {
  expect(classify({ kind: 'not_connected', reason: 'ECONNREFUSED' }, NOW_MS)).toMatchObject({
    kind: 'no_effect',
    unreached: true,
    retryAfterMs: null,
  });
  expect(classify({ kind: 'withheld' }, NOW_MS)).toMatchObject({ kind: 'no_effect', unreached: false });
  expect(classify({ kind: 'lost', reason: 'ECONNRESET' }, NOW_MS)).toMatchObject({ kind: 'in_doubt' });
});

describe('for any answer', () => {
  const anyBody = fc.oneof(
    fc.constantFrom(ENVELOPE, '{"data":"tx_1"}', '{"data":null}', ''),
    fc.json(),
    fc.string({ unit: 'binary' }),
    fc.record({ error: fc.anything(), data: fc.anything() }, { requiredKeys: [] }).map((value) => toJson(value)),
    fc
      .record({ code: fc.string(), message: fc.string(), reason: fc.constantFrom('REPLAYED', 'EXPIRED', 'OTHER', 1) })
      .map((error) => toJson({ error })),
  );
  const anyStatus = fc.oneof(fc.integer({ min: 200, max: 599 }), fc.constantFrom(200, 401, 429, ...REJECTING));
  const anyHeaders = fc.dictionary(fc.constantFrom('retry-after', 'date', 'location'), fc.string());

  test('only the listed ones are accepted, rejected or without effect; all others are doubts', () => {
    fc.assert(
      fc.property(anyStatus, anyBody, anyHeaders, (status, body, headers) => {
        expect(outcome(status, body, headers).kind).toBe(expectedKind(status, body));
      }),
      { numRuns: 3_000 },
    );
  });

  test('a pause that a 429 asks for is whole, not negative, and at most ten minutes', () => {
    const anyRetryAfter = fc.oneof(fc.string(), fc.nat().map(String), fc.date({ noInvalidDate: true }).map(toUtc));
    fc.assert(
      fc.property(anyRetryAfter, (header) => {
        const result = outcome(429, '', { 'retry-after': header });
        if (result.kind !== 'no_effect') throw new Error(result.kind);
        if (result.retryAfterMs === null) return;
        expect(Number.isInteger(result.retryAfterMs)).toBe(true);
        expect(result.retryAfterMs).toBeGreaterThanOrEqual(0);
        expect(result.retryAfterMs).toBeLessThanOrEqual(600_000);
      }),
    );
  });
});

test('the Date header reads as what Date reads, and nothing else reads at all', () => {
  const anyDate = fc.date({ min: new Date(0), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true });
  fc.assert(
    fc.property(anyDate, (date) => {
      expect(httpDateMs(toUtc(date))).toBe(Math.floor(date.getTime() / 1_000) * 1_000);
    }),
  );
  for (const text of [
    'Wednesday, 25-Nov-26 09:30:00 GMT',
    'Wed Nov 25 09:30:00 2026',
    'Wed, 25 Nov 2026 09:30:00 +0000',
    'Wed, 25 nov 2026 09:30:00 GMT',
    'Xyz, 25 Nov 2026 09:30:00 GMT',
    'Wed, 25 Nov 2026 09:30:00 GMT ',
    'Wed, 00 Nov 2026 09:30:00 GMT',
    'Wed, 25 Nov 2026 09:60:00 GMT',
  ]) {
    expect(httpDateMs(text)).toBeNull();
  }
});

function outcome(status: number, body: string, headers: AnswerHeaders = {}): Outcome {
  const sent: Sent = { kind: 'answer', status, headers, body };
  return classify(sent, NOW_MS);
}

/** The table of exactly-once, told from the status. */
function expectedKind(status: number, body: string): Outcome['kind'] {
  if (status === 429) return 'no_effect';
  if (status < 300) {
    const hasData = reads(body, (value) => !('error' in value) && ![undefined, null, ''].includes(value.data as null));
    return hasData ? 'accepted' : 'in_doubt';
  }
  const reason = reasonIn(body);
  if (reason === null) return 'in_doubt';
  if (status !== 401) return REJECTING.includes(status) ? 'rejected' : 'in_doubt';
  return reason === 'REPLAYED' || reason === 'EXPIRED' ? 'in_doubt' : 'refused_credentials';
}

function toUtc(date: Date): string {
  return date.toUTCString();
}

function toJson(value: unknown): string {
  return JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? String(part) : part)) ?? '';
}

function reads(body: string, holds: (value: Record<string, unknown>) => unknown): boolean {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && Boolean(holds(value as Record<string, unknown>));
  } catch {
    return false;
  }
}

/** What the body gives as the reason, undefined for none; null where it is not the envelope of the contract. */
function reasonIn(body: string): unknown {
  let reason: unknown = null;
  reads(body, ({ error }) => {
    if (typeof error !== 'object' || error === null || Array.isArray(error)) return;
    const { code, message, ...rest } = error as Record<string, unknown>;
    if (typeof code === 'string' && typeof message === 'string') reason = rest.reason;
  });
  return reason;
}
