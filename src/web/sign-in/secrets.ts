import { rmSync } from 'node:fs';
import { assert } from '../../domain/refusal.ts';
import { publicKeyTexts, type SigningKey } from '../../keys/ed25519.ts';
import type { PassphraseWork } from '../../keys/encrypted-key-file.ts';
import type { Person, Secrets } from '../people/people.ts';
import type { Web } from '../web.ts';

/** The passphrase comes from Argon2id already. */
const WORK: PassphraseWork = 'derived';

/** What is to be kept of a person's new password, and the passphrase that opens their key file. */
export type NewSecrets = { secrets: Secrets; passphrase: string; discard(): void };

/** A password and a new key that it opens; `discard` where they are not to be used after all. */
export async function newSecrets(web: Web, password: string): Promise<NewSecrets> {
  const { createEncryptedKeyFile } = await import('../../keys/encrypted-key-file.ts');
  return secretsOf(web, password, ({ path, passphrase }) =>
    createEncryptedKeyFile(path, passphrase, web.deps.randomness, WORK),
  );
}

/**
 * A new password for the same key: a new file beside the old one, which is removed when the new one is known, so that
 * there is no moment in which neither password opens a key.
 */
export async function changedSecrets(
  web: Web,
  { keyFile }: Person,
  passphraseNow: string,
  password: string,
): Promise<NewSecrets> {
  assert(keyFile !== null, 'somebody with a password and no key');
  const { reencryptKeyFile } = await import('../../keys/encrypted-key-file.ts');
  return secretsOf(web, password, (to) => reencryptKeyFile({ path: keyFile, passphrase: passphraseNow }, to, WORK));
}

async function secretsOf(
  { people, passwords }: Web,
  password: string,
  writeKey: (to: { path: string; passphrase: string }) => Promise<SigningKey>,
): Promise<NewSecrets> {
  const keySalt = passwords.newSalt();
  const passphrase = await passwords.passphrase(password, keySalt);
  const keyFile = people.newKeyFile();
  const path = people.keyPath(keyFile);
  const { publicKey } = await writeKey({ path, passphrase });
  const { base64url } = publicKeyTexts(publicKey);
  return {
    secrets: { password: await passwords.keep(password), keySalt, keyFile, publicKey: base64url },
    passphrase,
    discard: () => rmSync(path, { force: true }),
  };
}

export function removeKeyFile(person: Person): void {
  if (person.keyFile !== null) rmSync(person.keyFile, { force: true });
}
