import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { counted } from '../../src/messages/text.ts';
import { either, plural, t, textTable } from '../../src/messages/translate.ts';
import { translatorOf } from '../../src/messages/translations.ts';
import { asViewer } from '../../src/messages/viewer.ts';
import { html } from '../../src/web/shell/html.ts';
import { SCRIPT_TEXTS } from '../../src/web/shell/script-texts.ts';
import { checkAll, checkTranslations, problemOf } from '../support/translations/check.ts';
import { messagesOfProject } from '../support/translations/extract.ts';
import { speak } from '../support/translations/pseudo.ts';

const { messages, problems } = messagesOfProject();

test('every text of the source can be seen by translators, and each language has what it has to', () => {
  expect(problems).toEqual([]);
  expect(checkAll(messages).flatMap(({ language, problems }) => problems.map((one) => `${language} ${one}`))).toEqual(
    [],
  );
  expect(messages.size).toBeGreaterThan(3_000);
});

test('a translation that is missing, is of no message, or has other placeholders is found', () => {
  const known = new Map([
    ['Sign in', []],
    ['Waits for {0}', []],
    ['{0, plural, one {# row} other {# rows}} of <a>{1}</a>', []],
    ['{0, select, yes {All} other {Some}} rows', []],
  ]);
  const of = (translations: Record<string, string>) => checkTranslations(translations, known);
  const whole = {
    'Sign in': 'Anmelden',
    'Waits for {0}': 'Wartet auf {0}',
    '{0, plural, one {# row} other {# rows}} of <a>{1}</a>': '<a>{1}</a>: {0, plural, one {# Zeile} other {# Zeilen}}',
    '{0, select, yes {All} other {Some}} rows': '{0, select, yes {Alle} other {Einige}} Zeilen',
  };
  expect(of(whole)).toEqual({ missing: [], problems: [] });
  const { 'Sign in': _, ...others } = whole;
  expect(of(others).missing).toEqual(['Sign in']);
  expect(of({ ...whole, 'Sign out': 'Abmelden' }).problems).toEqual(['is in the source no more: Sign out']);
  expect(problemOf('Waits for {0}', 'Wartet')).toBe('lacks {0}');
  expect(problemOf('Waits for {0}', 'Wartet auf {1}')).toBe('has {1}, and the message has not');
  expect(problemOf('See <a>it</a>', 'Siehe es')).toBe('lacks <a>');
  expect(problemOf(' and {0} more', 'und {0} weitere')).toBe('begins or ends with other blanks');
  expect(problemOf('Waits for {0}', 'Wartet auf {0')).toMatch(/^is no ICU message/);
  expect(problemOf('{0, plural, one {is} other {are}} sent', 'wurde gesendet')).toBe(null);
  expect(problemOf('{0, select, yes {All} other {Some}} rows', '{0} Zeilen')).toBe(
    'takes {0} as value, and it is select',
  );
});

