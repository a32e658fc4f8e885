import { Buffer } from 'node:buffer';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { browserTest, useChromium, type Visitor } from '../../support/browser.ts';
import { startService, temporaryFolder } from '../../support/payrun.ts';
import { admin } from '../../support/service-admin.ts';
import { startWeb } from '../../support/web-process.ts';
import { comeIn } from '../page-process.ts';
import { expectGoodPage } from './good-page.ts';
import { tabTo } from './keyboard.ts';
import { comeInFirst, PASSWORD, planFile, startPaying, uploadFile } from './office.ts';
import { openHere } from './page-here.ts';

const chromium = useChromium();

const HEADER = 'payee_id,name,amount,currency,rail,account_number,national_clearing_code';
/** More than are sent while they are looked at, at this rate: then the run is stopped. */
const ROWS = 80;
const ENVIRONMENT = { PAYRUN_RATE: '1', PAYRUN_CONCURRENCY: '1', PAYRUN_POLL_EVERY: '1s' };
const NAME = `${'Salaries of all companies, July, checked by Ms Müller '.repeat(2).slice(0, 96)}.csv`;

const COUNT_EXCHANGES = `globalThis.exchanges = 0;
document.addEventListener('htmx:after:swap', ({ target }) => { if (target.id === 'rows') globalThis.exchanges++; });`;

/** Has the page take the place of itself, as the check takes that of the page which says that the file is read. */
const EXCHANGE = `htmx.ajax('GET', location.pathname, { target: '#main', select: '#main', swap: 'outerHTML' })`;

/** Lets a file that is too large fall into the box for it. */
const DROP = `(() => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([new Uint8Array(26 * 1024 * 1024)], 'mended.csv'));
  const event = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
  document.querySelector('.drop').dispatchEvent(event);
  const isTold = !document.querySelector('[data-upload-problem]').hidden;
  return [event.defaultPrevented, document.querySelector('input[type=file]').files[0]?.name, isTold];
})()`;

function payroll(): Buffer {
  const payees = ['E1,Wolfeschlegelsteinhausenbergerdorff', 'E2,محمد عبد الرحمن', 'E3,REHEARSE_CLOSED Ltd'];
  const lines = Array.from(
    { length: ROWS },
    (_, at) => `${payees[at % 3]},${at + 1}.00,AUD,AUD_NPP,1234567${at % 3},062-000`,
  );
  return Buffer.from(`${[HEADER, ...lines].join('\n')}\n`);
}

browserTest(
  'every state of a run is good to look at: as its rows move, asked to stop, stopped, in doubt, on paper',
  async () => {
    const folder = temporaryFolder();
    const service = await startService({ dataDir: join(folder, 'service') });
    const profile = join(folder, 'profile.yaml');
    writeFileSync(
      profile,
      'request_lifetime: 6s\nlisting_lag: 0s\nguarantees: {enforces_expiry: false, replay_protection: false}\n',
    );
    await admin(service, 'fault.add', { operation: 'transaction.transfer', kind: 'drop-before', nth: 2 });
    const env = { ...ENVIRONMENT, PAYRUN_PROFILE: profile, PAYRUN_REPORT_DIR: join(folder, 'reports') };
    const web = await startWeb({ dataDir: join(folder, 'data'), service, env });
    const anna = await chromium.visitor(web.url);
    const { page } = anna;
    const bea = await comeIn(web.url, await comeInFirst(anna, web));
    const run = await planFile(anna, { name: NAME, buffer: payroll() });
    expect((await bea.post(`${run}/approve`, { total: '3240.00 AUD', password: PASSWORD })).location).toBe(
      new URL(run).pathname,
    );
    await startPaying(anna, run);
    await expectGoodWatch(page);
    await anna.open(`${run}/cancel`);
    await page.getByRole('heading', { name: 'Stop this run?' }).waitFor();
    await expectGoodPage(page);
    await page.getByRole('button', { name: 'Stop the run' }).click();

    await page.locator('#headline').waitFor();
    await expectGoodPage(page);
    await expectGoodPaper(page);
    await page
      .getByRole('link', { name: /^Decide/ })
      .first()
      .click();
    await page.getByRole('heading', { name: 'What you can do' }).waitFor();
    await expectGoodPage(page);
    await lookAtTheOthers(anna);
  },
);

