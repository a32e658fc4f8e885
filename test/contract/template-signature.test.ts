import { Buffer } from 'node:buffer';
import { createPublicKey, verify } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { verifyRequest } from '../../src/contract/signature.ts';
import { rfc9421Signer, templateSigner } from '../../src/contract/signer.ts';
import { Refusal } from '../../src/domain/refusal.ts';
import { signingKey, verifyingKey } from '../../src/keys/ed25519.ts';
import { refusedText } from '../support/refused.ts';

const KEY = signingKey(new Uint8Array(32).fill(0x33));
const REQUEST = {
  path: '/v1/transaction.transfer',
  authority: 'pay.example',
  body: '{"reference":"Größe {nonce} €"}',
  created: 1_800_000_000,
  expires: 1_800_000_030,
  nonce: 'AAECAwQFBgcICQoLDA0ODw',
};
const EXAMPLE = {
  headers: { 'x-key': '{key_id}', 'x-timestamp': '{timestamp}', 'x-signature': '{signature}' },
  message: '{timestamp}{method}{path}{body}',
};

describe('the template scheme', () => {
  it('signs the text of the example profile', () => {
    const headers = signer(EXAMPLE).sign(REQUEST);
    expect(headers).toEqual({
      'content-type': 'application/json',
      'x-key': 'key_1',
      'x-timestamp': '1800000000',
      'x-signature': expect.stringMatching(/^[A-Za-z0-9+/]{86}==$/),
    });
    // The message is typed out, and verified by OpenSSL and nothing of ours.
    const message = '1800000000POST/v1/transaction.transfer{"reference":"Größe {nonce} €"}';
    expect(verifiedByOpenssl(message, Buffer.from(headers['x-signature'] ?? '', 'base64'))).toBe(true);
  });

  it('fills every placeholder', () => {
    const headers = signer({
      headers: {
        'X-Sig': 'v1={signature_hex}',
        'X-All': '{timestamp_ms} {nonce} {method} {path} {key_id} {timestamp}',
      },
      message: '{{{timestamp_ms}}}.{nonce}.{key_id}.{method}.{path}.{body}\n',
    }).sign(REQUEST);
    expect(headers['x-all']).toBe(
      '1800000000000 AAECAwQFBgcICQoLDA0ODw POST /v1/transaction.transfer key_1 1800000000',
    );
    expect(headers['x-sig']).toMatch(/^v1=[0-9a-f]{128}$/);
    const message = `{1800000000000}.${REQUEST.nonce}.key_1.POST.${REQUEST.path}.${REQUEST.body}\n`;
    expect(verifiedByOpenssl(message, Buffer.from(headers['x-sig']?.slice(3) ?? '', 'hex'))).toBe(true);
  });

  it('lets a profile say another content type, once', () => {
    const headers = { 'Content-Type': 'application/json; charset=utf-8', 'x-signature': '{signature}' };
    expect(signer({ ...EXAMPLE, headers }).sign(REQUEST)).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
    });
  });

  it.each([
    { why: 'an unknown placeholder in the message', change: { message: '{timestamp}{boby}' }, says: '{boby}' },
    { why: 'an unknown placeholder in a header', change: header('{sig}'), says: 'x-other has the placeholder {sig}' },
    { why: 'a placeholder in capitals', change: { message: '{Timestamp}' }, says: '{Timestamp}' },
    { why: 'an empty placeholder', change: { message: '{}' }, says: '{}' },
    { why: 'the signature inside what is signed', change: { message: '{body}{signature}' }, says: '{signature}' },
    { why: 'the body in a header', change: header('{body}'), says: '{body}' },
    { why: 'an open brace', change: { message: '{timestamp' }, says: 'a single {' },
    { why: 'a closing brace alone', change: { message: '{body}}' }, says: 'a single }' },
    { why: 'a message that is always the same', change: { message: 'hello' }, says: 'no placeholder' },
    { why: 'an empty message', change: { message: '' }, says: 'no placeholder' },
    { why: 'a message that is too long', change: { message: `{body}${'x'.repeat(4_096)}` }, says: '4096' },
    { why: 'no header with the signature', change: { headers: { 'x-key': '{key_id}' } }, says: 'no header carries' },
    { why: 'a line end in a header', change: header('a\r\nx-admin: 1'), says: 'line end' },
    { why: 'a bare line feed in a header', change: header('a\nb'), says: 'line end' },
    { why: 'a NUL in a header', change: header('a\u0000'), says: 'line end' },
    { why: 'a letter outside of ASCII in a header', change: header('\u560a\u560d'), says: 'line end' },
    { why: 'a line end in a name', change: header('a', 'x\r\ny'), says: 'is not the name of a header' },
    { why: 'a colon in a name', change: header('a', 'x:'), says: 'is not the name of a header' },
    { why: 'an empty name', change: header('a', ''), says: 'is not the name of a header' },
    { why: 'the same header twice', change: header('a', 'X-SIGNATURE'), says: 'x-signature is there twice' },
    { why: 'the length of the body', change: header('0', 'Content-Length'), says: 'belongs to the transport' },
    { why: 'another host', change: header('evil.example', 'host'), says: 'belongs to the transport' },
    {
      why: '33 headers',
      change: { headers: Object.fromEntries(Array.from({ length: 33 }, (_, place) => [`x-${place}`, '{signature}'])) },
      says: 'more than 32 headers',
    },
  ])('is refused at configuration time for $why', ({ change, says }) => {
    const error = thrown(() => signer({ ...EXAMPLE, ...change }));
    expect(refusedText(error)).toMatchObject({ kind: 'usage', message: expect.stringContaining(says) });
  });

  it('stops rather than send a line end that came with the request', () => {
    const withPath = signer({ ...EXAMPLE, headers: { 'x-path': '{path}', 'x-signature': '{signature}' } });
    expect(() => withPath.sign({ ...REQUEST, path: '/v1\r\nx-admin: 1' })).toThrow('bug in payrun');
  });

  it('reads no placeholder out of a value', () => {
    fc.assert(
      fc.property(fc.string(), (body) => {
        const headers = signer({ ...EXAMPLE, message: '{body}' }).sign({ ...REQUEST, body });
        expect(verifiedByOpenssl(body, Buffer.from(headers['x-signature'] ?? '', 'base64'))).toBe(true);
      }),
    );
  });

  it('is either compiled to a signer that fills everything, or refused', () => {
    const pieces = fc.array(fc.constantFrom('{', '}', '{{', '}}', '{body}', '{nonce}', '{x}', 'a', '\n'), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(pieces, (list) => {
        try {
          signer({ ...EXAMPLE, message: list.join('') }).sign(REQUEST);
        } catch (error) {
          expect(error).toBeInstanceOf(Refusal);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('both signers', () => {
  const both = [
    { name: 'rfc9421', make: (keyId: string) => rfc9421Signer({ keyId, key: KEY }) },
    { name: 'template', make: (keyId: string) => templateSigner({ keyId, key: KEY, ...EXAMPLE }) },
  ];

  it.each(both)('give the same bytes for the same request ($name)', ({ make }) => {
    expect(make('key_1').sign(REQUEST)).toEqual(make('key_1').sign({ ...REQUEST }));
    expect(make('key_1').sign(REQUEST)).not.toEqual(make('key_1').sign({ ...REQUEST, body: '{}' }));
  });

  it.each(both)('give them from a thread of the pool too ($name)', async ({ make }) => {
    expect(await make('key_1').signInPool(REQUEST)).toEqual(make('key_1').sign(REQUEST));
  });

  it.each(both)('refuse a key id that no header can carry ($name)', ({ make }) => {
    for (const keyId of ['', 'a b', 'a\r\nx: y', 'a"', 'é']) {
      const error = thrown(() => make(keyId));
      expect(error).toMatchObject({ reason: { code: 'key_id_unusable' } });
    }
  });

  it('by RFC 9421 is accepted by the verifying side', () => {
    const verifying = verifyingKey(KEY.publicKey);
    if (!verifying.ok) throw new Error(verifying.problem);
    const result = verifyRequest({
      method: 'POST',
      authority: REQUEST.authority,
      path: REQUEST.path,
      headers: rfc9421Signer({ keyId: 'key_1', key: KEY }).sign(REQUEST),
      body: Buffer.from(REQUEST.body),
      nowSeconds: REQUEST.created,
      keyOf: (keyId) => (keyId === 'key_1' ? verifying.key : 'unknown'),
    });
    expect(result).toEqual({
      ok: true,
      keyId: 'key_1',
      nonce: REQUEST.nonce,
      created: REQUEST.created,
      expires: REQUEST.expires,
    });
  });
});

function signer(scheme: { headers: Record<string, string>; message: string }) {
  return templateSigner({ keyId: 'key_1', key: KEY, ...scheme });
}

function header(value: string, name = 'x-other'): { headers: Record<string, string> } {
  return { headers: { ...EXAMPLE.headers, [name]: value } };
}

function verifiedByOpenssl(message: string, signature: Uint8Array): boolean {
  const x = Buffer.from(KEY.publicKey).toString('base64url');
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return verify(null, Buffer.from(message), publicKey, signature);
}

function thrown(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was refused');
}
