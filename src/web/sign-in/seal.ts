import { Buffer } from 'node:buffer';
import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import type { Randomness } from '../../platform/clock.ts';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts what is kept of a session with the token that only its browser has, and what is kept of a person with the passphrase
 * that only their password yields, so that nobody else's text opens (AES-256-GCM with a key by HKDF-SHA-256 of these 256 bits,
 * another one for each purpose).
 */
export class Seal {
  readonly #key: Buffer;
  readonly #randomness: Randomness;

  constructor(secret: string, randomness: Randomness, purpose: 'session' | 'authenticator app' = 'session') {
    this.#key = Buffer.from(hkdfSync('sha256', secret, '', `payrun ${purpose}`, KEY_BYTES));
    this.#randomness = randomness;
  }

  close(text: string): string {
    const nonce = this.#randomness.bytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key, nonce);
    const closed = [cipher.update(text, 'utf8'), cipher.final()];
    return Buffer.concat([nonce, ...closed, cipher.getAuthTag()]).toString('base64url');
  }

  /** Throws for what was not closed with this secret. */
  open(closed: string): string {
    const bytes = Buffer.from(closed, 'base64url');
    const decipher = createDecipheriv(CIPHER, this.#key, bytes.subarray(0, NONCE_BYTES));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString('utf8');
  }
}
