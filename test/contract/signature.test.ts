import { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  COVERED_COMPONENTS,
  isKeyId,
  isNonce,
  type RequestToVerify,
  type SignedHeaders,
  signRequest,
  verifyRequest,
} from '../../src/contract/signature.ts';
import { signatureBase } from '../../src/contract/signature-base.ts';
import { signingKey, verifyingKey } from '../../src/keys/ed25519.ts';

const CREATED = 1_800_000_000;
const KEY = signingKey(new Uint8Array(32).fill(0x5a));
const KEY_ID = 'key_0123456789abcdef';
const NONCE = 'AAECAwQFBgcICQoLDA0ODw';
const BODY = '{"currency_out":{"code":"EUR","chain":null,"decimals":2,"amount":"123450"},"reference":"Größe €"}';
const REQUEST = {
  method: 'POST',
  authority: 'pay.example:8443',
  path: '/v1/transaction.transfer',
  contentType: 'application/json',
  body: BODY,
  keyId: KEY_ID,
  created: CREATED,
  expires: CREATED + 30,
  nonce: NONCE,
  key: KEY,
};
const SIGNED = signRequest(REQUEST);

describe('signing a request', () => {
  const parameters =
    '("@method" "@authority" "@path" "content-type" "content-digest" "x-api-key")' +
    `;created=1800000000;expires=1800000030;nonce="${NONCE}";keyid="${KEY_ID}";alg="ed25519";tag="payout-v1"`;

  it('gives exactly the headers of the profile', () => {
    expect(Object.keys(SIGNED)).toEqual([
      'content-type',
      'x-api-key',
      'content-digest',
      'signature-input',
      'signature',
    ]);
    expect(SIGNED).toMatchObject({
      'content-type': 'application/json',
      'x-api-key': KEY_ID,
      'content-digest': `sha-256=:${hash('sha256', BODY, 'base64')}:`,
      'signature-input': `sig=${parameters}`,
    });
  });

  it('signs the base itself, typed out here, and never a hash of it', () => {
    const base = [
      '"@method": POST',
      '"@authority": pay.example:8443',
      '"@path": /v1/transaction.transfer',
      '"content-type": application/json',
      `"content-digest": sha-256=:${hash('sha256', BODY, 'base64')}:`,
      `"x-api-key": ${KEY_ID}`,
      `"@signature-params": ${parameters}`,
    ].join('\n');
    const signature = Buffer.from(KEY.sign(Buffer.from(base))).toString('base64');
    expect(SIGNED.signature).toBe(`sig=:${signature}:`);
  });

  it('gives what the general signature base gives, for any request', () => {
    fc.assert(
      fc.property(anyRequest(), (request) => {
        const headers = signRequest(request);
        const { created, expires, nonce, keyId } = request;
        const made = signatureBase(COVERED_COMPONENTS, { ...request, headers }, [
          ['created', created],
          ['expires', expires],
          ['nonce', nonce],
          ['keyid', keyId],
          ['alg', 'ed25519'],
          ['tag', 'payout-v1'],
        ]);
        if (!made.ok) throw new Error(made.problem);
        expect(headers['signature-input']).toBe(`sig=${made.parameters}`);
        const signature = Buffer.from(KEY.sign(Buffer.from(made.base))).toString('base64');
        expect(headers.signature).toBe(`sig=:${signature}:`);
      }),
    );
  });

  it('gives the same bytes for the same request, of text or of its bytes', () => {
    expect(signRequest(REQUEST)).toEqual(SIGNED);
    expect(signRequest({ ...REQUEST, body: Buffer.from(BODY) })).toEqual(SIGNED);
  });

  it.each([
    { why: 'a key id with a quote', change: { keyId: 'a"b' } },
    { why: 'a key id with a line end', change: { keyId: 'a\nb' } },
    { why: 'a short nonce', change: { nonce: 'AAAA' } },
    { why: 'a path with a line end', change: { path: '/v1\n"x": y' } },
    { why: 'half a second', change: { created: CREATED + 0.5 } },
  ])('stops at $why, which only a bug can bring here', ({ change }) => {
    expect(() => signRequest({ ...REQUEST, ...change })).toThrow('bug in payrun');
  });
});

