import process from 'node:process';
import { publicKeyTexts } from '../../keys/ed25519.ts';
import { createKeyFile, readKeyFile, suggestKeyId } from '../../keys/key-file.ts';
import { machineRandomness } from '../compose.ts';

/** Makes a key file and prints its public half. Throws `KeyFileError` where the file exists or cannot be written. */
export function newKey(path: string, json: boolean): void {
  print(path, createKeyFile(path, machineRandomness).publicKey, json, 'Made');
}

/** Prints the public half of a key file. Throws `KeyFileError` for a file that is none or that others can read. */
export function showKey(path: string, json: boolean): void {
  print(path, readKeyFile(path).publicKey, json, 'Read');
}

function print(path: string, publicKey: Uint8Array, json: boolean, did: string): void {
  const texts = publicKeyTexts(publicKey);
  const suggestion = suggestKeyId(publicKey);
  process.stdout.write(
    json
      ? `${JSON.stringify({ file: path, public_key: texts.base64url, public_key_hex: texts.hex, suggested_id: suggestion })}\n`
      : `${did} ${path}\npublic key (base64url)  ${texts.base64url}\npublic key (hex)        ${texts.hex}\nsuggested key id        ${suggestion}\n`,
  );
}
