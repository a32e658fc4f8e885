import { createHmac, timingSafeEqual } from 'node:crypto';

/** Seconds for which one code is shown, and how many codes before and after count: clocks of phones are not exact. */
const STEP_MS = 30_000;
const STEPS_APART = 1;
const DIGITS = 6;

/** As many bytes as the SHA-1 of RFC 6238 takes, which is what every app understands. */
export const SECRET_BYTES = 20;

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The code of a time step, by RFC 4226 and RFC 6238 (HMAC-SHA-1). `digits` is 6 to 8. */
export function totpCode(secret: Uint8Array, step: number, digits = DIGITS): string {
  const counter = new DataView(new ArrayBuffer(8));
  counter.setBigUint64(0, BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 0x0f) & 0x7fffffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

export function stepAt(nowMs: number): number {
  return Math.floor(nowMs / STEP_MS);
}

/** The step near `nowMs` (Unix) whose code this is; null where it is none of them. */
export function stepOfCode(secret: Uint8Array, code: string, nowMs: number): number | null {
  const typed = Buffer.from(code);
  for (let step = stepAt(nowMs) - STEPS_APART; step <= stepAt(nowMs) + STEPS_APART; step++) {
    const expected = Buffer.from(totpCode(secret, step));
    if (typed.length === expected.length && timingSafeEqual(typed, expected)) return step;
  }
  return null;
}

/** As people type it into an app: Base32 (RFC 4648) without padding. */
export function base32(bytes: Uint8Array): string {
  let bits = 0;
  let held = 0;
  let text = '';
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xfff;
    for (bits += 8; bits >= 5; bits -= 5) text += BASE32.charAt((held >> (bits - 5)) & 31);
  }
  return bits === 0 ? text : text + BASE32.charAt((held << (5 - bits)) & 31);
}

/** What an app reads from the picture. `account` tells apart what it has of several people and pages. */
export function keyUri(secret: Uint8Array, account: string): string {
  const label = encodeURIComponent(`payrun:${account}`);
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=payrun&algorithm=SHA1&digits=${DIGITS}&period=${STEP_MS / 1_000}`;
}
