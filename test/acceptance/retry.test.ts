import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { reading } from '../../src/app/check/reading.ts';
import { checkTask } from '../../src/compose/page/check-task.ts';
import { CORRECTS } from '../../src/input/corrections/correction-sheet.ts';
import { namesOf, openDocumentOf, tableOf } from '../support/foreign-spreadsheets.ts';
import { newKey } from '../support/new-key.ts';
import { type Ended, payrun, type ReadyService, start, startService, temporaryFolder } from '../support/payrun.ts';
import { admin, allTransactions, arrivals, untilArrived } from '../support/service-admin.ts';
import { smallService } from '../support/small-service.ts';

const HEADER = 'payee_id,name,account_name,amount,currency,rail,account_number,national_clearing_code';
const CLOSED = 'REHEARSE_CLOSED';
/** The holder of an account decides how its payouts end. An open account is another than the closed one. */
const row = (payee: number, holder: string, amount = '12.50') =>
  `E${payee},Payee ${payee},${holder},${amount},AUD,AUD_NPP,${holder === CLOSED ? 1 : 2}234567${payee},062-000`;

const json = ({ stdout }: Ended) => JSON.parse(stdout);

/** A service of its own, and a file of which rows 3 and 4 fail. */
async function desk(rows = [row(1, 'Ada'), row(2, CLOSED), row(3, CLOSED, '7.00')]) {
  const folder = temporaryFolder();
  const write = (name: string, lines: string[]) => {
    writeFileSync(join(folder, name), `${[HEADER, ...lines].join('\n')}\n`);
    return join(folder, name);
  };
  const file = write('payroll.csv', rows);
  const service = await startService({ dataDir: join(folder, 'service') });
  const data = ['--data-dir', join(folder, 'data')];
  const where = [...data, '--report-dir', join(folder, 'reports'), '--poll-every', '50ms'];
  const first = await payrun(['run', file, '--yes', '--json', '--rate', '0', ...service.options, ...where]);
  const retry = (runId: string, ...more: string[]) => payrun(['retry', runId, '--json', ...where, ...more]);
  const run = (runId: string) => payrun(['run', runId, '--yes', '--json', ...where]);
  const show = async (runId: string) => json(await payrun(['show', runId, '--json', ...data]));
  return { folder, file, service, data, where, first, runId: json(first).run_id as string, write, retry, run, show };
}

/** How many transactions there are that did not fail. */
async function paid(service: ReadyService): Promise<number> {
  return (await allTransactions(service)).filter(({ status }) => status !== 'FAILED').length;
}

async function refusal(ended: Promise<Ended>, exit: number, ...texts: (string | RegExp)[]): Promise<void> {
  const { stderr, ...other } = await ended;
  expect([other.exit, stderr]).toEqual([exit, expect.stringMatching(/\S/)]);
  for (const text of texts) expect(stderr).toMatch(text);
}

