import { describe, expect, test } from 'vitest';
import { type BankPlace, bankPlaceIn, type Fault, fault, problemPlace } from '../../src/domain/problem.ts';
import { ABA_HEADER, DETAIL } from '../../src/input/source/bank/fixed-width/aba.ts';
import { BACS_HEADER, PAYMENT } from '../../src/input/source/bank/fixed-width/bacs.ts';
import { NACHA_HEADER } from '../../src/input/source/bank/fixed-width/nacha.ts';
import {
  ADDENDA,
  BATCH_CONTROL,
  BATCH_HEADER,
  ENTRY,
  FILE_CONTROL,
  FILE_HEADER,
} from '../../src/input/source/bank/fixed-width/nacha-layout.ts';
import { ASKED_NAMES } from '../../src/input/source/encoding/encodings.ts';
import { UNREAD } from '../../src/input/source/encoding/unread.ts';
import { messages } from '../../src/messages/messages.ts';
import { PROBLEM_WORDS } from '../../src/messages/problems/all-problems.ts';
import { columnOption } from '../../src/messages/problems/header-text.ts';
import { problemWords } from '../../src/messages/problems/problem-words.ts';
import { COMPLETE, loadTranslations } from '../../src/messages/translations.ts';
import { ANYBODY, asViewer, type Language } from '../../src/messages/viewer.ts';
import { englishIn } from '../support/translations/left-in-english.ts';
import { speakPseudo } from '../support/translations/pseudo.ts';
import { PROBLEM_SAMPLES } from './problem-samples.ts';

const RUN = { id: 'R20261125-7K3M9QZ2', at: Date.UTC(2026, 10, 25), isRehearsal: false };
const SEVERAL = fault('rail_several_fit', {
  currency: 'USD',
  fitting: [
    { rail: 'USD_ACH', fields: ['account_number'] },
    { rail: 'USD_WIRE', fields: ['account_number'] },
  ],
});

/** Problems whose remedy depends on where it is read. */
const EACH: readonly Fault[] = [
  fault('encoding_undecided', { readings: [] }),
  fault('sheet_ambiguous', { sheets: ['July "net"', 'June'] }),
  fault('sheet_hidden', { sheets: ['June'] }),
  fault('other_sheets', { sheets: ['June'] }),
  fault('header_not_found', { rows: 20, likeliest: 1, headers: [{ header: 'Foglio', cell: 'A1' }] }),
  fault('column_missing', { column: 'amount', synonyms: ['net pay', 'Betrag'] }),
  fault('column_missing', { column: 'amount', like: { header: 'Amuont', isUnsure: false, other: null } }),
  fault('column_missing', { column: 'currency', proposed: null, paid: ['GBP'] }),
  fault('column_twice', {
    column: 'amount',
    cells: ['B1', 'C1'],
    first: 'Net',
    header: 'Gross "pay"',
    isSameHeader: false,
  }),
  fault('column_near_miss', { header: 'Refrence', column: 'reference', isUnsure: false }),
  fault('mapped_header_absent', { header: 'Gros', column: 'amount', row: 1, isOfJob: false }),
  fault('amount_ambiguous'),
  fault('amount_separators_mixed', { cells: [] }),
  fault('amount_wrong_separator'),
  SEVERAL,
  { ...SEVERAL, params: { ...SEVERAL.params, absentColumn: 'rail' } },
  fault('account_modulus_unchecked', { hasSubstitutions: false }),
  fault('history_unreadable', { folder: 'payrun', reason: 'it is damaged' }),
  fault('paid_before', { payee: 'Ada', run: RUN, more: 0, standing: 'paid' }),
  fault('paid_before', { run: RUN, all: 2, count: 1, rows: [2], others: { count: 1, rows: [3] }, isRetriable: true }),
  fault('unresolved_not_retried', {
    leftOut: { row: 2, how: 'not_final', runId: RUN.id },
    runId: RUN.id,
    look: `payrun show ${RUN.id}`,
  }),
];

const OPTION_OR_COMMAND = /--[a-z]|\bpayrun (?:check|plan|runs|retry|show)\b/;

test('every kind of problem has a title, in the language of its reader', () => {
  loadTranslations();
  const codes = Object.keys(PROBLEM_WORDS);
  const titlesIn = (language: Language) =>
    asViewer({ ...ANYBODY, language }, () => codes.map((code) => messages.problems.kindTitle(code)));
  const english = titlesIn('en');
  expect(codes.filter((_, at) => !/^[A-Z][^_]*$/.test(english[at] ?? ''))).toEqual([]);
  for (const language of COMPLETE)
    expect([language, titlesIn(language).filter((title, at) => title === english[at])]).toEqual([language, []]);
  expect(messages.problems.kindTitle('moon_full')).toBeNull();
});

test('translated problems have no English left, except names and texts from the file', () => {
  const codes = Object.entries(PROBLEM_WORDS).flatMap(([code, words]) => (typeof words === 'function' ? [code] : []));
  expect(codes.filter((code) => !Object.hasOwn(PROBLEM_SAMPLES, code))).toEqual([]);
  const samples = Object.entries(PROBLEM_SAMPLES).flatMap(([code, all]) => all.map((params) => ({ code, params })));
  const leftIn = (problem: { code: string; params: object }) =>
    (['page', 'page_copy'] as const).flatMap((audience) => {
      const { message, remedy } = problemWords(problem, audience);
      return [message, remedy, messages.problems.shortReason(problem) ?? ''].flatMap((text) => {
        const left = englishIn(text, problem.params);
        return left === '' ? [] : [`${problem.code}: ${left}`];
      });
    });
  const back = speakPseudo('de');
  const found = asViewer({ ...ANYBODY, language: 'de' }, () => [...samples, ...EACH].flatMap(leftIn));
  back();
  expect([...new Set(found)]).toEqual([]);
});

