import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newKey } from '../support/new-key.ts';
import { payrun, temporaryFolder } from '../support/payrun.ts';
import { type SmallService, smallService } from '../support/small-service.ts';

// Runs that stop for a person without a payout in doubt: why, and what to do, stands on the screen, in show and in the JSON.

/** The arguments of a run of two rows, and the options of every later command. */
async function placeAt(service: SmallService): Promise<{ run: string[]; at: string[] }> {
  const folder = temporaryFolder();
  const key = join(folder, 'key.pem');
  newKey(key);
  const file = join(folder, 'input.csv');
  writeFileSync(file, 'name,amount,currency,external_account_id\nAda,1.00,AUD,a1\nBen,2.00,AUD,a2\n');
  const at = ['--data-dir', join(folder, 'data'), '--quiet'];
  const reach = ['--base-url', service.baseUrl, '--api-key', 'key', '--signing-key', key, '--rate', '0'];
  return { run: ['run', file, '--yes', ...reach, '--report-dir', join(folder, 'reports'), ...at], at };
}

/** Whether the text names the command whole, on a line of its own. */
const names = (text: string, words: string, at: string[]): boolean =>
  text.split('\n').some((line) => line.endsWith(`payrun ${words} --data-dir ${at[1]}`));

test('a first payout whose token is gone stops the run, says why in show too, and cancel gets out of it', async () => {
  const service = await smallService({ list: (description) => description.replace(/PR\w+/, 'gone') });
  const { run, at } = await placeAt(service);
  const stopped = await payrun(run);
  expect(stopped.exit).toBe(5);
  const id = /Run (\S+) stopped: the first payout \(row 2\) did not come back: /.exec(stopped.stdout)?.[1] ?? '';
  const shown = await payrun(['show', id, ...at]);
  expect(shown.stdout).toMatch(/\nStopped: the first payout \(row 2\) did not come back: /);
  for (const { stdout } of [stopped, shown]) {
    expect(stdout).toContain('\nThe first payout of a run is sent alone. ');
    for (const words of [`resume ${id}`, `cancel ${id}`]) expect(names(stdout, words, at), words).toBe(true);
  }
  const resumed = await payrun(['resume', id, '--json', ...at]);
  expect(JSON.parse(resumed.stdout)).toMatchObject({
    state: 'stopped',
    message: expect.stringContaining('did not come back'),
    exit: 5,
  });
  // One was sent, so that a service that is away needs a person.
  expect((await payrun(['cancel', id, '--base-url', 'http://127.0.0.1:9', ...at])).exit).toBe(5);
  expect((await payrun(['cancel', id, ...at])).exit).toBe(0);
  expect((await payrun(['resume', id, ...at])).exit).toBe(4);
  expect((await payrun(['show', id, ...at])).stdout).not.toContain('first payout');
  expect(service.transfers.map(({ account }) => account)).toEqual(['a1']);
});

test('a transaction that is not what was sent is named in show, with whom to ask and how to read it again', async () => {
  const behaviour: Parameters<typeof smallService>[0] = { amount: '5' };
  const service = await smallService(behaviour);
  const { run, at } = await placeAt(service);
  const stopped = await payrun(run);
  expect(stopped.exit).toBe(5);
  const id = /Run (\S+) stopped: row /.exec(stopped.stdout)?.[1] ?? '';
  const shown = await payrun(['show', id, ...at]);
  expect(shown.stdout).toMatch(/\nStopped: row \d: transaction t\d /);
  for (const { stdout } of [stopped, shown]) {
    expect(stdout).toContain('Ask the service what became of it. payrun will not resend it.');
    expect(names(stdout, `resume ${id}`, at)).toBe(true);
  }
  // The service mends what it shows.
  delete behaviour.amount;
  expect((await payrun(['resume', id, ...at])).exit).toBe(0);
  expect(service.transfers).toHaveLength(2);
});