/** Sent rows are counted without being read out one by one, and whoever is somewhere with the Tab key stays there. */
async function expectGoodWatch(page: Page): Promise<void> {
  const sent = page.locator('#sent-count');
  await moved(sent, 1);
  await expectRowsFollow(page);
  await expectGoodPage(page);
  expect(await page.getByRole('status').count()).toBe(1);
  expect(await page.locator('[aria-live], [role=status], [role=log]').getByRole('table').count()).toBe(0);
  await tabTo(page, page.getByRole('link', { name: 'Stop…' }));
  await moved(sent, 3);
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Stop…');
}

/** The rows are exchanged again and again, and whoever scrolls them by the keyboard goes on with that. */
async function expectRowsFollow(page: Page): Promise<void> {
  const rows = page.getByRole('region', { name: 'Table of the rows' });
  await tabTo(page, rows);
  await page.evaluate(COUNT_EXCHANGES);
  await expect.poll(() => page.evaluate('exchanges')).toBeGreaterThan(1);
  expect(await page.locator('#rows .status:not(.waiting)').count()).toBeGreaterThan(0);
  expect(await rows.evaluate((element) => element.matches(':focus'))).toBe(true);
}

/** Resolves when so many more were sent. */
async function moved(bar: Locator, more: number): Promise<void> {
  const value = async () => Number(await bar.getAttribute('value'));
  await bar.waitFor();
  const before = await value();
  await expect.poll(value).toBeGreaterThanOrEqual(before + more);
}

/** On paper there is nothing to press, no table is cut, and what is folded is open. */
async function expectGoodPaper(page: Page): Promise<void> {
  const digest = page.getByText('Digest of the plan');
  expect(await digest.isVisible()).toBe(false);
  await page.emulateMedia({ media: 'print' });
  expect(await digest.isVisible()).toBe(true);
  for (const part of ['nav', 'button', '.button', 'form', 'input', '.skip'])
    expect(await page.locator(part).filter({ visible: true }).count(), part).toBe(0);
  for (const table of await page.locator('.scroll').all())
    expect(await table.evaluate((element) => String(element.computedStyleMap().get('overflow-x')))).toBe('visible');
  for (const shown of [
    page.getByText('REHEARSAL: no money moves'),
    page.locator('h1'),
    page.getByRole('table').first(),
  ])
    expect(await shown.isVisible()).toBe(true);
  await page.emulateMedia({ media: 'screen' });
}

async function lookAtTheOthers({ open, page, mayMeet }: Visitor): Promise<void> {
  mayMeet(/status of 404/);
  for (const path of [
    '/runs?q=salaries',
    '/runs?q=none',
    '/payees?q=wolfe',
    '/reports',
    '/reports/spend',
    '/people',
    '/me',
    '/nowhere',
  ]) {
    await open(path);
    await expectGoodPage(page);
  }
  await open('/runs');
  expect(await page.locator('td .status').allInnerTexts()).toEqual([
    expect.stringMatching(/^Stopped, .*\d+ not sent$/),
  ]);
  expect(await page.locator('td .status').getAttribute('class')).toMatch(/^status (failed|unresolved)$/);
  // A page that is TEST as a whole does not say it on each row; one that has both does.
  const badges = page.locator('td .mode').filter({ visible: true });
  expect(await badges.count()).toBe(0);
  await page.evaluate("document.body.className = 'both'");
  expect(await badges.count()).toBe(1);
  for (const [path, row] of [
    ['/payees', 'Wolfe'],
    ['/people', 'Bea Ortiz'],
  ] as const) {
    await open(path);
    await page.getByRole('link', { name: row }).click();
    await page.getByRole('heading', { name: row }).waitFor();
    await expectGoodPage(page);
  }
}

