import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { expect } from 'vitest';
import { publicKeyTexts, signingKey } from '../../../src/keys/ed25519.ts';
import { machineClock } from '../harness.ts';
import { type Given, type Row, sendAsIs, TEXT, unauthorized } from './row.ts';
import { COMPONENTS, signedAnew } from './sign.ts';
import { payout } from './transfers.ts';

/*
 * The main statements. What does not fit into one request (a nonce over a restart, a deadline between verification and
 * COMMIT, simultaneous copies) is in `authentication.test.ts`, what is about one header in `test/contract/`.
 */

type Otherwise = Parameters<typeof signedAnew>[2];

const BAD_SIGNATURE = unauthorized('BAD_SIGNATURE');
const EXPIRED = unauthorized('EXPIRED');
const BODY_CHANGED: Row['is'] = [400, 'PARSE_ERROR', 'DIGEST_MISMATCH'];

const read = (statement: string, is: Row['is'], more: Partial<Row>): Row => ({
  section: '5',
  statement,
  operation: 'account.balance.getMany',
  body: {},
  is,
  ...more,
});

const signedSo = (statement: string, is: Row['is'], otherwise: () => Otherwise): Row =>
  read(statement, is, { change: (outgoing, given) => signedAnew(outgoing, given, otherwise()) });

const now = () => Math.floor(machineClock.wallMs() / 1_000);
const lives = (from: number, to: number) => () => ({ created: now() + from, expires: now() + to });

const SCHEME: readonly Row[] = [
  signedSo('a request that is signed by the scheme is answered', 200, () => ({})),
  signedSo('the digest may be sha-512', 200, () => ({ digest: 'sha-512' })),
  read('a request that is not signed is refused', BAD_SIGNATURE, {
    change: (outgoing) => ({ ...outgoing, headers: { 'content-type': 'application/json' } }),
  }),
  read('an API key alone is not enough', BAD_SIGNATURE, {
    change: (outgoing, { service }) => ({
      ...outgoing,
      headers: { 'content-type': 'application/json', 'x-api-key': service.service.apiKey },
    }),
  }),
  ...COMPONENTS.map((left) =>
    signedSo(`${left} must be covered`, BAD_SIGNATURE, () => ({
      components: COMPONENTS.filter((name) => name !== left),
    })),
  ),
  signedSo('the components stand in their order', BAD_SIGNATURE, () => ({ components: [...COMPONENTS].reverse() })),
  signedSo('another algorithm is refused', BAD_SIGNATURE, () => ({ parameters: { alg: 'hmac-sha256' } })),
  signedSo('the algorithm is named', BAD_SIGNATURE, () => ({ parameters: { alg: undefined } })),
  signedSo('another tag is refused', BAD_SIGNATURE, () => ({ parameters: { tag: 'payout-v2' } })),
  signedSo('the tag is named', BAD_SIGNATURE, () => ({ parameters: { tag: undefined } })),
  signedSo('there is a nonce', BAD_SIGNATURE, () => ({ parameters: { nonce: undefined } })),
  signedSo('a nonce has 128 bits', BAD_SIGNATURE, () => ({ parameters: { nonce: 'c2hvcnQ' } })),
  signedSo('created is named', BAD_SIGNATURE, () => ({ created: undefined })),
  signedSo('expires is named', BAD_SIGNATURE, () => ({ expires: undefined })),
  signedSo('the label is sig', BAD_SIGNATURE, () => ({ label: 'sig1' })),
  signedSo('keyid is the key of x-api-key', BAD_SIGNATURE, () => ({ parameters: { keyid: 'key_other' } })),
  signedSo('the signature base itself is signed, not its hash', BAD_SIGNATURE, () => ({ prehashed: true })),
  read('a signature by another key is refused', BAD_SIGNATURE, { signing: () => ({ key: newKey() }) }),
  read('a signature for another path is refused', BAD_SIGNATURE, {
    signing: { path: '/v1/account.customer.get' },
    change: (outgoing) => ({ ...outgoing, path: '/v1/account.balance.getMany' }),
  }),
  read('a signature for another host is refused', BAD_SIGNATURE, { signing: { authority: 'payouts.example' } }),
  read('a body that was changed on the way is refused', BODY_CHANGED, {
    change: (outgoing) => ({ ...outgoing, body: '{ }' }),
  }),
];

