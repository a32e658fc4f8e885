import { Buffer } from 'node:buffer';
import type { SigningKey } from '../keys/ed25519.ts';
import { type LockedKey, readEncryptedKeyFile } from '../keys/encrypted-key-file.ts';
import { KeyFileError, readOwnersText } from '../keys/key-file.ts';
import { plainCommand } from '../messages/command-line.ts';

/**
 * The key of a person, from their encrypted file and their passphrase. `could` names what anybody who has an open file could
 * do. Throws a `KeyFileError`, and what `passphrase` throws.
 */
export async function unlockKey(
  path: string,
  could: string,
  passphrase: () => string | Promise<string>,
): Promise<SigningKey> {
  const locked = readLocked(path);
  if (locked !== null) return locked.unlock(await passphrase());
  const remedy = 'make a key that has a passphrase: payrun keys new --approver FILE';
  throw new KeyFileError('NOT_ENCRYPTED', path, `is not encrypted, so anyone who has it could ${could}`, remedy);
}

/** The passphrase in a file of its owner. Throws a `KeyFileError`. */
export function passphraseIn(file: string): string {
  return passphraseOf(Buffer.from(readOwnersText(file, 'passphrase file'), 'latin1'), file);
}

/** One line; a line break at its end is none of it. Throws a `KeyFileError`. */
export function passphraseOf(bytes: Buffer, file: string): string {
  const text = bytes.toString('utf8').replace(/\r?\n$/, '');
  if (text !== '' && !/[\r\n]/.test(text)) return text;
  const what = text === '' ? 'is empty' : 'has more than one line';
  throw new KeyFileError('DAMAGED', file, what, 'write the passphrase into it, in one line', 'passphrase file');
}

/** A person's key is made with `--approver`, whichever of a plan's people they are. */
function readLocked(path: string): LockedKey | null {
  try {
    return readEncryptedKeyFile(path);
  } catch (error) {
    if (!(error instanceof KeyFileError) || error.code !== 'NOT_FOUND') throw error;
    const remedy = `check the path, or make one with: ${plainCommand('keys', 'new', '--approver', path)}`;
    throw new KeyFileError('NOT_FOUND', path, 'is not there', remedy);
  }
}
