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
  const shown = { path, isApprover, isNew: true };
  if (!isApprover) {
    print({ ...shown, publicKey: createKeyFile(path, machineRandomness).publicKey }, settings);
    return;
  }
  // Nobody thinks of a passphrase for a file that cannot be made.
  requireNone(path);
  const { createEncryptedKeyFile } = await import('../../../keys/encrypted-key-file.ts');
  const passphrase = await askNewPassphrase(path, settings, processIo(process.env));
  const { publicKey } = await createEncryptedKeyFile(path, passphrase, machineRandomness);
  print({ ...shown, publicKey }, settings);
}

/** Prints the public half of a key file. Throws `KeyFileError` for a file that is none or that others can read. */
export async function showKey(options: Record<string, unknown>): Promise<void> {
  const settings = readSettings(options, process.env);
  const path = pathOf(options, settings, 'signing.pem');
  const { readEncryptedKeyFile } = await import('../../../keys/encrypted-key-file.ts');
  const locked = readEncryptedKeyFile(path);
  const { publicKey } =
    locked === null
      ? readKeyFile(path)
      : await locked.unlock(await askPassphrase(path, settings, processIo(process.env)));
  print({ path, publicKey, isApprover: locked !== null, isNew: false }, settings);
}

function pathOf(options: Record<string, unknown>, settings: Settings, name: string): string {
  return options.file === undefined ? join(settings.dataDir, 'keys', name) : String(options.file);
}

/** The key of an approver is for a job, any other for the service. */
type ShownKey = { path: string; publicKey: Uint8Array; isApprover: boolean; isNew: boolean };

function print({ path, publicKey, isApprover, isNew }: ShownKey, { json }: Settings): void {
  const { base64url, hex } = publicKeyTexts(publicKey);
  const suggestion = isApprover ? undefined : suggestKeyId(publicKey);
  const output = { file: path, public_key: base64url, public_key_hex: hex, suggested_id: suggestion };
  const did = `${isNew ? 'Made' : 'Read'} ${path}`;
  const name = JSON.stringify(accountHere());
  const lines = isApprover
    ? [
        did,
        ...(isNew ? ['It is encrypted. Keep it and its passphrase: neither can be recovered.'] : []),
        '',
        'For the job, with your own name: under approval:, in the list of approvers:, or of preparers: who make plans',
        `    - {name: ${name}, public_key: ${base64url}}`,
      ]
    : [
        did,
        `public key (base64url)  ${base64url}`,
        `public key (hex)        ${hex}`,
        `suggested key id        ${suggestion}`,
      ];
  process.stdout.write(json ? jsonLine<KeysOutput>(output) : `${lines.join('\n')}\n`);
}
