import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { signRequest, verifyRequest, verifyRequestInPool } from '../../src/contract/signature.ts';
import { readAnyInput, readOwnInput, readSignature } from '../../src/contract/signature-input.ts';
import { parseDictionary } from '../../src/contract/structured-fields.ts';
import { signingKey, type VerifyingKey, verifyingKey } from '../../src/keys/ed25519.ts';
import { anyRequest, CREATED, KEY_ID, NONCE, received, SIGNED, signedAs, VERIFYING } from './signature-request.ts';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** A text with up to four pieces cut out, doubled or put in where they matter. */
function spoiled(text: string): fc.Arbitrary<string> {
  const piece = fc.constantFrom(
    '',
    '0',
    '-',
    '=',
    '"',
    '\\',
    ';',
    ',',
    '(',
    ')',
    ':',
    ' ',
    '\t',
    '\n',
    'A',
    'Q',
    'é',
    '/',
    '_',
  );
  const change = fc.tuple(fc.nat(text.length), fc.nat(3), piece);
  return fc.array(change, { maxLength: 4 }).map((changes) => {
    let spoiledText = text;
    for (const [at, cut, put] of changes) spoiledText = spoiledText.slice(0, at) + put + spoiledText.slice(at + cut);
    return spoiledText;
  });
}

describe('the quick reading of our own headers', () => {
  it('reads every header that we sign', () => {
    fc.assert(
      fc.property(anyRequest(), (request) => {
        const headers = signRequest(request);
        const { keyId, nonce, created, expires } = request;
        expect(readOwnInput(headers['signature-input'])).toMatchObject({ keyId, nonce, created, expires });
        expect(readSignature(headers)).toHaveLength(64);
      }),
    );
  });

  it('reads nothing that the grammar reads in another way', () => {
    const seen = { own: 0, other: 0 };
    fc.assert(
      fc.property(spoiled(SIGNED['signature-input']), (input) => {
        const own = readOwnInput(input);
        seen[own ? 'own' : 'other'] += 1;
        if (own) expect(readAnyInput(input)).toEqual(own);
      }),
      { numRuns: 20_000 },
    );
    expect(seen.own).toBeGreaterThan(500);
    expect(seen.other).toBeGreaterThan(500);
  });

  it('reads of a signature what the grammar reads', () => {
    const seen = { own: 0, other: 0 };
    const spoiledOrTail = fc.oneof(
      spoiled(SIGNED.signature),
      // The letter before `==`, of whose six bits four must be zero.
      fc.constantFrom(...LETTERS).map((letter) => SIGNED.signature.replace(/.==:$/, `${letter}==:`)),
    );
    fc.assert(
      fc.property(spoiledOrTail, (signature) => {
        const read = readSignature({ signature });
        const member = parseDictionary(signature)?.get('sig');
        const isBytes = member?.kind === 'item' && member.value.type === 'bytes' && member.parameters.size === 0;
        seen[isBytes ? 'own' : 'other'] += 1;
        if (isBytes) expect(Buffer.from(read as Uint8Array)).toEqual(Buffer.from(member.value.value as Uint8Array));
        else expect(read).toBeTypeOf('string');
      }),
      { numRuns: 5_000 },
    );
    expect(seen.own).toBeGreaterThan(100);
    expect(seen.other).toBeGreaterThan(500);
  });

  it.each([
    ['a leading zero', [`created=${CREATED}`, `created=0${CREATED}`]],
    ['a minus', [`created=${CREATED}`, `created=-${CREATED}`]],
    ['16 digits', [`created=${CREATED}`, 'created=1234567890123456']],
    ['a nonce of a length that base64 has not', [NONCE, `${NONCE}abc`]],
    ['a nonce of 126 bits', [NONCE, NONCE.slice(1)]],
    ['a quote in the key id', [KEY_ID, 'key\\"']],
    ['a key id of 201 characters', [KEY_ID, 'k'.repeat(201)]],
    ['a blank before a parameter', [';expires', '; expires']],
    ['a second signature', ['sig=', 'other=1, sig=']],
    ['another label', ['sig=', 'sig1=']],
    ['one more parameter', [';alg', ';x=1;alg']],
    ['an upper-case component', ['@method', '@METHOD']],
    ['a line end', [';tag="payout-v1"', ';tag="payout-v1"\n']],
  ] as const)('leaves %s to the grammar', (_what, [from, to]) => {
    expect(SIGNED['signature-input']).toContain(from);
    expect(readOwnInput(SIGNED['signature-input'].replace(from, to))).toBeNull();
  });

  it('reads no signature with spare bits, without its padding, with parameters or in other letters', () => {
    const [, base64 = ''] = /:(.*)==:/.exec(SIGNED.signature) ?? [];
    expect(readSignature({ signature: ` sig=:${base64}==:, b=1` })).toHaveLength(64);
    for (const text of [
      `sig=:${base64.slice(0, -1)}R==:`,
      `sig=:${base64}:`,
      `sig=:${base64}==:;x`,
      `sig=:${base64.replace(/^./, '_')}==:`,
    ])
      expect(typeof readSignature({ signature: text }), text).toBe('string');
  });
});

describe('verifying in the thread pool', () => {
  it('says what verifying here says, for whatever is changed', async () => {
    const names = Object.keys(SIGNED) as (keyof typeof SIGNED)[];
    const change = fc.constantFrom(...names).chain((name) => spoiled(SIGNED[name]).map((text) => ({ [name]: text })));
    await fc.assert(
      fc.asyncProperty(change, async (headers) => {
        const request = received({ ...SIGNED, ...headers });
        expect(await verifyRequestInPool(request)).toEqual(verifyRequest(request));
      }),
      { numRuns: 1_000 },
    );
  });

  it('accepts what the grammar alone can read', async () => {
    const headers = signedAs({ label: 'sig', parameters: [['tag', 'payout-v1'], ['alg', 'ed25519'], ...OTHERS] });
    expect(readOwnInput(headers['signature-input'] ?? '')).toBeNull();
    expect(await verifyRequestInPool(received(headers))).toMatchObject({ ok: true, keyId: KEY_ID, nonce: NONCE });
  });

  it.each([
    ['revoked', 'revoked', { ok: false, reason: 'REVOKED' }],
    ['taken away', 'unknown', { ok: false, reason: 'UNKNOWN_KEY' }],
    ['replaced by another', otherKey(), { ok: false, reason: 'REVOKED' }],
    ['read again', { ...VERIFYING, publicKey: Uint8Array.from(VERIFYING.publicKey) }, { ok: true }],
  ] as const)('looks once more at the key, which may have been %s meanwhile', async (_what, later, expected) => {
    const answers = [VERIFYING, later];
    const request = { ...received(SIGNED), keyOf: () => answers.shift() ?? expect.fail() };
    expect(await verifyRequestInPool(request)).toMatchObject(expected);
  });

  it('keeps its own copy of the body: what is done to it afterwards changes nothing', async () => {
    const request = received(SIGNED);
    const verifying = verifyRequestInPool(request);
    request.body.fill(0);
    expect((await verifying).ok).toBe(true);
  });
});

function otherKey(): VerifyingKey {
  const made = verifyingKey(signingKey(new Uint8Array(32).fill(1)).publicKey);
  return made.ok ? made.key : expect.fail();
}

const OTHERS = [
  ['created', CREATED],
  ['expires', CREATED + 30],
  ['nonce', NONCE],
  ['keyid', KEY_ID],
] as const;