test('the server has every text that the scripts of the page say, and no other', () => {
  const folder = join(import.meta.dirname, '../../src/web/static');
  const scripts = globSync(['*.js', 'review/*.js'], { cwd: folder }).map((name) =>
    readFileSync(join(folder, name), 'utf8'),
  );
  const said = scripts.flatMap((script) => Array.from(script.matchAll(/\bsay\(\s*'([^']*)'/g), ([, text]) => text));
  expect([...new Set(said)].toSorted()).toEqual(SCRIPT_TEXTS.toSorted());
  // What is set as text without `say` would stay English.
  const literals = scripts.flatMap(
    (script) => script.match(/(?:textContent = |text\('\w+', |button\()['`]\p{Lu}.*/gu) ?? [],
  );
  expect(literals).toEqual([]);
});

/** What this gives for viewers of a language with these translations. */
function inGerman<Result>(translations: Record<string, string>, work: () => Result): Result {
  speak('de', translatorOf('de', translations));
  return asViewer({ language: 'de', timeZone: 'UTC' }, work);
}

test('texts, words that agree with numbers, tables and templates are in the language of the viewer alone', () => {
  const translations = {
    'Waits for {0}.': 'Wartet auf {0}.',
    '{0, plural, one {# payout} other {# payouts}} of {1}':
      '{1}: {0, plural, one {# Auszahlung} other {# Auszahlungen}}',
    '{0, plural, one {# payout} other {# payouts}}': '{0, plural, one {# Auszahlung} other {# Auszahlungen}}',
    '{0, select, yes {All} other {The first}} rows': '{0, select, yes {Alle} other {Die ersten}} Zeilen',
    'Not now': 'Jetzt nicht',
    'See <a>the page of {0}</a> & <a2>others</a2>.': '<a2>Andere</a2> & <a>die Seite von {0}</a>.',
    'Find a name': 'Einen Namen suchen',
    // As they are found where the words are in a variable: a text of their own.
    '{0} of {1, select, yes {All} other {The first}}': '{1, select, yes {Alle} other {Die ersten}}: {0}',
    'Made of <b>{0}</b>': 'Aus <b>{0}</b>',
  };
  const table = textTable({ why: { now: 'Not now', mark: 'Not now' } }, ['mark']);
  const payouts = counted(2, 'payout');
  const texts = () => [
    t`Waits for ${'Anna {0}'}.`,
    t`${counted(1_200, 'payout')} of ${'July'}`,
    String(counted(1, 'payout')),
    t`${either(false, 'All', 'The first')} rows`,
    table.why.now,
    table.why.mark,
    t`Not translated: ${plural(2, 'it', 'them')}`,
    t`${payouts} of ${either(true, 'All', 'The first')}`,
    String(html`<p>Made of <b>${payouts}</b></p>`),
    String(
      html`<p class="Not now">See <a href="/x?a=${'b&c'}">the page of ${'<Bo>'}</a> &amp; <a class="y">others</a>.</p>`,
    ),
    String(html`<input placeholder="Find a name" value="${'"'}">`),
  ];
  const english = texts();
  expect(english.slice(0, 4)).toEqual(['Waits for Anna {0}.', '1,200 payouts of July', '1 payout', 'The first rows']);
  expect(inGerman(translations, texts)).toEqual([
    'Wartet auf Anna {0}.',
    'July: 1.200 Auszahlungen',
    '1 Auszahlung',
    'Die ersten Zeilen',
    'Jetzt nicht',
    'Not now',
    'Not translated: them',
    'Alle: 2 Auszahlungen',
    '<p>Aus <b>2 Auszahlungen</b></p>',
    '<p class="Not now"><a class="y">Andere</a> &amp; <a href="/x?a=b&amp;c">die Seite von &lt;Bo&gt;</a>.</p>',
    '<input placeholder="Einen Namen suchen" value="&quot;">',
  ]);
  expect(texts()).toEqual(english);
});

test('a language with the English messages as their translations says what English says', () => {
  const same = Object.fromEntries([...messages.keys()].map((message) => [message, message]));
  expect(checkTranslations(same, messages)).toEqual({ missing: [], problems: [] });
  const table = textTable({ it: "It's not {here}" });
  const texts = () => [
    t`A quote ' and braces {0} and <b> stay, "as" they are: '${1}'`,
    table.it,
    String(html`<ul><li>It’s <b>1 ${'<2>'}</b> &amp; {3}</li></ul>`),
  ];
  const own = {
    "A quote ' and braces '{'0'}' and '<'b> stay, \"as\" they are: ''{0}''":
      "A quote ' and braces '{'0'}' and '<'b> stay, \"as\" they are: ''{0}''",
    "It's not '{'here'}'": "It's not '{'here'}'",
    "It’s <b>1 {0}</b> & '{'3'}'": "It’s <b>1 {0}</b> & '{'3'}'",
  };
  expect(inGerman(own, texts)).toEqual(texts());
});
