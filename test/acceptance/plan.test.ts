import assert from 'node:assert/strict';
import { appendFileSync, cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { PROJECT, payrun, type ReadyService, start, startService, temporaryFolder } from '../support/payrun.ts';
import { admin, allTransactions, arrivals } from '../support/service-admin.ts';

const HEADER = 'payee_id,name,amount,currency,rail,account_number,national_clearing_code';
const ROWS = [
  'E1,Ada Byron,12.50,AUD,AUD_NPP,12345678,062-000',
  'E2,Mary Jackson,20.00,AUD,AUD_NPP,12345679,062-000',
  'E3,Grace Hopper,30.00,USD,USD_ACH,123456789,021000021',
];

/** A service of its own, a file, and what to say to reach both. */
async function desk() {
  const folder = temporaryFolder();
  const file = join(folder, 'payroll.csv');
  writeFileSync(file, `${[HEADER, ...ROWS].join('\n')}\n`);
  const service = await startService({ dataDir: join(folder, 'service') });
  const where = ['--data-dir', join(folder, 'data'), '--report-dir', join(folder, 'reports')];
  const at = [...service.options, ...where];
  const plan = async () => JSON.parse((await payrun(['plan', file, '--json', ...at])).stdout);
  const run = (runId: string, ...more: string[]) => payrun(['run', runId, '--yes', ...where, ...more]);
  return { folder, file, service, where, at, plan, run };
}

type Desk = Awaited<ReturnType<typeof desk>>;

/** What the service was asked to change. */
async function changes(service: ReadyService): Promise<string[]> {
  return Object.keys(await arrivals(service)).filter((name) => /create|add|transfer|submit/.test(name));
}

describe('payrun plan', () => {
  it('notes the entity that pays, of the option before that of the job, and a retry is of the same', async () => {
    const { folder, file, at, where } = await desk();
    const job = join(folder, 'wages.yaml');
    writeFileSync(job, 'input: payroll.csv\nentity: northwind-gmbh\n');
    const entity = async (...words: string[]) => {
      const { stdout } = await payrun(['plan', ...words, '--json', ...at]);
      const journal = new DatabaseSync(join(folder, 'data', 'journal.db'), { readOnly: true });
      const created = journal.prepare("SELECT data FROM entry WHERE data LIKE '%' || ? || '%' AND n = 1");
      const { data } = created.get(`"run_id":"${JSON.parse(stdout).run_id}"`) as { data: string };
      journal.close();
      return JSON.parse(data).entity;
    };
    expect(await entity(file)).toBeUndefined();
    expect(await entity(job, '--period', '2026-11')).toBe('northwind-gmbh');
    expect(await entity(job, '--period', '2026-12', '--entity', 'northwind-ltd')).toBe('northwind-ltd');
    const wrong = await payrun(['plan', file, '--entity', 'Northwind GmbH', ...where]);
    expect([wrong.exit, wrong.stderr]).toEqual([
      2,
      expect.stringContaining('--entity: write the id that Settings shows'),
    ]);
  });

  it('says what a run would do, and asks the service to change nothing', async () => {
    const { service, plan, where } = await desk();
    const planned = await plan();
    expect(planned).toMatchObject({
      state: 'planned',
      rehearsal: true,
      payouts: 3,
      totals: [
        { currency: 'AUD', payouts: 2, planned: '32.50', fees: '0.40' },
        { currency: 'USD', payouts: 1, planned: '30.00', fees: '0.25' },
      ],
      recipients_to_create: 3,
      accounts_to_create: 3,
      warnings: [],
      approvals_needed: 0,
      exit: 0,
    });
    expect(planned.run_id).toMatch(/^R\d{8}-[0-9A-Z]{8}$/);
    expect(planned.digest).toMatch(/^[0-9a-f]{64}$/);
    expect(await changes(service)).toEqual([]);
    const { runs } = JSON.parse((await payrun(['runs', '--json', ...where.slice(0, 2)])).stdout);
    expect(runs).toMatchObject([{ run_id: planned.run_id, state: 'planned', counts: { not_submitted: 3 } }]);
  });

  it('tells people the same, with the literal next command', async () => {
    const { file, at } = await desk();
    const { stdout, exit } = await payrun(['plan', file, ...at]);
    expect(exit).toBe(0);
    expect(stdout).toMatch(/^REHEARSAL: no money moves\nPlan R\S+: 3 payouts from payroll\.csv\n/);
    expect(stdout).toMatch(/^AUD +2 +32\.50 +0\.40 /m);
    expect(stdout).toContain('To be created at the service: 3 recipients and 3 accounts.');
    expect(stdout).toMatch(/^Nothing was sent\. Next: payrun run R\d{8}-[0-9A-Z]{8} --data-dir /m);
  });

  it('warns of a balance that is short, and its run refuses (6)', async () => {
    const { service, plan, run } = await desk();
    await admin(service, 'balance.set', { code: 'AUD', value: '3289' });
    const planned = await plan();
    expect(planned.warnings).toMatchObject([{ code: 'balance_short', severity: 'warning' }]);
    expect(planned.balances[0]).toEqual({ currency: 'AUD', before: '32.89', after: null, short: '0.01' });
    const { exit, stderr } = await run(planned.run_id);
    expect([exit, stderr]).toEqual([6, expect.stringContaining('0.01 AUD missing')]);
    expect(await changes(service)).toEqual([]);
  });
});

describe('payrun run RUN', () => {
  it('does what was planned, once, and then neither the plan nor the file again', async () => {
    const { service, file, at, plan, run } = await desk();
    const [first, second] = [await plan(), await plan()];
    expect(second.digest).not.toBe(first.digest);
    const done = await run(first.run_id, '--json');
    expect(JSON.parse(done.stdout)).toMatchObject({
      run_id: first.run_id,
      digest: first.digest,
      counts: { completed: 3 },
    });
    for (const again of [
      await run(first.run_id),
      await run(second.run_id),
      await payrun(['run', file, '--yes', ...at]),
    ]) {
      expect(again.exit).toBe(6);
      expect(again.stderr).toContain(first.run_id);
    }
    expect(await allTransactions(service)).toHaveLength(3);
    const third = await payrun(['plan', file, ...at]);
    expect([third.exit, third.stderr]).toEqual([6, expect.stringContaining(first.run_id)]);
  });

  it('pays again what was paid since it was planned only where the newest run of it is named', async () => {
    const { service, folder, at, plan, run } = await desk();
    // A plan whose payees are made meanwhile is refused for that.
    const known = join(folder, 'known.csv');
    const others = ROWS.map((row) => row.replace('0,AUD', '1,AUD').replace('0,USD', '1,USD'));
    writeFileSync(known, `${[HEADER, ...others].join('\n')}\n`);
    expect((await payrun(['run', known, '--yes', ...at])).exit).toBe(0);
    const [one, two, three] = [await plan(), await plan(), await plan()].map(({ run_id }) => run_id as string);
    assert(one && two && three);
    expect((await run(two)).exit).toBe(0);
    const unknown = await run(one, '--allow-repeat', 'R20200101-00000000');
    expect([unknown.exit, unknown.stderr]).toEqual([2, expect.stringContaining(`The last such run is ${two}.`)]);
    const unnamed = await run(one, '--allow-repeat');
    expect([unnamed.exit, unnamed.stderr]).toEqual([6, expect.stringContaining(`--allow-repeat ${two}`)]);
    expect((await run(one, '--allow-repeat', two)).exit).toBe(0);
    // The newest is what was started last, though it was planned first.
    const stale = await run(three, '--allow-repeat', two);
    expect([stale.exit, stale.stderr]).toEqual([
      6,
      expect.stringContaining(`since ${two}, as ${one}, a rehearsal. Nothing was`),
    ]);
    expect(await allTransactions(service)).toHaveLength(9);
  });

  it('refuses (6) a plan that repeats a run where a newer one was started since', async () => {
    const { service, file, at, plan, run } = await desk();
    const first = (await plan()).run_id;
    await run(first);
    const repeat = ['--allow-repeat', first];
    const planned = JSON.parse((await payrun(['plan', file, '--json', ...repeat, ...at])).stdout).run_id;
    const paid = await payrun(['run', file, '--yes', '--json', ...repeat, ...at]);
    const newest = JSON.parse(paid.stdout).run_id;
    for (const words of [[], ['--allow-repeat'], repeat]) {
      const { exit, stderr } = await run(planned, ...words);
      expect([words, exit, stderr]).toEqual([words, 6, expect.stringContaining(`--allow-repeat ${newest}`)]);
    }
    expect(await allTransactions(service)).toHaveLength(6);
    expect((await run(planned, '--allow-repeat', newest)).exit).toBe(0);
  });

  it('knows the payees whom an earlier run made', async () => {
    const { file, plan, run, at } = await desk();
    await run((await plan()).run_id);
    writeFileSync(file, `${[HEADER, ...ROWS].join('\n')}\nE4,Katherine Johnson,5.00,AUD,AUD_NPP,12345670,062-000\n`);
    const next = JSON.parse((await payrun(['plan', file, '--json', ...at])).stdout);
    expect(next).toMatchObject({ payouts: 4, recipients_to_create: 1, accounts_to_create: 1 });
  });

  const MOVED: [string, (given: Desk & { planned: string }) => unknown, RegExp][] = [
    ['the file was changed', ({ file }) => appendFileSync(file, '\n'), /payroll\.csv, which was changed/],
    [
      'a payee was made at the service by another',
      ({ folder, file, service }) => {
        const other = join(folder, 'other');
        return payrun(['run', file, '--yes', '--data-dir', other, '--report-dir', other, ...service.options]);
      },
      /recipients or accounts of its payees/,
    ],
    ['the plan was cancelled', ({ planned, where }) => payrun(['cancel', planned, ...where.slice(0, 2)]), /cancelled/],
  ];
  it.each(MOVED)('refuses (6) and sends nothing where %s', async (_, change, message) => {
    const given = await desk();
    const planned = (await given.plan()).run_id;
    await change({ ...given, planned });
    const before = (await allTransactions(given.service)).length;
    const { exit, stderr } = await given.run(planned);
    expect([exit, stderr]).toEqual([6, expect.stringMatching(message)]);
    expect(await allTransactions(given.service)).toHaveLength(before);
  });

  it('goes on where the file is gone: the journal has its rows', async () => {
    const { file, plan, run } = await desk();
    const planned = await plan();
    rmSync(file);
    expect((await run(planned.run_id)).exit).toBe(0);
  });

  it('refuses (5) a plan whose rows were exchanged in the journal', async () => {
    const { folder, plan, run, service } = await desk();
    const planned = await plan();
    const data = join(folder, 'data');
    using database = new DatabaseSync(join(data, 'journal.db'));
    database.exec('DROP TRIGGER entry_is_never_changed');
    database.prepare("UPDATE entry SET data = replace(data, '12345678', '12345677') WHERE kind = 'rows'").run();
    const { exit } = await run(planned.run_id);
    expect(exit).toBe(5);
    expect(await changes(service)).toEqual([]);
  });

  it('asks without --yes, which is a refusal (6) without a terminal; resume and resolve refuse a plan', async () => {
    const { plan, where, service } = await desk();
    const { run_id } = await plan();
    for (const words of [
      ['run', run_id],
      ['resume', run_id],
      ['resolve', run_id, '2', '--not-sent'],
    ]) {
      const { exit, stderr } = await payrun([...words, ...where.slice(0, 2)]);
      expect([words[0], exit]).toEqual([words[0], 6]);
      expect(stderr).toContain('Nothing was sent.');
    }
    expect(await changes(service)).toEqual([]);
  });

  it('is started by one of several processes that want it at once', async () => {
    const { plan, where, service } = await desk();
    const { run_id } = await plan();
    const all = await Promise.all([1, 2, 3].map(() => start(['run', run_id, '--yes', ...where]).ended));
    expect(all.map(({ exit }) => exit).filter((exit) => exit === 0)).toHaveLength(1);
    for (const { exit, stderr } of all) expect([0, 6, 7], stderr).toContain(exit);
    expect(await allTransactions(service)).toHaveLength(3);
  });
});

describe('the shipped jobs', () => {
  it('are planned by their name, and run as planned', async () => {
    const folder = temporaryFolder();
    for (const name of ['jobs', 'samples']) cpSync(join(PROJECT, name), join(folder, name), { recursive: true });
    const planned = JSON.parse((await payrun(['plan', 'monthly-payroll', '--json'], { cwd: folder })).stdout);
    expect(planned).toMatchObject({ state: 'planned', job: 'monthly-payroll', exit: 0 });
    const done = await payrun(['run', planned.run_id, '--yes', '--json'], { cwd: folder });
    expect([done.exit, JSON.parse(done.stdout).digest]).toEqual([0, planned.digest]);
  });
});