test('places, fields and encodings of bank files are named in the language of the reader', () => {
  loadTranslations();
  const { placeText, fieldName, encodingName } = messages.problems;
  const german = <Result>(work: () => Result) => asViewer({ ...ANYBODY, language: 'de' }, work);
  const places: BankPlace[] = [
    { in: 'record', record: 12, positions: null },
    { in: 'record', record: 12, positions: [31, 43] },
    { in: 'payment', payment: 12, line: 345, element: null },
    { in: 'payment', payment: 12, line: 345, element: 'Cdtr/Nm' },
    { in: 'element', element: 'GrpHdr/CtrlSum', line: 7 },
  ];
  const kept = places.map((place) => problemPlace({ sheet: null, row: 2, cell: null, place }));
  expect(kept.map(bankPlaceIn)).toEqual(places);
  expect(kept.map(placeText)).toEqual(kept);
  expect(german(() => [...kept, 'F17'].map(placeText))).toEqual([
    ...['Datensatz 12', 'Datensatz 12, Stellen 31–43', 'Zahlung 12 (CdtTrfTxInf 12, Zeile 345)'],
    ...['Zahlung 12 (CdtTrfTxInf 12, Zeile 345), Cdtr/Nm', 'GrpHdr/CtrlSum, Zeile 7', 'F17'],
  ]);
  const layouts = [DETAIL, PAYMENT, FILE_HEADER, BATCH_HEADER, ENTRY, ADDENDA, BATCH_CONTROL, FILE_CONTROL];
  const fields = layouts.flatMap((layout) => Object.entries(layout.fields));
  const checked = fields.flatMap(([field, [, , kind]]) => (kind === 'text' ? [] : [field]));
  const names = [...checked, ...ABA_HEADER, ...BACS_HEADER, ...NACHA_HEADER];
  // Spelled the same in both languages.
  const same = new Set(['name', 'bsb', 'label']);
  expect(names.filter((name) => !same.has(name) && german(() => fieldName(name)) === fieldName(name))).toEqual([]);
  const encodings = [...ASKED_NAMES, ...UNREAD];
  expect(encodings.filter((encoding) => encodingName(encoding) === encoding)).toEqual([]);
});

describe('what a problem advises', () => {
  test.each(EACH)('$code names options at the command line, and fields on the page', (problem) => {
    expect(problemWords(problem, 'command_line').remedy).toMatch(OPTION_OR_COMMAND);
    for (const audience of ['page', 'page_copy'] as const) {
      const { remedy } = problemWords(problem, audience);
      expect(remedy).not.toMatch(OPTION_OR_COMMAND);
      expect(remedy).toMatch(/^[A-Z].*\.$/);
      expect(remedy.match(/“(?:Columns|File settings)”(?: on the page)?/)?.[0].endsWith('page') ?? true).toBe(
        audience === 'page_copy' || !remedy.includes('“'),
      );
    }
  });

  test('is the same everywhere where nothing depends on where it is read', () => {
    const remedies = (['command_line', 'page', 'page_copy'] as const).map(
      (audience) => problemWords(fault('name_missing'), audience).remedy,
    );
    expect(new Set(remedies)).toEqual(new Set(['Write the name of the person or company that is paid.']));
  });

  test('quotes sheets and headers so that the option can be pasted', () => {
    expect(problemWords(fault('sheet_hidden', { sheets: ['July "net"'] }), 'command_line').remedy).toBe(
      'Say which one is to be read, for example with --sheet "July \\"net\\"".',
    );
    expect(columnOption('Pay $`x` "net"', null)).toBe('--column "Pay \\$\\`x\\` \\"net\\"="');
  });

  test('has the advice for a missing column before that for its cells', () => {
    const problem = { ...SEVERAL, params: { ...SEVERAL.params, absentColumn: 'rail' } };
    expect(problemWords(problem, 'page').remedy).toBe(
      'Add a column with the header rail. Write the one that is meant into the column rail. Or choose one for all such rows under “File settings”.',
    );
  });

  test('is that of the run where it has nothing to correct', () => {
    const problem = fault('nothing_to_correct', { reason: { code: 'not_finished', runId: RUN.id } });
    expect(problemWords(problem, 'page')).toEqual({
      message: `${RUN.id} is not finished. Nothing was sent.`,
      remedy: 'Continue it first, on its page.',
    });
  });

  test('gives way to what is more certain', () => {
    const invalid = fault('iban_checksum');
    const alone = { ...invalid, params: { better: { do: 'write_alone', text: 'DE02' } } };
    expect(problemWords(alone, 'page')).toEqual({
      message: problemWords(invalid, 'page').message,
      remedy: 'Write only DE02: the rest of the cell is invisible, or does not belong there.',
    });
  });

  test('is missing where another version of payrun has kept a code or parameters that this one does not know', () => {
    expect(problemWords({ code: 'moon_full', params: {} }, 'page')).toEqual({ message: 'moon full.', remedy: '' });
    const kept = { code: 'retried_before', params: { left: 'Row 2 was paid in R1.' } };
    expect(problemWords(kept, 'page')).toEqual({ message: 'retried before.', remedy: '' });
    const other = { code: 'corrects_no_row', params: { runId: 'R1', why: 'It is of nobody.' } };
    expect(problemWords(other, 'page')).toEqual({ message: 'corrects no row.', remedy: '' });
  });
});
