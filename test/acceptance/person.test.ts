import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { newKey } from '../support/new-key.ts';
import { type Ended, payrun, start, startService, temporaryFolder } from '../support/payrun.ts';
import { allTransactions } from '../support/service-admin.ts';
import { testBeside } from '../support/side-by-side.ts';
import { type SmallService, smallService } from '../support/small-service.ts';

// What a person sees and says of payouts in doubt, at a service that promises nothing but to list what it lists at once.

const AT_ONCE = 'request_lifetime: 6s\nlisting_lag: 0s\n';
const NO_PROMISES = `${AT_ONCE}guarantees: {enforces_expiry: false, replay_protection: false}\n`;

type Place = {
  /** `payrun run` of three rows, in words. */
  run: string[];
  /** The options of every later command. */
  at: string[];
  folder: string;
};

async function placeAt(service: SmallService, profile = NO_PROMISES): Promise<Place> {
  const folder = temporaryFolder();
  const key = join(folder, 'key.pem');
  newKey(key);
  const file = join(folder, 'input.csv');
  writeFileSync(file, 'name,amount,currency,external_account_id\nAda,1.00,AUD,a1\nBen,2.00,AUD,a2\nCy,3.00,AUD,a3\n');
  const profileFile = join(folder, 'profile.yaml');
  writeFileSync(profileFile, profile);
  const at = ['--data-dir', join(folder, 'data')];
  const reach = ['--base-url', service.baseUrl, '--api-key', 'key', '--signing-key', key, '--profile', profileFile];
  const pace = ['--report-dir', join(folder, 'reports'), '--rate', '0', '--concurrency', '1', '--quiet'];
  return { run: ['run', file, '--yes', ...reach, ...pace, ...at], at, folder };
}

/** Starts the run, which ends with a payout in doubt, and gives its id and what it said. */
async function runInDoubt({ run }: Place): Promise<{ id: string; stdout: string }> {
  const { exit, stdout, stderr } = await payrun(run);
  expect({ exit, stderr }).toEqual({ exit: 5, stderr: '' });
  return { id: /Run (\S+) /.exec(stdout)?.[1] ?? '', stdout };
}

function reportIn({ folder }: Place, id: string) {
  const report = readFileSync(join(folder, 'reports', id, 'report.json'), 'utf8');
  return { report: JSON.parse(report), keys: Object.keys(JSON.parse(report)) };
}

const refusals = ({ exit, stderr, stdout }: Ended) => ({ exit, said: stderr.split('\n')[0], stdout });