browserTest('what is wrong at the door, in a file and in its sheet is good to look at', async () => {
  const web = await openHere();
  const anna = await chromium.visitor(web.url);
  const { page } = anna;
  await expectWrongDoors(anna);
  await comeInFirst(anna, web);
  await anna.open('/');
  const lines = [HEADER, 'E1,Ada,ca. 900,AUD,AUD_NPP,12345678,062-000', 'E2,Ben,1.00,AUD,AUD_NPP,12345679,062-000'];
  const repeated = 'E3,Ben,1.00,AUD,AUD_NPP,12345679,062-000';
  const more = Array.from({ length: 40 }, (_, at) => `M${at},Mia,${at + 5}.00,AUD,AUD_NPP,${10_000_000 + at},062-000`);
  await uploadFile(anna, { name: NAME, buffer: Buffer.from(`${[...lines, repeated, ...more].join('\n')}\n`) });
  const titles = await page.locator('section:has(.problem) > h2').allInnerTexts();
  expect(titles).toEqual(['Errors', 'Warnings']);
  await page.getByText('The copy has a note at each wrong cell').waitFor();
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByText('The copy has a note at each wrong cell').isVisible()).toBe(false);
  await page.emulateMedia({ media: 'screen' });
  await expectMovingBar(page);
  await page.evaluate(EXCHANGE);
  expect(await page.evaluate(DROP)).toEqual([true, 'mended.csv', true]);

  await page.getByRole('link', { name: 'See the sheet' }).click();
  await page.getByRole('region', { name: 'The sheet' }).waitFor();
  await expectGoodPage(page);
  await expectGoodSheet(page);
  await expectWholeWords(anna, page.url().replace(/\/sheet.*$/, '/map'));

  await anna.open('/uploads/new');
  const names = Buffer.from('Ji\xf8\xed Nov\xe1k', 'latin1');
  const row = Buffer.from(',1.00,EUR,a\n');
  const czech = Buffer.concat([Buffer.from('name,amount,currency,external_account_id\n'), names, row]);
  await uploadFile(anna, { name: 'leden.csv', buffer: czech });
  const question = page.getByRole('group', { name: 'Which line shows the names correctly?' });
  await question.getByText('None of these: choose another encoding').click();
  await expectGoodPage(page);
  await question.getByRole('radio', { name: 'Jiří Novák' }).check();
  await page.getByRole('button', { name: 'Continue to review' }).click();
  await page.getByText('as chosen here.').waitFor();
});

async function expectWrongDoors({ open, page }: Visitor): Promise<void> {
  await open('/sign-in');
  await page.getByLabel('Name').fill('Nobody');
  await page.getByLabel('Password').fill('not the right one');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').waitFor();
  await expectGoodPage(page);
  await open('/welcome');
  await page.getByLabel('Your one-time link').fill('none');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('alert').waitFor();
  await expectGoodPage(page);
}

/** German has the longest names for mapped columns: none is cut off in its field. */
async function expectWholeWords({ open, page }: Visitor, map: string): Promise<void> {
  const choose = async (language: string, save: string) => {
    await open('/me');
    await page.locator('select[name=language]').selectOption(language);
    await page.getByRole('button', { name: save, exact: true }).first().click();
    await page.waitForURL(/done=view/);
  };
  await open(map);
  await expectGoodPage(page);
  await choose('de', 'Save');
  await open(map);
  await page.getByRole('heading', { name: 'Erforderlich' }).waitFor();
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    const cut = `[...document.querySelectorAll('.pick')].filter((field) => field.scrollWidth > field.clientWidth).map(({ value }) => value)`;
    expect(await page.evaluate(cut)).toEqual([]);
    expect(await page.locator('.pick').evaluateAll((fields) => fields.length)).toBeGreaterThan(5);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await choose('en', 'Speichern');
}

/** The corner says what the numbers beside the rows are, and stays in its place; there is one scroll bar up and down. */
async function expectGoodSheet(page: Page): Promise<void> {
  const sheet = page.getByRole('region', { name: 'The sheet' });
  const corner = sheet.getByRole('columnheader', { name: 'Row', exact: true });
  await page.setViewportSize({ width: 360, height: 500 });
  const before = await corner.boundingBox();
  await sheet.evaluate((element) => element.scrollBy(150, 60));
  expect(await corner.boundingBox()).toEqual(before);
  await page.setViewportSize({ width: 1440, height: 900 });
  expect(await page.evaluate('document.documentElement.scrollHeight <= innerHeight')).toBe(true);
}

/** A bar of which nobody knows how long it takes moves, unless whoever looks wants nothing to move. */
async function expectMovingBar(page: Page): Promise<void> {
  await page.evaluate("document.querySelector('main').append(document.createElement('progress'))");
  const bar = page.locator('main > progress');
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  const at = async (share: number) => {
    await page.evaluate(
      `for (const one of document.getAnimations()) { one.pause(); one.currentTime = ${share} * one.effect.getTiming().duration; }`,
    );
    return bar.screenshot();
  };
  expect((await at(0.1)).equals(await at(0.5))).toBe(false);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  expect(await page.evaluate('document.getAnimations().length')).toBe(0);
}
