import { Buffer } from 'node:buffer';
import { expect } from 'vitest';
import { browserTest, useChromium } from '../../support/browser.ts';
import { expectGoodPage } from './good-page.ts';
import { openOffice, payFile } from './office.ts';
import { openHere } from './page-here.ts';
import { comeIn, invite } from './people.ts';

const chromium = useChromium();

const SHEET = `payee_id,name,amount,currency,rail,account_number,national_clearing_code
ZQ-1,Zebulon Quixworth,7311.37,AUD,AUD_NPP,98765431,062-000
ZQ-2,Ysolde Brack,4422.19,AUD,AUD_NPP,98765432,062-000
`;

const HIDDEN = /Zebulon|Ysolde|7,311|4,422|11,733|5431|bonus/i;

browserTest(
  'an administrator hides names and amounts from a viewer, who sees how payments stand and no more',
  async () => {
    const web = await openHere();
    const { url } = web;
    const office = await openOffice(chromium, web);
    const { anna } = office;
    const link = await invite(anna, 'Vito Rossi', ['Viewer']);
    const access = anna.page.getByRole('region', { name: 'Scope and visibility' });
    await expectGoodPage(anna.page);
    await access.getByLabel('Names and amounts, row 1').selectOption('hidden');
    await access.getByRole('button', { name: 'Save access' }).click();
    await anna.page.getByText('Access changed, effective immediately.').waitFor();
    expect(await access.getByLabel('Names and amounts, row 1').inputValue()).toBe('hidden');
    await anna.open('/audit');
    await anna.page.getByText('viewer, all entities, all jobs, names and amounts hidden').waitFor();

    const vito = await chromium.visitor(url);
    await comeIn(vito, link);
    const file = { name: 'bonus-of-zebulon.csv', buffer: Buffer.from(SHEET) };
    const run = await payFile(office, file, ['11733.56 AUD'], {
      planned: async () => {
        await vito.open('/runs');
        await vito.page.getByRole('rowheader').getByRole('link', { name: 'Payment', exact: true }).click();
        await vito.page.getByRole('heading', { name: 'Awaiting approval by' }).waitFor();
        await expectGoodPage(vito.page);
        expect(await vito.page.locator('body').innerText()).not.toMatch(HIDDEN);
      },
    });
    await anna.open(run);
    await anna.page.locator('#headline').waitFor();
    await vito.open(run);
    await vito.page.getByRole('heading', { name: 'Totals' }).waitFor();
    await expectGoodPage(vito.page);
    await vito.page.getByRole('row', { name: 'AUD' }).getByText('total hidden').waitFor();
    for (const path of [run, '/', '/runs', '/payees', '/reports', '/reports/spend', '/audit', `${run}/rows`]) {
      await vito.open(path);
      expect([path, HIDDEN.exec(await vito.page.locator('body').innerText())]).toEqual([path, null]);
    }
    await expectGoodPage(vito.page);

    // Of another job alone nothing is there.
    await anna.open('/people');
    await anna.page.getByRole('link', { name: 'Vito Rossi' }).click();
    await anna.context.request.post(new URL(anna.page.url()).pathname.concat('/access'), {
      form: { role: 'viewer', entity: '', job: 'other', details: 'shown' },
      headers: { origin: url },
    });
    await vito.open(run);
    await vito.page.getByText('Run not found.').waitFor();
  },
);
