import { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';
import { isPrintableAscii, parseDictionary, serialiseString } from './structured-fields.ts';

/** The parts of a request that a signature can cover. */
export type SignedMessage = {
  method: string;
  /** Host, and port unless it is the scheme's own. */
  authority: string;
  /** The path without a query, as it stands on the request line. */
  path: string;
  headers: Headers;
};

/** Header fields by lower-case name, as Node gives them. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Signature parameters in their order (RFC 9421 section 2.3): integers and strings. */
export type SignatureParameters = readonly (readonly [name: string, value: string | number])[];

/**
 * The signature base of RFC 9421 section 2.5, or what is wrong with the message. Derived components are `@method`,
 * `@authority` and `@path`; any other is a header field, without component parameters. `parameters` is the inner list of
 * the Signature-Input field, after `label=`. The bytes to sign are its ASCII.
 */
export function signatureBase(
  components: readonly string[],
  message: SignedMessage,
  parameters: string,
): { ok: true; base: string } | { ok: false; problem: string } {
  let base = '';
  for (const component of components) {
    const value = componentValue(component, message);
    if (value === null) return { ok: false, problem: `"${component}" is covered and is not there` };
    // A line end inside a value could make one component look like two.
    if (!isPrintableAscii(value))
      return { ok: false, problem: `"${component}" has characters outside of printable ASCII` };
    base += `"${component}": ${value}\n`;
  }
  return { ok: true, base: `${base}"@signature-params": ${parameters}` };
}

/** `("a" "b");created=1;keyid="k"` (RFC 9421 section 2.3). */
export function signatureParameters(components: readonly string[], parameters: SignatureParameters): string {
  const texts = parameters.map(
    ([name, value]) => `;${name}=${typeof value === 'number' ? value : serialiseString(value)}`,
  );
  return `(${components.map(serialiseString).join(' ')})${texts.join('')}`;
}

/** The value of a header field by RFC 9421 section 2.1: each line trimmed, several joined by a comma. */
export function fieldValue(headers: Headers, name: string): string | null {
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined;
  if (value === undefined) return null;
  return typeof value === 'string' ? trimmed(value) : value.map(trimmed).join(', ');
}

function componentValue(component: string, message: SignedMessage): string | null {
  switch (component) {
    case '@method':
      return message.method;
    case '@authority':
      return message.authority.toLowerCase();
    case '@path':
      return message.path === '' ? '/' : message.path;
    default:
      return fieldValue(message.headers, component);
  }
}

/** Without blanks and tabs at both ends. By a loop: a pattern would take quadratic time over a long run of blanks. */
function trimmed(value: string): string {
  let start = 0;
  let end = value.length;
  while (start < end && isBlank(value[start])) start += 1;
  while (end > start && isBlank(value[end - 1])) end -= 1;
  return value.slice(start, end);
}

function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t';
}

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
