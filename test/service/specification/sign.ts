import { createHash, createPrivateKey, randomBytes, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Given, Outgoing } from './row.ts';

/** What may differ from the scheme of `decisions.md`, for rows that say what happens then. */
type Otherwise = {
  components?: readonly string[];
  label?: string;
  digest?: 'sha-256' | 'sha-512';
  /** The parameters after `created` and `expires`; undefined leaves one out. */
  parameters?: { nonce?: string | undefined; keyid?: string; alg?: string | undefined; tag?: string | undefined };
  created?: number | undefined;
  expires?: number | undefined;
  /** Signs the hash of the signature base. */
  prehashed?: boolean;
};

export const COMPONENTS = ['@method', '@authority', '@path', 'content-type', 'content-digest', 'x-api-key'];

/**
 * Signs a request anew by RFC 9421 and RFC 9530 as `decisions.md` describes it, with the primitives of Node and nothing
 * of the code that is tested.
 */
export function signedAnew(
  outgoing: Outgoing,
  { service }: Pick<Given, 'service'>,
  otherwise: Otherwise = {},
): Outgoing {
  const { components = COMPONENTS, label = 'sig', digest = 'sha-256', prehashed = false } = otherwise;
  const nowSeconds = Math.floor(Date.now() / 1_000);
  const { created, expires } = { created: nowSeconds, expires: nowSeconds + 60, ...otherwise };
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'content-digest': `${digest}=:${createHash(digest.replace('-', '')).update(outgoing.body).digest('base64')}:`,
    'x-api-key': service.service.apiKey,
  };
  const values: Record<string, string> = {
    ...headers,
    '@method': outgoing.method,
    '@authority': new URL(service.service.baseUrl).host,
    '@path': outgoing.path,
  };
  const named = {
    nonce: randomBytes(16).toString('base64url'),
    keyid: service.service.apiKey,
    alg: 'ed25519',
    tag: 'payout-v1',
    ...otherwise.parameters,
  };
  const parameters = [
    `(${components.map((name) => `"${name}"`).join(' ')})`,
    ...(created === undefined ? [] : [`created=${created}`]),
    ...(expires === undefined ? [] : [`expires=${expires}`]),
    ...Object.entries(named).flatMap(([name, value]) => (value === undefined ? [] : [`${name}="${value}"`])),
  ].join(';');
  const lines = [...components.map((name) => `"${name}": ${values[name]}`), `"@signature-params": ${parameters}`];
  const base = Buffer.from(lines.join('\n'));
  const key = createPrivateKey(readFileSync(service.service.signingKeyFile));
  const signature = sign(null, prehashed ? createHash('sha512').update(base).digest() : base, key);
  headers['signature-input'] = `${label}=${parameters}`;
  headers.signature = `${label}=:${signature.toString('base64')}:`;
  return { ...outgoing, headers };
}
