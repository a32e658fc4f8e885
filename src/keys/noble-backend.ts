import { hash } from 'node:crypto';
import { getPublicKey, hashes, Point, sign, verify } from '@noble/ed25519';
import type { Backend } from './backend.ts';

// SHA-512 is allowed in FIPS mode, so it comes from the runtime also where Ed25519 cannot.
hashes.sha512 = (message) => hash('sha512', message, 'buffer');

/** @noble/ed25519: plain JavaScript, for wherever the runtime's OpenSSL has no Ed25519, and as the second opinion. */
export const nobleBackend: Backend = {
  name: 'noble',
  signer: (seed) => ({
    publicKey: getPublicKey(seed),
    sign: (message) => sign(message, seed),
    signInPool: async (message) => sign(message, seed),
  }),
  verifier(publicKey) {
    const isGood = (message: Uint8Array, signature: Uint8Array): boolean =>
      verify(signature, message, publicKey, { zip215: false }) && isOfPrimeOrder(signature.subarray(0, 32));
    return { verify: isGood, verifyInPool: async (message, signature) => isGood(message, signature) };
  },
};

/**
 * noble multiplies the equation by the cofactor, so it also accepts an R that has a small-order part added to it;
 * OpenSSL does not. With A and R both in the prime-order group the two equations are the same (RFC 8032 5.1.7 allows
 * either). The neutral element is in that group too; OpenSSL refuses it as an R, which no signer ever makes.
 */
function isOfPrimeOrder(encodedR: Uint8Array): boolean {
  const point = Point.fromBytes(encodedR);
  return point.isTorsionFree() && !point.isSmallOrder();
}
