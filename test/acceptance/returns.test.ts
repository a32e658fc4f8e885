import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { newJournalDatabase, type TestDatabase } from '../journal/postgres-place.ts';
import { type Ended, payrun, startService, temporaryFolder } from '../support/payrun.ts';
import { sharedPostgres, statements, urlOf } from '../support/postgres.ts';
import { admin } from '../support/service-admin.ts';
import { startWeb } from '../support/web-process.ts';
import { comeIn, until } from '../web/page-process.ts';

const ROWS = `payee_id,name,amount,currency,rail,account_number,national_clearing_code
E1,Ada Byron,12.50,AUD,AUD_NPP,12345678,062-000
E2,Mary Jackson,20.00,AUD,AUD_NPP,22345679,062-000
`;

let database: TestDatabase;
beforeAll(async () => {
  database = await newJournalDatabase();
});
afterAll(async () => {
  await statements(urlOf(await sharedPostgres(), 'postgres'), `DROP DATABASE ${database.name} WITH (FORCE)`);
});

const json = ({ stdout }: Ended) => JSON.parse(stdout);

/** Both payouts are completed. The transactions by row. */
async function paid(where: readonly string[]) {
  const folder = temporaryFolder();
  const service = await startService({ dataDir: join(folder, 'service') });
  const file = join(folder, 'July.csv');
  writeFileSync(file, ROWS);
  const dataDir = join(folder, 'data');
  const reports = join(folder, 'reports');
  const here = ['--data-dir', dataDir, '--json', ...where];
  const at = [...here, '--poll-every', '20ms', ...service.options];
  const ran = await payrun(['run', file, '--yes', '--report-dir', reports, ...at]);
  expect(ran.exit, ran.stderr).toBe(0);
  const runId: string = json(ran).run_id;
  const report = async () => {
    expect((await payrun(['report', runId, '--report-dir', reports, ...here])).exit).toBe(0);
    return JSON.parse(readFileSync(join(reports, runId, 'report.json'), 'utf8'));
  };
  const [ada, mary] = (await report()).rows.map((row: { transaction_id: string }) => row.transaction_id);
  return { service, dataDir, runId, here, at, report, ada, mary };
}

test.each(['SQLite', 'PostgreSQL'])(
  'a payout that a bank sent back is recorded once in its run, and stands in its report, in %s',
  async (kind) => {
    const { service, runId, here, at, report, mary } = await paid(
      kind === 'SQLite' ? [] : ['--database', database.as('payrun_worker')],
    );
    const before = await report();
    expect([json(await payrun(['returns', ...at]))]).toEqual([{ returned: [], exit: 0 }]);

    await admin(service, 'transaction.return', { id: mary });
    const found = await payrun(['returns', ...at]);
    expect([found.exit, json(found)]).toEqual([
      5,
      {
        returned: [
          {
            run_id: runId,
            row: 3,
            transaction_id: mary,
            return_id: expect.any(String),
            amount: '20.00',
            currency: 'AUD',
            returned_at: expect.stringMatching(/Z$/),
          },
        ],
        exit: 5,
      },
    ]);
    expect((await payrun(['returns', ...at])).exit).toBe(0);

    const after = await report();
    const [ada, back] = after.rows;
    expect([back.status, back.problem_code, ada.problem_code]).toEqual(['completed', 'returned', null]);
    expect(back.message).toContain('20.00 AUD came back as');
    // It was finished when it was paid.
    expect(after.finished_at).toBe(before.finished_at);
    expect(after.counts).toEqual(before.counts);
    const shown = await payrun(['show', runId, ...here.filter((word) => word !== '--json')]);
    expect(shown.stdout).toContain('1 completed payout came back: the bank returned it.');
    expect((await payrun(['verify', runId, ...here])).exit).toBe(0);
    expect(json(await payrun(['runs', ...here])).runs).toMatchObject([{ run_id: runId, state: 'finished' }]);
  },
);

test('the page looks for returns as it begins, and tells of them', async () => {
  const { service, dataDir, runId, ada, mary } = await paid([]);
  await admin(service, 'transaction.return', { id: ada });
  await admin(service, 'transaction.return', { id: mary });
  const { url, firstUserUrl, started } = await startWeb({ dataDir, service });
  onTestFinished(async () => {
    started.child.kill('SIGINT');
    await started.ended;
  });
  const anna = await comeIn(url, firstUserUrl ?? '', { name: 'Anna', role: ['viewer'] });
  const { text } = await until(anna, '/runs', (reply) => reply.text.includes('Completed, 2 returned'));
  expect(text).toContain('<span class="status failed">Completed, 2 returned</span>');
  expect((await anna.get('/')).text).toContain('<b>2 payouts returned</b>');
  const run = (await anna.get(`/runs/${runId}`)).text;
  expect(run).toContain('2 completed payouts came back: the bank returned them.');
  expect(run).toContain('Returned by the bank on ');
  expect((await anna.get(`/runs/${runId}/audit`)).text).toMatch(
    /Row 2 was returned: \w+ at the service brings \w+ back\./,
  );
  const payouts = await until(anna, '/reports', (reply) => reply.text.includes('>Returned<'));
  expect(payouts.text).not.toContain('class="status completed"');
  expect((await anna.get('/reports/payouts.csv')).text).toMatch(/,yes,\d{4}-\d\d-\d\dT[^,]+,\w+,\r\n/);
  // Nobody has the money.
  expect((await anna.get('/payees')).text).toContain('data-label="Payouts completed">0 of 1');
});
