import { Buffer } from 'node:buffer';
import { type SigningKey, signingKey } from './ed25519.ts';
import { KeyFileError, keyOfPem, readOwnersText, writeOwnersText } from './key-file.ts';
import { privateKeyPem } from './pkcs8.ts';

const ARMOR = '-----BEGIN AGE ENCRYPTED FILE-----';
const BINARY = 'age-encryption.org/';

/** What the decrypter says when nothing in the header opens with the passphrase. */
const NO_MATCH = /no identity matched/;

/**
 * Makes a new key from 32 bytes of `randomness` in a new file of mode 0600: its PKCS#8 PEM text, encrypted with the
 * passphrase (age, scrypt), which `age -d` decrypts. Never overwrites. Throws `KeyFileError` (`exists`, `unwritable`).
 */
export async function createEncryptedKeyFile(
  path: string,
  passphrase: string,
  randomness: { bytes(count: number): Uint8Array },
  work?: PassphraseWork,
): Promise<SigningKey> {
  const seed = randomness.bytes(32);
  await writeEncrypted(path, privateKeyPem(seed), passphrase, work);
  return signingKey(seed);
}

/**
 * `derived`: the passphrase is itself made with much work from a password, so that scrypt's own (a second) adds nothing
 * but waiting. Else nobody knows how good it is.
 */
export type PassphraseWork = 'derived';

/** scrypt's logarithmic work factor for a passphrase that was derived: some milliseconds. */
const DERIVED_WORK_FACTOR = 10;

/**
 * Writes the key of an encrypted file into a new one with another passphrase; the old file stays. Throws `KeyFileError`
 * (`wrong_passphrase`, `not_decrypted`, `exists`, `unwritable`).
 */
export async function reencryptKeyFile(
  from: { path: string; passphrase: string },
  to: { path: string; passphrase: string },
  work?: PassphraseWork,
): Promise<SigningKey> {
  const text = readOwnersText(from.path);
  const isArmored = text.trimStart().startsWith(ARMOR);
  const pem = await decrypted(from.path, from.passphrase, { text, isArmored });
  const key = keyOfPem(from.path, pem);
  await writeEncrypted(to.path, pem, to.passphrase, work);
  return key;
}

async function writeEncrypted(path: string, pem: string, passphrase: string, work?: PassphraseWork): Promise<void> {
  const { armor, Encrypter } = await import('age-encryption');
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  if (work === 'derived') encrypter.setScryptWorkFactor(DERIVED_WORK_FACTOR);
  writeOwnersText(path, armor.encode(await encrypter.encrypt(pem)));
}

/** An encrypted key file that was read, and not decrypted yet. */
export type LockedKey = {
  /** Throws `KeyFileError` (`wrong_passphrase`, `not_decrypted`, or what is wrong with the key inside). Takes about a second. */
  unlock(passphrase: string): Promise<SigningKey>;
};

/**
 * Reads an encrypted key file, so that what is wrong with it is said before anybody is asked for a passphrase. Null for a
 * file that is not encrypted. Throws `KeyFileError`.
 */
export function readEncryptedKeyFile(path: string): LockedKey | null {
  const text = readOwnersText(path);
  const isArmored = text.trimStart().startsWith(ARMOR);
  if (!isArmored && !text.startsWith(BINARY)) return null;
  return {
    async unlock(passphrase) {
      return keyOfPem(path, await decrypted(path, passphrase, { text, isArmored }));
    },
  };
}

type Encrypted = { text: string; isArmored: boolean };

async function decrypted(path: string, passphrase: string, { text, isArmored }: Encrypted): Promise<string> {
  // Loaded here: most keys are not encrypted.
  const { armor, Decrypter } = await import('age-encryption');
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  try {
    const bytes = isArmored ? armor.decode(text) : Buffer.from(text, 'latin1');
    return await decrypter.decrypt(bytes, 'text');
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new KeyFileError(
      NO_MATCH.test(cause) ? { path, code: 'wrong_passphrase' } : { path, code: 'not_decrypted', cause },
    );
  }
}