testBeside(
  'a payout in doubt is explained on the screen, in show and in the report, and a person who finds it settles it',
  async () => {
    // The second transfer takes effect, its answer is lost, and the list hides it.
    const service: SmallService = await smallService({
      loses: [2],
      list: (description) => (description === service.transfers[1]?.description ? null : description),
    });
    const place = await placeAt(service);
    const { at } = place;
    const { id, stdout } = await runInDoubt(place);
    const command = (words: string): string => `payrun ${words} --data-dir ${at[1]}`;
    const commands = [
      command(`resume ${id}`),
      command(`resolve ${id} 3 --sent TX`),
      command(`resolve ${id} 3 --not-sent`),
      command(`resume ${id} --resubmit-absent`),
    ];
    expect(stdout).toMatch(/^Run \S+ finished: 2 completed, 1 unresolved\.\n\nIn doubt, perhaps paid: 1 payout\. /);
    for (const words of commands) expect(stdout).toContain(`${words}\n`);
    const shown = await payrun(['show', id, ...at]);
    expect(shown.stdout).toMatch(/\nrow 3, Ben: in doubt\n {2}payout {3}2\.00 AUD to a2\n {2}sent {5}\d{4}-/);
    expect(shown.stdout).toMatch(/\n {2}looked {3}\d+ times by its token, last at /);
    for (const words of commands) expect(shown.stdout).toContain(`${words}\n`);
    const { report, keys } = reportIn(place, id);
    expect(keys.indexOf('doubts')).toBe(keys.indexOf('rows') - 1);
    expect(report.doubts).toMatchObject([{ row: 3, payee: 'Ben', about: 'no_expiry', candidates: [] }]);
    expect(report.doubts[0].choices.map((choice: { command: string }) => choice.command)).toEqual(commands);
    for (const words of commands) expect(report.rows[1].message).toContain(words);

    // What cannot be true is refused, and nothing is asked without a terminal.
    const resolve = (...words: string[]) => payrun(['resolve', id, ...words, ...at]).then(refusals);
    expect(await resolve('3', '--sent', 't2')).toEqual({
      exit: 6,
      said: 'Not confirmed: row 3. If t2 is another payment, Ben is not paid. Nothing was recorded.',
      stdout: '',
    });
    expect(await resolve('3', '--sent', 't2', '--not-sent', '--yes')).toMatchObject({ exit: 2 });
    expect(await resolve('3', '--yes')).toMatchObject({
      exit: 2,
      said: 'The command does not state what became of the payout.',
    });
    expect(await resolve('three', '--not-sent', '--yes')).toMatchObject({ exit: 2 });
    expect(await resolve('9', '--not-sent', '--yes')).toMatchObject({ exit: 2, said: `Run ${id} has no row 9.` });
    expect(await resolve('2', '--not-sent', '--yes')).toMatchObject({
      exit: 2,
      said: `Row 2 of run ${id} is not unresolved: it is completed.`,
    });
    expect(await resolve('3', '--sent', 't9', '--yes')).toMatchObject({ exit: 6 });
    const away = await payrun(['resolve', id, '3', '--sent', 't2', '--yes', '--base-url', 'http://127.0.0.1:9', ...at]);
    expect(away).toMatchObject({ exit: 8, stdout: '' });

    const other = await smallService({});
    const elsewhere = await payrun(['resolve', id, '3', '--not-sent', '--yes', '--base-url', other.baseUrl, ...at]);
    expect(elsewhere).toMatchObject({ exit: 2, stderr: expect.stringContaining('it is another service') });
    const refused = await payrun(['resolve', id, '3', '--sent', 't3', '--yes', '--json', ...at]);
    expect(JSON.parse(refused.stdout)).toMatchObject({ run_id: id, state: 'refused', exit: 6 });

    const resolved = await payrun(['resolve', id, '3', '--sent', 't2', '--yes', '--json', ...at]);
    expect(resolved).toMatchObject({ exit: 0, stderr: '' });
    expect(JSON.parse(resolved.stdout)).toMatchObject({
      row: 3,
      verdict: 'sent',
      transaction_id: 't2',
      unresolved: [],
    });
    const resumed = await payrun(['resume', id, '--json', ...at]);
    expect(resumed.exit).toBe(0);
    expect(JSON.parse(resumed.stdout).counts).toMatchObject({ completed: 3, unresolved: 0 });
    expect(reportIn(place, id).report.doubts).toEqual([]);
    expect(service.transfers.map(({ account }) => account)).toEqual(['a1', 'a2', 'a3']);
  },
);

testBeside('a payout that never came is sent once more after --not-sent, or with --resubmit-absent', async () => {
  const service = await smallService({ drops: { a2: 2 } });
  const place = await placeAt(service);
  const { id } = await runInDoubt(place);
  expect((await payrun(['resume', id, ...place.at])).exit).toBe(5);
  expect(service.transfers.map(({ account }) => account)).toEqual(['a1', 'a3']);
  const resolved = await payrun(['resolve', id, '3', '--not-sent', '--yes', ...place.at]);
  expect(resolved).toMatchObject({ exit: 0, stderr: '' });
  expect(resolved.stdout).toBe(
    `Row 3, Ben, 2.00 AUD: recorded as not sent.
No other payout of this run is in doubt.
go on with   payrun resume ${id} --data-dir ${place.at[1]}
             sends it, and writes the report again
`,
  );
  // The second attempt is dropped too; this time the person accepts the list as proof.
  expect((await payrun(['resume', id, '--quiet', ...place.at])).exit).toBe(5);
  expect(service.transfers).toHaveLength(2);
  expect((await payrun(['resume', id, '--resubmit-absent', '--quiet', ...place.at])).exit).toBe(0);
  expect(service.transfers.map(({ account }) => account)).toEqual(['a1', 'a3', 'a2']);
  expect((await payrun(['verify', id, ...place.at])).exit).toBe(0);
});

