import { Buffer } from 'node:buffer';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { armor, Encrypter } from 'age-encryption';
import { type SigningKey, signingKey } from '../../src/keys/ed25519.ts';
import { privateKeyPem } from '../../src/keys/pkcs8.ts';

export const PASSPHRASE = 'four words of nobody';

export type TestApprover = { name: string; key: SigningKey; publicKey: string; file: string };

/** An approver with an encrypted key file, whose passphrase costs less to try than that of a real one. */
export async function testApprover(folder: string, name: string, byte: number): Promise<TestApprover> {
  const seed = new Uint8Array(32).fill(byte);
  const key = signingKey(seed);
  const encrypter = new Encrypter();
  encrypter.setPassphrase(PASSPHRASE);
  encrypter.setScryptWorkFactor(8);
  const file = join(folder, `${name}.age`);
  writeFileSync(file, armor.encode(await encrypter.encrypt(privateKeyPem(seed))), { mode: 0o600 });
  return { name, key, publicKey: Buffer.from(key.publicKey).toString('base64url'), file };
}

/** The environment of a process that somebody starts under an account of their own. */
export function asPerson(account: string): Record<'TEST_PERSON' | 'NODE_OPTIONS', string> {
  const preload = new URL('as-person.ts', import.meta.url).href;
  return { TEST_PERSON: account, NODE_OPTIONS: `--import ${preload}` };
}
