import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { accountHere } from '../../../compose/person.ts';
import { readSettings, type Settings } from '../../../compose/settings.ts';
import { publicKeyTexts } from '../../../keys/ed25519.ts';
import { createKeyFile, readKeyFile, requireNone, suggestKeyId } from '../../../keys/key-file.ts';
import { machineRandomness } from '../../../platform/machine.ts';
import { askNewPassphrase, askPassphrase } from '../../connection/passphrase.ts';
import { jsonLine } from '../../json/line.ts';
import { processIo } from '../../terminal.ts';
import type { KeysOutput } from './json.ts';

/** Makes a key file and prints its public half. Throws `KeyFileError` where the file exists or cannot be written. */
export async function newKey(options: Record<string, unknown>): Promise<void> {
  const settings = readSettings(options, process.env);
  const isApprover = options.approver === true;
  const path = pathOf(options, settings, isApprover ? 'approver.age' : 'signing.pem');
  if (options.file === undefined) mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if (!isApprover) {
    print(path, createKeyFile(path, machineRandomness).publicKey, settings.json, 'Made');
    return;
  }
  // Nobody thinks of a passphrase for a file that cannot be made.
  requireNone(path);
  const { createEncryptedKeyFile } = await import('../../../keys/encrypted-key-file.ts');
  const passphrase = await askNewPassphrase(path, settings, processIo(process.env));
  const { publicKey } = await createEncryptedKeyFile(path, passphrase, machineRandomness);
  printApprover(path, publicKey, settings.json, 'Made');
}

/** Prints the public half of a key file. Throws `KeyFileError` for a file that is none or that others can read. */
export async function showKey(options: Record<string, unknown>): Promise<void> {
  const settings = readSettings(options, process.env);
  const path = pathOf(options, settings, 'signing.pem');
  const { readEncryptedKeyFile } = await import('../../../keys/encrypted-key-file.ts');
  const locked = readEncryptedKeyFile(path);
  if (locked === null) {
    print(path, readKeyFile(path).publicKey, settings.json, 'Read');
    return;
  }
  const { publicKey } = await locked.unlock(await askPassphrase(path, settings, processIo(process.env)));
  printApprover(path, publicKey, settings.json, 'Read');
}

function pathOf(options: Record<string, unknown>, settings: Settings, name: string): string {
  return options.file === undefined ? join(settings.dataDir, 'keys', name) : String(options.file);
}

function print(path: string, publicKey: Uint8Array, json: boolean, did: string): void {
  const texts = publicKeyTexts(publicKey);
  const suggestion = suggestKeyId(publicKey);
  const result = { file: path, public_key: texts.base64url, public_key_hex: texts.hex, suggested_id: suggestion };
  if (json) {
    process.stdout.write(jsonLine<KeysOutput>(result));
    return;
  }
  process.stdout.write(
    `${did} ${path}\npublic key (base64url)  ${texts.base64url}\npublic key (hex)        ${texts.hex}\nsuggested key id        ${suggestion}\n`,
  );
}

/** The line is for the job's list of approvers. */
function printApprover(path: string, publicKey: Uint8Array, json: boolean, did: string): void {
  const { base64url, hex } = publicKeyTexts(publicKey);
  if (json) {
    process.stdout.write(jsonLine<KeysOutput>({ file: path, public_key: base64url, public_key_hex: hex }));
    return;
  }
  const name = JSON.stringify(accountHere());
  const lines = [
    `${did} ${path}`,
    ...(did === 'Made' ? ['It is encrypted. Keep it and its passphrase: neither can be recovered.'] : []),
    '',
    'For the job, with your own name: under approval:, in the list of approvers:, or of preparers: who make plans',
    `    - {name: ${name}, public_key: ${base64url}}`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}
