import { expect, test } from 'vitest';
import type { Entry, RunRow } from '../../src/domain/entry.ts';
import { asViewer } from '../../src/messages/viewer.ts';
import { readTypedAmount } from '../../src/web/reporting/typed-amount.ts';
import { endedPayout, sampleHeader, samplePlan, sampleRow } from '../journal/samples.ts';
import { writeLargeRun } from '../support/large-run.ts';
import { openPage, type TestPage } from './web-page.ts';

type Paid = { row: number; name: string; minor: string; code?: string; isPaid?: boolean };

function rowOf({ row, name, minor, code = 'AUD' }: Paid): RunRow {
  const sample = sampleRow(row);
  if (sample.order === null) throw new Error('the sample changed');
  const currency = { code, chain: null, decimals: code === 'JPY' ? 0 : 2 };
  const order = { ...sample.order, payee: { ...sample.order.payee, name }, amount_minor: minor, currency };
  return { ...sample, order };
}

/** A run that was started; its paid rows are completed. */
async function run({ journal }: TestPage, id: string, paid: readonly Paid[], more: { entity?: string } = {}) {
  const header = { ...sampleHeader(id), ...more, payouts: paid.length };
  const rows: Entry[] = [
    { kind: 'rows', rows: paid.map(rowOf) },
    { kind: 'planned', plan: samplePlan(header) },
    { kind: 'started', by: 'anna@desk-7' },
    ...paid.flatMap(({ row, minor, isPaid = true }) => (isPaid ? endedPayout(row, { minor }) : [])),
  ];
  const created = await journal.createRun({ header, rows, refuseRepeat: false });
  if (created.outcome !== 'created') throw new Error('the run was not created');
  await created.writer.release();
}

async function reports() {
  const page = await openPage();
  await page.first('Anna');
  const vera = await page.person('Vera', ['viewer']);
  const found = async (asked: string) => {
    const { text } = await vera.get(`/reports${asked}`);
    return Array.from(
      text.matchAll(/<th scope="row"><a [^>]*href="\/payees\/[0-9a-f]+"[^>]*>([^<]+)</g),
      ([, name]) => name,
    );
  };
  return { page, vera, found };
}

const MIXED: Paid[] = [
  { row: 2, name: 'Cleo', minor: '123450' },
  { row: 3, name: 'Ada', minor: '99999' },
  { row: 4, name: 'Bob', minor: '123450', isPaid: false },
  { row: 5, name: 'Dora', minor: '1234', code: 'JPY' },
];

test('payouts are narrowed by amounts as people type them, in the minor units of each currency', async () => {
  const { page, vera, found } = await reports();
  await run(page, 'R-1', MIXED);
  expect(await found('?min=1,234')).toEqual(['Cleo', 'Bob', 'Dora']);
  expect(await found('?min=1234.50&currency=AUD')).toEqual(['Cleo', 'Bob']);
  expect(await found('?min=1.234,50')).toEqual(['Cleo', 'Bob']);
  expect(await found('?max=999.99')).toEqual(['Ada']);
  expect(await found('?min=999.985&max=1234')).toEqual(['Ada', 'Dora']);
  const { text } = await vera.get('/reports?min=12x&max=1000');
  expect(text).toContain('<strong>Not an amount: 12x.</strong>');
  expect(text).toContain('name="min" value="12x"');
  expect(text).toContain('href="/reports?min=12x">At most 1000 ×</a>');
  expect((await vera.get('/reports/payouts.csv?max=999.99')).text.trim().split('\r\n')).toHaveLength(2);
  expect(await found('?q=PR0123456789ABC&state=completed')).toEqual(['Cleo', 'Ada', 'Dora']);
  expect(await found('?q=tx_3')).toEqual(['Ada']);
});

test.each([
  ['1234.5', 'en', [12345n, 1]],
  ['1,234.50', 'en', [123450n, 2]],
  ["1'234'567.05", 'en', [123456705n, 2]],
  ['1.234.567', 'en', [1234567n, 0]],
  ['1,234', 'en', [1234n, 0]],
  ['1,234', 'de', [1234n, 3]],
  ['1.234', 'en', [1234n, 3]],
  ['1.234', 'de', [1234n, 0]],
  ['12,5', 'en', [125n, 1]],
  ['0,500', 'en', [500n, 3]],
  ['-5', 'en', null],
  ['1,23,456', 'en', null],
  ['1.2.3,4', 'en', null],
  ['1e9', 'en', null],
  ['', 'en', null],
  ['9'.repeat(41), 'en', null],
] as const)('%s is read by who writes %s as %s', (typed, language, expected) => {
  const amount = asViewer({ language, timeZone: 'UTC' }, () => readTypedAmount(typed));
  expect(amount && [amount.units, amount.scale]).toEqual(expected);
});

