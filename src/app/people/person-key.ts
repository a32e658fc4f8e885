import { publicKeyTexts, type SigningKey } from '../../keys/ed25519.ts';
import type { Randomness } from '../../platform/clock.ts';

/** A key file, and the passphrase that opens it, which was derived from a password with much work already. */
export type PersonKeyFile = { path: string; passphrase: string };

/** Makes a signing key in a new file, and gives its public key (base64url). Throws a `KeyFileError`. */
export async function createPersonKey({ path, passphrase }: PersonKeyFile, randomness: Randomness): Promise<string> {
  const { createEncryptedKeyFile } = await import('../../keys/encrypted-key-file.ts');
  return publicKeyOf(await createEncryptedKeyFile(path, passphrase, randomness, 'derived'));
}

/** Writes the key of a file to a new one with another passphrase, and gives its public key. Throws a `KeyFileError`. */
export async function relockPersonKey(from: PersonKeyFile, to: PersonKeyFile): Promise<string> {
  const { reencryptKeyFile } = await import('../../keys/encrypted-key-file.ts');
  return publicKeyOf(await reencryptKeyFile(from, to, 'derived'));
}

function publicKeyOf({ publicKey }: SigningKey): string {
  return publicKeyTexts(publicKey).base64url;
}
