import { rmSync } from 'node:fs';
import { assert } from '../../domain/refusal.ts';
import { publicKeyTexts } from '../../keys/ed25519.ts';
import type { PassphraseWork } from '../../keys/encrypted-key-file.ts';
import type { Web } from '../web.ts';
import type { Person, Secrets } from './people.ts';

/** The passphrase comes from Argon2id already. */
const WORK: PassphraseWork = 'derived';

/** What is to be kept of a person's new password, and the passphrase that opens their key file. */
export type NewSecrets = { secrets: Secrets; passphrase: string; discard(): void };

/** A password and a new key that it opens; `discard` where they are not to be used after all. */
export async function newSecrets({ people, passwords, doors }: Web, password: string): Promise<NewSecrets> {
  const { createEncryptedKeyFile } = await import('../../keys/encrypted-key-file.ts');
  const keySalt = passwords.newSalt();
  const passphrase = await passwords.passphrase(password, keySalt);
  const keyFile = people.newKeyFile();
  const path = people.keyPath(keyFile);
  const { publicKey } = await createEncryptedKeyFile(path, passphrase, doors.randomness, WORK);
  return {
    secrets: {
      password: await passwords.keep(password),
      keySalt,
      keyFile,
      publicKey: publicKeyTexts(publicKey).base64url,
    },
    passphrase,
    discard: () => rmSync(path, { force: true }),
  };
}

/**
 * A new password for the same key: a new file beside the old one, which is removed when the new one is known, so that
 * there is no moment in which neither password opens a key.
 */
export async function changedSecrets(
  { people, passwords }: Web,
  person: Person,
  passphraseNow: string,
  password: string,
): Promise<NewSecrets> {
  assert(person.keyFile !== null, 'somebody with a password and no key');
  const { reencryptKeyFile } = await import('../../keys/encrypted-key-file.ts');
  const keySalt = passwords.newSalt();
  const passphrase = await passwords.passphrase(password, keySalt);
  const keyFile = people.newKeyFile();
  const path = people.keyPath(keyFile);
  const from = { path: person.keyFile, passphrase: passphraseNow };
  const { publicKey } = await reencryptKeyFile(from, { path, passphrase }, WORK);
  return {
    secrets: {
      password: await passwords.keep(password),
      keySalt,
      keyFile,
      publicKey: publicKeyTexts(publicKey).base64url,
    },
    passphrase,
    discard: () => rmSync(path, { force: true }),
  };
}

export function removeKeyFile(person: Person): void {
  if (person.keyFile !== null) rmSync(person.keyFile, { force: true });
}
