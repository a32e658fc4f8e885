import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { newKey } from '../support/new-key.ts';
import { payrun, temporaryFolder } from '../support/payrun.ts';
import { testBeside } from '../support/side-by-side.ts';
import { type SmallService, smallService } from '../support/small-service.ts';

// Services that do what the shipped one never does. What counts is how many transfers each of them holds.

/** What they list they list at once. */
const AT_ONCE = 'request_lifetime: 6s\nlisting_lag: 0s\n';

type Place = { file: string; command: string[]; resume: string[] };

async function placeAt(folder: string, service: SmallService, profile = AT_ONCE): Promise<Place> {
  const key = join(folder, 'key.pem');
  newKey(key);
  const file = join(folder, 'input.csv');
  writeFileSync(file, 'name,amount,currency,external_account_id\nA,1.00,AUD,a1\nB,2.00,AUD,a2\nC,3.00,AUD,a3\n');
  const profileFile = join(folder, 'profile.yaml');
  writeFileSync(profileFile, profile);
  const where = ['--data-dir', join(folder, 'data'), '--report-dir', join(folder, 'reports'), '--json', '--rate', '0'];
  const at = ['--base-url', service.baseUrl, '--api-key', 'key', '--signing-key', key, '--profile', profileFile];
  return { file, command: ['run', file, '--yes', '--concurrency', '1', ...at, ...where], resume: where };
}

/** The run and its resumption end with exit 5, and the service holds the first payout alone. */
async function expectFirstPayoutAlone(service: SmallService, guarantees: string): Promise<void> {
  const profile = `${AT_ONCE}guarantees: {${guarantees}}\n`;
  const { command, resume } = await placeAt(temporaryFolder(), service, profile);
  const { exit, stdout } = await payrun(command);
  expect(exit).toBe(5);
  expect(service.transfers).toHaveLength(1);
  const { run_id } = JSON.parse(stdout);
  expect((await payrun(['resume', run_id, ...resume])).exit).toBe(5);
  expect(service.transfers).toHaveLength(1);
}

// These services look at no nonce, and their profiles say so.

testBeside('a service that forgets descriptions and loses answers is sent one payout, not one more', async () => {
  const service = await smallService({ loses: [1, 2, 3, 4], get: () => '', list: () => '' });
  await expectFirstPayoutAlone(service, 'replay_protection: false');
});

testBeside('a service that does not say what time it is proves no absence', async () => {
  const service = await smallService({ loses: [1, 2, 3, 4], list: () => null, hasDate: false });
  await expectFirstPayoutAlone(service, 'replay_protection: false');
});

testBeside('where the first payout is unresolved no other is sent', async () => {
  const service = await smallService({ loses: [1], list: () => null });
  await expectFirstPayoutAlone(service, 'enforces_expiry: false, replay_protection: false');
});

testBeside('a run is not resumed at another service, where everything would look absent', async () => {
  const folder = temporaryFolder();
  const service = await smallService({ loses: [2], listStatus: 503 });
  const other = await smallService({});
  const { command, resume } = await placeAt(folder, service);
  const stopped = await payrun(command);
  expect(stopped.exit).toBe(5);
  const { run_id } = JSON.parse(stopped.stdout);
  const elsewhere = await payrun(['resume', run_id, '--base-url', other.baseUrl, ...resume]);
  expect(elsewhere.exit).toBe(2);
  expect(elsewhere.stderr).toMatch(/another service/);
  expect(other.transfers).toHaveLength(0);
  expect((await payrun(['resume', run_id, '--base-url', 'nonsense', ...resume])).exit).toBe(2);
  expect((await payrun(['resume', run_id, '--base-url', 'http://payouts.example/', ...resume])).exit).toBe(2);
});

testBeside('an id that is answered for several rows is believed for one', async () => {
  const folder = temporaryFolder();
  const service = await smallService({ sameId: true });
  const { command } = await placeAt(folder, service);
  const { exit, stdout } = await payrun(command);
  expect(exit).toBe(0);
  expect(JSON.parse(stdout).counts.completed).toBe(3);
  // Each was found by its own token, and none was sent again.
  expect(service.transfers.map(({ account }) => account)).toEqual(['a1', 'a2', 'a3']);
});

testBeside('a report folder that cannot be is found out before anybody is paid', async () => {
  const folder = temporaryFolder();
  const service = await smallService({});
  const { command, file } = await placeAt(folder, service);
  const { exit, stderr } = await payrun([...command, '--report-dir', file]);
  expect(stderr).toMatch(/Reports cannot be written/);
  expect(exit).toBe(2);
  expect(service.transfers).toHaveLength(0);
});
