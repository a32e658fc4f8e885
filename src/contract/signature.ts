import { Buffer } from 'node:buffer';
import { assert } from '../domain/refusal.ts';
import type { SigningKey, VerifyingKey } from '../keys/ed25519.ts';
import { checkContentDigest, contentDigest } from './content-digest.ts';
import { fieldValue, type Headers, type SignatureParameters, signatureBase } from './signature-base.ts';
import { type Dictionary, type InnerList, isPrintableAscii, parseDictionary } from './structured-fields.ts';

/** What every signature of this contract covers, in this order (RFC 9421 with a profile of our own). */
export const COVERED_COMPONENTS = ['@method', '@authority', '@path', 'content-type', 'content-digest', 'x-api-key'];
export const SIGNATURE_TAG = 'payout-v1';

/** Unix seconds around the verifier's clock in which a request may live. */
export const WINDOW = Object.freeze({ oldestS: 300, aheadS: 30, lifetimeS: 300 });

export type RequestToSign = {
  method: string;
  authority: string;
  /** The whole path on the request line, without a query. */
  path: string;
  contentType: string;
  /** Text is sent as its UTF-8. */
  body: Uint8Array | string;
  keyId: string;
  /** Unix seconds, integers. */
  created: number;
  expires: number;
  /** At least 128 random bits in base64url without padding. */
  nonce: string;
  key: SigningKey;
};

export type SignedHeaders = {
  'content-type': string;
  'x-api-key': string;
  'content-digest': string;
  'signature-input': string;
  signature: string;
};

/**
 * Signs a request by RFC 9421 with a digest by RFC 9530. This is the text that `signatureBase` makes of the same
 * request, put together at once, because a run signs thousands of requests a second.
 */
export function signRequest(request: RequestToSign): SignedHeaders {
  const { method, authority, path, contentType, keyId, created, expires, nonce } = request;
  assert(isKeyId(keyId), 'a request was signed with a key id that no header can carry');
  assert(isNonce(nonce), 'a request was signed with a nonce that is too short or not base64url');
  assert(Number.isSafeInteger(created) && Number.isSafeInteger(expires), 'a request was signed without whole seconds');
  const digest = contentDigest(request.body);
  const parameters = `${COVERED_TEXT};created=${created};expires=${expires};nonce="${nonce}";keyid="${keyId}"${LAST_PARAMETERS}`;
  const base =
    `"@method": ${method}\n"@authority": ${authority.toLowerCase()}\n"@path": ${path}\n"content-type": ${contentType}\n` +
    `"content-digest": ${digest}\n"x-api-key": ${keyId}\n"@signature-params": ${parameters}`;
  assert(isPrintableAscii(method + authority + path + contentType), 'a request was signed with control characters');
  const signature = request.key.sign(Buffer.from(base, 'latin1'));
  return {
    'content-type': contentType,
    'x-api-key': keyId,
    'content-digest': digest,
    'signature-input': `sig=${parameters}`,
    signature: `sig=:${base64(signature)}:`,
  };
}

export type RequestToVerify = {
  method: string;
  /** The host that the service answers for; where it takes it from the request, it has to know it as its own. */
  authority: string;
  /** The path without a query. The signature covers no query, so a path with one is refused. */
  path: string;
  headers: Headers;
  /** The bytes as they came. */
  body: Uint8Array;
  /** Unix seconds with their fraction: rounded down, a request would live up to a second too long. */
  nowSeconds: number;
  /** The active key of that id; `revoked` or `unknown` where there is none. Make each `VerifyingKey` once. */
  keyOf(keyId: string): VerifyingKey | 'revoked' | 'unknown';
};

export type RefusalReason = 'BAD_SIGNATURE' | 'UNKNOWN_KEY' | 'REVOKED' | 'EXPIRED' | 'DIGEST_MISMATCH';

export type Verification =
  /** The nonce is not checked for replay: the service records it with the operation's effect. */
  | { ok: true; keyId: string; nonce: string; created: number; expires: number }
  | { ok: false; status: 400 | 401; code: 'PARSE_ERROR' | 'UNAUTHORIZED'; reason: RefusalReason; message: string };

/**
 * Verifies a request by the same profile and nothing looser: these components, these parameters, this tag, this
 * algorithm. Cheap checks come first and the signature last. Never throws, whatever the headers hold (except what
 * `keyOf` throws).
 */
export function verifyRequest(request: RequestToVerify): Verification {
  const { headers, nowSeconds } = request;
  if (request.path.includes('?')) return bad('the path has a query, which the signature does not cover');
  const input = readSignatureInput(headers);
  if (typeof input === 'string') return bad(input);
  const signature = readSignature(headers);
  if (typeof signature === 'string') return bad(signature);
  if (fieldValue(headers, 'x-api-key') !== input.keyId) return bad('x-api-key and keyid differ');
  const key = request.keyOf(input.keyId);
  if (key === 'unknown') return unauthorized('UNKNOWN_KEY', 'there is no such key');
  if (key === 'revoked') return unauthorized('REVOKED', 'the key was revoked');
  const late = outsideWindow(input, nowSeconds);
  if (late) return unauthorized('EXPIRED', late);
  const base = signatureBase(COVERED_COMPONENTS, request, input.parameters);
  if (!base.ok) return bad(base.problem);
  const digest = checkContentDigest(fieldValue(headers, 'content-digest') ?? '', request.body);
  if (digest === 'differs') return mismatch();
  if (digest !== 'matches') return bad('content-digest has neither a sha-256 nor a sha-512 that can be read');
  if (!key.verify(Buffer.from(base.base, 'latin1'), signature)) return bad('the signature does not verify');
  const { keyId, nonce, created, expires } = input;
  return { ok: true, keyId, nonce, created, expires };
}

