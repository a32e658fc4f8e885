import { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { signRequest, verifyRequest } from '../../src/contract/signature.ts';
import { signatureBase, signatureParameters } from '../../src/contract/signature-base.ts';
import { COVERED_COMPONENTS, isKeyId, isNonce } from '../../src/contract/signature-input.ts';
import {
  anyRequest,
  BODY,
  CREATED,
  KEY,
  KEY_ID,
  NONCE,
  PARAMETERS,
  REQUEST,
  received,
  SIGNED,
  signedAs,
  VERIFYING,
} from './signature-request.ts';

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
        const parameters = signatureParameters(COVERED_COMPONENTS, [
          ['created', created],
          ['expires', expires],
          ['nonce', nonce],
          ['keyid', keyId],
          ['alg', 'ed25519'],
          ['tag', 'payout-v1'],
        ]);
        const made = signatureBase(COVERED_COMPONENTS, { ...request, headers }, parameters);
        if (!made.ok) throw new Error(made.problem);
        expect(headers['signature-input']).toBe(`sig=${parameters}`);
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
        expect(verifyRequest({ ...received(SIGNED), body })).toMatchObject({ ok: false, code: 'PARSE_ERROR' });
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
    { created: 5, expires: 2, ok: false },
  ])('at 0 s, of a request created at $created s that expires at $expires s: accepted $ok', (row) => {
    // The request keeps whole seconds and the verifier's clock has the fraction.
    const fraction = Math.ceil(row.created) - row.created;
    const created = CREATED + row.created + fraction;
    const headers = signRequest({ ...REQUEST, created, expires: CREATED + row.expires + fraction });
    const result = verifyRequest({ ...received(headers), nowSeconds: CREATED + fraction });
    if (row.ok) expect(result).toMatchObject({ ok: true });
    else expect(result).toMatchObject({ ok: false, code: 'UNAUTHORIZED', reason: 'EXPIRED' });
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

  it('asks for the key by the id in the request, once', () => {
    const asked: string[] = [];
    const keyOf = (keyId: string) => {
      asked.push(keyId);
      return VERIFYING;
    };
    expect(verifyRequest({ ...received(SIGNED), keyOf }).ok).toBe(true);
    expect(asked).toEqual([KEY_ID]);
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
