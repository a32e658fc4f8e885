import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { type RequestToVerify, type SignedHeaders, signRequest } from '../../src/contract/signature.ts';
import { signatureBase, signatureParameters } from '../../src/contract/signature-base.ts';
import { COVERED_COMPONENTS } from '../../src/contract/signature-input.ts';
import { signingKey, verifyingKey } from '../../src/keys/ed25519.ts';

export const CREATED = 1_800_000_000;
export const KEY = signingKey(new Uint8Array(32).fill(0x5a));
export const KEY_ID = 'key_0123456789abcdef';
export const NONCE = 'AAECAwQFBgcICQoLDA0ODw';
export const BODY = '{"currency_out":{"code":"EUR","chain":null,"decimals":2,"amount":"123450"},"reference":"Größe €"}';
export const REQUEST = {
  method: 'POST',
  authority: 'pay.example:8443',
  path: '/v1/transaction.transfer',
  contentType: 'application/json',
  body: BODY,
  keyId: KEY_ID,
  created: CREATED,
  expires: CREATED + 30,
  nonce: NONCE,
  key: KEY,
};
export const SIGNED = signRequest(REQUEST);

export type Parameter = readonly [string, string | number];

export const PARAMETERS: readonly Parameter[] = [
  ['created', CREATED],
  ['expires', CREATED + 30],
  ['nonce', NONCE],
  ['keyid', KEY_ID],
  ['alg', 'ed25519'],
  ['tag', 'payout-v1'],
];

export const VERIFYING = (() => {
  const result = verifyingKey(KEY.publicKey);
  if (!result.ok) throw new Error(result.problem);
  return result.key;
})();

export function received(headers: RequestToVerify['headers'] | SignedHeaders): RequestToVerify {
  return {
    method: 'POST',
    authority: REQUEST.authority,
    path: REQUEST.path,
    headers: { ...headers },
    body: Buffer.from(BODY),
    nowSeconds: CREATED + 0.5,
    keyOf: () => VERIFYING,
  };
}

/** Headers with a good signature over whatever was asked for, so that nothing but the policy can refuse them. */
export function signedAs(options: {
  components?: readonly string[];
  parameters?: readonly Parameter[];
  headers?: Record<string, string>;
  label?: string;
  path?: string;
}): Record<string, string> {
  const { components = COVERED_COMPONENTS, parameters = PARAMETERS, label = 'sig', path = REQUEST.path } = options;
  const { signature: _, 'signature-input': __, ...unsigned } = SIGNED;
  const headers = { ...unsigned, ...options.headers };
  const list = signatureParameters(components, parameters);
  const made = signatureBase(components, { method: 'POST', authority: REQUEST.authority, path, headers }, list);
  if (!made.ok) throw new Error(made.problem);
  const signature = Buffer.from(KEY.sign(Buffer.from(made.base))).toString('base64');
  return { ...headers, 'signature-input': `${label}=${list}`, signature: `${label}=:${signature}:` };
}

export function signedWith(
  name: string,
  value: string | number,
  headers: Record<string, string> = {},
): Record<string, string> {
  return signedAs({ parameters: PARAMETERS.map((one) => (one[0] === name ? [name, value] : one)), headers });
}

export function anyRequest(): fc.Arbitrary<typeof REQUEST> {
  const visible = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.~'];
  const word = fc.string({ unit: fc.constantFrom(...visible), minLength: 1, maxLength: 40 });
  return fc.record({
    method: fc.constantFrom('POST', 'GET', 'DELETE'),
    authority: fc.oneof(fc.domain(), fc.constantFrom('127.0.0.1:8080', '[::1]:9000', 'Pay.Example')),
    path: fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => `/${words.join('/')}`),
    contentType: fc.constantFrom('application/json', 'application/json; charset="utf-8"'),
    body: fc.json(),
    keyId: word,
    created: fc.integer({ min: CREATED - 290, max: CREATED }),
    expires: fc.integer({ min: CREATED + 1, max: CREATED + 10 }),
    nonce: fc.uint8Array({ minLength: 16, maxLength: 64 }).map((bytes) => Buffer.from(bytes).toString('base64url')),
    key: fc.constant(KEY),
  });
}
