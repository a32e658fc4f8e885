import { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';
import { parseDictionary } from './structured-fields.ts';

export type DigestCheck = 'matches' | 'differs' | 'malformed' | 'unsupported';

/** RFC 9530, section 5: the two algorithms that are fit for this; the others in its registry are not. */
const ALGORITHMS = new Map([
  ['sha-256', 'sha256'],
  ['sha-512', 'sha512'],
]);

/** A Content-Digest field for these bytes (RFC 9530). Text counts as its UTF-8. */
export function contentDigest(body: Uint8Array | string): string {
  return `sha-256=:${hash('sha256', body, 'base64')}:`;
}

/**
 * Whether the field names the digest of exactly these bytes. Every sha-256 and sha-512 in it has to match, other
 * algorithms are passed over, and at least one of the two has to be there.
 */
export function checkContentDigest(field: string, body: Uint8Array): DigestCheck {
  // What `contentDigest` writes is read as itself, and is nearly all that comes.
  if (field === contentDigest(body)) return 'matches';
  const digests = parseDictionary(field);
  if (digests === null) return 'malformed';
  let checked = 0;
  for (const [name, member] of digests) {
    const algorithm = ALGORITHMS.get(name);
    if (algorithm === undefined) continue;
    if (member.kind !== 'item' || member.value.type !== 'bytes') return 'malformed';
    if (!Buffer.from(member.value.value).equals(hash(algorithm, body, 'buffer'))) return 'differs';
    checked += 1;
  }
  return checked > 0 ? 'matches' : 'unsupported';
}