testBeside(
  'a run that nobody works on is cancelled with its doubts named, and sends nothing however they are settled',
  async () => {
    const service = await smallService({ drops: { a1: 1 } });
    const place = await placeAt(service);
    const { id } = await runInDoubt(place);
    const cancelled = await payrun(['cancel', id, ...place.at]);
    expect(cancelled).toEqual({
      exit: 5,
      signal: null,
      stderr: `Run ${id} is cancelled. Checking with the service whether waiting payouts were already paid.\n`,
      stdout: `Run ${id} is cancelled: nothing more of it is submitted.
2 payouts were not sent.
1 payout is in doubt. It may have been made: cancelling takes nothing back.
see each     payrun show ${id} --data-dir ${place.at[1]}
look again   payrun resume ${id} --data-dir ${place.at[1]}
`,
    });
    const again = await payrun(['cancel', id, '--json', ...place.at]);
    expect(JSON.parse(again.stdout)).toMatchObject({ cancelled: true, not_submitted: 0, in_doubt: 1, exit: 5 });
    expect((await payrun(['resolve', id, '2', '--not-sent', '--yes', ...place.at])).stdout).toContain(
      'does not send it, since the run is cancelled',
    );
    const resumed = await payrun(['resume', id, '--json', ...place.at]);
    expect(resumed.exit).toBe(4);
    expect(JSON.parse(resumed.stdout).counts).toMatchObject({ not_submitted: 3, unresolved: 0 });
    expect(reportIn(place, id).report.rows.map(({ message }: { message: string }) => message)).toEqual([
      'What was sent took no effect, and the run was cancelled before it was resent.',
      'The run was cancelled before it was sent.',
      'The run was cancelled before it was sent.',
    ]);
    expect(service.transfers).toEqual([]);
    expect(await payrun(['cancel', id, ...place.at])).toMatchObject({
      exit: 0,
      stdout: `Run ${id} is finished: there is nothing to cancel.\n`,
    });
  },
);

testBeside(
  'a run that a living process works on is asked to stop: it sends nothing more, and waits for what it sent',
  async () => {
    const folder = temporaryFolder();
    const service = await startService({ dataDir: join(folder, 'service') });
    const file = join(folder, 'input.csv');
    // One payee, so that nothing has to be made before the payouts, and so many that they last longer than the test.
    const rows = Array.from({ length: 600 }, (_, at) => `Ada,${at + 1}.00,AUD,AUD_NPP,100001,062000`);
    writeFileSync(file, `name,amount,currency,rail,account_number,bsb\n${rows.join('\n')}\n`);
    const at = ['--data-dir', join(folder, 'data')];
    const pace = ['--report-dir', join(folder, 'reports'), '--rate', '20', '--json'];
    const running = start(['run', file, '--yes', ...service.options, ...pace, ...at]);
    await running.wrote(/\nsubmitting: /);
    const { runs } = JSON.parse((await payrun(['runs', '--json', ...at])).stdout);
    const id: string = runs[0].run_id;
    const held = await payrun(['resolve', id, '2', '--not-sent', '--yes', ...at]);
    expect(held).toMatchObject({ exit: 7, stderr: expect.stringMatching(/^Run \S+ is held by process \d+ on /) });
    const asked = await payrun(['cancel', id, ...at]);
    expect(asked).toMatchObject({ exit: 0, stderr: '' });
    expect(asked.stdout).toContain(`Process ${running.child.pid} on `);
    const { exit, stdout } = await running.ended;
    expect(exit).toBe(4);
    const { completed, not_submitted } = JSON.parse(stdout).counts;
    expect(not_submitted).toBeGreaterThan(0);
    expect(completed + not_submitted).toBe(600);
    expect(await allTransactions(service)).toHaveLength(completed);
    const resumed = await payrun(['resume', id, '--json', ...at]);
    expect(JSON.parse(resumed.stdout).counts).toEqual(JSON.parse(stdout).counts);
    expect(await allTransactions(service)).toHaveLength(completed);
  },
);

testBeside('what a profile takes back at resume stays taken back at the next, without the profile', async () => {
  const behaviour: Parameters<typeof smallService>[0] = { drops: { a2: 1 }, listStatus: 503 };
  const service = await smallService(behaviour);
  const place = await placeAt(service, `${AT_ONCE}guarantees: {replay_protection: false}\n`);
  // The canary cannot be looked for, so the run stops; then the list works again.
  const { id } = await runInDoubt(place);
  behaviour.listStatus = undefined;
  const weaker = join(place.folder, 'weaker.yaml');
  const key = join(place.folder, 'key.pem');
  writeFileSync(weaker, `base_url: ${service.baseUrl}\napi_key: key\nsigning_key_file: ${key}\n${NO_PROMISES}`);
  const weakened = await payrun(['resume', id, '--profile', weaker, '--quiet', ...place.at]);
  expect(weakened.stderr).toBe(
    'From now on this run has weaker guarantees, even when it is resumed without this profile: the service may still make a payment that it did not accept in time.\n',
  );
  expect(weakened.exit).toBe(5);
  expect(await payrun(['resume', id, '--quiet', ...place.at])).toMatchObject({ exit: 5, stderr: '' });
  expect(service.transfers.map(({ account }) => account)).toEqual(['a1', 'a3']);
});

