import { Buffer } from 'node:buffer';
import type { SigningKey } from '../keys/ed25519.ts';
import { type LockedKey, readEncryptedKeyFile } from '../keys/encrypted-key-file.ts';
import { KeyFileError, readOwnersText } from '../keys/key-file.ts';

/**
 * The key of a person, from their encrypted file and their passphrase. `could` names what anybody who has an open file could
 * do. Throws a `KeyFileError`, and what `passphrase` throws.
 */
export async function unlockKey(
  path: string,
  could: 'approve' | 'make_plan',
  passphrase: () => string | Promise<string>,
): Promise<SigningKey> {
  const locked = readLocked(path);
  if (locked !== null) return locked.unlock(await passphrase());
  throw new KeyFileError({ path, code: 'not_encrypted', could });
}

/** The passphrase in a file of its owner. Throws a `KeyFileError`. */
export function passphraseIn(file: string): string {
  return passphraseOf(Buffer.from(readOwnersText(file, 'passphrase'), 'latin1'), file);
}

/** One line; a line break at its end is none of it. Throws a `KeyFileError`. */
export function passphraseOf(bytes: Buffer, file: string): string {
  const text = bytes.toString('utf8').replace(/\r?\n$/, '');
  if (text !== '' && !/[\r\n]/.test(text)) return text;
  throw new KeyFileError({ path: file, code: 'no_passphrase', isEmpty: text === '' });
}

/** A person's key is made with `--approver`, whichever of a plan's people they are. */
function readLocked(path: string): LockedKey | null {
  try {
    return readEncryptedKeyFile(path);
  } catch (error) {
    if (!(error instanceof KeyFileError) || error.fault.code !== 'not_found') throw error;
    throw new KeyFileError({ ...error.fault, isOfPerson: true });
  }
}