test('every column sorts both ways, equal rows stay as they stand, and files follow', async () => {
  const { page, vera, found } = await reports();
  await run(page, 'R-1', MIXED);
  expect(await found('')).toEqual(['Cleo', 'Ada', 'Bob', 'Dora']);
  expect(await found('?sort=payee')).toEqual(['Ada', 'Bob', 'Cleo', 'Dora']);
  expect(await found('?sort=payee&order=reverse')).toEqual(['Dora', 'Cleo', 'Bob', 'Ada']);
  // By currency, then the largest first; of two of one amount, the row that stands first.
  expect(await found('?sort=amount')).toEqual(['Cleo', 'Bob', 'Ada', 'Dora']);
  expect(await found('?sort=amount&order=reverse')).toEqual(['Dora', 'Ada', 'Cleo', 'Bob']);
  expect(await found('?sort=constructor&order=x')).toEqual(['Cleo', 'Ada', 'Bob', 'Dora']);
  const { text } = await vera.get('/reports?sort=amount&state=completed');
  expect(text).toContain(
    '<th scope="col" class="number" aria-sort="descending"><a class="sorts" href="/reports?state=completed&amp;sort=amount&amp;order=reverse">Amount</a>',
  );
  expect(text.match(/aria-sort/g)).toHaveLength(1);
  expect(text).toContain('href="/reports/payouts.csv?state=completed&amp;sort=amount"');
  const csv = (await vera.get('/reports/payouts.csv?sort=payee&order=reverse')).text.trim().split('\r\n');
  expect(csv.slice(1).map((line) => /,(Ada|Bob|Cleo|Dora),/.exec(line)?.[1])).toEqual(['Dora', 'Cleo', 'Bob', 'Ada']);
  const names = async (asked: string) => {
    const list = (await vera.get(`/payees${asked}`)).text;
    return Array.from(
      list.matchAll(/<th scope="row"><a [^>]*href="\/payees\/[0-9a-f]+"[^>]*>([^<]+)</g),
      ([, name]) => name,
    );
  };
  expect(await names('?sort=payee_id&order=reverse')).toEqual(['Dora', 'Bob', 'Ada', 'Cleo']);
  expect(await names('?sort=total')).toEqual(['Cleo', 'Ada', 'Dora', 'Bob']);
  expect(await names('?order=reverse')).toEqual(['Dora', 'Cleo', 'Bob', 'Ada']);
  await run(page, 'R-2', [MIXED[0] as Paid]);
  const runs = async (asked: string) =>
    Array.from((await vera.get(`/runs${asked}`)).text.matchAll(/<span class="[^"]*">(R-\d)</g), ([, id]) => id);
  expect([await runs(''), await runs('?sort=payouts'), await runs('?order=reverse')]).toEqual([
    ['R-2', 'R-1'],
    ['R-1', 'R-2'],
    ['R-1', 'R-2'],
  ]);
});

test('a next page goes on behind the last row, whatever was paid meanwhile; no view of 30,000 payouts is large', async () => {
  const { page, vera, found } = await reports();
  await (await writeLargeRun(page.journal, { runId: 'R20261125-00030000', rows: 30_000 })).release();
  for (let text = ''; !text.includes('30,000 payouts'); ) ({ text } = await vera.get('/reports'));
  const first = (await vera.get('/reports')).text;
  expect(Buffer.byteLength(first)).toBeLessThan(60_000);
  const [, next = ''] = /rel="next" href="([^"]+)"/.exec(first) ?? [];
  expect(next).toBe('/reports?page=2&amp;after=R20261125-00030000.51');
  const path = next.replace('/reports', '').replaceAll('&amp;', '&');
  expect((await found(path))[0]).toBe('Zoë Näme 50');
  // Another run comes before all of them.
  await page.clock.pass(60_000);
  await run(page, 'R-9', MIXED);
  for (let text = ''; !text.includes('30,004 payouts'); ) ({ text } = await vera.get('/reports'));
  expect((await found('?page=2'))[0]).toBe('Zoë Näme 46');
  const second = await found(path);
  expect([second[0], second.length]).toEqual(['Zoë Näme 50', 50]);
  const [, back = ''] = /rel="prev" href="\/reports([^"]+)"/.exec((await vera.get(`/reports${path}`)).text) ?? [];
  expect((await found(back.replaceAll('&amp;', '&')))[0]).toBe('Zoë Näme 0');
  expect(await found('?page=9999')).toHaveLength(4);
  expect((await found('?after=gone&page=2'))[0]).toBe('Zoë Näme 46');
  for (const asked of ['?sort=amount', '?sort=payee&order=reverse&state=failed', '?min=12&sort=token', '?q=tx_29999'])
    expect(Buffer.byteLength((await vera.get(`/reports${asked}`)).text), asked).toBeLessThan(60_000);
});

test('where several entities paid, payouts are narrowed by one, and spend is charted by each', async () => {
  const { page, vera, found } = await reports();
  await run(page, 'R-1', [{ row: 2, name: 'Ada', minor: '1000' }]);
  expect((await vera.get('/reports')).text).not.toContain('name="entity"');
  expect((await vera.get('/reports/spend.csv')).text.split('\r\n')[0]).toBe('month,currency,payouts,sent,fees');
  const entity = await page.web.entities.add('Northwind GmbH');
  await page.clock.pass(60_000);
  await run(page, 'R-2', [{ row: 2, name: 'Bob', minor: '2000' }], { entity: entity?.id ?? '' });
  const { text } = await vera.get('/reports');
  expect(text).toContain('<option value="northwind-gmbh">Northwind GmbH</option>');
  expect([await found('?entity=northwind-gmbh'), await found('?entity=main'), await found('?entity=x')]).toEqual([
    ['Bob'],
    ['Ada'],
    [],
  ]);
  expect((await vera.get('/reports?entity=northwind-gmbh')).text).toContain('href="/reports">Northwind GmbH ×</a>');
  expect((await vera.get('/reports/payouts.csv?entity=main')).text.trim()).toMatch(
    /,return_id,tags,entity\r\n.*,Main$/,
  );
  const spend = (await vera.get('/reports/spend')).text;
  expect(spend).toContain('Spend by month in AUD, Northwind GmbH</title>');
  expect(spend).toContain('Spend by month in AUD, Main</title>');
  expect((await vera.get('/reports/spend.csv')).text.trim().split('\r\n').slice(1).sort()).toEqual([
    '2026-11,AUD,1,10.00,0.00,Main',
    '2026-11,AUD,1,20.00,0.00,Northwind GmbH',
  ]);
  expect((await vera.get('/')).text).toContain('<b>AUD, Northwind GmbH</b>');
});
