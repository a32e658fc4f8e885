import { expect, test } from 'vitest';
import { isTimeZone, LANGUAGE_NAMES } from '../../src/messages/viewer.ts';
import { speakPseudo } from '../support/translations/pseudo.ts';
import { office, pathsOf, payroll } from './walked-office.ts';

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
  // Of the language itself.
  ...['November', 'Dezember', 'Nov.', 'Dez.', 'und'],
  ...['Montag', 'Dienstag', 'Mittwoch', 'Donnerstag', 'Freitag', 'Samstag', 'Sonntag'],
];

const PATTERNS = [
  /\b[A-Z]{2}[\w-]*\d[\w-]*|\b(?:R\d{8}|[a-z]{3,4}_)[\w-]+|\bPRW\w+/g,
  // Codes, currencies, formats, columns, permissions, hashes and keys.
  /\b[A-Z][A-Z0-9_]+\b|\b[a-z]+(?:_[a-z0-9]+)+\b|\b[a-z]+:[a-z]+\b|[\w-]{16,}/g,
  /\S+@\S+|\/\S+|https?:\S+|\b\d+ s\b/g,
];

/** The list of activity has members of what was recorded by their names, the sheet columns by theirs; without the files, which are data. */
const SKIPPED = /\/audit|\/sheet|\/map$|\/events|\/static|\/me\/app|\/jobs$|\.(?:csv|json|xlsx|xml|txt)$/;

test('no word of the page or of its reports is in English for who reads another language', async () => {
  const back = speakPseudo('de');
  const here = await office();
  const { page, ben, anna } = here;
  const ids = await payroll(here);
  const adam = await page.person('Adam', ['preparer', 'approver', 'viewer', 'administrator']);
  const found = new Map<string, string>();
  let pages = 0;
  for (const browser of [adam, ben, anna]) {
    await browser.post('/me/view', { language: 'de', zone: 'UTC' });
    for (const path of pathsOf(page, 'GET', ids)) {
      if (SKIPPED.test(path)) continue;
      const { headers, text } = await browser.get(path);
      if (!headers.get('content-type')?.includes('html')) continue;
      pages++;
      if (text.includes('<html')) expect([path, text]).toEqual([path, expect.stringContaining('<html lang="de"')]);
      for (const one of untranslated(text)) {
        const plain = DATA.reduce((left, data) => left.replaceAll(data, ' '), one);
        const left = PATTERNS.reduce((text, pattern) => text.replaceAll(pattern, ' '), plain);
        if (/\p{L}{2}/u.test(left) && !isTimeZone(one)) found.set(one, path);
      }
    }
  }
  back();
  expect(pages).toBeGreaterThan(100);
  expect([...found]).toEqual([]);
});

test('a literal beside translated texts is found', () => {
  expect(untranslated('<p title="⟦Fine⟧">⟦Waits for ⟧<b>none</b>⟦.⟧</p><th>Amount</th><script>said</script>')).toEqual([
    'none',
    'Amount',
  ]);
  expect(untranslated('<input placeholder="Search"><p>⟦All is ⟧<em>⟦well⟧</em></p>')).toEqual(['Search']);
});