describe('payrun retry RUN', () => {
  it('plans the failed rows alone, which run RUN pays again; each run names the other', async () => {
    const { service, runId, first, data, retry, run, show } = await desk();
    expect([first.exit, json(first).counts.failed]).toEqual([4, 2]);
    const planned = json(await retry(runId));
    expect(planned).toMatchObject({
      state: 'planned',
      retries: runId,
      payouts: 2,
      totals: [{ currency: 'AUD', planned: '19.50' }],
      accounts_to_create: 0,
      warnings: [],
      exit: 0,
    });
    expect(planned.next).toContain(`payrun run ${planned.run_id} `);
    expect(await allTransactions(service)).toHaveLength(3);
    expect((await run(planned.run_id)).exit).toBe(4);
    expect(await allTransactions(service)).toHaveLength(5);
    const [old, again] = [await show(runId), await show(planned.run_id)];
    expect([old.retries, old.retried_by, again.retries, again.retried_by]).toEqual([null, [planned.run_id], runId, []]);
    expect(again.payouts).toMatchObject([{ row: 3 }, { row: 4 }]);
    const { runs } = json(await payrun(['runs', '--json', ...data]));
    expect(runs).toMatchObject([{ retries: runId }, { retried_by: [planned.run_id] }]);
    expect((await payrun(['show', runId, ...data])).stdout).toContain(`retried as ${planned.run_id}\n`);
  });

  it('is no retry any more once its plan was cancelled, and is one where it was cancelled after it began', async () => {
    const { folder, runId, data, retry, run, show } = await desk();
    const listed = async () => json(await payrun(['runs', '--json', ...data])).runs.at(-1).retried_by;
    const reported = async () => {
      await payrun(['report', runId, ...data]);
      return JSON.parse(readFileSync(join(folder, 'reports', runId, 'report.json'), 'utf8')).retried_by;
    };
    const [cancelled, kept] = [json(await retry(runId)).run_id, json(await retry(runId)).run_id];
    expect([(await show(runId)).retried_by, await listed()]).toEqual([
      [cancelled, kept],
      [cancelled, kept],
    ]);
    expect((await payrun(['cancel', cancelled, ...data])).exit).toBe(0);
    expect((await payrun(['show', runId, ...data])).stdout).toContain(`\nretried as ${kept}\n`);
    await run(kept);
    await payrun(['cancel', kept, ...data]);
    for (const retries of [(await show(runId)).retried_by, await listed(), await reported()])
      expect(retries).toEqual([kept]);
  });

  it('lets one of several retries begin, of whichever run of the family: the others were planned before it', async () => {
    const { service, runId, retry, run } = await desk();
    const one = json(await retry(runId)).run_id;
    await run(one);
    // Rows 3 and 4 failed twice by now: both runs can be retried, and both would pay the same.
    const [ofFirst, ofSecond] = [json(await retry(runId)), json(await retry(one))];
    expect([ofFirst.payouts, ofSecond.payouts]).toEqual([2, 2]);
    expect((await run(ofSecond.run_id)).exit).toBe(4);
    await refusal(run(ofFirst.run_id), 6, ofSecond.run_id, 'Nothing was sent', `payrun retry ${runId}`);
    expect(await allTransactions(service)).toHaveLength(7);
    await refusal(payrun(['run', ofFirst.run_id, '--yes', '--allow-repeat', '']), 2);
  });

  it('is started once by processes that do it at the same time', async () => {
    const { service, runId, where } = await desk();
    // A process that starts after its end may retry what failed again: so it lasts longer than processes take to start.
    await admin(service, 'fault.add', { operation: 'transaction.transfer', probability: 1, kind: 'slow', ms: 20_000 });
    const all = await Promise.all([1, 2, 3].map(() => start(['retry', runId, '--yes', ...where]).ended));
    expect(all.filter(({ exit }) => exit === 4)).toHaveLength(1);
    for (const { exit, stderr } of all) expect([4, 6, 7], stderr).toContain(exit);
    expect(await allTransactions(service)).toHaveLength(5);
  });

  it('takes nothing of a run that is planned, cut off, or was paid whole, and knows no other', async () => {
    const { service, data, where, write, retry } = await desk();
    await refusal(retry('R20261125-00000000'), 2, 'no run');
    const good = write('good.csv', [row(4, 'Grace')]);
    const planned = json(await payrun(['plan', good, '--json', ...service.options, ...where])).run_id;
    await refusal(retry(planned), 6, 'nobody has started');
    await payrun(['run', planned, '--yes', ...where]);
    await refusal(retry(planned), 6, 'Nothing to retry');
    await admin(service, 'fault.add', { operation: 'transaction.transfer', kind: 'slow', nth: 1, ms: 60_000 });
    const other = write('other.csv', [row(5, CLOSED), row(6, CLOSED)]);
    const started = start(['run', other, '--yes', ...service.options, ...where]);
    await untilArrived(service, 5, undefined, started.ended);
    const { runs } = json(await payrun(['runs', '--json', ...data]));
    await refusal(retry(runs[0].run_id), 7, 'is held by process');
    started.child.kill('SIGKILL');
    await started.ended;
    await refusal(retry(runs[0].run_id), 6, 'is not finished', `payrun resume ${runs[0].run_id}`);
  });
});

