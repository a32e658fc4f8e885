import { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { KeyFileFault, SecretFile } from '../domain/refusals/key-faults.ts';
import type { Backend } from './backend.ts';
import { type SigningKey, signingKey } from './ed25519.ts';
import { parsePrivateKeyPem, privateKeyPem } from './pkcs8.ts';

/** A key file that cannot be used or made. `messages/refusals/key-words.ts` has the words; no part of it holds a key. */
export class KeyFileError extends Error {
  readonly fault: KeyFileFault;

  constructor(fault: KeyFileFault) {
    super(`${fault.path}: ${fault.code}`);
    this.name = 'KeyFileError';
    this.fault = fault;
  }
}

/** An Ed25519 key in PEM has about 120 bytes; one with attributes not much more. */
const KEY_FILE_BYTES_MAX = 16 * 1024;
const OWNER_ONLY = 0o600;
const GROUP_AND_OTHERS = 0o077;

/**
 * Makes a new key from 32 bytes of `randomness` in a new PKCS#8 PEM file of mode 0600, on disk when this returns.
 * Never overwrites: a lost private key cannot be had again. Throws `KeyFileError` (`exists`, `unwritable`).
 */
export function createKeyFile(
  path: string,
  randomness: { bytes(count: number): Uint8Array },
  backend?: Backend,
): SigningKey {
  const seed = randomness.bytes(32);
  const key = signingKey(seed, backend);
  writeOwnersText(path, privateKeyPem(seed));
  return key;
}

/**
 * A new file of mode 0600, on disk when this returns. Throws `KeyFileError` (`exists`, `unwritable`), and leaves nothing
 * behind.
 */
export function writeOwnersText(path: string, text: string): void {
  const file = openNew(path);
  try {
    // The mode given at opening is narrowed by the umask; this one is not.
    fchmodSync(file, OWNER_ONLY);
    writeFileSync(file, text);
    fsyncSync(file);
  } catch (error) {
    rmSync(path, { force: true });
    throw unwritable(path, error);
  } finally {
    closeSync(file);
  }
  syncFolder(dirname(path));
}

/**
 * The key in a PKCS#8 PEM file. Symbolic links are followed, as secrets are mounted that way; mode and content are read
 * from one open file, so nobody can exchange it in between. Throws `KeyFileError`.
 */
export function readKeyFile(path: string, backend?: Backend): SigningKey {
  return keyOfPem(path, readOwnersText(path), backend);
}

/** The key in a PEM text that was read from `path`. Throws `KeyFileError`. */
export function keyOfPem(path: string, text: string, backend?: Backend): SigningKey {
  const parsed = parsePrivateKeyPem(text);
  if (!parsed.ok) throw new KeyFileError({ path, ...parsed.fault });
  const key = signingKey(parsed.seed, backend);
  if (parsed.publicKey && !Buffer.from(key.publicKey).equals(parsed.publicKey))
    throw new KeyFileError({ path, code: 'damaged', how: 'another_public_key' });
  return key;
}

/** A name for a key that can be known from its public key alone: `key_` and 16 hex digits of its SHA-256. */
export function suggestKeyId(publicKey: Uint8Array): string {
  return `key_${hash('sha256', publicKey, 'hex').slice(0, 16)}`;
}

/**
 * The bytes of a file that nobody but its owner may read, each as one character. Throws `KeyFileError` (`not_found`,
 * `unreadable`, `not_a_file`, `mode_too_wide`, `too_large`).
 */
export function readOwnersText(path: string, of: SecretFile = 'key'): string {
  const file = openToRead(path, of);
  try {
    const { mode, size, isFile } = statOf(file);
    if (!isFile) throw new KeyFileError({ path, code: 'not_a_file', of });
    // On Windows these bits say nothing about who may read.
    if (process.platform !== 'win32' && (mode & GROUP_AND_OTHERS) !== 0)
      throw new KeyFileError({ path, code: 'mode_too_wide', of, mode });
    if (size > KEY_FILE_BYTES_MAX) throw new KeyFileError({ path, code: 'too_large', of, bytes: size });
    const bytes = Buffer.alloc(KEY_FILE_BYTES_MAX);
    return bytes.toString('latin1', 0, readSync(file, bytes, 0, KEY_FILE_BYTES_MAX, 0));
  } finally {
    closeSync(file);
  }
}

function openToRead(path: string, of: SecretFile): number {
  try {
    // Without O_NONBLOCK, opening a named pipe would wait for a writer for ever.
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    const cause = codeOf(error);
    const isAbsent = cause === 'ENOENT' || cause === 'ENOTDIR';
    throw new KeyFileError(isAbsent ? { path, code: 'not_found', of } : { path, code: 'unreadable', of, cause });
  }
}

function statOf(file: number): { mode: number; size: number; isFile: boolean } {
  const stat = fstatSync(file);
  return { mode: stat.mode & 0o7777, size: stat.size, isFile: stat.isFile() };
}

/** Throws `KeyFileError` (`exists`) where something stands at the path. */
export function requireNone(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) throw exists(path);
}

function exists(path: string): KeyFileError {
  return new KeyFileError({ path, code: 'exists' });
}

function openNew(path: string): number {
  try {
    return openSync(path, 'wx', OWNER_ONLY);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw unwritable(path, error);
    throw exists(path);
  }
}

function unwritable(path: string, error: unknown): KeyFileError {
  return new KeyFileError({ path, code: 'unwritable', cause: codeOf(error) });
}

/** The file's name is durable only when its folder is; Windows cannot open a folder and needs no such thing. */
function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(path, constants.O_RDONLY);
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException | null)?.code ?? 'unknown error';
}
