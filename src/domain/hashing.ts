import { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';

/** Hex SHA-256 of a text in UTF-8. */
export function sha256(text: string): string {
  return hash('sha256', text);
}

/** Hex Keccak-256 of a text in UTF-8: the hash of Ethereum, with the padding that it had before it became SHA-3. */
export function keccak256(text: string): string {
  return hash('keccak-256', text);
}

const bytes = Buffer.alloc(32);

/**
 * An even number of hexadecimal digits, at most 64, in lower case. In a file with names that are not Latin-1, `toLowerCase`
 * takes ten times as long.
 */
export function lowerCaseHex(digits: string): string {
  return bytes.toString('hex', 0, bytes.write(digits, 'hex'));
}