describe('payrun retry RUN --from FILE', () => {
  it('pays corrected rows under the numbers of those that they correct, and then neither row nor file again', async () => {
    const { folder, service, runId, data, where, write, retry, show } = await desk();
    const corrected = write('corrected.csv', [row(3, 'Mary', '7.00')]);
    const done = await retry(runId, '--from', corrected, '--yes');
    expect([done.exit, json(done).counts.completed]).toEqual([0, 1]);
    expect((await show(json(done).run_id)).payouts).toMatchObject([{ row: 4, state: 'completed', amount: '7.00' }]);
    expect(await paid(service)).toBe(2);
    const told = (await payrun(['show', runId, ...data])).stdout;
    expect(told).toMatch(new RegExp(`^row 4 .* failed, completed since in ${json(done).run_id} on `, 'm'));
    expect(told).toMatch(/^row 3 [^:]*, failed: /m);
    await payrun(['report', runId, ...data]);
    const { since } = JSON.parse(readFileSync(join(folder, 'reports', runId, 'report.json'), 'utf8'));
    expect(since).toMatchObject({ paid: 1, under_way: 0, planned: 0 });
    const rest = json(await retry(runId));
    expect(rest).toMatchObject({ payouts: 1, warnings: [{ code: 'retried_before', row: 4 }] });
    expect(rest.warnings[0].message).toContain(`was paid in ${json(done).run_id}`);
    const at = [...service.options, ...where];
    await refusal(payrun(['run', corrected, '--yes', ...at]), 6, json(done).run_id);
    await refusal(retry(runId, '--from', corrected), 6, json(done).run_id);
    const copy = write('copy.csv', [row(3, 'Mary J', '7.00')]);
    await refusal(retry(runId, '--from', copy), 3, `Row 2 (Payee 3): row 4 of ${runId}`, 'was paid in');
    expect(await paid(service)).toBe(2);
  });

  it('says first what a correction changes of the row that it corrects, and names what it was', async () => {
    const { runId, data, write, retry } = await desk();
    const planned = json(await retry(runId, '--from', write('other.csv', [row(3, 'Ben', '7.00')])));
    const said = { code: 'account_changed', row: 4, column: 'account_number', value: '••••5673' };
    expect(planned.warnings).toMatchObject([{ code: 'payee_first_time' }, said]);
    const { message } = planned.warnings[1];
    expect(message).toContain(`Payee 3 (E3): the account was ••••5673 in ${runId}, and is now ••••5673, another`);
    expect(message).toContain(`the account name was ${CLOSED} in ${runId}, and is now Ben.`);
    const shown = json(await payrun(['show', planned.run_id, '--json', ...data])).plan;
    expect([shown.warning_counts, shown.warnings]).toEqual([
      { payee_first_time: 1, account_changed: 1 },
      planned.warnings,
    ]);
    expect(shown.warning_count).toBe(2);

    const mallory = row(3, CLOSED, '7.00').replace('Payee 3', 'Mallory').replace('12345673', '99999999');
    const text = await payrun(['retry', runId, '--from', write('mallory.csv', [mallory]), ...data]);
    expect(text.stdout).toMatch(/^REHEARSAL.*\nPlan .*\n\nBANK DETAILS CHANGED: 1 payout would not go where it was/);
    expect(text.stdout).toContain(`the account was ••••5673 in ${runId}, and is now ••••9999; the name was Payee 3 in`);
    const begun = await payrun(['retry', runId, '--yes', '--from', write('mallory2.csv', [mallory, '']), ...data]);
    expect(begun.stderr).toContain(', and is now Mallory.');

    // As they were, rows change nothing.
    expect(json(await retry(runId, '--from', write('same.csv', [row(2, CLOSED)]))).warnings).toMatchObject([
      { code: 'payee_first_time' },
    ]);
  });

  it('says that a correction pays what the run has paid already; a retry of the rows as they were does not', async () => {
    const twins = [
      ',Twin,Ada,10.00,AUD,AUD_NPP,12345678,062-000',
      `,Twin,${CLOSED},10.00,AUD,AUD_NPP,22345678,062-000`,
    ];
    const { runId, data, write, retry } = await desk(twins);
    const wrong = json(await retry(runId, '--from', write('wrong.csv', twins.slice(0, 1))));
    const before = `got the same amount on the same account before: by run ${runId}`;
    const saidOf = async (retryId: string) => json(await payrun(['show', retryId, '--json', ...data])).plan;
    for (const { warnings } of [wrong, await saidOf(wrong.run_id)])
      expect(warnings).toContainEqual(
        expect.objectContaining({ code: 'paid_before', row: 3, message: expect.stringContaining(before) }),
      );
    // Two payees share an account: that one of them was paid on it excuses the other.
    const shared = await desk([row(1, 'Ada'), row(2, CLOSED).replace('12345672', '22345671')]);
    const { plan } = await shared.show(json(await shared.retry(shared.runId)).run_id);
    expect(plan.warning_counts).toEqual({ payee_first_time: 1 });
  });

  it('refuses (6) to pay a sheet of rows to be corrected as payouts of their own, unless somebody says so', async () => {
    const { service, folder, runId, where, write, retry } = await desk();
    const sheet = join(folder, 'some name.xlsx');
    expect((await retry(runId, '--to', sheet)).exit).toBe(0);
    const saved = write(`${runId}-to-correct.csv`, [row(2, 'Ben')]);
    const ods = join(folder, 'mended.ods');
    const cells = [HEADER, row(2, 'Ben'), row(3, 'Bob', '7.00')].map((line) => line.split(','));
    writeFileSync(ods, openDocumentOf(tableOf('Payouts', cells) + namesOf(CORRECTS, runId)));
    const at = ['--json', ...service.options, ...where];
    for (const command of [
      ['run', sheet, '--yes'],
      ['plan', sheet],
      ['plan', saved],
      ['plan', ods],
    ])
      await refusal(payrun([...command, ...at]), 6, `rows of ${runId} that are to be`, `payrun retry ${runId} --from`);
    expect(await allTransactions(service)).toHaveLength(3);
    expect((await payrun(['check', sheet, ...where.slice(0, 2)])).exit).toBe(0);
    // Of a run that is not of this journal it is a file like any other.
    const elsewhere = ['--data-dir', temporaryFolder(), ...service.options, ...where.slice(2)];
    expect(await payrun(['plan', sheet, ...elsewhere])).toMatchObject({ exit: 0, stderr: '' });
    expect(await payrun(['plan', sheet, ...at, '--allow-repeat', ''])).toMatchObject({ exit: 0, stderr: '' });
    expect(json(await retry(runId, '--from', sheet)).payouts).toBe(2);
    expect(json(await retry(runId, '--from', ods)).payouts).toBe(2);
  });

  const WRONG: [string, string[], RegExp, { row: number; cell: string | null }][] = [
    [
      'a payee of another run',
      [row(2, 'Ben'), row(7, 'Zoe')],
      /Row 3 \(Payee 7\): \S+ pays no such payee/,
      { row: 3, cell: 'A3' },
    ],
    [
      'another amount',
      [row(2, 'Ben', '12.51')],
      /Row 2 \(Payee 2\): .* another amount or currency: 12\.50 AUD/,
      { row: 2, cell: 'D2' },
    ],
    [
      'a row that was paid',
      [row(1, 'Ada')],
      /Row 2 \(Payee 1\): the payee has no failed or rejected row/,
      { row: 2, cell: null },
    ],
    [
      'the same row twice',
      [row(2, 'Ben'), row(2, 'Bob')],
      /Row 3 \(Payee 2\): row 2 of your sheet corrects row 3 of \S+ already\./,
      { row: 3, cell: null },
    ],
    ['a wrong cell', [row(2, 'Ben').replace('AUD_NPP', 'AUD_XYZ')], /"row":2,"column":"rail"/, { row: 2, cell: 'F2' }],
  ];
  it('refuses (3) a file with anything else in it, and names the row', async () => {
    const { runId, service, write, retry, data, folder } = await desk();
    /** As the page has it checked. */
    const checkedFor = (corrects: string, path: string) => {
      const file = { path, name: 'wrong.csv', job: null, reading: reading.parse({}), corrects, memory: null };
      return checkTask(
        { dataDir: join(folder, 'data') },
        { ...file, entity: 'main', forgetColumns: false, copy: null },
      );
    };
    for (const [what, lines, text, place] of WRONG) {
      const { exit, stderr, stdout } = await retry(runId, '--yes', '--from', write('wrong.csv', lines));
      expect([what, exit, stderr + stdout]).toEqual([what, 3, expect.stringMatching(text)]);
      const { problems } = await checkedFor(runId, join(folder, 'wrong.csv'));
      const errors = problems.filter(({ severity }) => severity === 'error');
      expect([what, errors]).toEqual([what, [expect.objectContaining(place)]]);
    }
    expect(await allTransactions(service)).toHaveLength(3);
    expect(json(await payrun(['runs', '--json', ...data])).runs).toHaveLength(1);
    const right = await checkedFor(runId, write('right.csv', [row(3, 'Mary', '7.00')]));
    expect(right.problem_counts.errors).toBe(0);
  });

  it('refuses (6) to run a plan whose file was changed since', async () => {
    const { runId, write, retry, run } = await desk();
    const planned = json(await retry(runId, '--from', write('corrected.csv', [row(2, 'Ben')]))).run_id;
    write('corrected.csv', [row(2, 'Bob')]);
    await refusal(run(planned), 6, 'corrected.csv, which was changed since', `payrun retry ${runId}`);
  });

  it('pays each row once, killed at any moment and begun again', async () => {
    const payees = [1, 2, 3, 4, 5, 6, 7, 8];
    const { service, runId, data, where, write, retry } = await desk(payees.map((payee) => row(payee, CLOSED)));
    const corrected = write(
      'corrected.csv',
      payees.map((payee) => row(payee, 'Ada')),
    );
    const profile = join(data[1] ?? '', 'profile.yaml');
    writeFileSync(profile, 'request_lifetime: 6s\nlisting_lag: 0s\n');
    const [, base, , key, , file] = service.options;
    const at = ['--profile', profile, '--base-url', `${base}`, '--api-key', `${key}`, '--signing-key', `${file}`];
    let now = await total(service);
    for (const more of [1, 8, 30, 36, 44]) {
      const { runs } = json(await payrun(['runs', '--json', ...data]));
      const begun = runs.find(({ retries, state }: Listed) => retries === runId && state !== 'planned');
      const words = begun ? ['resume', begun.run_id] : ['retry', runId, '--from', corrected, '--yes', ...at];
      const started = start([...words, ...where]);
      await untilArrived(service, now + more, /./, started.ended);
      started.child.kill('SIGKILL');
      await started.ended;
      now = await total(service);
    }
    const { runs } = json(await payrun(['runs', '--json', ...data]));
    const begun = runs.find(({ retries, state }: Listed) => retries === runId && state !== 'planned');
    expect(begun).toBeDefined();
    await payrun(['resume', begun.run_id, ...where]);
    expect(await paid(service)).toBe(8);
    await refusal(retry(runId), 6, 'Nothing to retry', `was paid in ${begun.run_id}`);
  });
});

