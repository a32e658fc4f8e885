import { Buffer } from 'node:buffer';
import { type Backend, chooseBackend } from './backend.ts';
import { nobleBackend } from './noble-backend.ts';
import { nodeBackend } from './node-backend.ts';
import { type PublicKeyProblem, publicKeyProblem } from './public-key.ts';

/** An Ed25519 private key (RFC 8032). Its secret is held in a closure, so no log or inspection can show it. */
export type SigningKey = {
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
  /** The 64-byte signature of `message`. The same key and message always give the same bytes. */
  sign(message: Uint8Array): Uint8Array;
  /** The same from a thread of libuv's pool, as `verifyInPool` has it. */
  signInPool(message: Uint8Array): Promise<Uint8Array>;
};

/** An Ed25519 public key that passed every check of `public-key.ts`. */
export type VerifyingKey = {
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
  /**
   * Whether `signature` is this key's over `message`, by the strictest rule: 64 bytes, S below the group order, R
   * canonical and not of small order, and `[S]B = R + [k]A` without a cofactor. Never throws on hostile bytes.
   */
  verify(message: Uint8Array, signature: Uint8Array): boolean;
  /**
   * The same answer from a thread of libuv's pool, so that the event loop goes on; about 20 µs of it are still spent
   * here. The bytes are copied before this returns. Where the implementation is noble, there is no other thread.
   */
  verifyInPool(message: Uint8Array, signature: Uint8Array): Promise<boolean>;
};

export type VerifyingKeyResult = { ok: true; key: VerifyingKey } | { ok: false; problem: PublicKeyProblem };

const SEED_BYTES = 32;
const SIGNATURE_BYTES = 64;

let chosen: Backend | undefined;

/** node:crypto where it can do Ed25519 (seven to ten times faster), else noble. Probed once in a process. */
export function defaultBackend(): Backend {
  chosen ??= chooseBackend([nodeBackend, nobleBackend]);
  return chosen;
}

/**
 * The key of a 32-byte seed (RFC 8032 section 5.1.5). Make it once and keep it: a signature with a kept key takes less
 * than half the time of one that parses its key first.
 */
export function signingKey(seed: Uint8Array, backend: Backend = defaultBackend()): SigningKey {
  if (seed.length !== SEED_BYTES) throw new RangeError(`an Ed25519 seed has 32 bytes, not ${seed.length}`);
  const { publicKey, sign, signInPool } = backend.signer(Uint8Array.from(seed));
  return { publicKey, sign, signInPool };
}

/**
 * The key of 32 bytes that somebody sent, or what is wrong with them. Keys of small or mixed order and encodings that
 * are not canonical are refused: with those, signatures verify that nobody made, and two verifiers can disagree.
 * The checks take about a millisecond, so keep the key.
 */
export function verifyingKey(publicKey: Uint8Array, backend: Backend = defaultBackend()): VerifyingKeyResult {
  const own = Uint8Array.from(publicKey);
  const problem = publicKeyProblem(own);
  if (problem !== null) return { ok: false, problem };
  const { verify, verifyInPool } = backend.verifier(own);
  return {
    ok: true,
    key: {
      publicKey: own,
      verify: (message, signature) => signature.length === SIGNATURE_BYTES && verify(message, signature),
      verifyInPool: async (message, signature) =>
        signature.length === SIGNATURE_BYTES && verifyInPool(message, signature),
    },
  };
}

/** The 32 bytes in the two forms that people copy: base64url without padding (43 characters) and hex (64). */
export function publicKeyTexts(publicKey: Uint8Array): { base64url: string; hex: string } {
  const bytes = Buffer.from(publicKey);
  return { base64url: bytes.toString('base64url'), hex: bytes.toString('hex') };
}

/** Reads what `publicKeyTexts` writes, either form, or null. Whether the key is a good one is not looked at. */
export function parsePublicKey(text: string): Uint8Array | null {
  if (/^[0-9a-fA-F]{64}$/.test(text)) return Uint8Array.from(Buffer.from(text, 'hex'));
  // The last of 43 characters carries two bits of nothing, which must be zero: one key has one text.
  if (/^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/.test(text)) return Uint8Array.from(Buffer.from(text, 'base64url'));
  return null;
}
