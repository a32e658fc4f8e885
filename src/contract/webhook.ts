import { Buffer } from 'node:buffer';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { assert } from '../domain/refusal.ts';
import { type SigningKey, type VerifyingKey, verifyingKey } from '../keys/ed25519.ts';
import type { PublicKeyProblem } from '../keys/public-key.ts';
import { transactionDetail } from './shapes.ts';
import { fieldValue, type Headers } from './signature-base.ts';

// Standard Webhooks (https://github.com/standard-webhooks/standard-webhooks, specification 1.0.0): what is signed is
// `id.timestamp.body`, by Ed25519 (`v1a`) or HMAC-SHA256 (`v1`).

/** Seconds that a delivery's timestamp may be from the receiver's clock, either way. */
export const WEBHOOK_TOLERANCE_S = 300;
/** Bytes of a body that a receiver reads. A transaction's event has about 2 KiB. */
export const WEBHOOK_BODY_BYTES_MAX = 1_048_576;

export type WebhookHeaders = { 'webhook-id': string; 'webhook-timestamp': string; 'webhook-signature': string };

export type WebhookToSign = {
  /** 1 to 200 of `A-Z a-z 0-9 _ -`; the same for every try of one event. */
  id: string;
  /** Unix seconds of this try, an integer. */
  timestampSeconds: number;
  /** The bytes that are sent. Text counts as its UTF-8. */
  body: Uint8Array | string;
  signingKey?: SigningKey | null;
  /** The bytes of a `whsec_` secret. */
  secret?: Uint8Array | null;
};

