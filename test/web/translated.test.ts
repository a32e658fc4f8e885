import { expect, test } from 'vitest';
import { z } from 'zod';
import { isTimeZone, LANGUAGE_NAMES } from '../../src/messages/viewer.ts';
import { NOTICE_EVENTS } from '../../src/web/notices/choices.ts';
import { speakPseudo } from '../support/translations/pseudo.ts';
import { office, pathsOf, payroll } from './walked-office.ts';
import type { Answer } from './web-page.ts';

/** Elements that stand within a sentence. */
const INLINE =
  /<\/?(?:a|abbr|b|bdi|cite|code|data|del|dfn|em|i|ins|kbd|mark|q|s|samp|small|span|strong|sub|sup|time|u|var)\b[^>]*>/g;
const READ = / (?:aria-label|aria-description|title|placeholder|alt|data-label)="([^"]*)"/g;

/** What stands in no ⟦ and ⟧ of the texts of a page, and has letters. */
function untranslated(page: string): string[] {
  const body = page.replace(/<!--[\s\S]*?-->|<(script|style|svg|textarea|pre)\b[\s\S]*?<\/\1>/g, ' ');
  const attributes = Array.from(body.matchAll(READ), ([, text = '']) => text);
  return [...attributes, ...body.replace(INLINE, ' ').split(/<[^>]*>/)]
    .map((text) =>
      text
        .replace(/⟦[^⟦⟧]*⟧/g, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter((text) => /\p{L}{2}/u.test(text));
}

/** What is no text of ours: names, texts and numbers of the office, and what programs call things. */
const DATA = [
  ...Object.values(LANGUAGE_NAMES),
  ...[
    'bonus-of-zebulon.csv',
    'pay-of-waldemar.csv',
    'draft-for-draftmann.csv',
    'Adam',
    'Anna',
    'Ben',
    'Main',
    'main',
    'other',
    'Zebulon Quixworth',
    'REHEARSE_KYB Ysolde',
    'Wrongly Entered',
  ],
  ...['Waldemar Ingersoll', 'Draftmann Only', 'Bonus of zebulon', 'Pay of waldemar', 'Draft for draftmann'],
  ...['a remark about pay', 'a doubt about pay', 'zebulon', 'Revolut Business bulk payments', 'Wise batch payments'],
  // What the service says, and who makes it.
  ...[
    'The verification of the recipient as a business failed.',
    'payrun@desk-7',
    'payrun',
    'pay run',
    'pain.002',
    'camt.054',
  ],
  // Formats of files, and what this office has in the place of its profiles.
  ...['html', 'this page reads no profiles'],
  'und',
];

/** German months and weekdays, as written in dates. */
function calendarWords(form: 'long' | 'short'): string[] {
  const parts = new Intl.DateTimeFormat('de', { weekday: form, day: 'numeric', month: form });
  const days = Array.from({ length: 366 }, (_, day) => parts.formatToParts(Date.UTC(2027, 0, day)));
  return days.flat().flatMap(({ type, value }) => (type === 'month' || type === 'weekday' ? [value] : []));
}

const CALENDAR = [...new Set([...calendarWords('long'), ...calendarWords('short')])].join('|').replaceAll('.', '\\.');

const PATTERNS = [
  new RegExp(`(?<!\\p{L})(?:${CALENDAR})(?!\\p{L})`, 'gu'),
  // Hashes and keys first, since part of one may look like a code.
  /[\w-]{16,}/g,
  // Headers of the files, as they stand in the sheet, alone or behind the letter of their column.
  /^(?:[A-H] )?(?:name|amount|currency|rail|reference)$/g,
  /\b\d+ s\b/g,
  /\b[A-Z]{2}[\w-]*\d[\w-]*|\b(?:R\d{8}|[a-z]{3,4}_)[\w-]+|\bPRW\w+/g,
  // Codes, currencies, formats, columns and permissions.
  /\b[A-Z][A-Z0-9_]+\b|\b[a-z]+(?:_[a-z0-9]+)+\b|\b[a-z]+:[a-z]+\b/g,
];

const PATHS = /\S+@\S+|https?:\S+|\/\S+/g;

/** Files, which are data, and streams. */
const SKIPPED = /\/events|\/static|\.(?:csv|json|xlsx|xml|txt)$/;

/** Words that are neither texts of ours nor data. */
function literalsIn(texts: readonly string[]): string[] {
  return texts.filter((text) => {
    const plain = DATA.reduce((left, data) => left.replaceAll(data, ' '), text.replace(PATHS, ' '));
    const left = PATTERNS.reduce((left, pattern) => left.replaceAll(pattern, ' '), plain);
    return /\p{L}{2}/u.test(left) && !isTimeZone(text);
  });
}

/** The texts of an answer that people read: of a page, or what a script shows. */
function textsOf({ headers, text }: Answer): string[] {
  const type = headers.get('content-type') ?? '';
  if (type.includes('html')) return untranslated(text);
  if (!type.includes('json')) return [];
  const { message = '', remedy = '' } = said.safeParse(JSON.parse(text)).data ?? {};
  return untranslated(`${message}<br>${remedy}`);
}

const said = z.looseObject({ message: z.string().optional(), remedy: z.string().optional() });

test('no word of the page, its reports and mails is in English for who reads another language, and no record is in that', async () => {
  const back = speakPseudo('de');
  const here = await office();
  const { page, ben, anna, caught } = here;
  const adam = await page.person('Adam', ['preparer', 'approver', 'viewer', 'administrator']);
  const notices = { address: 'a@example.org', events: NOTICE_EVENTS };
  for (const browser of [adam, ben, anna]) {
    await browser.post('/me/view', { language: 'de', zone: 'UTC' });
    await browser.post('/me/notices', notices);
  }
  const ids = await payroll(here);
  const found = new Map<string, string>();
  const look = (texts: readonly string[], path: string) => {
    for (const one of literalsIn(texts)) found.set(one, path);
  };
  let pages = 0;
  for (const browser of [adam, ben, anna])
    for (const path of pathsOf(page, 'GET', ids)) {
      if (SKIPPED.test(path)) continue;
      const answer = await browser.get(path);
      if (!answer.headers.get('content-type')?.includes('html')) continue;
      // Placeholders shown until the rest is ready.
      look(textsOf(await browser.get(path, { 'x-refresh': '1' })), path);
      pages++;
      if (answer.text.includes('<html'))
        expect([path, answer.text]).toEqual([path, expect.stringContaining('<html lang="de"')]);
      look(textsOf(answer), path);
    }
  expect(pages).toBeGreaterThan(100);

  await page.web.store.run('DELETE FROM notice');
  await page.web.notices.look(new AbortController().signal);
  expect(caught.mails.length).toBeGreaterThan(1);
  for (const { text } of caught.mails) {
    const { subject, lines } = letter.parse(JSON.parse(text));
    for (const line of [subject, ...lines]) look(untranslated(line), `the mail ${subject}`);
  }

  // What is not filled in is refused.
  let refusals = 0;
  for (const browser of [ben, anna, adam])
    for (const path of pathsOf(page, 'POST', ids)) {
      if (/\/(?:sign-out|view)$/.test(path)) continue;
      const answer = await browser.post(path, {}, { 'accept-language': 'de' });
      if (answer.status >= 400) refusals++;
      look(textsOf(answer), `POST ${path}`);
    }
  expect(refusals).toBeGreaterThan(100);
  back();
  expect([...found]).toEqual([]);

  const recorded = [JSON.stringify(await page.web.audit.list({ limit: 10_000 }))];
  for (const id of ids.runs)
    for await (const entries of page.journal.readRun(id))
      recorded.push(...entries.map((entry) => JSON.stringify(entry)));
  expect(recorded.filter((record) => record.includes('⟦'))).toEqual([]);
});

const letter = z.object({ subject: z.string(), lines: z.array(z.string()) });

test('a literal beside translated texts is found', () => {
  expect(untranslated('<p title="⟦Fine⟧">⟦Waits for ⟧<b>none</b>⟦.⟧</p><th>Amount</th><script>said</script>')).toEqual([
    'none',
    'Amount',
  ]);
  expect(untranslated('<input placeholder="Search"><p>⟦All is ⟧<em>⟦well⟧</em></p>')).toEqual(['Search']);
});
