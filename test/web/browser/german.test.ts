import { Buffer } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { workbookParts } from '../../report/workbook-text.ts';
import { browserTest, useChromium, type Visitor } from '../../support/browser.ts';
import { temporaryFolder } from '../../support/payrun.ts';
import { PROJECT } from '../../support/payrun-process.ts';
import { startWeb } from '../../support/web-process.ts';
import { comeInFirst, enter, PASSWORD } from './office.ts';

const chromium = useChromium();

/** Common English words that are neither German nor French. */
const ENGLISH =
  /\b(?:the|and|of|is|are|were|for|with|not|this|that|from|each|your|you|what|has|have|been|will|which)\b/i;

/** The page's visible text, and the labels of its elements. */
const ASK_TEXTS = `[document.title, document.body.innerText, ...[...document.querySelectorAll('*')].flatMap((element) =>
  ['aria-label', 'title', 'placeholder', 'alt', 'aria-description'].map((name) => element.getAttribute(name) ?? ''))]`;

/** The labels that the narrow layout of a report adds before a row's figures. */
const ASK_LABELS = `['.at', '.fee'].map((name) => {
  const cell = document.querySelector('.rows td' + name);
  const written = getComputedStyle(cell, '::before').content;
  return written.startsWith('"' + cell.dataset.label) || written.startsWith('attr(data-label)') ? cell.dataset.label : written;
})`;

async function expectNoEnglish(page: Page): Promise<void> {
  await page.waitForLoadState();
  const texts = await page.evaluate<string[]>(ASK_TEXTS);
  const lines = texts.flatMap((text) => text.split('\n'));
  expect(lines.filter((line) => ENGLISH.test(line))).toEqual([]);
}

/** The sample with an invalid amount. It is Windows-1252, whose letters all survive as latin1. */
const PAYROLL = readFileSync(join(PROJECT, 'samples', 'payroll-de.csv'), 'latin1').replace('1.744,02', 'ca. 1.744');

browserTest('a German clerk and a French approver pay a payroll, each in their own language', async () => {
  const folder = temporaryFolder();
  const web = await startWeb({ dataDir: join(folder, 'data'), env: { PAYRUN_RATE: '0' }, cwd: folder });
  const clerk = await chromium.visitor(web.url, { locale: 'de-DE' });
  const approver = await chromium.visitor(web.url, { locale: 'fr-FR' });
  const link = await comeInFirst(clerk, web);
  await enter(approver, web.url, link);
  const { page } = clerk;
  await clerk.open('/');
  await expectNoEnglish(page);
  await page.locator('input[type=file]').setInputFiles({
    ...{ name: 'payroll-de.csv', mimeType: 'text/csv', buffer: Buffer.from(PAYROLL, 'latin1') },
  });
  const before = page.url();
  await page.getByRole('button', { name: 'Hochladen und prüfen' }).click();
  await page.waitForURL((url) => url.href !== before);
  await page.getByRole('heading', { name: 'Payroll de' }).waitFor();
  await expectNoEnglish(page);
  await page.getByRole('link', { name: 'Zuordnen' }).click();
  await page.getByRole('heading', { name: 'Spalten zuordnen' }).waitFor();
  await expectNoEnglish(page);
  await page.getByRole('button', { name: 'Weiter zum Prüfen' }).click();
  await page.getByRole('link', { name: 'Zeilen bearbeiten' }).click();
  const grid = page.getByRole('grid', { name: 'Zeilen' });
  await grid.getByRole('gridcell', { name: 'ca. 1.744', exact: true }).click();
  await expectNoEnglish(page);
  await page.keyboard.type('1.744,02');
  await page.keyboard.press('Enter');
  await page.locator('[data-review][data-checked="true"]').waitFor();
  await grid.getByRole('gridcell', { name: 'Bearbeitet von Anna Novak' }).waitFor();
  await expectNoEnglish(page);
  await page.getByRole('link', { name: 'Weiter', exact: true }).click();
  const submit = page.getByRole('button', { name: '3 Auszahlungen über 5.754,00 EUR zur Genehmigung einreichen' });
  await submit.waitFor();
  await expectNoEnglish(page);
  await submit.click();
  await page.waitForURL('/runs/*');
  const run = page.url();
  await page.getByText('Wartet auf Genehmigung von Bea Ortiz.').waitFor();
  await expectNoEnglish(page);

  const { page: french } = approver;
  await approver.open('/');
  await expectNoEnglish(french);
  await french.getByRole('link', { name: 'Vérifier et approuver' }).click();
  await french.waitForURL(`${run}/approve`);
  await expectNoEnglish(french);
  await french.getByLabel('Saisissez le total').fill('5 754,00 EUR');
  await french.getByLabel('Votre mot de passe').fill(PASSWORD);
  await french.getByRole('button', { name: /^Approuver / }).click();
  await french.waitForURL(run);
  await expectNoEnglish(french);

  await page.getByRole('button', { name: 'Zahlung starten: 3 Auszahlungen über 5.754,00 EUR' }).click();
  await page.getByRole('heading', { name: 'Probelauf, abgeschlossen: alle 3 Auszahlungen' }).waitFor();
  await expectNoEnglish(page);
  await clerk.open(`${run.slice(web.url.length)}/files`);
  await expectNoEnglish(page);
  await expectGermanFiles(clerk);
});

/** Files for people are in German, those for programs are not. */
async function expectGermanFiles({ context, page }: Visitor): Promise<void> {
  const report = await download(page, 'Bericht ansehen');
  const printed = await context.newPage();
  await printed.setContent(report.toString());
  await printed.locator('html[lang=de]').waitFor();
  await expectNoEnglish(printed);
  // Narrow screens label each figure.
  await printed.setViewportSize({ width: 390, height: 844 });
  const labels = await printed.evaluate<string[]>(ASK_LABELS);
  expect(labels).toEqual(['Zeile', 'Gebühr']);
  const parts = await workbookParts(await download(page, 'Excel'));
  const [book = '', rows = '', styles = ''] = ['workbook', 'worksheets/sheet2', 'styles'].map((name) =>
    parts.get(`xl/${name}.xml`),
  );
  expect([...book.matchAll(/<sheet name="([^"]+)"/g)].map(([, name]) => name)).toEqual([
    'Zusammenfassung',
    'Auszahlungen',
  ]);
  const texts = [...rows.matchAll(/<t>([^<]*)<\/t>/g)].map(([, text]) => text);
  for (const text of ['Gesendeter Betrag', 'Beendet', 'abgeschlossen']) expect(texts).toContain(text);
  expect(texts.filter((text) => ENGLISH.test(text ?? '') || /_at$|_amount$|^completed$/.test(text ?? ''))).toEqual([]);
  // Amounts are numbers, and times are in German format.
  expect(rows).toContain('<v>1744.02</v>');
  expect(styles).toContain('dd.mm.yyyy hh:mm:ss');
  expect((await download(page, 'CSV')).toString()).toMatch(/,status,transaction_id,.*\r\n.*,completed,/);
}

async function download(page: Page, name: string): Promise<Buffer> {
  const taken = page.waitForEvent('download');
  await page.getByRole('link', { name, exact: true }).first().click();
  return readFile(await (await taken).path());
}
