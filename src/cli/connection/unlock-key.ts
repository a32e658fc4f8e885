import type { Settings } from '../../compose/settings.ts';
import type { SigningKey } from '../../keys/ed25519.ts';
import { type LockedKey, readEncryptedKeyFile } from '../../keys/encrypted-key-file.ts';
import { KeyFileError } from '../../keys/key-file.ts';
import { plainCommand } from '../../report/command-line.ts';
import type { Io } from '../terminal.ts';
import { askPassphrase } from './passphrase.ts';

/**
 * The key of a person, from their encrypted file and their passphrase. `could` says what whoever has an open file could
 * do. Throws a `KeyFileError`, or a `Refusal` where there is no passphrase.
 */
export async function unlockKey(path: string, could: string, settings: Settings, io: Io): Promise<SigningKey> {
  const locked = readLocked(path);
  if (locked !== null) return locked.unlock(await askPassphrase(path, settings, io));
  throw notEncrypted(path, could);
}

/** The same where the passphrase is at hand. */
export async function unlockWith(path: string, could: string, passphrase: string): Promise<SigningKey> {
  const locked = readLocked(path);
  if (locked === null) throw notEncrypted(path, could);
  return locked.unlock(passphrase);
}

function notEncrypted(path: string, could: string): KeyFileError {
  const remedy = 'make a key that has a passphrase: payrun keys new --approver FILE';
  return new KeyFileError('NOT_ENCRYPTED', path, `is not encrypted, so that whoever has it could ${could}`, remedy);
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
