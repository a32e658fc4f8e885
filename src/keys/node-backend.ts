import { Buffer } from 'node:buffer';
import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import type { Backend } from './backend.ts';
import { PKCS8_PREFIX, SPKI_PREFIX } from './pkcs8.ts';

/**
 * OpenSSL through node:crypto: the hot path. The KeyObject is made once and kept. On its own OpenSSL accepts some
 * signatures under keys of small order, which `public-key.ts` refuses before they come here.
 */
export const nodeBackend: Backend = {
  name: 'node',
  signer(seed) {
    const key = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
    const spki = createPublicKey(key).export({ format: 'der', type: 'spki' });
    return {
      publicKey: Uint8Array.from(spki.subarray(SPKI_PREFIX.length)),
      sign: (message) => sign(null, message, key),
      signInPool: (message) =>
        new Promise((resolve, reject) => {
          sign(null, message, key, (error, signature) => (error ? reject(error) : resolve(signature)));
        }),
    };
  },
  verifier(publicKey) {
    const key = createPublicKey({ key: Buffer.concat([SPKI_PREFIX, publicKey]), format: 'der', type: 'spki' });
    return {
      verify: (message, signature) => verify(null, message, key, signature),
      verifyInPool: (message, signature) =>
        new Promise((resolve, reject) => {
          verify(null, message, key, signature, (error, isGood) => (error ? reject(error) : resolve(isGood)));
        }),
    };
  },
};
