import type { SigningKey } from '../keys/ed25519.ts';
import { readEncryptedKeyFile } from '../keys/encrypted-key-file.ts';
import { KeyFileError } from '../keys/key-file.ts';
import { askPassphrase } from './passphrase.ts';
import type { Settings } from './settings.ts';
import type { Io } from './terminal.ts';

/**
 * The key of a person, from their encrypted file and their passphrase. `could` says what whoever has an open file could
 * do. Throws a `KeyFileError`, or a `Refusal` where there is no passphrase.
 */
export async function unlockKey(path: string, could: string, settings: Settings, io: Io): Promise<SigningKey> {
  const locked = readEncryptedKeyFile(path);
  if (locked !== null) return locked.unlock(await askPassphrase(path, settings, io));
  const remedy = 'make a key that has a passphrase: payrun keys new --approver FILE';
  throw new KeyFileError('NOT_ENCRYPTED', path, `is not encrypted, so that whoever has it could ${could}`, remedy);
}