describe('verifying a request', () => {
  it('accepts what was signed, for any request, and gives back what was signed for the replay check', () => {
    fc.assert(
      fc.property(anyRequest(), (request) => {
        const { keyId, nonce, created, expires } = request;
        expect(
          verifyRequest({ ...received(signRequest(request)), ...request, body: Buffer.from(request.body) }),
        ).toEqual({
          ok: true,
          keyId,
          nonce,
          created,
          expires,
        });
      }),
    );
  });

  it('accepts a sha-512 digest, another order of parameters, more signatures beside it, another case of the host', () => {
    const sha512 = `sha-512=:${hash('sha512', BODY, 'base64')}:`;
    expect(verifyRequest(received(signedAs({ headers: { 'content-digest': sha512 } }))).ok).toBe(true);
    expect(verifyRequest(received(signedAs({ parameters: PARAMETERS.toReversed() }))).ok).toBe(true);
    const more = {
      'signature-input': `proxy=("@method");created=1, ${SIGNED['signature-input']}`,
      signature: `${SIGNED.signature}, proxy=:AAAA:`,
    };
    expect(verifyRequest(received({ ...SIGNED, ...more })).ok).toBe(true);
    expect(verifyRequest({ ...received(SIGNED), authority: 'PAY.example:8443' }).ok).toBe(true);
  });

  it('refuses it with any one byte of the body changed', () => {
    const bytes = Buffer.from(BODY);
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (place, change) => {
        const body = Uint8Array.from(bytes);
        body[place] = (body[place] ?? 0) ^ change;
        expect(verifyRequest({ ...received(SIGNED), body })).toMatchObject({ ok: false, status: 400 });
      }),
    );
  });

  it('refuses it with any one character of any header, of the method, the host or the path changed', () => {
    const parts: Record<string, string> = {
      ...SIGNED,
      method: 'POST',
      authority: REQUEST.authority,
      path: REQUEST.path,
    };
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.keys(parts)),
        fc.nat(),
        fc.integer({ min: 0x20, max: 0x7e }),
        (name, at, code) => {
          const text = parts[name] ?? '';
          const place = at % text.length;
          const changed = text.slice(0, place) + String.fromCharCode(code) + text.slice(place + 1);
          const same = name === 'authority' ? changed.toLowerCase() === text : changed === text;
          const { method = '', authority = '', path = '', ...headers } = { ...parts, [name]: changed };
          const result = verifyRequest({ ...received(headers), method, authority, path });
          expect(result.ok).toBe(same);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('refuses it with any one parameter changed to another good value', () => {
    const others = { created: CREATED + 1, expires: CREATED + 31, nonce: NONCE.replace('A', 'B') };
    for (const [name, value] of Object.entries(others)) {
      const from = `${name}=${value === others.nonce ? `"${NONCE}"` : REQUEST[name as 'created']}`;
      const to = `${name}=${value === others.nonce ? `"${value}"` : value}`;
      expect(SIGNED['signature-input']).toContain(from);
      const input = SIGNED['signature-input'].replace(from, to);
      expect(verifyRequest(received({ ...SIGNED, 'signature-input': input }))).toMatchObject({
        reason: 'BAD_SIGNATURE',
        message: 'the signature does not verify',
      });
    }
  });

  it.each([
    { created: -300, expires: 0, ok: true },
    { created: -301, expires: -1, ok: false },
    { created: -301, expires: 30, ok: false },
    { created: 30, expires: 60, ok: true },
    { created: 31, expires: 60, ok: false },
    { created: 0, expires: 300, ok: true },
    { created: 0, expires: 301, ok: false },
    { created: 0, expires: 0, ok: true },
    { created: -1, expires: -1, ok: false },
    { created: -30, expires: 0, ok: true },
    { created: -30, expires: -1, ok: false },
    { created: -0.5, expires: 29.5, ok: true },
    { created: -30.5, expires: -0.5, ok: false },
    { created: -300.5, expires: -0.5, ok: false },
    { created: 30.5, expires: 60.5, ok: false },
    { created: 5, expires: 2, ok: true },
  ])('at 0 s, of a request created at $created s that expires at $expires s: accepted $ok', (row) => {
    // The request keeps whole seconds and the verifier's clock has the fraction.
    const fraction = Math.ceil(row.created) - row.created;
    const created = CREATED + row.created + fraction;
    const headers = signRequest({ ...REQUEST, created, expires: CREATED + row.expires + fraction });
    const result = verifyRequest({ ...received(headers), nowSeconds: CREATED + fraction });
    if (row.ok) expect(result).toMatchObject({ ok: true });
    else expect(result).toMatchObject({ ok: false, status: 401, code: 'UNAUTHORIZED', reason: 'EXPIRED' });
  });

  it.each([
    { created: -301, expires: -1, message: 'created is more than 300 s ago' },
    { created: 31, expires: 60, message: 'created is more than 30 s ahead' },
    { created: 0, expires: 301, message: 'expires is more than 300 s after created' },
    { created: -30, expires: -1, message: 'the request has expired' },
  ])('says of the window: $message', ({ created, expires, message }) => {
    const headers = signRequest({ ...REQUEST, created: CREATED + created, expires: CREATED + expires });
    expect(verifyRequest({ ...received(headers), nowSeconds: CREATED })).toMatchObject({ reason: 'EXPIRED', message });
  });

  it('refuses everything while the clock says nothing', () => {
    expect(verifyRequest({ ...received(SIGNED), nowSeconds: Number.NaN })).toMatchObject({ reason: 'EXPIRED' });
  });

  const bad = (message: string) => ({ status: 401, code: 'UNAUTHORIZED', reason: 'BAD_SIGNATURE', message });
  const needs = 'signature-input must have the parameters created, expires, nonce, keyid, alg and tag, and no others';
  it.each<{ why: string; change: Partial<RequestToVerify>; refusal: object }>([
    ...['content-type', 'x-api-key', 'content-digest', 'signature-input', 'signature'].map((name) => ({
      why: `without ${name}`,
      change: { headers: { ...SIGNED, [name]: undefined } },
      refusal: { status: 401, reason: 'BAD_SIGNATURE' },
    })),
    ...['created', 'expires', 'nonce', 'keyid', 'alg', 'tag'].map((name) => ({
      why: `signed without ${name}`,
      change: { headers: signedAs({ parameters: PARAMETERS.filter(([other]) => other !== name) }) },
      refusal: bad(needs),
    })),
    ...COVERED_COMPONENTS.map((name) => ({
      why: `signed without covering ${name}`,
      change: { headers: signedAs({ components: COVERED_COMPONENTS.filter((other) => other !== name) }) },
      refusal: { reason: 'BAD_SIGNATURE', message: expect.stringContaining('must cover exactly ("@method"') },
    })),
    {
      why: 'that covers the same in another order',
      change: { headers: signedAs({ components: COVERED_COMPONENTS.toReversed() }) },
      refusal: { reason: 'BAD_SIGNATURE', message: expect.stringContaining('in this order') },
    },
    {
      why: 'that covers one more',
      change: { headers: signedAs({ components: [...COVERED_COMPONENTS, 'date'], headers: { date: 'x' } }) },
      refusal: { reason: 'BAD_SIGNATURE', message: expect.stringContaining('must cover exactly') },
    },
    {
      why: 'with a component parameter',
      change: { headers: { ...SIGNED, 'signature-input': SIGNED['signature-input'].replace('type"', 'type";sf') } },
      refusal: { reason: 'BAD_SIGNATURE', message: expect.stringContaining('must cover exactly') },
    },
    {
      why: 'with one more parameter',
      change: { headers: signedAs({ parameters: [...PARAMETERS, ['x', 1]] }) },
      refusal: bad(needs),
    },
    {
      why: 'by another algorithm',
      change: { headers: signedWith('alg', 'hmac-sha256') },
      refusal: bad('alg must be "ed25519"'),
    },
    {
      why: 'for another tag',
      change: { headers: signedWith('tag', 'payout-v2') },
      refusal: bad('tag must be "payout-v1"'),
    },
    { why: 'with a number as its nonce', change: { headers: signedWith('nonce', 1) }, refusal: bad(needs) },
    { why: 'with text as its time', change: { headers: signedWith('created', `${CREATED}`) }, refusal: bad(needs) },
    {
      why: 'with a decimal as its time',
      change: { headers: signedWith('created', CREATED + 0.5) },
      refusal: bad(needs),
    },
    {
      why: 'with a nonce of 126 bits',
      change: { headers: signedWith('nonce', 'A'.repeat(21)) },
      refusal: bad('nonce must be at least 128 bits in base64url without padding'),
    },
    {
      why: 'with a nonce in base64',
      change: { headers: signedWith('nonce', `${'A'.repeat(21)}+`) },
      refusal: bad('nonce must be at least 128 bits in base64url without padding'),
    },
    {
      why: 'with a key id that has a blank',
      change: { headers: signedWith('keyid', 'a b', { 'x-api-key': 'a b' }) },
      refusal: bad('keyid must be 1 to 200 printable characters without blanks, quotes and backslashes'),
    },
    {
      why: 'with one key in x-api-key and another in keyid',
      change: { headers: signedAs({ headers: { 'x-api-key': 'key_other' } }) },
      refusal: bad('x-api-key and keyid differ'),
    },
    {
      why: 'with another label',
      change: { headers: signedAs({ label: 'sig1' }) },
      refusal: bad('signature-input has no list of components labelled sig'),
    },
    {
      why: 'with the signature under another label',
      change: { headers: { ...SIGNED, signature: SIGNED.signature.replace('sig=', 'sig1=') } },
      refusal: bad('signature has no bytes labelled sig'),
    },
    {
      why: 'with its signature twice',
      change: { headers: { ...SIGNED, signature: [SIGNED.signature, SIGNED.signature] } },
      refusal: bad('the header signature cannot be read'),
    },
    {
      why: 'with its signature-input twice',
      change: { headers: { ...SIGNED, 'signature-input': [SIGNED['signature-input'], SIGNED['signature-input']] } },
      refusal: bad('the header signature-input cannot be read'),
    },
    {
      why: 'with another signature',
      change: { headers: { ...SIGNED, signature: `sig=:${'A'.repeat(86)}==:` } },
      refusal: bad('the signature does not verify'),
    },
    {
      why: 'with half a signature',
      change: { headers: { ...SIGNED, signature: 'sig=:AAAA:' } },
      refusal: bad('the signature does not verify'),
    },
    {
      why: 'with a parameter on its signature, which nothing signs',
      change: { headers: { ...SIGNED, signature: `${SIGNED.signature};x=1` } },
      refusal: bad('signature has no bytes labelled sig'),
    },
    {
      why: 'with only an md5 digest',
      change: { headers: signedAs({ headers: { 'content-digest': 'md5=:AAAA:' } }) },
      refusal: bad('content-digest has neither a sha-256 nor a sha-512 that can be read'),
    },
    {
      why: 'with the digest of another body',
      change: { headers: signedAs({ headers: { 'content-digest': `sha-256=:${hash('sha256', 'x', 'base64')}:` } }) },
      refusal: {
        status: 400,
        code: 'PARSE_ERROR',
        reason: 'DIGEST_MISMATCH',
        message: 'content-digest is not the digest of the body',
      },
    },
    {
      why: 'with a query, even a signed one',
      change: { path: '/v1/x?y', headers: signedAs({ path: '/v1/x?y' }) },
      refusal: bad('the path has a query, which the signature does not cover'),
    },
    { why: 'for another method', change: { method: 'PUT' }, refusal: bad('the signature does not verify') },
    { why: 'for another host', change: { authority: 'evil.example' }, refusal: bad('the signature does not verify') },
    { why: 'for another path', change: { path: '/v1/quote.get' }, refusal: bad('the signature does not verify') },
    {
      why: 'of a key that we do not know',
      change: { keyOf: () => 'unknown' },
      refusal: { status: 401, code: 'UNAUTHORIZED', reason: 'UNKNOWN_KEY', message: 'there is no such key' },
    },
    {
      why: 'of a revoked key',
      change: { keyOf: () => 'revoked' },
      refusal: { status: 401, code: 'UNAUTHORIZED', reason: 'REVOKED', message: 'the key was revoked' },
    },
    {
      why: 'of somebody else under our key id',
      change: { headers: signRequest({ ...REQUEST, key: signingKey(new Uint8Array(32).fill(1)) }) },
      refusal: bad('the signature does not verify'),
    },
  ])('refuses a request $why', ({ change, refusal }) => {
    expect(verifyRequest({ ...received(SIGNED), ...change })).toMatchObject({ ok: false, ...refusal });
  });

  it('asks for the key by the id in the request, once', () => {
    const asked: string[] = [];
    const keyOf = (keyId: string) => {
      asked.push(keyId);
      return VERIFYING;
    };
    expect(verifyRequest({ ...received(SIGNED), keyOf }).ok).toBe(true);
    expect(asked).toEqual([KEY_ID]);
  });

  it('never throws and never accepts, whatever the headers hold', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string(),
      fc.constantFrom(...Object.values(SIGNED)),
      spoiled(),
    );
    const value = fc.oneof({ weight: 8, arbitrary: text }, fc.constant(undefined), fc.array(text, { maxLength: 3 }));
    const headers = fc.record(
      {
        'content-type': value,
        'x-api-key': value,
        'content-digest': value,
        'signature-input': value,
        signature: value,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(headers, fc.uint8Array(), fc.string(), (garbage, body, path) => {
        for (const mixed of [garbage, { ...SIGNED, ...garbage }]) {
          const result = verifyRequest({ ...received(mixed), body, path });
          expect(result.ok).toBe(false);
        }
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('what an id and a nonce may be', () => {
  it.each([
    ['A'.repeat(22), true],
    ['A'.repeat(86), true],
    ['A'.repeat(21), false],
    ['A'.repeat(25), false],
    ['A'.repeat(87), false],
    [`${'A'.repeat(22)}==`, false],
    [`${'A'.repeat(22)}\n`, false],
  ])('nonce %j: %s', (text, good) => expect(isNonce(text)).toBe(good));

  it.each([
    ['k', true],
    ['~!#$%&()*+,-./:;<=>?@[]^_`{|}', true],
    ['k'.repeat(200), true],
    ['', false],
    ['k'.repeat(201), false],
    ['a b', false],
    ['a"', false],
    ['a\\', false],
    ['a\n', false],
    ['é', false],
  ])('key id %j: %s', (text, good) => expect(isKeyId(text)).toBe(good));
});

type Parameter = readonly [string, string | number];

const PARAMETERS: readonly Parameter[] = [
  ['created', CREATED],
  ['expires', CREATED + 30],
  ['nonce', NONCE],
  ['keyid', KEY_ID],
  ['alg', 'ed25519'],
  ['tag', 'payout-v1'],
];

const VERIFYING = (() => {
  const result = verifyingKey(KEY.publicKey);
  if (!result.ok) throw new Error(result.problem);
  return result.key;
})();

function received(headers: RequestToVerify['headers'] | SignedHeaders): RequestToVerify {
  return {
    method: 'POST',
    authority: REQUEST.authority,
    path: REQUEST.path,
    headers: { ...headers },
    body: Buffer.from(BODY),
    nowSeconds: CREATED + 0.5,
    keyOf: () => VERIFYING,
  };
}

/** Headers with a good signature over whatever was asked for, so that nothing but the policy can refuse them. */
function signedAs(options: {
  components?: readonly string[];
  parameters?: readonly Parameter[];
  headers?: Record<string, string>;
  label?: string;
  path?: string;
}): Record<string, string> {
  const { components = COVERED_COMPONENTS, parameters = PARAMETERS, label = 'sig', path = REQUEST.path } = options;
  const { signature: _, 'signature-input': __, ...unsigned } = SIGNED;
  const headers = { ...unsigned, ...options.headers };
  const made = signatureBase(components, { method: 'POST', authority: REQUEST.authority, path, headers }, parameters);
  if (!made.ok) throw new Error(made.problem);
  const signature = Buffer.from(KEY.sign(Buffer.from(made.base))).toString('base64');
  return { ...headers, 'signature-input': `${label}=${made.parameters}`, signature: `${label}=:${signature}:` };
}

function signedWith(
  name: string,
  value: string | number,
  headers: Record<string, string> = {},
): Record<string, string> {
  return signedAs({ parameters: PARAMETERS.map((one) => (one[0] === name ? [name, value] : one)), headers });
}

function anyRequest(): fc.Arbitrary<typeof REQUEST> {
  const visible = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.~'];
  const word = fc.string({ unit: fc.constantFrom(...visible), minLength: 1, maxLength: 40 });
  return fc.record({
    method: fc.constantFrom('POST', 'GET', 'DELETE'),
    authority: fc.oneof(fc.domain(), fc.constantFrom('127.0.0.1:8080', '[::1]:9000', 'Pay.Example')),
    path: fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => `/${words.join('/')}`),
    contentType: fc.constantFrom('application/json', 'application/json; charset="utf-8"'),
    body: fc.json(),
    keyId: word,
    created: fc.integer({ min: CREATED - 290, max: CREATED }),
    expires: fc.integer({ min: CREATED + 1, max: CREATED + 10 }),
    nonce: fc.uint8Array({ minLength: 16, maxLength: 64 }).map((bytes) => Buffer.from(bytes).toString('base64url')),
    key: fc.constant(KEY),
  });
}

/** A good header with something cut out, doubled or put in. */
function spoiled(): fc.Arbitrary<string> {
  return fc
    .tuple(
      fc.constantFrom(...Object.values(SIGNED)),
      fc.nat(),
      fc.nat(20),
      fc.constantFrom('', '"', ';', ',', '(', ':', '\n'),
    )
    .map(([text, at, count, extra]) => {
      const place = at % text.length;
      return text.slice(0, place) + extra + text.slice(place + count);
    })
    .filter((text) => !Object.values(SIGNED).includes(text));
}
