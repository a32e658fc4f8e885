import { Buffer } from 'node:buffer';
import { createHmac, createPublicKey, verify } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  parseWebhookPublicKey,
  parseWebhookSecret,
  printWebhookPublicKey,
  printWebhookSecret,
  signWebhook,
  verifyWebhook,
  type WebhookToVerify,
  webhookEvent,
} from '../../src/contract/webhook.ts';
import { signingKey, type VerifyingKey, verifyingKey } from '../../src/keys/ed25519.ts';
import { SMALL_ORDER_ENCODINGS } from '../keys/small-order.ts';

const KEY = signingKey(new Uint8Array(32).fill(7));
const PUBLIC_KEY = keyOf(KEY.publicKey);
const SECRET = Uint8Array.from(Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64'));
const NOW = 1_614_265_330;
const BODY = '{"test": 2432232314}';
const ID = 'msg_p5jXN8AQM9LWM0D4loKWxJek';

describe('the published example of Standard Webhooks', () => {
  const headers = {
    'webhook-id': ID,
    'webhook-timestamp': String(NOW),
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  };

  it('is what we sign', () => {
    const secret = parseWebhookSecret('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
    expect(signWebhook({ id: ID, timestampSeconds: NOW, body: BODY, secret })).toEqual(headers);
  });

  it('is verified', () => {
    expect(check({ headers, publicKey: null })).toEqual({ ok: true, id: ID, timestampSeconds: NOW });
  });
});

describe('a signature', () => {
  it('of both kinds is what OpenSSL makes of id.timestamp.body', () => {
    const [v1a = '', v1 = ''] = signed()['webhook-signature'].split(' ');
    const message = Buffer.from(`${ID}.${NOW}.${BODY}`);
    expect(v1).toBe(`v1,${createHmac('sha256', SECRET).update(message).digest('base64')}`);
    const x = Buffer.from(KEY.publicKey).toString('base64url');
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    expect(v1a.startsWith('v1a,')).toBe(true);
    expect(verify(null, message, key, Buffer.from(v1a.slice(4), 'base64'))).toBe(true);
  });

  it('covers bytes that are no text', () => {
    const body = Uint8Array.from([0xff, 0xfe, 0x00, 0xc3]);
    const headers = signed({ body });
    expect(check({ headers, body })).toMatchObject({ ok: true });
    // What a decoder makes of those bytes is another body.
    const decoded = Buffer.from(Buffer.from(body).toString('utf8'));
    expect(check({ headers, body: decoded })).toEqual({ ok: false, reason: 'bad_signature' });
  });

  it('verifies for every body, and for no other', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(), (body, place) => {
        const headers = signed({ body });
        expect(check({ headers, body })).toMatchObject({ ok: true });
        const longer = Uint8Array.from([...body, 0]);
        expect(check({ headers, body: longer })).toMatchObject({ ok: false });
        if (body.length === 0) return;
        const changed = Uint8Array.from(body);
        changed[place % body.length] = (changed[place % body.length] ?? 0) ^ 1;
        expect(check({ headers, body: changed })).toMatchObject({ ok: false });
      }),
    );
  });

  it.each(['v1a', 'v1'])('%s with any bit changed is refused', (kind) => {
    const headers = signed();
    const members = headers['webhook-signature'].split(' ');
    const at = members.findIndex((member) => member.startsWith(`${kind},`));
    const bytes = Buffer.from(members[at]?.slice(kind.length + 1) ?? '', 'base64');
    expect(bytes.length).toBe(kind === 'v1a' ? 64 : 32);
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const list = members.with(at, `${kind},${changed.toString('base64')}`).join(' ');
      expect(check({ headers: { ...headers, 'webhook-signature': list } })).toEqual(no('bad_signature'));
    }
  });

  it('of another id or time is refused', () => {
    const headers = signed();
    expect(check({ headers: { ...headers, 'webhook-id': 'msg_other' } })).toEqual(no('bad_signature'));
    expect(check({ headers: { ...headers, 'webhook-timestamp': String(NOW + 1) } })).toEqual(no('bad_signature'));
  });

  it('does not let an id take part of the time', () => {
    // "a.1" + "2" and "a" + "1.2" would be one signed text.
    expect(() => signWebhook({ id: 'a.1', timestampSeconds: NOW, body: BODY, secret: SECRET })).toThrow(/an id/);
    expect(check({ headers: { ...signed(), 'webhook-id': 'a.1' } })).toEqual(no('header_malformed'));
  });
});

