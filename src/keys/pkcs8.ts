import { Buffer } from 'node:buffer';
import type { PemFault } from '../domain/refusals/key-faults.ts';

/** PKCS#8 of an Ed25519 key up to its 32-byte seed, and SPKI up to its 32-byte public key (RFC 8410). */
export const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
export const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

export type ParsedPem =
  /** `publicKey` is set where the file carries one (RFC 5958 version 2). */
  | { ok: true; seed: Uint8Array; publicKey: Uint8Array | null }
  /** It never repeats what is inside the file. */
  | { ok: false; fault: PemFault };

/**
 * The Ed25519 private key in a PEM text (RFC 7468, RFC 5958, RFC 8410). Read by hand, since an OpenSSL that has no
 * Ed25519 cannot read such a key either.
 */
export function parsePrivateKeyPem(text: string): ParsedPem {
  const blocks = [...text.matchAll(/-----BEGIN ([A-Z0-9 ]{1,40})-----([^-]*)-----END \1-----/g)];
  const [block] = blocks;
  if (block === undefined || blocks.length > 1) return refused({ code: 'not_pem', blocks: blocks.length });
  const [, label = '', body = ''] = block;
  if (label !== 'PRIVATE KEY') return refusedLabel(label);
  const base64 = body.replace(/\s+/g, '');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64) || base64.length % 4 !== 0)
    return refused({ code: 'damaged', how: 'base64' });
  return parsePkcs8(Buffer.from(base64, 'base64'));
}

/** The PEM text of a seed, as `openssl genpkey -algorithm ed25519` writes it. */
export function privateKeyPem(seed: Uint8Array): string {
  const base64 = Buffer.concat([PKCS8_PREFIX, seed]).toString('base64');
  return `-----BEGIN PRIVATE KEY-----\n${base64}\n-----END PRIVATE KEY-----\n`;
}

function refusedLabel(label: string): ParsedPem {
  if (label === 'ENCRYPTED PRIVATE KEY') return refused({ code: 'encrypted' });
  if (label.includes('PUBLIC') || label === 'CERTIFICATE') return refused({ code: 'not_private', label });
  if (label === 'RSA PRIVATE KEY') return refused({ code: 'not_ed25519', holds: 'rsa' });
  if (label === 'EC PRIVATE KEY') return refused({ code: 'not_ed25519', holds: 'ec' });
  return refused({ code: 'not_pkcs8', label });
}

const ED25519 = '2b6570';

type OtherKey = Extract<PemFault, { code: 'not_ed25519' }>['holds'];

/** Object identifiers of keys that people give by mistake. */
const OTHER_ALGORITHMS: ReadonlyMap<string, OtherKey> = new Map([
  ['2a864886f70d010101', 'rsa'],
  ['2a864886f70d01010a', 'rsa_pss'],
  ['2a8648ce3d0201', 'ec'],
  ['2b656e', 'x25519'],
  ['2b6571', 'ed448'],
]);

const SEQUENCE = 0x30;
const INTEGER = 0x02;
const OCTET_STRING = 0x04;
const OBJECT_IDENTIFIER = 0x06;
const ATTRIBUTES = 0xa0;
const PUBLIC_KEY = 0x81;

/** OneAsymmetricKey: version, algorithm, the key, then attributes [0] and the public key [1] where there are any. */
function parsePkcs8(der: Buffer): ParsedPem {
  const damaged = refused({ code: 'damaged', how: 'structure' });
  const outer = elementsOf(der);
  const [whole] = outer ?? [];
  if (outer?.length !== 1 || whole?.tag !== SEQUENCE) return damaged;
  const [version, algorithm, key, ...extras] = elementsOf(whole.value) ?? [];
  if (version?.tag !== INTEGER || algorithm?.tag !== SEQUENCE || key?.tag !== OCTET_STRING) return damaged;
  const [identifier] = elementsOf(algorithm.value) ?? [];
  if (identifier?.tag !== OBJECT_IDENTIFIER) return damaged;
  const oid = identifier.value.toString('hex');
  if (oid !== ED25519) return refused({ code: 'not_ed25519', holds: OTHER_ALGORITHMS.get(oid) ?? 'another' });
  const [seed, more] = elementsOf(key.value) ?? [];
  if (seed?.tag !== OCTET_STRING || seed.value.length !== 32 || more) return damaged;
  if (extras.some(({ tag }) => tag !== ATTRIBUTES && tag !== PUBLIC_KEY)) return damaged;
  const bits = extras.find(({ tag }) => tag === PUBLIC_KEY)?.value;
  if (bits && (bits.length !== 33 || bits[0] !== 0)) return damaged;
  return { ok: true, seed: Uint8Array.from(seed.value), publicKey: bits ? Uint8Array.from(bits.subarray(1)) : null };
}

type Element = { tag: number; value: Buffer };

/** More elements side by side than any key has. */
const ELEMENTS_MAX = 16;

/** The DER elements that fill `der` exactly, or null. Lengths above 65,535 do not occur in a key file. */
function elementsOf(der: Buffer): Element[] | null {
  const elements: Element[] = [];
  let at = 0;
  while (at < der.length && elements.length < ELEMENTS_MAX) {
    const tag = der[at] ?? 0;
    const first = der[at + 1] ?? 0xff;
    const lengthBytes = first < 0x80 ? 0 : first - 0x80;
    if (lengthBytes > 2 || at + 2 + lengthBytes > der.length) return null;
    const start = at + 2 + lengthBytes;
    const length = lengthBytes === 0 ? first : der.readUIntBE(at + 2, lengthBytes);
    if (start + length > der.length) return null;
    elements.push({ tag, value: der.subarray(start, start + length) });
    at = start + length;
  }
  return at === der.length ? elements : null;
}

function refused(fault: PemFault): ParsedPem {
  return { ok: false, fault };
}
