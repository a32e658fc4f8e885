import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatMajor } from '../../src/domain/money.ts';
import { shownMoment, type TimeForm } from '../../src/messages/local-time.ts';
import { loadTranslations } from '../../src/messages/translations.ts';
import { asViewer, LANGUAGE_NAMES, type Language } from '../../src/messages/viewer.ts';
import { Worded } from '../../src/web/once.ts';
import { amountText, isTotal, periodText } from '../../src/web/shell/words.ts';
import { workbookParts } from '../report/workbook-text.ts';
import { writeLargeRun } from '../support/large-run.ts';
import { speakPseudo } from '../support/translations/pseudo.ts';
import { openPage } from './web-page.ts';

const RUN = 'R20261125-00000001';

async function pageWithRun() {
  const page = await openPage();
  const anna = await page.first('Anna', ['viewer']);
  await (await writeLargeRun(page.journal, { runId: RUN, rows: 60 })).release();
  return { page, anna, bea: await page.person('Bea', ['viewer']) };
}

const TIMES = /<time datetime="([^"]+)"( title="[^"]+")?>([^<]+)</g;

function timesIn(text: string): { utc: string; title: string | undefined; shown: string }[] {
  return [...text.matchAll(TIMES)].map(([, utc = '', title, shown = '']) => ({ utc, title, shown }));
}

/** What the page shows of a time in English: `Today, 09:00`, `25 Nov, 09:00`, `25 Nov 2025, 09:00`. */
const SHOWN = /^(?:Today|\d{1,2} [A-Z][a-z]{2,3}(?: \d{4})?), \d\d:\d\d(?::\d\d)?$/;

test('times are those of the zone that a person chose, with UTC to the second on hovering', async () => {
  const { anna, bea } = await pageWithRun();
  expect((await anna.post('/me/view', { language: '', zone: 'Asia/Tehran' })).location).toBe('/me?done=view');
  expect((await anna.get('/me')).text).toContain('<option value="Asia/Tehran" selected>');
  expect((await anna.get('/audit')).text).toContain('chose a language and a time zone');
  for (const path of ['/', '/runs', `/runs/${RUN}`, `/runs/${RUN}/report.html`]) {
    const [hers, others] = [timesIn((await anna.get(path)).text), timesIn((await bea.get(path)).text)];
    expect(hers.length, path).toBeGreaterThan(0);
    expect(hers.map(({ utc }) => utc)).toEqual(others.map(({ utc }) => utc));
    for (const [at, { utc, title, shown }] of hers.entries()) {
      const plain = `${utc.slice(0, 10)} ${utc.slice(11, 19)} UTC`;
      expect([path, title]).toEqual([path, ` title="${plain}"`]);
      const other = others[at]?.shown ?? 'none';
      if (path.endsWith('.html')) {
        // The column of a report's rows names the zone once for all.
        expect(plain.startsWith(other)).toBe(true);
        expect(Date.parse(`${shown.slice(0, 19).replace(' ', 'T')}+03:30`)).toBe(
          Math.floor(Date.parse(utc) / 1_000) * 1_000,
        );
      } else {
        expect([path, other]).toEqual([path, expect.stringMatching(SHOWN)]);
        expect(minutesOf(other)).toBe(minutesOf(utc.slice(0, 16)));
        expect(minutesOf(shown)).toBe((minutesOf(other) + 210) % 1_440);
      }
    }
  }
});

/** Of the clock time in a text. */
function minutesOf(shown: string): number {
  const [, hours, minutes] = /(\d\d):(\d\d)/.exec(shown) ?? [];
  return Number(hours) * 60 + Number(minutes);
}