testBeside(
  'the same file from another data directory is noticed by its payments, and each row is settled by a person',
  async () => {
    const folder = temporaryFolder();
    const service = await startService({ dataDir: join(folder, 'service') });
    const file = join(folder, 'input.csv');
    const rows = ['Ada,11.00', 'Ben,12.00', 'Cy,13.00'].map((row, at) => `${row},AUD,AUD_NPP,${100_001 + at},062000`);
    writeFileSync(file, `name,amount,currency,rail,account_number,bsb\n${rows.join('\n')}\n`);
    const reports = ['--report-dir', join(folder, 'reports'), '--quiet', '--rate', '0'];
    const run = ['run', file, '--yes', ...service.options, ...reports];
    expect((await payrun([...run, '--data-dir', join(folder, 'one')])).exit).toBe(0);
    const paid = (await allTransactions(service)).map(({ id }) => id).reverse();
    // As much as Ada is paid, and to somebody else.
    const eve = join(folder, 'eve.csv');
    writeFileSync(eve, 'name,amount,currency,rail,account_number,bsb\nEve,11.00,AUD,AUD_NPP,100009,062000\n');
    const toEve = ['run', eve, '--yes', ...service.options, ...reports, '--data-dir', join(folder, 'one')];
    expect((await payrun(toEve)).exit).toBe(0);
    const elsewhere = (await allTransactions(service)).map(({ id }) => id).find((one) => !paid.includes(one));

    const at = ['--data-dir', join(folder, 'other')];
    const second = await payrun([...run.filter((word) => word !== '--quiet'), ...at]);
    expect(second.exit).toBe(5);
    expect(second.stderr).toMatch(/\nchecking the service for earlier payments: /);
    expect(second.stderr).toMatch(/: 0 of 3 sent, 3 unresolved\n/);
    expect(second.stdout).toMatch(/\n\nMay have been paid already: 3 payouts\. /);
    const id = /Run (\S+) /.exec(second.stdout)?.[1] ?? '';
    const { doubts } = JSON.parse((await payrun(['show', id, '--json', ...at])).stdout);
    // Both of Ada's amount are shown for her row: how the service shows a name or an account is no proof that it pays another.
    const shown = doubts.map(({ candidates }: { candidates: string[] }) => new Set(candidates));
    expect(shown).toEqual([[paid[0], elsewhere], [paid[1]], [paid[2]]].map((ids) => new Set(ids)));
    const sent = (row: number, transaction = '') =>
      payrun(['resolve', id, `${row}`, '--sent', transaction, '--yes', ...at]);
    expect((await sent(2, paid[1])).exit).toBe(6);
    // A person is believed who names it, and told what to compare.
    expect(await sent(2, elsewhere)).toMatchObject({
      exit: 0,
      stderr: 'The service shows that it was paid to Eve, account ••••0009; row 2 pays Ada. Compare them.\n',
      stdout: expect.stringContaining('\nStill in doubt: 2 payouts, rows 3, 4.\n'),
    });
    expect((await sent(3, elsewhere)).exit).toBe(6);
    expect(await sent(3, paid[1])).toMatchObject({
      stderr: '',
      stdout: expect.stringContaining('\nStill in doubt: 1 payout, row 4.\n'),
    });
    // Nothing is sent while one row is open.
    expect((await payrun(['resume', id, '--quiet', ...at])).exit).toBe(5);
    expect(await allTransactions(service)).toHaveLength(4);
    expect((await payrun(['resolve', id, '4', '--not-sent', '--yes', ...at])).exit).toBe(0);
    expect((await payrun(['resume', id, '--quiet', ...at])).exit).toBe(0);
    const all = (await allTransactions(service)).map(({ currency_out }) => currency_out.value).reverse();
    expect(all).toEqual(['1100', '1200', '1300', '1100', '1300']);
  },
);
