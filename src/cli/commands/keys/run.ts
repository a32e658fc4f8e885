import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { z } from 'zod';
import { makeApproverKey, makeSigningKey, type PublicHalf, readPublicHalf } from '../../../app/keys/key-files.ts';
import { accountHere } from '../../../compose/person.ts';
import { readSettings, type Settings } from '../../../compose/settings.ts';
import { text } from '../../../domain/entries/members.ts';
import { machineRandomness } from '../../../platform/machine.ts';
import type { Given } from '../../command.ts';
import { jsonLine } from '../../json/print.ts';
import { askNewPassphrase, askPassphrase } from '../../questions/passphrase.ts';
import { processIo } from '../../terminal.ts';

export const output = z
  .strictObject({
    file: text,
    public_key: text.describe('Ed25519, base64url.'),
    public_key_hex: text,
    suggested_id: text.optional().describe('Of a signing key: the id under which the service may register it.'),
  })
  .meta({ description: 'The public half of a key file.' });

/** `payrun keys new`: makes a key file and prints its public half. Throws `KeyFileError`. */
export async function newKey(given: Given): Promise<void> {
  const settings = readSettings(given, process.env);
  const isApprover = given.approver === true;
  const path = pathOf(given, settings, isApprover ? 'approver.age' : 'signing.pem');
  if (given.file === undefined) mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const ask = () => askNewPassphrase(path, settings, processIo(process.env));
  const made = isApprover
    ? await makeApproverKey(path, machineRandomness, ask)
    : makeSigningKey(path, machineRandomness);
  print(path, made, { isNew: true, json: settings.json });
}

/** `payrun keys show`: prints the public half of a key file. Throws `KeyFileError`. */
export async function showKey(given: Given): Promise<void> {
  const settings = readSettings(given, process.env);
  const path = pathOf(given, settings, 'signing.pem');
  const read = await readPublicHalf(path, () => askPassphrase(path, settings, processIo(process.env)));
  print(path, read, { isNew: false, json: settings.json });
}

function pathOf(given: Given, { dataDir }: Settings, name: string): string {
  return given.file === undefined ? join(dataDir, 'keys', name) : String(given.file);
}

/** The key of an approver is for a job, any other for the service. */
function print(path: string, key: PublicHalf, { isNew, json }: { isNew: boolean; json: boolean }): void {
  const { base64url, hex, suggestedId, isApprover } = key;
  const result = { file: path, public_key: base64url, public_key_hex: hex, suggested_id: suggestedId };
  const ofApprover = [
    ...(isNew ? ['It is encrypted. Keep it and its passphrase: neither can be recovered.'] : []),
    '',
    'For the job, with your own name: under approval:, in the list of approvers:, or of preparers: who make plans',
    `    - {name: ${JSON.stringify(accountHere())}, public_key: ${base64url}}`,
  ];
  const ofService = [
    `public key (base64url)  ${base64url}`,
    `public key (hex)        ${hex}`,
    `suggested key id        ${suggestedId}`,
  ];
  const lines = [`${isNew ? 'Made' : 'Read'} ${path}`, ...(isApprover ? ofApprover : ofService)];
  process.stdout.write(json ? jsonLine<z.output<typeof output>>(result) : `${lines.join('\n')}\n`);
}
