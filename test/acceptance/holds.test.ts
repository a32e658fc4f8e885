import { writeFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDataJournal } from '../../src/compose/data-dir.ts';
import { type HoldRecord, payeeHash } from '../../src/domain/run/holds.ts';
import { newJournalDatabase, type TestDatabase } from '../journal/postgres-place.ts';
import { type Ended, payrun, start, startService, temporaryFolder } from '../support/payrun.ts';
import { sharedPostgres, statements, urlOf } from '../support/postgres.ts';
import { admin, allTransactions, untilArrived } from '../support/service-admin.ts';

const ROWS = [
  'payee_id,name,amount,currency,rail,account_number,national_clearing_code',
  'E1,Ada Byron,12.50,AUD,AUD_NPP,12345678,062-000',
  'E2,Mary Jackson,20.00,AUD,AUD_NPP,22345679,062-000',
];

const json = ({ stdout }: Ended) => JSON.parse(stdout);

it('a payee who is on hold is an error of every file, and is left out of what was planned before', async () => {
  const folder = temporaryFolder();
  const service = await startService({ dataDir: join(folder, 'service') });
  const file = join(folder, 'pay.csv');
  writeFileSync(file, `${ROWS.join('\n')}\n`);
  const dataDir = join(folder, 'data');
  const data = ['--data-dir', dataDir, '--json'];
  const where = [...data, '--report-dir', join(folder, 'reports'), '--poll-every', '20ms', ...service.options];
  const { run_id: runId } = json(await payrun(['plan', file, ...where]));

  const journal = await openDataJournal({ dataDir });
  const payee = payeeHash({ payee_id: 'E1', name: 'whoever', email: null });
  const reason = 'A mail asked for another account';
  const hold = { payee, name: 'Ada Byron', payee_id: 'E1', accounts: [], reason, by: 'Clara Nash' };
  const record = (act: HoldRecord['act']) => journal.payeeHolds.add({ ...hold, act });
  await record('hold');

  const checked = await payrun(['check', file, ...data]);
  expect(checked.exit).toBe(3);
  const [problem] = json(checked).problems;
  expect(problem).toMatchObject({ severity: 'error', code: 'payee_on_hold', row: 2, column: 'name', cell: 'B2' });
  expect(problem.message).toContain(`Ada Byron is on hold: do not pay. Clara Nash recorded it on `);
  expect(problem.message).toContain(`“${reason}”`);
  expect((await payrun(['plan', file, ...where])).exit).toBe(3);
  const warned = json(await payrun(['show', runId, ...data]));
  expect(JSON.stringify(warned)).toContain('payee_on_hold');

  const run = await payrun(['run', runId, '--yes', ...where]);
  expect([run.exit, json(run).counts]).toEqual([
    4,
    { completed: 1, failed: 0, rejected: 0, unresolved: 0, not_submitted: 1 },
  ]);
  expect(await allTransactions(service)).toHaveLength(1);
  const shown = (await payrun(['show', runId, '--data-dir', dataDir])).stdout;
  expect(shown).toMatch(/Ada Byron is on hold: do not pay\. Clara Nash recorded it on .*Nothing was\s+sent/s);

  const left = json(await payrun(['run', file, '--yes', '--only-valid', '--allow-repeat', '', ...where]));
  expect(left.counts).toMatchObject({ completed: 1, not_submitted: 1 });

  await record('release');
  await journal.close();
  expect((await payrun(['check', file, ...data])).exit).toBe(0);
  const retried = await payrun(['retry', runId, '--yes', ...where]);
  expect(json(retried).counts).toMatchObject({ completed: 1, not_submitted: 0 });
});

