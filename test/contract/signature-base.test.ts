import { Buffer } from 'node:buffer';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fieldValue, signatureBase, signatureParameters } from '../../src/contract/signature-base.ts';
import { signingKey, verifyingKey } from '../../src/keys/ed25519.ts';
import { nobleBackend } from '../../src/keys/noble-backend.ts';
import { nodeBackend } from '../../src/keys/node-backend.ts';

const FILE = new URL('../../../shared/vectors/rfc9421-b26.json', import.meta.url);

/** RFC 9421, B.1.4 (test-key-ed25519) and B.2.6. */
const B26 = {
  seed: 'n4Ni-HpISpVObnQMW0wOhCKROaIKqKtW_2ZYb2p9KcU',
  publicKey: 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs',
  components: ['date', '@method', '@path', '@authority', 'content-type', 'content-length'],
  parameters: [
    ['created', 1_618_884_473],
    ['keyid', 'test-key-ed25519'],
  ] as const,
  message: {
    method: 'POST',
    authority: 'example.com',
    path: '/foo',
    headers: {
      host: 'example.com',
      date: 'Tue, 20 Apr 2021 02:07:55 GMT',
      'content-type': 'application/json',
      'content-length': '18',
    },
  },
  base: [
    '"date": Tue, 20 Apr 2021 02:07:55 GMT',
    '"@method": POST',
    '"@path": /foo',
    '"@authority": example.com',
    '"content-type": application/json',
    '"content-length": 18',
    '"@signature-params": ("date" "@method" "@path" "@authority" "content-type" "content-length")' +
      ';created=1618884473;keyid="test-key-ed25519"',
  ].join('\n'),
  input:
    'sig-b26=("date" "@method" "@path" "@authority" "content-type" "content-length")' +
    ';created=1618884473;keyid="test-key-ed25519"',
  signature: 'wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==',
};

describe('RFC 9421, B.2.6', () => {
  it.each([
    { name: 'node:crypto', backend: nodeBackend },
    { name: 'noble', backend: nobleBackend },
  ])('is reproduced byte for byte by $name', ({ backend }) => {
    const key = signingKey(Buffer.from(B26.seed, 'base64url'), backend);
    expect(Buffer.from(key.publicKey).toString('base64url')).toBe(B26.publicKey);
    const parameters = signatureParameters(B26.components, B26.parameters);
    const made = signatureBase(B26.components, B26.message, parameters);
    if (!made.ok) throw new Error(made.problem);
    expect(made.base).toBe(B26.base);
    expect(`sig-b26=${parameters}`).toBe(B26.input);
    expect(Buffer.from(key.sign(Buffer.from(made.base))).toString('base64')).toBe(B26.signature);
    const verifying = verifyingKey(Buffer.from(B26.publicKey, 'base64url'), backend);
    if (!verifying.ok) throw new Error(verifying.problem);
    expect(verifying.key.verify(Buffer.from(made.base), Buffer.from(B26.signature, 'base64'))).toBe(true);
  });

  if (existsSync(FILE)) {
    it('is typed in here as it is in the published file', () => {
      const file = JSON.parse(readFileSync(FILE, 'utf8'));
      expect(file).toMatchObject({
        jwk: { d: B26.seed, x: B26.publicKey },
        components: B26.components,
        params: Object.fromEntries(B26.parameters),
        signature: B26.signature,
        request: { method: B26.message.method, headers: B26.message.headers },
      });
    });
  } else {
    it.skip('SKIPPED: the published file is not at ../shared/vectors/rfc9421-b26.json', () => {});
  }
});

describe('a signature base', () => {
  const message = { method: 'POST', authority: 'Pay.Example:8443', path: '', headers: { 'x-a': '  b c \t' } };

  it('takes the authority in lower case, an empty path as /, and fields without the blanks around them', () => {
    expect(signatureBase(['@authority', '@path', 'x-a'], message, '(…)')).toMatchObject({
      base: '"@authority": pay.example:8443\n"@path": /\n"x-a": b c\n"@signature-params": (…)',
    });
  });

  it('joins a field that came several times (RFC 9421 section 2.1)', () => {
    expect(fieldValue({ cache: ['  max-age=60 ', '\tmust-revalidate'] }, 'cache')).toBe('max-age=60, must-revalidate');
    expect(fieldValue({ empty: '' }, 'empty')).toBe('');
    expect(fieldValue({}, 'constructor')).toBeNull();
  });

  it.each([
    { why: 'a field that is not there', components: ['x-b'], says: '"x-b" is covered and is not there' },
    { why: 'a derived component that we do not know', components: ['@query'], says: '"@query"' },
  ])('is refused for $why', ({ components, says }) => {
    expect(signatureBase(components, message, '')).toEqual({ ok: false, problem: expect.stringContaining(says) });
  });

  it.each(['a\nb', 'a\r', 'a\u0000', 'é', 'a\u007f'])('is refused for a value that could fake a line: %j', (value) => {
    expect(signatureBase(['x-a'], { ...message, headers: { 'x-a': value } }, '').ok).toBe(false);
    expect(signatureBase(['@path'], { ...message, path: value }, '').ok).toBe(false);
  });

  it('escapes quotes and backslashes in parameters', () => {
    expect(signatureParameters(['a'], [['keyid', 'x"\\y']])).toBe('("a");keyid="x\\"\\\\y"');
  });

  it('reads a field of 16 KiB of blanks without delay that grows with its square', () => {
    expect(fieldValue({ a: `x${' '.repeat(1_000_000)}y` }, 'a')).toHaveLength(1_000_002);
  });
});