type Listed = { retries: string | null; state: string };

async function total(service: ReadyService): Promise<number> {
  return Object.values(await arrivals(service)).reduce((sum, count) => sum + count, 0);
}

describe('payrun retry at a service that behaves oddly', () => {
  async function place(behaviour: Parameters<typeof smallService>[0], guarantees = '') {
    const folder = temporaryFolder();
    const service = await smallService(behaviour);
    const key = join(folder, 'key.pem');
    newKey(key);
    const file = join(folder, 'input.csv');
    const rows = ['A,1.00,AUD,a1,A', 'B,2.00,AUD,a2,B', 'C,3.00,AUD,a3,C'];
    writeFileSync(file, `name,amount,currency,external_account_id,description\n${rows.join('\n')}\n`);
    const profile = join(folder, 'profile.yaml');
    writeFileSync(profile, `request_lifetime: 3s\nlisting_lag: 0s\n${guarantees}`);
    const where = [
      '--data-dir',
      join(folder, 'data'),
      '--report-dir',
      join(folder, 'reports'),
      '--json',
      '--rate',
      '0',
    ];
    const at = ['--base-url', service.baseUrl, '--api-key', 'key', '--signing-key', key, '--profile', profile];
    const first = await payrun(['run', file, '--yes', '--concurrency', '1', ...at, ...where]);
    const retry = (...more: string[]) => payrun(['retry', json(first).run_id, ...where, ...more]);
    return { service, first, retry };
  }

  it('takes rejected rows, and leaves those out that are unresolved, loudly', async () => {
    const list = (description: string) => (description.startsWith('C') ? null : description);
    const guarantees = 'guarantees: {enforces_expiry: false, replay_protection: false}\n';
    const { service, first, retry } = await place({ refuses: [2], loses: [2], list }, guarantees);
    expect(json(first).counts).toMatchObject({ completed: 1, rejected: 1, unresolved: 1 });
    const planned = await retry();
    expect(json(planned)).toMatchObject({ payouts: 1, warnings: [{ code: 'unresolved_not_retried', row: 4 }] });
    expect(planned.stderr).toContain(`Row 4 is unresolved in ${json(first).run_id}: perhaps it was paid.`);
    const done = await retry('--yes');
    expect([done.exit, json(done).counts.completed]).toEqual([0, 1]);
    expect(service.transfers.map(({ account }) => account)).toEqual(['a1', 'a3', 'a2']);
    expect(done.stderr).toContain('Row 4 is unresolved');
  });

  it('stops (5) where an earlier payment of a row is there after all, though this journal knows it', async () => {
    const behaviour: Parameters<typeof smallService>[0] = { statuses: { t2: 'FAILED', t3: 'FAILED' } };
    const { service, first, retry } = await place(behaviour);
    expect(json(first).counts).toMatchObject({ completed: 1, failed: 2 });
    behaviour.statuses = { t3: 'FAILED' };
    const stopped = await retry('--yes');
    expect([stopped.exit, json(stopped).counts.unresolved]).toEqual([5, 1]);
    expect(service.transfers).toHaveLength(3);
  });
});
