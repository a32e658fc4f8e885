import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createEncryptedKeyFile, readEncryptedKeyFile } from '../../src/keys/encrypted-key-file.ts';
import { createKeyFile } from '../../src/keys/key-file.ts';
import { PASSPHRASE, testApprover } from '../support/approvers.ts';
import { payrun, temporaryFolder } from '../support/payrun.ts';

const randomness = { bytes: (count: number) => new Uint8Array(count).fill(0x42) };

describe('an encrypted key file', () => {
  it('is an age file of mode 0600 that opens with its passphrase, and is never overwritten', async () => {
    const path = join(temporaryFolder(), 'anna.age');
    const made = await createEncryptedKeyFile(path, PASSPHRASE, randomness);
    expect((statSync(path).mode & 0o777).toString(8)).toBe('600');
    const text = readFileSync(path, 'latin1');
    expect(text).toMatch(/^-----BEGIN AGE ENCRYPTED FILE-----\n/);
    const read = await readEncryptedKeyFile(path)?.unlock(PASSPHRASE);
    expect(read?.publicKey).toEqual(made.publicKey);
    await expect(createEncryptedKeyFile(path, PASSPHRASE, randomness, 'derived')).rejects.toMatchObject({
      fault: { code: 'exists' },
    });
    expect(readFileSync(path, 'latin1')).toBe(text);
  });

  it('says a wrong passphrase from damage', async () => {
    const { file } = await testApprover(temporaryFolder(), 'Anna', 1);
    await expect(readEncryptedKeyFile(file)?.unlock('another')).rejects.toMatchObject({
      fault: { code: 'wrong_passphrase' },
    });
    const lines = readFileSync(file, 'latin1').split('\n');
    const damaged: [string, string][] = [
      ['a line lost', lines.toSpliced(-4, 1).join('\n')],
      ['a letter turned', lines.with(-4, [...(lines.at(-4) ?? '')].reverse().join('')).join('\n')],
      ['cut', lines.slice(0, 3).join('\n')],
    ];
    for (const [how, text] of damaged) {
      writeFileSync(file, text);
      await expect(readEncryptedKeyFile(file)?.unlock(PASSPHRASE), how).rejects.toMatchObject({
        fault: { code: 'not_decrypted' },
      });
    }
  });

  it('is none where the key in it stands in clear', () => {
    const path = join(temporaryFolder(), 'plain.pem');
    createKeyFile(path, randomness);
    expect(readEncryptedKeyFile(path)).toBeNull();
  });
});

describe('payrun keys new --approver', () => {
  it('makes one by a passphrase file, prints the line for the job, and keys show prints it again', async () => {
    const folder = temporaryFolder();
    const [file, passphrase] = [join(folder, 'anna.age'), join(folder, 'passphrase')];
    writeFileSync(passphrase, `${PASSPHRASE}\r\n`, { mode: 0o600 });
    const made = await payrun(['keys', 'new', '--approver', file, '--passphrase-file', passphrase]);
    expect(made.exit).toBe(0);
    const line = /^ {4}- \{name: ".*", public_key: ([\w-]{43})\}$/m.exec(made.stdout);
    const shown = await payrun(['keys', 'show', file, '--json'], { env: { PAYRUN_PASSPHRASE_FILE: passphrase } });
    expect(JSON.parse(shown.stdout)).toMatchObject({ file, public_key: line?.[1] });
    const again = await payrun(['keys', 'new', '--approver', file, '--passphrase-file', passphrase]);
    expect([again.exit, again.stderr]).toEqual([2, expect.stringContaining('is there already')]);
  });

  it.each([
    ['is short', 'too short', 6, /fewer than 10/],
    ['is empty', '', 2, /is empty/],
    ['has two lines', `${PASSPHRASE}\nmore`, 2, /more than one line/],
  ])('makes none where the passphrase %s', async (_, text, exit, message) => {
    const folder = temporaryFolder();
    const passphrase = join(folder, 'passphrase');
    writeFileSync(passphrase, text, { mode: 0o600 });
    const file = join(folder, 'anna.age');
    const refused = await payrun(['keys', 'new', '--approver', file, '--passphrase-file', passphrase]);
    expect([refused.exit, refused.stderr]).toEqual([exit, expect.stringMatching(message)]);
    expect(statSync(file, { throwIfNoEntry: false })).toBeUndefined();
  });

  it('asks nothing without a terminal (6)', async () => {
    const refused = await payrun(['keys', 'new', '--approver', join(temporaryFolder(), 'anna.age')]);
    expect([refused.exit, refused.stderr]).toEqual([6, expect.stringContaining('--passphrase-file FILE')]);
  });
});
