import { publicKeyTexts, type SigningKey } from '../../keys/ed25519.ts';
import { createKeyFile, readKeyFile, requireNone, suggestKeyId } from '../../keys/key-file.ts';

type Randomness = { bytes(count: number): Uint8Array };

/** The public half of a key file. An approver's file is encrypted; `suggestedId` is of a signing key. */
export type PublicHalf = { base64url: string; hex: string; isApprover: boolean; suggestedId: string | undefined };

/** Makes a signing key in a new file. Throws `KeyFileError` where the file exists or cannot be written. */
export function makeSigningKey(path: string, randomness: Randomness): PublicHalf {
  return publicHalf(createKeyFile(path, randomness), { isApprover: false });
}

/** Makes an approver's key in a new, encrypted file. The passphrase is asked for once the file can be made. Throws as above. */
export async function makeApproverKey(
  path: string,
  randomness: Randomness,
  passphrase: () => Promise<string>,
): Promise<PublicHalf> {
  requireNone(path);
  // Only here: encryption takes long to load.
  const { createEncryptedKeyFile } = await import('../../keys/encrypted-key-file.ts');
  return publicHalf(await createEncryptedKeyFile(path, await passphrase(), randomness), { isApprover: true });
}

/** Reads either kind. Throws `KeyFileError` for a file that is none or that others can read. */
export async function readPublicHalf(path: string, passphrase: () => Promise<string>): Promise<PublicHalf> {
  const { readEncryptedKeyFile } = await import('../../keys/encrypted-key-file.ts');
  const locked = readEncryptedKeyFile(path);
  const key = locked === null ? readKeyFile(path) : await locked.unlock(await passphrase());
  return publicHalf(key, { isApprover: locked !== null });
}

function publicHalf({ publicKey }: SigningKey, { isApprover }: { isApprover: boolean }): PublicHalf {
  const suggestedId = isApprover ? undefined : suggestKeyId(publicKey);
  return { ...publicKeyTexts(publicKey), isApprover, suggestedId };
}
