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
import type { Backend } from './backend.ts';
import { type SigningKey, signingKey } from './ed25519.ts';
import { type PemProblem, parsePrivateKeyPem, privateKeyPem } from './pkcs8.ts';

export type KeyFileCode =
  | 'NOT_FOUND'
  | 'UNREADABLE'
  | 'NOT_A_FILE'
  | 'MODE_TOO_WIDE'
  | 'TOO_LARGE'
  | PemProblem
  | 'NOT_ENCRYPTED'
  | 'WRONG_PASSPHRASE'
  | 'EXISTS'
  | 'UNWRITABLE';

/** What a file that only its owner may read is. */
export type SecretFile = 'key file' | 'passphrase file';

/** A key file that cannot be used or made. The message says what is wrong, `remedy` what to do; neither holds a key. */
export class KeyFileError extends Error {
  readonly code: KeyFileCode;
  readonly path: string;
  readonly remedy: string;
  constructor(code: KeyFileCode, path: string, what: string, remedy: string, kind: SecretFile = 'key file') {
    super(`the ${kind} ${path} ${what}`);
    this.name = 'KeyFileError';
    this.code = code;
    this.path = path;
    this.remedy = remedy;
  }
}

/** An Ed25519 key in PEM has about 120 bytes; one with attributes not much more. */
const KEY_FILE_BYTES_MAX = 16 * 1024;
const OWNER_ONLY = 0o600;
const GROUP_AND_OTHERS = 0o077;

/**
 * Makes a new key from 32 bytes of `randomness` in a new PKCS#8 PEM file of mode 0600, on disk when this returns.
 * Never overwrites: a lost private key cannot be had again. Throws `KeyFileError` (`EXISTS`, `UNWRITABLE`).
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
 * A new file of mode 0600, on disk when this returns. Throws `KeyFileError` (`EXISTS`, `UNWRITABLE`), and leaves nothing
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
  if (!parsed.ok) throw new KeyFileError(parsed.problem, path, parsed.what, REMEDIES[parsed.problem]);
  const key = signingKey(parsed.seed, backend);
  if (parsed.publicKey && !Buffer.from(key.publicKey).equals(parsed.publicKey)) {
    const what = 'is damaged: the public key in it belongs to another private key';
    throw new KeyFileError('DAMAGED', path, what, REMEDIES.DAMAGED);
  }
  return key;
}

/** A name for a key that can be known from its public key alone: `key_` and 16 hex digits of its SHA-256. */
export function suggestKeyId(publicKey: Uint8Array): string {
  return `key_${hash('sha256', publicKey, 'hex').slice(0, 16)}`;
}

const MAKE_ONE = 'make one with: payrun keys new';

const REMEDIES: Readonly<Record<PemProblem, string>> = {
  NOT_PEM: `give the PEM file of the private key, or ${MAKE_ONE}`,
  NOT_PRIVATE: 'give the file of the private key that belongs to it',
  ENCRYPTED: 'decrypt it with: openssl pkcs8 -in FILE -out NEW_FILE, and: chmod 600 NEW_FILE',
  NOT_PKCS8: `give a PKCS#8 PEM file ("BEGIN PRIVATE KEY"), or ${MAKE_ONE}`,
  NOT_ED25519: `the service takes Ed25519 keys only; ${MAKE_ONE}`,
  DAMAGED: `restore it from where you keep your keys, or ${MAKE_ONE}`,
};

/**
 * The bytes of a file that nobody but its owner may read, each as one character. Throws `KeyFileError` (`NOT_FOUND`,
 * `UNREADABLE`, `NOT_A_FILE`, `MODE_TOO_WIDE`, `TOO_LARGE`).
 */
export function readOwnersText(path: string, kind: SecretFile = 'key file'): string {
  const file = openToRead(path, kind);
  try {
    const { mode, size, isFile } = statOf(file);
    if (!isFile) throw new KeyFileError('NOT_A_FILE', path, 'is not a file', 'give the path of the file itself', kind);
    // On Windows these bits say nothing about who may read.
    if (process.platform !== 'win32' && (mode & GROUP_AND_OTHERS) !== 0) {
      const what = `has mode ${octal(mode)}: its permissions are too open`;
      throw new KeyFileError('MODE_TOO_WIDE', path, what, `chmod 600 ${shellWord(path)}`, kind);
    }
    if (size > KEY_FILE_BYTES_MAX) {
      throw new KeyFileError('TOO_LARGE', path, `has ${size} bytes, too many for one`, 'check the path', kind);
    }
    const bytes = Buffer.alloc(KEY_FILE_BYTES_MAX);
    return bytes.toString('latin1', 0, readSync(file, bytes, 0, KEY_FILE_BYTES_MAX, 0));
  } finally {
    closeSync(file);
  }
}

function openToRead(path: string, kind: SecretFile): number {
  try {
    // Without O_NONBLOCK, opening a named pipe would wait for a writer for ever.
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      const remedy = kind === 'key file' ? `check the path, or ${MAKE_ONE}` : 'check the path';
      throw new KeyFileError('NOT_FOUND', path, 'is not there', remedy, kind);
    }
    throw new KeyFileError(
      'UNREADABLE',
      path,
      `cannot be read (${code})`,
      'let the user that runs payrun own it',
      kind,
    );
  }
}

function statOf(file: number): { mode: number; size: number; isFile: boolean } {
  const stat = fstatSync(file);
  return { mode: stat.mode & 0o7777, size: stat.size, isFile: stat.isFile() };
}

/** Throws `KeyFileError` (`EXISTS`) where something stands at the path. */
export function requireNone(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) throw exists(path);
}

function exists(path: string): KeyFileError {
  return new KeyFileError('EXISTS', path, 'is there already', 'choose another path; a key is never overwritten');
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
  const remedy = 'choose a path in a folder that exists and can be written';
  return new KeyFileError('UNWRITABLE', path, `cannot be written (${codeOf(error)})`, remedy);
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

function octal(mode: number): string {
  return mode.toString(8).padStart(4, '0');
}

function shellWord(path: string): string {
  return /^[\w./+-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException | null)?.code ?? 'unknown error';
}
