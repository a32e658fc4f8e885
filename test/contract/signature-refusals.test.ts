import { hash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type RequestToVerify, signRequest, verifyRequest, verifyRequestInPool } from '../../src/contract/signature.ts';
import { COVERED_COMPONENTS } from '../../src/contract/signature-input.ts';
import { signingKey } from '../../src/keys/ed25519.ts';
import { CREATED, PARAMETERS, REQUEST, received, SIGNED, signedAs, signedWith } from './signature-request.ts';

describe('a request is refused', () => {
  const bad = (message: string) => ({ code: 'UNAUTHORIZED', reason: 'BAD_SIGNATURE', message });
  const needs = 'signature-input must have the parameters created, expires, nonce, keyid, alg and tag, and no others';
  it.each<{ why: string; change: Partial<RequestToVerify>; refusal: object }>([
    ...['content-type', 'x-api-key', 'content-digest', 'signature-input', 'signature'].map((name) => ({
      why: `without ${name}`,
      change: { headers: { ...SIGNED, [name]: undefined } },
      refusal: { code: 'UNAUTHORIZED', reason: 'BAD_SIGNATURE' },
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
      refusal: { code: 'UNAUTHORIZED', reason: 'UNKNOWN_KEY', message: 'there is no such key' },
    },
    {
      why: 'of a revoked key',
      change: { keyOf: () => 'revoked' },
      refusal: { code: 'UNAUTHORIZED', reason: 'REVOKED', message: 'the key was revoked' },
    },
    {
      why: 'of somebody else under our key id',
      change: { headers: signRequest({ ...REQUEST, key: signingKey(new Uint8Array(32).fill(1)) }) },
      refusal: bad('the signature does not verify'),
    },
  ])('$why', async ({ change, refusal }) => {
    expect(verifyRequest({ ...received(SIGNED), ...change })).toMatchObject({ ok: false, ...refusal });
    expect(await verifyRequestInPool({ ...received(SIGNED), ...change })).toMatchObject({ ok: false, ...refusal });
  });

  it('and never with an exception, whatever the headers hold', () => {
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
