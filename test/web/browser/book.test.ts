import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Entry, RunRow } from '../../../src/domain/entry.ts';
import { endedPayout, sampleHeader, samplePlan, sampleRow } from '../../journal/samples.ts';
import { browserTest, useChromium } from '../../support/browser.ts';
import { pageAtPort } from '../served.ts';
import type { TestPage } from '../web-page.ts';
import { expectGoodPage } from './good-page.ts';
import { comeInFirst } from './office.ts';

const chromium = useChromium();

const AUD = { code: 'AUD', chain: null, decimals: 2 };

function rowOf(row: number, account: string): RunRow {
  const sample = sampleRow(row);
  if (sample.order?.destination.kind !== 'account') throw new Error('the sample changed');
  const { destination, payee } = sample.order;
  const fields = { ...destination.fields, account_number: account };
  const minor = String(row * 1_234_567);
  const name = row === 3 ? 'Wolfeschlegelsteinhausenbergerdorff & Söhne GmbH' : `Payee ${row}`;
  const order = {
    ...sample.order,
    payee: { ...payee, name },
    amount_minor: minor,
    destination: { ...destination, fields },
  };
  return { ...sample, order };
}

/** Sixty payouts, of which one came back; the accounts of run 2 are others than those of run 1. */
async function pay({ journal }: TestPage, n: number, entity: string) {
  const header = { ...sampleHeader(`R20261125-0000000${n}`), entity, payouts: 60 };
  const rows = Array.from({ length: 60 }, (_, at) => rowOf(at + 2, n === 2 && at < 3 ? `2000000${at}` : '10000001'));
  const back = {
    kind: 'returned' as const,
    row: 4,
    transaction_id: 'tx_4',
    return_id: 'txn_back',
    amount_minor: '1',
    currency: AUD,
    returned_at: 0,
  };
  const entries: Entry[] = [
    { kind: 'rows', rows },
    { kind: 'planned', plan: samplePlan(header) },
    { kind: 'started', by: 'anna@desk-7' },
    ...rows.flatMap(({ row, order }) =>
      endedPayout(row, { minor: order?.amount_minor ?? '0', status: row % 9 === 0 ? 'FAILED' : 'COMPLETED' }),
    ),
    { kind: 'finished', counts: { completed: 53, failed: 7, rejected: 0, unresolved: 0, not_submitted: 0 } },
    back,
    { kind: 'finished', counts: { completed: 53, failed: 7, rejected: 0, unresolved: 0, not_submitted: 0 } },
  ];
  const created = await journal.createRun({ header, rows: entries, refuseRepeat: false });
  if (created.outcome !== 'created') throw new Error('the run was not created');
  await created.writer.release();
}

/** Waits until the rows of the page's table are of these names first. */
const expectFirst = (page: Page, ...names: string[]) =>
  expect
    .poll(async () => (await page.locator('table tbody th a').allInnerTexts()).slice(0, names.length))
    .toEqual(names);

browserTest(
  'recipients, reports and notices are good to look at, and sort, narrow and tag by clicks without script',
  async () => {
    const page = await pageAtPort({ isReal: true });
    const other = await page.web.entities.add('Northwind Gesellschaft mit beschränkter Haftung');
    const web = { url: page.origin, firstUserUrl: await page.firstUserLink() };
    const anna = await chromium.visitor(web.url);
    await comeInFirst(anna, web);
    const look = () => page.web.notices.look(new AbortController().signal);
    await look();
    await pay(page, 1, 'main');
    await pay(page, 2, other?.id ?? '');
    await look();
    const tab = anna.page;

    await anna.open('/');
    await tab.getByText('1 payout returned').first().waitFor();
    await expectGoodPage(tab);
    await tab.getByRole('link', { name: 'Notices unread: 4' }).click();
    await tab.getByRole('heading', { name: 'Notices', level: 1 }).waitFor();
    await expectGoodPage(tab);
    await tab
      .getByRole('link', { name: /returned/ })
      .first()
      .click();
    await anna.open('/me/notices');
    await expectGoodPage(tab);

    // What is shown of payees may be some seconds old.
    const open = async () => {
      await anna.open('/payees');
      return tab.locator('table').count();
    };
    await expect.poll(open).toBe(1);
    await tab.getByRole('link', { name: /^Account changed/ }).click();
    await tab.getByRole('link', { name: 'Payee 2', exact: true }).click();
    // The panel leaves the list's amounts in view. Escape closes it, and a click on the row opens it too.
    const drawer = tab.getByRole('complementary', { name: 'Payee 2' });
    await drawer.getByText('Account changed.').waitFor();
    await expect.poll(() => tab.evaluate('document.activeElement?.id')).toBe('drawer-name');
    expect(await tab.getByText('49,382.68').first().isVisible()).toBe(true);
    await expectGoodPage(tab);
    const place = tab.url();
    expect(place).toMatch(/only=changed&payee=[0-9a-f]{24}$/);
    await tab.keyboard.press('Escape');
    // The panel's title reads the same, so the panel has to be gone first.
    await expect.poll(async () => [await drawer.count(), new URL(tab.url()).search]).toEqual([0, '?only=changed']);
    await expect.poll(() => tab.evaluate('document.activeElement?.textContent')).toBe('Payee 2');
    await tab.goBack();
    await drawer.waitFor();
    await drawer.getByRole('link', { name: 'Close' }).click();
    await expect.poll(() => drawer.count()).toBe(0);
    await tab
      .getByRole('row', { name: /^Payee 2/ })
      .getByText('Account changed')
      .click();
    await drawer.waitFor();
    // On a phone it replaces the list.
    await tab.setViewportSize({ width: 390, height: 844 });
    expect(
      await tab
        .getByRole('table', { name: 'Recipients' })
        .or(tab.getByRole('region', { name: 'Recipients' }))
        .isVisible(),
    ).toBe(false);
    await tab.setViewportSize({ width: 1440, height: 900 });
    await tab.getByLabel('New tag').fill('Contractors in Queensland');
    await tab.getByRole('button', { name: 'Add tag' }).click();
    await tab.getByRole('button', { name: 'Remove the tag Contractors in Queensland' }).waitFor();
    await expectGoodPage(tab);
    await tab.getByRole('link', { name: 'Contractors in Queensland' }).click();
    await expectFirst(tab, 'Payee 2');
    expect(await tab.locator('table tbody th a').count()).toBe(1);
    await expectGoodPage(tab);

    await anna.open('/reports');
    await tab.getByText('Filter', { exact: true }).click();
    await expectGoodPage(tab);
    await tab.getByLabel('At least').fill('600,000');
    await tab.getByLabel('Entity').selectOption({ label: 'Main' });
    await tab.getByRole('button', { name: 'Apply' }).click();
    await tab.getByRole('link', { name: 'At least 600,000 ×' }).waitFor();
    await tab.getByRole('link', { name: /^Amount/ }).click();
    await expectFirst(tab, 'Payee 61', 'Payee 60');
    await tab.getByRole('link', { name: /^Amount/ }).click();
    await expectFirst(tab, 'Payee 49', 'Payee 50');
    await expectGoodPage(tab);
    await tab.getByRole('link', { name: 'At least 600,000 ×' }).click();
    await tab.getByRole('link', { name: 'Next' }).click();
    await expectGoodPage(tab);
    await anna.open('/reports/spend');
    await expectGoodPage(tab);
  },
);
