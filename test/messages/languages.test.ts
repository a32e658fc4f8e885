import { expect, test } from 'vitest';
import { Refusal } from '../../src/domain/refusal.ts';
import { plainCommand } from '../../src/messages/command-line.ts';
import { type Catalogue, ENGLISH } from '../../src/messages/english.ts';
import { problemWords } from '../../src/messages/problems/problem-words.ts';
import { refusalOnPage, refusalText } from '../../src/messages/refusals/refusal.ts';
import { htmlReport } from '../../src/report/html/html.ts';
import { reportRows } from '../../src/report/model/rows.ts';
import { everyState, exampleRun, payoutRow } from '../report/example-run.ts';

const PLACE = { command: plainCommand, near: (file: string) => file };

/** A language as far as the tests read it. It does not compile where a subject or a code is missing. */
const GERMAN: Catalogue = {
  ...ENGLISH,
  problems: {
    ...ENGLISH.problems,
    problems: {
      ...ENGLISH.problems.problems,
      amount_missing: { message: 'Der Betrag fehlt.', remedy: 'Tragen Sie ihn ein.' },
    },
  },
  refusals: {
    reasons: {
      ...ENGLISH.refusals.reasons,
      others_started: () => ({ message: 'Andere Läufe begannen.', nothingSent: true, remedy: 'Noch einmal.' }),
    },
    nothingSent: 'Nichts wurde gesendet.',
  },
  report: {
    ...ENGLISH.report,
    language: 'de',
    outcomes: { ...ENGLISH.report.outcomes, outcomeText: ({ why }) => `Grund: ${why}` },
    summary: { ...ENGLISH.report.summary, headlineText: ({ completed }) => `${completed} bezahlt` },
  },
};

test('a problem has the words of the catalogue that is given', () => {
  const problem = { code: 'amount_missing', params: {} };
  expect(problemWords(problem, 'page', GERMAN.problems)).toEqual({
    message: 'Der Betrag fehlt.',
    remedy: 'Tragen Sie ihn ein.',
  });
});

test('a refusal has them, also where it adds that nothing was sent', () => {
  const refusal = new Refusal({ code: 'others_started' });
  const words = { message: 'Andere Läufe begannen. Nichts wurde gesendet.', remedy: 'Noch einmal.' };
  expect(refusalText(refusal, PLACE, GERMAN.refusals)).toMatchObject(words);
  expect(refusalOnPage(refusal, GERMAN.refusals)).toMatchObject(words);
});

test('a report has them in its page and in its rows', () => {
  const [row] = reportRows(exampleRun([payoutRow(2)]), plainCommand, GERMAN.report);
  expect(row?.message).toBe('Grund: not_sent_yet');
  const report = {
    ...{ run: everyState(), head: { n: 1, hash: '0'.repeat(64) }, version: '1', retriedBy: [], approvals: [] },
    ...{ since: { rows: new Map(), asOf: null }, command: plainCommand, words: GERMAN.report },
  };
  const page = [...htmlReport(report).start()].join('');
  expect(page).toContain('<html lang="de">');
  expect(page).toContain('<h1>1 bezahlt</h1>');
});
