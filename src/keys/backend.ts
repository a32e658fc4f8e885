import { Buffer } from 'node:buffer';

/**
 * One implementation of Ed25519. Public keys that reach `verifier` were checked before and signatures that reach its
 * function have 64 bytes, so that both implementations need to agree on nothing but the equation.
 */
export type Backend = {
  readonly name: 'node' | 'noble';
  /** Takes ownership of the 32 bytes of `seed`. */
  signer(seed: Uint8Array): Signer;
  verifier(publicKey: Uint8Array): Verifier;
};

export type Signer = {
  readonly publicKey: Uint8Array;
  sign(message: Uint8Array): Uint8Array;
  /** The same signature, worked out on another thread where the implementation can. */
  signInPool(message: Uint8Array): Promise<Uint8Array>;
};

export type Verifier = {
  verify(message: Uint8Array, signature: Uint8Array): boolean;
  /** The same answer, worked out on another thread where the implementation can. */
  verifyInPool(message: Uint8Array, signature: Uint8Array): Promise<boolean>;
};

/** The first of `candidates` that gets a known answer right. An OpenSSL in FIPS mode throws, or signs with nothing. */
export function chooseBackend(candidates: readonly Backend[]): Backend {
  const usable = candidates.find(works);
  if (!usable) throw new Error(`no Ed25519 works here (tried: ${candidates.map(({ name }) => name).join(', ')})`);
  return usable;
}

/** RFC 8032, section 7.1, TEST 2. */
const KNOWN = {
  seed: '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
  publicKey: '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
  message: '72',
  signature:
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da' +
    '085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
};

function works(backend: Backend): boolean {
  const message = Buffer.from(KNOWN.message, 'hex');
  const signature = Buffer.from(KNOWN.signature, 'hex');
  try {
    const signer = backend.signer(Uint8Array.from(Buffer.from(KNOWN.seed, 'hex')));
    const { verify } = backend.verifier(Uint8Array.from(Buffer.from(KNOWN.publicKey, 'hex')));
    return (
      Buffer.from(signer.publicKey).toString('hex') === KNOWN.publicKey &&
      signature.equals(signer.sign(message)) &&
      verify(message, signature) &&
      !verify(Buffer.from('73', 'hex'), signature)
    );
  } catch {
    return false;
  }
}
