import { Point } from '@noble/ed25519';

export type PublicKeyProblem = 'wrong_length' | 'not_on_curve' | 'small_order' | 'not_canonical' | 'mixed_order';

const PUBLIC_KEY_BYTES = 32;

/**
 * What is wrong with 32 bytes as an Ed25519 public key, or null.
 * `small_order`: one of the 8 points (14 encodings) under which a signature can verify for nearly any message.
 * `not_canonical`: RFC 8032 section 5.1.3 refuses it (y not below p, or a sign on x = 0), lenient decoders do not.
 * `mixed_order`: a good key with a small-order part added, on which verifiers with and without cofactor disagree.
 */
export function publicKeyProblem(publicKey: Uint8Array): PublicKeyProblem | null {
  if (publicKey.length !== PUBLIC_KEY_BYTES) return 'wrong_length';
  const point = decode(publicKey, true);
  if (point === null) return 'not_on_curve';
  if (point.isSmallOrder()) return 'small_order';
  if (decode(publicKey, false) === null) return 'not_canonical';
  return point.isTorsionFree() ? null : 'mixed_order';
}

function decode(publicKey: Uint8Array, lenient: boolean): Point | null {
  try {
    return Point.fromBytes(publicKey, lenient);
  } catch {
    return null;
  }
}
