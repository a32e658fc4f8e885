import { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';
import { inspect } from 'node:util';
import { etc, verify as nobleVerify, Point, utils } from '@noble/ed25519';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Backend, chooseBackend } from '../../src/keys/backend.ts';
import {
  defaultBackend,
  parsePublicKey,
  publicKeyTexts,
  signingKey,
  type VerifyingKey,
  verifyingKey,
} from '../../src/keys/ed25519.ts';
import { nobleBackend } from '../../src/keys/noble-backend.ts';
import { nodeBackend } from '../../src/keys/node-backend.ts';
import { SMALL_ORDER_ENCODINGS } from './small-order.ts';

const BACKENDS: readonly Backend[] = [nodeBackend, nobleBackend];
const seed = fc.uint8Array({ minLength: 32, maxLength: 32 });
const message = fc.uint8Array({ maxLength: 600 });

describe('the two implementations', () => {
  it('give the same public key and the same signature, byte for byte', () => {
    fc.assert(
      fc.property(seed, message, (seedBytes, bytes) => {
        const node = signingKey(seedBytes, nodeBackend);
        const noble = signingKey(seedBytes, nobleBackend);
        expect(hex(noble.publicKey)).toBe(hex(node.publicKey));
        expect(hex(noble.sign(bytes))).toBe(hex(node.sign(bytes)));
      }),
      { numRuns: 200 },
    );
  });

  it('each verify what the other signed, and nothing that differs from it in one bit', async () => {
    await fc.assert(
      fc.asyncProperty(seed, message, fc.nat(), fc.nat(7), async (seedBytes, bytes, place, bit) => {
        for (const signer of BACKENDS) {
          const verifier = signer === nodeBackend ? nobleBackend : nodeBackend;
          const key = signingKey(seedBytes, signer);
          const signature = key.sign(bytes);
          const other = keyOf(key.publicKey, verifier);
          expect(await verifiedBothWays(other, bytes, signature)).toBe(true);
          expect(await verifiedBothWays(other, bytes, flipped(signature, place, bit))).toBe(false);
          if (bytes.length > 0)
            expect(await verifiedBothWays(other, flipped(bytes, place, bit), signature)).toBe(false);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('agree to refuse an R with a small-order part, which noble alone would accept', async () => {
    const { publicKey, message: bytes, signature } = signatureWithTorsionInR(1);
    expect(nobleVerify(signature, bytes, publicKey, { zip215: false })).toBe(true);
    for (const backend of BACKENDS)
      expect(await verifiedBothWays(keyOf(publicKey, backend), bytes, signature), backend.name).toBe(false);
  });

  it.each(SMALL_ORDER_ENCODINGS)('refuse an R of order $order: $hex (canonical: $canonical)', async (point) => {
    // By the owner of the key, with the S that belongs to R: with the neutral element the equation holds, and noble
    // alone would accept it.
    const { publicKey, message: bytes, signature } = signatureWithR(bytesOf(point.hex), 0n);
    for (const backend of BACKENDS)
      expect(await verifiedBothWays(keyOf(publicKey, backend), bytes, signature), backend.name).toBe(false);
  });

  it('agree to accept the same signature made without that part', async () => {
    const { publicKey, message: bytes, signature } = signatureWithTorsionInR(0);
    for (const backend of BACKENDS)
      expect(await verifiedBothWays(keyOf(publicKey, backend), bytes, signature), backend.name).toBe(true);
  });

  it.each(BACKENDS)('refuse S + L and signatures of another length ($name)', async (backend) => {
    const key = signingKey(new Uint8Array(32).fill(7), backend);
    const bytes = Buffer.from('pay once');
    const signature = key.sign(bytes);
    const verifying = keyOf(key.publicKey, backend);
    expect(await verifiedBothWays(verifying, bytes, signature)).toBe(true);
    expect(await verifiedBothWays(verifying, bytes, withLargerS(signature))).toBe(false);
    for (const length of [0, 1, 63])
      expect(await verifiedBothWays(verifying, bytes, signature.subarray(0, length))).toBe(false);
    expect(await verifiedBothWays(verifying, bytes, Buffer.concat([signature, Buffer.alloc(1)]))).toBe(false);
  });
});

describe('RFC 8032, section 7.1', () => {
  const cases = [
    {
      name: 'TEST 1 (empty message)',
      seed: '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
      publicKey: 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
      message: '',
      signature:
        'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155' +
        '5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
    },
    {
      name: 'TEST 3 (two bytes)',
      seed: 'c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7',
      publicKey: 'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
      message: 'af82',
      signature:
        '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac' +
        '18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
    },
  ];
  it.each(cases.flatMap((row) => BACKENDS.map((backend) => ({ ...row, backend, by: backend.name }))))(
    '$name by $by',
    (row) => {
      const key = signingKey(bytesOf(row.seed), row.backend);
      expect(hex(key.publicKey)).toBe(row.publicKey);
      expect(hex(key.sign(bytesOf(row.message)))).toBe(row.signature);
      expect(keyOf(bytesOf(row.publicKey), row.backend).verify(bytesOf(row.message), bytesOf(row.signature))).toBe(
        true,
      );
    },
  );
});

describe('public keys', () => {
  it.each(SMALL_ORDER_ENCODINGS)('of order $order are refused: $hex (canonical: $canonical)', ({ hex: text }) => {
    for (const backend of BACKENDS) {
      expect(verifyingKey(bytesOf(text), backend)).toEqual({ ok: false, problem: 'small_order' });
    }
  });

  it('are refused in each of the other encodings that are not canonical', () => {
    const smallOrder = new Set(SMALL_ORDER_ENCODINGS.map((row) => row.hex));
    const problems = { not_canonical: 0, not_on_curve: 0 };
    for (const text of encodingsAboveTheField().filter((candidate) => !smallOrder.has(candidate))) {
      const result = verifyingKey(bytesOf(text));
      if (result.ok) throw new Error(`accepted ${text}`);
      problems[result.problem as keyof typeof problems] += 1;
    }
    // Of y = p .. p+18 with both signs, 38 in all: 4 are of small order, and of the others some are no points at all.
    expect(problems.not_canonical + problems.not_on_curve).toBe(34);
    expect(problems.not_canonical).toBeGreaterThan(0);
  });

  it('with a small-order part added to a good key are refused', () => {
    const good = Point.fromBytes(signingKey(new Uint8Array(32).fill(1)).publicKey);
    for (const { hex: text, canonical } of SMALL_ORDER_ENCODINGS.filter(({ order }) => order > 1)) {
      if (!canonical) continue;
      const mixed = good.add(Point.fromBytes(bytesOf(text))).toBytes();
      expect(verifyingKey(mixed)).toEqual({ ok: false, problem: 'mixed_order' });
    }
  });

  it('that are no point, or not 32 bytes, are refused', () => {
    const noPoint = bytesOf('0200000000000000000000000000000000000000000000000000000000000000');
    expect(verifyingKey(noPoint)).toEqual({ ok: false, problem: 'not_on_curve' });
    for (const length of [0, 31, 33, 64]) {
      expect(verifyingKey(new Uint8Array(length))).toEqual({ ok: false, problem: 'wrong_length' });
    }
  });

  it('are kept by value: changing the bytes afterwards changes nothing', () => {
    const key = signingKey(new Uint8Array(32).fill(3));
    const given = Uint8Array.from(key.publicKey);
    for (const backend of BACKENDS) {
      const verifying = keyOf(given, backend);
      given.fill(0);
      expect(verifying.verify(Buffer.from('x'), key.sign(Buffer.from('x')))).toBe(true);
      given.set(key.publicKey);
    }
  });

  it('go to text and back, each key by one base64url text only', () => {
    fc.assert(
      fc.property(seed, (bytes) => {
        const texts = publicKeyTexts(bytes);
        expect(texts.base64url).toHaveLength(43);
        expect(parsePublicKey(texts.base64url)).toEqual(Uint8Array.from(bytes));
        expect(parsePublicKey(texts.hex)).toEqual(Uint8Array.from(bytes));
        expect(parsePublicKey(texts.hex.toUpperCase())).toEqual(Uint8Array.from(bytes));
      }),
    );
    expect(publicKeyTexts(new Uint8Array(32)).base64url).toBe('A'.repeat(43));
    expect(parsePublicKey(`${'A'.repeat(42)}B`)).toBeNull();
    for (const text of ['', 'A'.repeat(42), 'A'.repeat(44), `${'A'.repeat(43)}=`, '0'.repeat(63), 'g'.repeat(64)]) {
      expect(parsePublicKey(text)).toBeNull();
    }
  });
});

describe('signing keys', () => {
  it.each(BACKENDS)('show no secret to a log or an inspection ($name)', (backend) => {
    const secret = Uint8Array.from(Buffer.from('5ec2e700'.repeat(8), 'hex'));
    const key = signingKey(secret, backend);
    const shown = inspect(key, { depth: 9, showHidden: true }) + JSON.stringify(key);
    expect(shown).toContain('publicKey');
    expect(shown).not.toMatch(/5ec2e7|94, 194, 231|94,194,231/);
  });

  it.each(BACKENDS)('are kept by value ($name)', (backend) => {
    const given = new Uint8Array(32).fill(9);
    const key = signingKey(given, backend);
    const before = hex(key.sign(Buffer.from('x')));
    given.fill(0);
    expect(hex(key.sign(Buffer.from('x')))).toBe(before);
  });

  it('need 32 bytes', () => {
    expect(() => signingKey(new Uint8Array(31))).toThrow(RangeError);
    expect(() => signingKey(new Uint8Array(64))).toThrow(RangeError);
  });
});

describe('the choice of the implementation', () => {
  const refusing: Backend = {
    ...nodeBackend,
    signer: () => {
      throw new Error('error:0308010C:digital envelope routines::unsupported');
    },
  };
  const refusingToVerify: Backend = {
    ...nodeBackend,
    verifier: () => {
      throw new Error('unsupported');
    },
  };
  const wrong: Backend = {
    ...nodeBackend,
    signer: (bytes) => ({ ...nodeBackend.signer(bytes), sign: () => new Uint8Array(64) }),
  };
  const gullible: Backend = {
    ...nodeBackend,
    verifier: () => ({ verify: () => true, verifyInPool: async () => true }),
  };

  it('is node:crypto in this runtime, kept for the whole process', () => {
    expect(defaultBackend()).toBe(nodeBackend);
    expect(chooseBackend(BACKENDS)).toBe(nodeBackend);
  });

  it.each([
    { why: 'refuses Ed25519 keys, as FIPS builds do', backend: refusing },
    { why: 'signs but cannot verify', backend: refusingToVerify },
    { why: 'signs wrongly', backend: wrong },
    { why: 'verifies anything', backend: gullible },
  ])('falls to noble where node:crypto $why', ({ backend }) => {
    const chosen = chooseBackend([backend, nobleBackend]);
    expect(chosen).toBe(nobleBackend);
    const bytes = Buffer.from('still pays');
    const expected = signingKey(new Uint8Array(32).fill(5), nodeBackend).sign(bytes);
    expect(hex(signingKey(new Uint8Array(32).fill(5), chosen).sign(bytes))).toBe(hex(expected));
  });

  it('says so where none works', () => {
    expect(() => chooseBackend([refusing])).toThrow('no Ed25519 works here (tried: node)');
  });
});

function keyOf(publicKey: Uint8Array, backend: Backend): VerifyingKey {
  const result = verifyingKey(publicKey, backend);
  if (!result.ok) throw new Error(result.problem);
  return result.key;
}

const GROUP_ORDER = Point.CURVE().n;

/** What both ways of verifying say, on this thread and in the pool: the same. */
async function verifiedBothWays(key: VerifyingKey, bytes: Uint8Array, signature: Uint8Array): Promise<boolean> {
  const here = key.verify(bytes, signature);
  expect(await key.verifyInPool(bytes, signature)).toBe(here);
  return here;
}

/** A signature by the key's owner whose R has `count` times a point of order 8 added to it. */
function signatureWithTorsionInR(count: 0 | 1): Made {
  const r = 123_456_789n;
  const torsion = Point.fromHex(SMALL_ORDER_ENCODINGS[4]?.hex ?? '');
  const pointR = count === 1 ? Point.BASE.multiply(r).add(torsion) : Point.BASE.multiply(r);
  return signatureWithR(pointR.toBytes(), r);
}

type Made = { publicKey: Uint8Array; message: Uint8Array; signature: Uint8Array };

/** A signature by the key's owner with whatever R, and the S that belongs to `r`. */
function signatureWithR(encodedR: Uint8Array, r: bigint): Made {
  const { scalar, pointBytes } = utils.getExtendedPublicKey(new Uint8Array(32).fill(11));
  const bytes = Buffer.from('torsion');
  const k = etc.mod(littleEndian(hash('sha512', Buffer.concat([encodedR, pointBytes, bytes]), 'buffer')), GROUP_ORDER);
  const s = etc.mod(r + k * scalar, GROUP_ORDER);
  return { publicKey: pointBytes, message: bytes, signature: Buffer.concat([encodedR, toLittleEndian(s)]) };
}

/** The same signature with S + L: the equation still holds, so only the range check refuses it. */
function withLargerS(signature: Uint8Array): Uint8Array {
  const s = littleEndian(signature.subarray(32)) + GROUP_ORDER;
  return Buffer.concat([signature.subarray(0, 32), toLittleEndian(s)]);
}

function encodingsAboveTheField(): string[] {
  const p = Point.CURVE().p;
  return Array.from({ length: 19 }, (_, above) => p + BigInt(above)).flatMap((y) =>
    [0n, 1n].map((sign) => hex(toLittleEndian(y + (sign << 255n)))),
  );
}

function littleEndian(bytes: Uint8Array): bigint {
  return BigInt(`0x${hex(Buffer.from(bytes).reverse())}`);
}

function toLittleEndian(value: bigint): Uint8Array {
  return Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse();
}

function flipped(bytes: Uint8Array, place: number, bit: number): Uint8Array {
  const copy = Uint8Array.from(bytes);
  const at = place % copy.length;
  copy[at] = (copy[at] ?? 0) ^ (1 << bit);
  return copy;
}

function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text, 'hex'));
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