const WINDOW: readonly Row[] = [
  signedSo('created may be nearly 300 s old', 200, lives(-290, 5)),
  signedSo('created more than 300 s old is refused', EXPIRED, lives(-302, -2)),
  signedSo('created may be nearly 30 s ahead', 200, lives(25, 60)),
  signedSo('created more than 30 s ahead is refused', EXPIRED, lives(40, 60)),
  signedSo('expires may be 300 s after created', 200, lives(0, 300)),
  signedSo('expires more than 300 s after created is refused', EXPIRED, lives(0, 301)),
  signedSo('expires before created is refused', EXPIRED, lives(20, 10)),
  signedSo('after expires it is refused', EXPIRED, lives(-60, -1)),
  read('a business day later a request is signed by the machine’s clock still', 200, {
    alone: {},
    async body({ service }: Given) {
      await service.admin('clock.advance', { ms: 30 * 86_400_000 });
      return {};
    },
    change: (outgoing, given) => signedAnew(outgoing, given),
  }),
];

const nonce = () => randomBytes(16).toString('base64url');

const REPLAY: readonly Row[] = [
  {
    section: '5',
    statement: 'the same bytes a second time are refused, and pay once',
    operation: 'transaction.transfer',
    body: payout(),
    async change(outgoing, { service }) {
      expect((await sendAsIs(service, outgoing)).status).toBe(200);
      return outgoing;
    },
    is: unauthorized('REPLAYED'),
    shows: ({ error }) => expect(error?.first).toEqual({ status: 200, transaction_id: TEXT }),
  },
  read('a nonce is used once by any operation', unauthorized('REPLAYED'), {
    async signing({ service, kept }) {
      kept.nonce = nonce();
      expect((await service.call('transaction.getMany', {}, { nonce: kept.nonce })).status).toBe(200);
      return { nonce: kept.nonce };
    },
  }),
  read('a nonce belongs to its key: another key may use it', 200, {
    alone: {},
    async signing({ service }) {
      const used = nonce();
      expect((await service.call('transaction.getMany', {}, { nonce: used })).status).toBe(200);
      return { ...(await addKey(service)), nonce: used };
    },
  }),
];

const newKey = () => signingKey(new Uint8Array(randomBytes(32)));

async function addKey(service: Given['service']) {
  const key = newKey();
  const added = await service.admin('key.add', { public_key: publicKeyTexts(key.publicKey).base64url });
  expect(added.status, added.text).toBe(200);
  return { key, keyId: added.data.id as string };
}

const KEYS: readonly Row[] = [
  read('the key is a PKCS#8 PEM that only its owner may read', 200, {
    shows(_reply, { service }) {
      expect(statSync(service.service.signingKeyFile).mode & 0o777).toBe(0o600);
    },
  }),
  read('a key that nobody registered is refused', unauthorized('UNKNOWN_KEY'), {
    signing: { keyId: 'key_nobody' },
  }),
  read('two keys are active while rotating: the second', 200, {
    alone: {},
    signing: ({ service }) => addKey(service),
    async shows(_reply, { service }) {
      expect((await service.call('account.balance.getMany', {})).status).toBe(200);
      const third = await service.admin('key.add', { public_key: publicKeyTexts(newKey().publicKey).base64url });
      expect(third.status).toBe(403);
    },
  }),
  read('a revoked key is refused', unauthorized('REVOKED'), {
    alone: {},
    async signing({ service }) {
      const second = await addKey(service);
      expect((await service.admin('key.revoke', { id: second.keyId })).status).toBe(200);
      return second;
    },
  }),
  read('a public key of small order is no key', 200, {
    async shows(_reply, { service }) {
      const order = Buffer.concat([Buffer.from([1]), Buffer.alloc(31)]).toString('hex');
      expect((await service.admin('key.add', { public_key: order })).status).toBe(400);
    },
  }),
];

/** 5. Authentication. */
export const SECTION_5: readonly Row[] = [...SCHEME, ...WINDOW, ...REPLAY, ...KEYS];
