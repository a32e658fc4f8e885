import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { publicKeyTexts } from '../../keys/ed25519.ts';
import { createKeyFile, readKeyFile, suggestKeyId } from '../../keys/key-file.ts';
import { machineRandomness } from '../compose.ts';
import { readSettings, type Settings } from '../settings.ts';

/** Makes a key file and prints its public half. Throws `KeyFileError` where the file exists or cannot be written. */
export function newKey(options: Record<string, unknown>): void {
  const settings = readSettings(options, process.env);
  const path = pathOf(options, settings);
  if (options.file === undefined) mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  print(path, createKeyFile(path, machineRandomness).publicKey, settings.json, 'Made');
}

/** Prints the public half of a key file. Throws `KeyFileError` for a file that is none or that others can read. */
export function showKey(options: Record<string, unknown>): void {
  const settings = readSettings(options, process.env);
  const path = pathOf(options, settings);
  print(path, readKeyFile(path).publicKey, settings.json, 'Read');
}

function pathOf(options: Record<string, unknown>, settings: Settings): string {
  return options.file === undefined ? join(settings.dataDir, 'keys', 'signing.pem') : String(options.file);
}

function print(path: string, publicKey: Uint8Array, json: boolean, did: string): void {
  const texts = publicKeyTexts(publicKey);
  const suggestion = suggestKeyId(publicKey);
  const result = { file: path, public_key: texts.base64url, public_key_hex: texts.hex, suggested_id: suggestion };
  if (json) {
    process.stdout.write(`${JSON.stringify(result)}\n`);
    return;
  }
  process.stdout.write(
    `${did} ${path}\npublic key (base64url)  ${texts.base64url}\npublic key (hex)        ${texts.hex}\nsuggested key id        ${suggestion}\n`,
  );
}