test.each([
  ['en', '3 Sept, 22:30', '31 Dec 2025, 23:30', 'Today, 23:45', '3 Sept, 23:45:04'],
  ['de', '3. Sept., 22:30', '31. Dez. 2025, 23:30', 'Heute, 23:45', '3. Sept., 23:45:04'],
  ['fr', '3 sept., 22:30', '31 déc. 2025, 23:30', 'Aujourd’hui, 23:45', '3 sept., 23:45:04'],
] as const)('in %s a time is %s, of another year %s, and today’s %s', (language, ...expected) => {
  loadTranslations();
  const nowMs = Date.parse('2026-09-03T22:00:00Z');
  const shown = (iso: string, form: TimeForm) =>
    asViewer({ language, timeZone: 'Europe/London', nowMs }, () => shownMoment(Date.parse(iso), form));
  expect([
    shown('2026-09-03T21:30:04Z', 'sentence'),
    shown('2025-12-31T23:30:00Z', 'list'),
    shown('2026-09-03T22:45:04Z', 'list'),
    shown('2026-09-03T22:45:04Z', 'exact'),
  ]).toEqual(expected);
});

test('a workbook has the times of who takes it, and CSV and JSON are the same for all', async () => {
  const { page, anna, bea } = await pageWithRun();
  await anna.post('/me/view', { language: '', zone: 'Asia/Tehran' });
  const [hers, others] = await Promise.all([anna, bea].map((one) => workbookOf(page, one.cookie)));
  expect(hers?.format).toContain('yyyy-mm-dd hh:mm:ss "Asia/Tehran"');
  expect(others?.format).toContain('yyyy-mm-dd hh:mm:ss "UTC"');
  const [before = 0, after = 0] = [others, hers].map((one) => one?.moments[0] ?? 0);
  expect(Math.round((after - before) * 24 * 60)).toBe(210);
  for (const name of ['report.csv', 'report.json']) {
    const [one, other] = await Promise.all([anna, bea].map((who) => who.get(`/runs/${RUN}/${name}`)));
    expect(one?.text).toBe(other?.text);
  }
});

async function workbookOf(page: Awaited<ReturnType<typeof openPage>>, cookie: string) {
  const request = new Request(`${page.origin}/runs/${RUN}/report.xlsx`, { headers: { cookie } });
  const answer = await page.app.fetch(request);
  const parts = await workbookParts(Buffer.from(await answer.arrayBuffer()));
  const sheet = parts.get('xl/worksheets/sheet2.xml') ?? '';
  const moments = [...sheet.matchAll(/<v>(4\d{4}\.\d+)<\/v>/g)].map(([, serial]) => Number(serial));
  return { format: (parts.get('xl/styles.xml') ?? '').replaceAll('&quot;', '"'), moments };
}

test('a zone or a language that is none counts as not chosen', async () => {
  const { anna } = await pageWithRun();
  await anna.post('/me/view', { language: 'xx', zone: 'Mars/Olympus"><script>' });
  const { text } = await anna.get('/me');
  expect(text).not.toContain('Olympus');
  expect(text).toContain('data-zone');
  expect(text).toContain('<html lang="en">');
  const [first] = timesIn((await anna.get('/runs')).text);
  expect(minutesOf(first?.shown ?? '')).toBe(minutesOf(first?.utc.slice(0, 16) ?? 'none'));
});

function inLanguage<Result>(language: Language, work: () => Result): Result {
  return asViewer({ language, timeZone: 'UTC' }, work);
}

test('a total is typed as it is shown, or plain, and nothing that means another amount to its reader is taken', () => {
  const languages = fc.constantFrom(...(Object.keys(LANGUAGE_NAMES) as Language[]));
  const minor = fc.bigInt({ min: 0n, max: 10n ** 15n });
  const decimals = fc.constantFrom(0, 2, 3, 6);
  fc.assert(
    fc.property(languages, minor, minor, decimals, (language, one, other, places) => {
      const [total, another] = [one, other].map((value) => formatMajor(value, places)) as [string, string];
      const shown = (amount: string) => inLanguage(language, () => amountText(amount, 'AUD'));
      const isTaken = (typed: string, of: string) => inLanguage(language, () => isTotal(typed, `${of} AUD`));
      const texts = [shown(total), shown(total).replace(' AUD', ''), ` ${shown(total).replace(/\s/g, '  ')} `];
      for (const text of texts) expect([text, isTaken(text, total)]).toEqual([text, true]);
      // What is plain with three decimals may be a number in groups.
      if (places !== 3) expect(isTaken(`${total} AUD`, total)).toBe(true);
      if (one !== other)
        for (const text of [shown(another), another]) expect([text, isTaken(text, total)]).toEqual([text, false]);
    }),
  );
});