/** The three headers of one try: `v1a` where there is a key, `v1` where there is a secret; one of them at least. */
export function signWebhook({ id, timestampSeconds, body, signingKey, secret }: WebhookToSign): WebhookHeaders {
  const timestamp = String(timestampSeconds);
  assert(isWebhookId(id), 'a webhook was signed with an id that the signed text cannot carry');
  assert(TIMESTAMP.test(timestamp), 'a webhook was signed without whole Unix seconds');
  const message = signedMessage(id, timestamp, body);
  const signatures: string[] = [];
  if (signingKey) signatures.push(`v1a,${Buffer.from(signingKey.sign(message)).toString('base64')}`);
  if (secret) signatures.push(`v1,${mac(secret, message).toString('base64')}`);
  assert(signatures.length > 0, 'a webhook was signed with neither a key nor a secret');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

export type WebhookToVerify = {
  headers: Headers;
  /** The bytes as they came, before anything decodes them. */
  body: Uint8Array;
  /** Unix seconds; the machine's clock. */
  nowSeconds: number;
  /** What the receiver was given. Each that is not null has to verify; both null is a bug. */
  publicKey: VerifyingKey | null;
  secret: Uint8Array | null;
  toleranceSeconds?: number;
};

export type WebhookRefusal =
  /** A header is not there. */
  | 'header_missing'
  /** A header cannot be what the specification describes. */
  | 'header_malformed'
  /** Signed longer ago than the tolerance, or further ahead. */
  | 'too_old'
  | 'too_new'
  /** No signature of an algorithm that the receiver has a key for. */
  | 'not_signed'
  | 'bad_signature';

export type WebhookVerification =
  | { ok: true; id: string; timestampSeconds: number }
  | { ok: false; reason: WebhookRefusal };

/**
 * Verifies one delivery. The receiver's keys decide which algorithms count, never the header: every key it was given
 * has to verify one of the signatures of its kind, so a sender that knows only the secret cannot pass where a public
 * key was given too. Several signatures of one kind are an old and a new key during rotation; unknown kinds are passed
 * over. Never throws, whatever the headers hold.
 */
export function verifyWebhook(webhook: WebhookToVerify): WebhookVerification {
  const { headers, body, nowSeconds, publicKey, secret, toleranceSeconds = WEBHOOK_TOLERANCE_S } = webhook;
  assert(publicKey !== null || secret !== null, 'a webhook was verified without a key');
  const id = fieldValue(headers, 'webhook-id');
  const timestamp = fieldValue(headers, 'webhook-timestamp');
  const list = fieldValue(headers, 'webhook-signature');
  if (id === null || timestamp === null || list === null) return refused('header_missing');
  const signatures = parseSignatures(list);
  if (!isWebhookId(id) || !TIMESTAMP.test(timestamp) || signatures === null) return refused('header_malformed');
  const timestampSeconds = Number(timestamp);
  if (nowSeconds - timestampSeconds > toleranceSeconds) return refused('too_old');
  if (timestampSeconds - nowSeconds > toleranceSeconds) return refused('too_new');
  const { v1a, v1 } = signatures;
  if ((publicKey && v1a.length === 0) || (secret && v1.length === 0)) return refused('not_signed');
  const message = signedMessage(id, timestamp, body);
  // The cheap one first: hostile deliveries then cost a hash and not a curve operation where there is a secret.
  if (secret && !isMacOf(v1, mac(secret, message))) return refused('bad_signature');
  if (publicKey && !v1a.some((signature) => publicKey.verify(message, signature))) return refused('bad_signature');
  return { ok: true, id, timestampSeconds };
}

/**
 * An event's body. Tolerant on purpose: other kinds of events and fields of other deployments are no errors, and what
 * the data holds is only a reason to read the transaction.
 */
export const webhookEvent = z.object({
  type: z.string().min(1).max(200),
  timestamp: z.string().max(100),
  data: z.looseObject({}),
});

export type WebhookEvent = z.infer<typeof webhookEvent>;

/** The two kinds of section 6. Their `data` is the transaction as `transaction.get` shows it. */
export const TRANSACTION_EVENTS = Object.freeze(['transaction.created', 'transaction.updated'] as const);
export type TransactionEventType = (typeof TRANSACTION_EVENTS)[number];

export function isTransactionEvent(type: string): type is TransactionEventType {
  return (TRANSACTION_EVENTS as readonly string[]).includes(type);
}

/** Of such an event the id alone is relied on. */
export const transactionEventData = z.object({ id: transactionDetail.shape.id.max(200) });

export function isWebhookId(text: string): boolean {
  // A full stop would let one signed text be read as another id, timestamp and body.
  return /^[A-Za-z0-9_-]{1,200}$/.test(text);
}

const SECRET_BYTES = Object.freeze({ min: 24, max: 64 });

/** `whpk_` and the 32 bytes of an Ed25519 public key in base64. */
export function printWebhookPublicKey(publicKey: Uint8Array): string {
  return `whpk_${Buffer.from(publicKey).toString('base64')}`;
}

export type WebhookPublicKeyResult =
  | { ok: true; key: VerifyingKey }
  | { ok: false; problem: 'not_whpk_base64' | PublicKeyProblem };

/** Reads what `printWebhookPublicKey` writes, with every check of `keys/public-key.ts`. */
export function parseWebhookPublicKey(text: string): WebhookPublicKeyResult {
  const bytes = text.startsWith('whpk_') ? decodeBase64(text.slice('whpk_'.length), KEY_CHARACTERS_MAX) : null;
  return bytes === null ? { ok: false, problem: 'not_whpk_base64' } : verifyingKey(bytes);
}

/** `whsec_` and 24 to 64 bytes in base64. */
export function printWebhookSecret(secret: Uint8Array): string {
  assert(isSecretLength(secret.length), `a webhook secret has ${SECRET_BYTES.min} to ${SECRET_BYTES.max} bytes`);
  return `whsec_${Buffer.from(secret).toString('base64')}`;
}

/** The bytes of a `whsec_` secret, or null. */
export function parseWebhookSecret(text: string): Uint8Array | null {
  const bytes = text.startsWith('whsec_') ? decodeBase64(text.slice('whsec_'.length), KEY_CHARACTERS_MAX) : null;
  return bytes !== null && isSecretLength(bytes.length) ? bytes : null;
}

function isSecretLength(bytes: number): boolean {
  return bytes >= SECRET_BYTES.min && bytes <= SECRET_BYTES.max;
}

/** 64 bytes in base64. */
const KEY_CHARACTERS_MAX = 88;
const SIGNATURE_CHARACTERS_MAX = 88;
/** Of a `webhook-signature` header: two kinds, an old and a new key each, and room. */
const SIGNATURES_MAX = 8;
const SIGNATURE_HEADER_CHARACTERS_MAX = 2_048;

/** Unix seconds in the one way that they are written: what is signed is this text. */
const TIMESTAMP = /^(?:0|[1-9]\d{0,11})$/;

/** The signatures of the two kinds we know, or null where the header is not a list of them. */
function parseSignatures(list: string): { v1a: Uint8Array[]; v1: Uint8Array[] } | null {
  if (list.length > SIGNATURE_HEADER_CHARACTERS_MAX) return null;
  const members = list.split(' ');
  if (members.length > SIGNATURES_MAX) return null;
  const found: { v1a: Uint8Array[]; v1: Uint8Array[] } = { v1a: [], v1: [] };
  for (const member of members) {
    const comma = member.indexOf(',');
    if (comma < 1) return null;
    const kind = member.slice(0, comma);
    if (kind !== 'v1a' && kind !== 'v1') continue;
    const signature = decodeBase64(member.slice(comma + 1), SIGNATURE_CHARACTERS_MAX);
    if (signature === null) return null;
    found[kind].push(signature);
  }
  return found;
}

/** Base64 of RFC 4648 section 4 with its padding, in the one text that encoding gives, or null. */
function decodeBase64(text: string, charactersMax: number): Uint8Array | null {
  if (text.length === 0 || text.length > charactersMax) return null;
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? Uint8Array.from(bytes) : null;
}

function signedMessage(id: string, timestamp: string, body: Uint8Array | string): Uint8Array {
  const bytes = typeof body === 'string' ? Buffer.from(body, 'utf8') : body;
  return Buffer.concat([Buffer.from(`${id}.${timestamp}.`, 'latin1'), bytes]);
}

function mac(secret: Uint8Array, message: Uint8Array): Buffer {
  return createHmac('sha256', secret).update(message).digest();
}

/** In constant time. */
function isMacOf(candidates: readonly Uint8Array[], expected: Buffer): boolean {
  return candidates.some((candidate) => candidate.length === expected.length && timingSafeEqual(candidate, expected));
}

function refused(reason: WebhookRefusal): WebhookVerification {
  return { ok: false, reason };
}
