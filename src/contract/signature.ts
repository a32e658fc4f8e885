import { Buffer } from 'node:buffer';
import { assert } from '../domain/refusal.ts';
import type { SigningKey, VerifyingKey } from '../keys/ed25519.ts';
import { checkContentDigest, contentDigest, fieldValue, type SignedMessage, signatureBase } from './signature-base.ts';
import {
  COVERED_COMPONENTS,
  inputText,
  isKeyId,
  isNonce,
  readSignature,
  readSignatureInput,
  type SignatureInput,
} from './signature-input.ts';

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

/** What is left of a request to be signed: the bytes, and its headers once they are. */
export type ToSign<Headers> = { message: Uint8Array; headers(signature: Uint8Array): Headers };

/** Signs a request by RFC 9421 with a digest by RFC 9530. */
export function signRequest({ key, ...request }: RequestToSign): SignedHeaders {
  const { message, headers } = requestToSign(request);
  return headers(key.sign(message));
}

export function requestToSign(request: Omit<RequestToSign, 'key'>): ToSign<SignedHeaders> {
  const { method, authority, path, contentType, keyId, created, expires, nonce } = request;
  assert(isKeyId(keyId), 'a request was signed with a key id that no header can carry');
  assert(isNonce(nonce), 'a request was signed with a nonce that is too short or not base64url');
  assert(Number.isSafeInteger(created) && Number.isSafeInteger(expires), 'a request was signed without whole seconds');
  const digest = contentDigest(request.body);
  const parameters = inputText({ keyId, nonce, created, expires });
  const headers = { 'content-type': contentType, 'x-api-key': keyId, 'content-digest': digest };
  const made = signatureBase(COVERED_COMPONENTS, { method, authority, path, headers }, parameters);
  assert(made.ok, 'a request was signed with control characters');
  return {
    message: Buffer.from(made.base, 'latin1'),
    headers: (signature) => ({
      ...headers,
      'signature-input': `sig=${parameters}`,
      signature: `sig=:${Buffer.from(signature).toString('base64')}:`,
    }),
  };
}

/**
 * `authority` is the host that the service answers for; where it takes it from the request, it has to know it as its own.
 * The signature covers no query, so a `path` with one is refused.
 */
export type RequestToVerify = SignedMessage & {
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
  { ok: true; keyId: string; nonce: string; created: number; expires: number } | Refused;

type Refused = { ok: false; code: 'PARSE_ERROR' | 'UNAUTHORIZED'; reason: RefusalReason; message: string };

/**
 * Verifies a request by the same profile and nothing looser: these components, these parameters, this tag, this
 * algorithm. Cheap checks come first and the signature last. Never throws, whatever the headers hold (except what
 * `keyOf` throws).
 */
export function verifyRequest(request: RequestToVerify): Verification {
  const examined = examine(request);
  if ('ok' in examined) return examined;
  const { key, base, signature, verified } = examined;
  return key.verify(base, signature) ? verified : FALSE_SIGNATURE;
}

/**
 * The same with the signature in a thread of the pool. Time passes meanwhile, so the key is asked for once more: one
 * that was revoked since is refused. The caller looks at the request's deadline again before it takes effect anyway.
 */
export async function verifyRequestInPool(request: RequestToVerify): Promise<Verification> {
  const examined = examine(request);
  if ('ok' in examined) return examined;
  const { key, base, signature, verified } = examined;
  if (!(await key.verifyInPool(base, signature))) return FALSE_SIGNATURE;
  const keyNow = usable(request.keyOf(verified.keyId));
  if ('ok' in keyNow) return keyNow;
  return Buffer.compare(keyNow.publicKey, key.publicKey) === 0 ? verified : REVOKED;
}

type Verified = Extract<Verification, { ok: true }>;
type Examined = { key: VerifyingKey; base: Uint8Array; signature: Uint8Array; verified: Verified };

/** Everything but the signature itself. */
function examine(request: RequestToVerify): Examined | Refused {
  const { headers, nowSeconds } = request;
  if (request.path.includes('?')) return bad('the path has a query, which the signature does not cover');
  const input = readSignatureInput(headers);
  if (typeof input === 'string') return bad(input);
  const signature = readSignature(headers);
  if (typeof signature === 'string') return bad(signature);
  if (fieldValue(headers, 'x-api-key') !== input.keyId) return bad('x-api-key and keyid differ');
  const key = usable(request.keyOf(input.keyId));
  if ('ok' in key) return key;
  const late = outsideWindow(input, nowSeconds);
  if (late) return unauthorized('EXPIRED', late);
  const made = signatureBase(COVERED_COMPONENTS, request, input.text);
  if (!made.ok) return bad(made.problem);
  const digest = checkContentDigest(fieldValue(headers, 'content-digest') ?? '', request.body);
  if (digest === 'differs') return MISMATCH;
  if (digest !== 'matches') return bad('content-digest has neither a sha-256 nor a sha-512 that can be read');
  const { keyId, nonce, created, expires } = input;
  const base = Buffer.from(made.base, 'latin1');
  return { key, base, signature, verified: { ok: true, keyId, nonce, created, expires } };
}

/** What is wrong with the request's times, or null. Where the clock gives no number, every request is refused. */
function outsideWindow({ created, expires }: SignatureInput, nowSeconds: number): string | null {
  if (!(created >= nowSeconds - WINDOW.oldestS)) return `created is more than ${WINDOW.oldestS} s ago`;
  if (!(created <= nowSeconds + WINDOW.aheadS)) return `created is more than ${WINDOW.aheadS} s ahead`;
  if (!(expires <= created + WINDOW.lifetimeS)) return `expires is more than ${WINDOW.lifetimeS} s after created`;
  if (!(expires >= created)) return 'expires is before created';
  if (!(nowSeconds <= expires)) return 'the request has expired';
  return null;
}

function usable(key: VerifyingKey | 'revoked' | 'unknown'): VerifyingKey | Refused {
  if (key === 'unknown') return unauthorized('UNKNOWN_KEY', 'there is no such key');
  return key === 'revoked' ? REVOKED : key;
}

function bad(message: string): Refused {
  return unauthorized('BAD_SIGNATURE', message);
}

function unauthorized(reason: RefusalReason, message: string): Refused {
  return { ok: false, code: 'UNAUTHORIZED', reason, message };
}

const FALSE_SIGNATURE = Object.freeze(bad('the signature does not verify'));
const REVOKED = Object.freeze(unauthorized('REVOKED', 'the key was revoked'));
const MISMATCH: Refused = Object.freeze({
  ok: false,
  code: 'PARSE_ERROR',
  reason: 'DIGEST_MISMATCH',
  message: 'content-digest is not the digest of the body',
});