test.each([
  ['de', '1.234', '1234', true],
  ['de', '1.234', '1.234', false],
  ['de', '1,234', '1.234', true],
  ['de', '1,234', '1234', false],
  ['en', '1,234', '1234', true],
  ['en', '1,234', '1.234', false],
  ['en', '1.234,50', '1234.50', false],
  ['fr', '1\u202f234,50', '1234.50', true],
  ['fr', '1 234,50', '1234.50', true],
  ['fr', '1.234,50', '1234.50', false],
  ['de', '1234.50', '1234.50', true],
  ['de', '12.34,50', '1234.50', false],
  ['de', '1.234,50 EUR', '1234.50', false],
] as const)('in %s %s typed for %s is taken: %s', (language, typed, total, expected) => {
  expect(inLanguage(language, () => isTotal(typed, `${total} AUD`))).toBe(expected);
});

test('months are those of the language', () => {
  expect(inLanguage('fr', () => [periodText('2026-11'), periodText('2026-Q4')])).toEqual(['novembre 2026', '2026-Q4']);
  expect(periodText('2026-11')).toBe('November 2026');
});

test('who asks first does not choose the language of why a file, a plan or a start was refused', async () => {
  speakPseudo('de');
  const gone = { code: 'file_changed', name: 'pay.csv' } as const;
  const refused = async () => ({ outcome: 'refused' as const, refusal: { reason: gone } });
  const page = await openPage({ isReal: true, tasks: { check: refused, plan: refused, resume: refused } });
  const anna = await page.first('Anna', ['preparer', 'approver']);
  await page.person('Bea', ['approver']);
  await anna.post('/me/view', { language: 'de', zone: '' });
  const form = new FormData();
  form.set('file', new File(['name\n'], 'pay.csv'));
  const id = (await anna.send('/uploads', form)).location?.split('/')[2] ?? '';
  const upload = await page.web.uploads.get(id);
  if (upload === null) throw new Error('no upload');
  await anna.post(`/uploads/${id}/plan`);
  await page.web.plannings.ended(upload);
  await (await writeLargeRun(page.journal, { runId: RUN, rows: 2, until: 0 })).release();
  await anna.post(`/runs/${RUN}/resume`);
  const paths = [`/uploads/${id}`, `/uploads/${id}/plan`, `/runs/${RUN}`];
  for (const path of paths)
    expect([path, (await anna.get(path)).text]).toEqual([path, expect.stringContaining('pay.csv⟦ changed while it')]);
  await anna.post('/me/view', { language: 'en', zone: '' });
  for (const path of paths) {
    const { text } = await anna.get(path);
    expect([path, text]).toEqual([path, expect.stringContaining('pay.csv changed while it was read')]);
    expect([path, text.includes('⟦')]).toEqual([path, false]);
  }
  const kept = JSON.stringify(await page.web.audit.list({ limit: 50 }));
  expect(kept.includes('⟦')).toBe(false);
});

test('what has words in it is worked out once for each language and time zone', () => {
  const worded = new Worded<object, string>();
  const [run, made] = [{}, [] as string[]];
  const look = (language: Language, timeZone: string, version = 1) =>
    asViewer({ language, timeZone }, () =>
      worded.of(run, version, () => {
        made.push(`${language} ${timeZone} ${version}`);
        return language;
      }),
    );
  const seen = [
    look('de', 'UTC'),
    look('en', 'UTC'),
    look('de', 'UTC'),
    look('de', 'Asia/Tokyo'),
    look('en', 'UTC', 2),
  ];
  expect(seen).toEqual(['de', 'en', 'de', 'de', 'en']);
  expect(made).toEqual(['de UTC 1', 'en UTC 1', 'de Asia/Tokyo 1', 'en UTC 2']);
});