describe('which signatures are asked for', () => {
  const [v1a = '', v1 = ''] = signed()['webhook-signature'].split(' ');
  const wrongV1a = signed({ signingKey: signingKey(new Uint8Array(32).fill(8)) })['webhook-signature'].split(' ')[0];
  const wrongV1 = `v1,${Buffer.alloc(32).toString('base64')}`;
  const both = { publicKey: PUBLIC_KEY, secret: SECRET };
  const keyOnly = { publicKey: PUBLIC_KEY, secret: null };
  const secretOnly = { publicKey: null, secret: SECRET };

  it.each([
    ['both keys, both signatures', both, `${v1a} ${v1}`, 'ok'],
    ['both keys, the other order', both, `${v1} ${v1a}`, 'ok'],
    ['both keys, v1 alone', both, v1, 'not_signed'],
    ['both keys, v1a alone', both, v1a, 'not_signed'],
    ['both keys, a wrong v1a', both, `${wrongV1a} ${v1}`, 'bad_signature'],
    ['both keys, a wrong v1', both, `${v1a} ${wrongV1}`, 'bad_signature'],
    ['the public key, v1 alone', keyOnly, v1, 'not_signed'],
    ['the public key, v1a alone', keyOnly, v1a, 'ok'],
    ['the public key, a wrong v1 beside', keyOnly, `${v1a} ${wrongV1}`, 'ok'],
    ['the secret, v1a alone', secretOnly, v1a, 'not_signed'],
    ['the secret, v1 alone', secretOnly, v1, 'ok'],
    ['an old and a new key', both, `${wrongV1a} ${v1a} ${wrongV1} ${v1}`, 'ok'],
    ['a kind of tomorrow beside', both, `v2,?? ${v1a} ${v1}`, 'ok'],
    ['a kind of tomorrow alone', both, 'v2,AAAA', 'not_signed'],
    ['v1a bytes that call themselves v1', secretOnly, v1a.replace('v1a,', 'v1,'), 'bad_signature'],
    ['v1 bytes that call themselves v1a', keyOnly, v1.replace('v1,', 'v1a,'), 'bad_signature'],
    [
      'a v1 of no bytes but the first',
      secretOnly,
      `v1,${Buffer.from(v1.slice(3), 'base64').subarray(0, 1).toString('base64')}`,
      'bad_signature',
    ],
  ])('%s', (_, keys, list, expected) => {
    const headers = { ...signed(), 'webhook-signature': list };
    expect(check({ headers, ...keys })).toEqual(
      expected === 'ok' ? { ok: true, id: ID, timestampSeconds: NOW } : no(expected),
    );
  });

  it('must be one', () => {
    expect(() => check({ publicKey: null, secret: null })).toThrow(/without a key/);
    expect(() => signWebhook({ id: ID, timestampSeconds: NOW, body: BODY })).toThrow(/neither a key nor a secret/);
  });
});

describe('headers', () => {
  const good = signed();
  const v1 = good['webhook-signature'].split(' ')[1] ?? '';

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('without %s', (name) => {
    expect(check({ headers: { ...good, [name]: undefined } })).toEqual(no('header_missing'));
  });

  it.each([
    ['an empty id', { 'webhook-id': '' }],
    ['an id of 201', { 'webhook-id': 'a'.repeat(201) }],
    ['two ids', { 'webhook-id': [ID, ID] }],
    ['a time with a fraction', { 'webhook-timestamp': `${NOW}.0` }],
    ['a time with a sign', { 'webhook-timestamp': `+${NOW}` }],
    ['a time with a zero before', { 'webhook-timestamp': `0${NOW}` }],
    ['a time in words', { 'webhook-timestamp': 'now' }],
    ['a time of 13 digits', { 'webhook-timestamp': `${NOW}000` }],
    ['an empty list', { 'webhook-signature': '' }],
    ['no kind', { 'webhook-signature': v1.slice(3) }],
    ['base64 without its padding', { 'webhook-signature': v1.replace('=', '') }],
    ['base64url', { 'webhook-signature': `v1,${'-_'.repeat(21)}A=` }],
    ['base64 with bits to spare', { 'webhook-signature': 'v1,AB==' }],
    ['two blanks', { 'webhook-signature': v1.replace('v1,', 'v1,x  v1,') }],
    ['a list of nine', { 'webhook-signature': Array.from({ length: 9 }, () => v1).join(' ') }],
    ['a list of 2 KiB', { 'webhook-signature': `v9,${'A'.repeat(2_048)} ${v1}` }],
    ['two lists', { 'webhook-signature': [v1, v1] }],
  ])('with %s', (_, change) => {
    expect(check({ headers: { ...good, ...change } })).toEqual(no('header_malformed'));
  });

  it.each([
    [300, 'ok'],
    [300.5, 'too_old'],
    [301, 'too_old'],
    [-300, 'ok'],
    [-301, 'too_new'],
  ])('%i s after the signature', (passed, expected) => {
    const result = check({ nowSeconds: NOW + passed });
    expect(result).toEqual(expected === 'ok' ? { ok: true, id: ID, timestampSeconds: NOW } : no(expected));
  });

  it('of any text never throw and never pass', () => {
    const text = fc.option(fc.string({ unit: 'binary', maxLength: 60 }), { nil: undefined });
    fc.assert(
      fc.property(text, text, text, (id, timestamp, signature) => {
        const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
        expect(check({ headers }).ok).toBe(false);
      }),
    );
  });
});