describe('by command', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await newJournalDatabase();
  });
  afterAll(async () => {
    await statements(urlOf(await sharedPostgres(), 'postgres'), `DROP DATABASE ${database.name} WITH (FORCE)`);
  });

  it.each(['SQLite', 'PostgreSQL'])('a hold keeps a run that is under way from sending, in %s', async (kind) => {
    const folder = temporaryFolder();
    const service = await startService({ dataDir: join(folder, 'service') });
    const file = join(folder, 'pay.csv');
    const more = [
      'E3,Grace Hopper,30.00,AUD,AUD_NPP,32345670,062-000',
      'E4,Emmy Noether,40.00,AUD,AUD_NPP,42345671,062-000',
    ];
    writeFileSync(file, `${[...ROWS, ...more].join('\n')}\n`);
    const place = kind === 'SQLite' ? [] : ['--database', database.as('payrun_worker')];
    const data = ['--data-dir', join(folder, 'data'), '--json', ...place];
    const where = [...data, '--report-dir', join(folder, 'reports'), '--poll-every', '20ms', ...service.options];
    await admin(service, 'fault.add', { operation: 'transaction.transfer', nth: 2, kind: 'slow', ms: 8_000 });
    const run = start(['run', file, '--yes', '--concurrency', '1', ...where]);
    await untilArrived(service, 2, /^transaction\.transfer$/, run.ended);
    const reason = 'a mail asked for\nanother account';
    const held = json(await payrun(['hold', '--payee-id', 'E4', '--reason', reason, ...data]));
    const by = `${userInfo().username}@${hostname()}`;
    const recorded = { name: 'Emmy Noether', payee_id: 'E4', reason: 'a mail asked for another account', by };
    expect(held).toMatchObject({ ...recorded, state: 'held', accounts: 1, known: true, was_held: false, exit: 0 });
    const { stdout, exit } = await run.ended;
    expect([exit, JSON.parse(stdout).counts]).toEqual([
      4,
      { completed: 3, failed: 0, rejected: 0, unresolved: 0, not_submitted: 1 },
    ]);
    expect(await allTransactions(service)).toHaveLength(3);

    // The account is held with the payee.
    writeFileSync(file, `${ROWS[0]}\nE9,Somebody Else,1.00,AUD,AUD_NPP,42345671,062-000\n`);
    expect((await payrun(['check', file, ...data])).exit).toBe(3);
    expect(json(await payrun(['hold', 'list', ...data])).holds).toMatchObject([{ ...recorded, accounts: 1 }]);
    const released = await payrun(['hold', 'release', '--payee-id', 'E4', '--reason', 'called them', ...data]);
    expect(json(released)).toMatchObject({ state: 'released', name: 'Emmy Noether', reason: 'called them', by });
    expect(json(await payrun(['hold', 'list', ...data])).holds).toEqual([]);
    expect((await payrun(['check', file, ...data])).exit).toBe(0);

    const refused = async (...words: string[]) => {
      const ended = await payrun(['hold', ...words, ...data]);
      return [ended.exit, json(ended).message];
    };
    expect(await refused('release', '--payee-id', 'E4', '--reason', 'again')).toEqual([
      6,
      'E4 is not on hold. Nothing was recorded.',
    ]);
    expect(await refused('--name', 'emmy  NOETHER', '--reason', 'x')).toEqual([
      6,
      expect.stringContaining('Runs know emmy NOETHER by a payee id'),
    ]);
    expect(await refused('--payee-id', 'E4', '--reason', ' ')).toEqual([
      2,
      expect.stringContaining('The reason is missing'),
    ]);
    expect(await refused('--reason', 'x')).toEqual([2, 'The command names no payee.']);
    expect(await refused('--payee-id', 'E4', '--name', 'Emmy', '--reason', 'x')).toEqual([2, expect.any(String)]);
    const unknown = await payrun([
      'hold',
      '--payee-id',
      'E77',
      '--reason',
      'x',
      ...data.filter((word) => word !== '--json'),
    ]);
    expect([unknown.exit, unknown.stdout]).toEqual([0, expect.stringContaining('No run has paid this payee yet.')]);
  });
});