const COVERED_TEXT = `(${COVERED_COMPONENTS.map((name) => `"${name}"`).join(' ')})`;
const LAST_PARAMETERS = `;alg="ed25519";tag="${SIGNATURE_TAG}"`;

/** 128 bits are 22 characters of base64url; a remainder of one character is no base64. Above 512 bits nobody needs. */
export function isNonce(text: string): boolean {
  return /^[A-Za-z0-9_-]{22,86}$/.test(text) && text.length % 4 !== 1;
}

/** Printable ASCII without blanks, quotes and backslashes, so that it is the same text in a header and a parameter. */
export function isKeyId(text: string): boolean {
  return /^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/.test(text);
}

type SignatureInput = {
  keyId: string;
  nonce: string;
  created: number;
  expires: number;
  /** All of them, in the order in which the sender signed them. */
  parameters: SignatureParameters;
};

/** The parameters of the signature labelled `sig`, or what is wrong with it. */
function readSignatureInput(headers: Headers): SignatureInput | string {
  const dictionary = readDictionary(headers, 'signature-input');
  if (typeof dictionary === 'string') return dictionary;
  const member = dictionary.get('sig');
  if (member?.kind !== 'list') return 'signature-input has no list of components labelled sig';
  if (!coversExactly(member)) return `signature-input must cover exactly ${COVERED_TEXT}, in this order`;
  const created = integerOf(member, 'created');
  const expires = integerOf(member, 'expires');
  const nonce = stringOf(member, 'nonce');
  const keyId = stringOf(member, 'keyid');
  if (created === null || expires === null || nonce === null || keyId === null || member.parameters.size !== 6) {
    return 'signature-input must have the parameters created, expires, nonce, keyid, alg and tag, and no others';
  }
  if (stringOf(member, 'alg') !== 'ed25519') return 'alg must be "ed25519"';
  if (stringOf(member, 'tag') !== SIGNATURE_TAG) return `tag must be "${SIGNATURE_TAG}"`;
  if (!isNonce(nonce)) return 'nonce must be at least 128 bits in base64url without padding';
  if (!isKeyId(keyId)) return 'keyid must be 1 to 200 printable characters without blanks, quotes and backslashes';
  const parameters = [...member.parameters].map(([name, item]) => [name, item.value as string | number] as const);
  return { keyId, nonce, created, expires, parameters };
}

function readSignature(headers: Headers): Uint8Array | string {
  const dictionary = readDictionary(headers, 'signature');
  if (typeof dictionary === 'string') return dictionary;
  const member = dictionary.get('sig');
  if (member?.kind !== 'item' || member.value.type !== 'bytes' || member.parameters.size > 0) {
    return 'signature has no bytes labelled sig';
  }
  return member.value.value;
}

function readDictionary(headers: Headers, name: string): Dictionary | string {
  const text = fieldValue(headers, name);
  if (text === null) return `the header ${name} is missing`;
  return parseDictionary(text) ?? `the header ${name} cannot be read`;
}

function coversExactly(list: InnerList): boolean {
  return (
    list.items.length === COVERED_COMPONENTS.length &&
    list.items.every(
      ({ value, parameters }, place) =>
        value.type === 'string' && value.value === COVERED_COMPONENTS[place] && parameters.size === 0,
    )
  );
}

function integerOf({ parameters }: InnerList, name: string): number | null {
  const item = parameters.get(name);
  return item?.type === 'integer' ? item.value : null;
}

function stringOf({ parameters }: InnerList, name: string): string | null {
  const item = parameters.get(name);
  return item?.type === 'string' ? item.value : null;
}

/** What is wrong with the request's times, or null. A clock that says nothing refuses everything. */
function outsideWindow({ created, expires }: SignatureInput, nowSeconds: number): string | null {
  if (!(created >= nowSeconds - WINDOW.oldestS)) return `created is more than ${WINDOW.oldestS} s ago`;
  if (!(created <= nowSeconds + WINDOW.aheadS)) return `created is more than ${WINDOW.aheadS} s ahead`;
  if (!(expires <= created + WINDOW.lifetimeS)) return `expires is more than ${WINDOW.lifetimeS} s after created`;
  if (!(nowSeconds <= expires)) return 'the request has expired';
  return null;
}

function bad(message: string): Verification {
  return unauthorized('BAD_SIGNATURE', message);
}

function unauthorized(reason: RefusalReason, message: string): Verification {
  return { ok: false, status: 401, code: 'UNAUTHORIZED', reason, message };
}

function mismatch(): Verification {
  const message = 'content-digest is not the digest of the body';
  return { ok: false, status: 400, code: 'PARSE_ERROR', reason: 'DIGEST_MISMATCH', message };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}