describe('keys as text', () => {
  it('come back as they were printed', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 24, maxLength: 64 }), (secret) => {
        expect(parseWebhookSecret(printWebhookSecret(secret))).toEqual(secret);
      }),
    );
    const parsed = parseWebhookPublicKey(printWebhookPublicKey(KEY.publicKey));
    expect(parsed.ok && parsed.key.publicKey).toEqual(KEY.publicKey);
  });

  it.each([
    ['another prefix', Buffer.alloc(32).toString('base64')],
    ['the public key’s prefix', `whpk_${Buffer.alloc(32).toString('base64')}`],
    ['23 bytes', `whsec_${Buffer.alloc(23).toString('base64')}`],
    ['65 bytes', `whsec_${Buffer.alloc(65).toString('base64')}`],
    ['nothing', 'whsec_'],
    ['a line end', `whsec_${Buffer.alloc(32).toString('base64')}\n`],
    ['base64url', `whsec_${'_'.repeat(32)}`],
  ])('a secret with %s is refused', (_, text) => {
    expect(parseWebhookSecret(text)).toBe(null);
  });

  it('a public key that is none is refused, and one of small order', () => {
    const whpk = (bytes: Uint8Array) => parseWebhookPublicKey(`whpk_${Buffer.from(bytes).toString('base64')}`);
    expect(parseWebhookPublicKey('whsec_AAAA')).toEqual({ ok: false, problem: 'not_whpk_base64' });
    expect(parseWebhookPublicKey('whpk_AB==')).toEqual({ ok: false, problem: 'not_whpk_base64' });
    expect(whpk(KEY.publicKey.subarray(1))).toEqual({ ok: false, problem: 'wrong_length' });
    for (const { hex } of SMALL_ORDER_ENCODINGS) expect(whpk(Buffer.from(hex, 'hex'))).toMatchObject({ ok: false });
  });
});

describe('an event', () => {
  it('may have fields and kinds that we do not know', () => {
    const event = { type: 'balance.updated', timestamp: '2026-11-25T09:00:00.000Z', data: { a: 1 }, more: true };
    expect(webhookEvent.parse(event)).toMatchObject({ type: 'balance.updated', data: { a: 1 } });
    expect(webhookEvent.safeParse({ ...event, data: [] }).success).toBe(false);
    expect(webhookEvent.safeParse({ ...event, type: '' }).success).toBe(false);
  });
});

function signed(change: Partial<Parameters<typeof signWebhook>[0]> = {}) {
  return signWebhook({ id: ID, timestampSeconds: NOW, body: BODY, signingKey: KEY, secret: SECRET, ...change });
}

function check(change: Partial<WebhookToVerify>) {
  const body = Buffer.from(BODY);
  return verifyWebhook({
    headers: signed(),
    body,
    nowSeconds: NOW,
    publicKey: PUBLIC_KEY,
    secret: SECRET,
    ...change,
  });
}

function no(reason: string) {
  return { ok: false, reason };
}

function keyOf(bytes: Uint8Array): VerifyingKey {
  const result = verifyingKey(bytes);
  if (!result.ok) throw new Error(result.problem);
  return result.key;
}
