import { expect, test } from 'vitest';
import { Refusal } from '../../src/domain/refusal.ts';
import type { Catalogue } from '../../src/messages/catalogue.ts';
import { plainCommand } from '../../src/messages/command-line.ts';
import { ENGLISH } from '../../src/messages/english.ts';
import { ENGLISH as ENGLISH_PROBLEMS } from '../../src/messages/problems/english.ts';
import { problemsIn } from '../../src/messages/problems/problem-words.ts';
import type { ProblemCatalogue } from '../../src/messages/problems/words.ts';
import { ENGLISH_REFUSALS, type RefusalCatalogue, refusalsIn } from '../../src/messages/refusals/refusal.ts';
import { htmlReport } from '../../src/report/html/html.ts';
import { reportRows } from '../../src/report/model/rows.ts';
import { everyState, exampleRun, payoutRow } from '../report/example-run.ts';

const PLACE = { command: plainCommand, near: (file: string) => file };

const PROBLEMS: ProblemCatalogue = {
  ...ENGLISH_PROBLEMS,
  problems: {
    ...ENGLISH_PROBLEMS.problems,
    amount_missing: { message: 'Der Betrag fehlt.', remedy: 'Tragen Sie ihn ein.' },
  },
};

const REFUSALS: RefusalCatalogue = {
  reasons: {
    ...ENGLISH_REFUSALS.reasons,
    others_started: () => ({ message: 'Andere Läufe begannen.', nothingSent: true, remedy: 'Noch einmal.' }),
  },
  nothingSent: 'Nichts wurde gesendet.',
};

/** A language as far as the tests read it. It does not compile where a subject or a code is missing. */
const GERMAN: Catalogue = {
  ...ENGLISH,
  problems: { ...ENGLISH.problems, ...problemsIn(PROBLEMS) },
  refusals: refusalsIn(REFUSALS),
  outcomes: {
    ...ENGLISH.outcomes,
    rehearsalBand: () => 'PROBE: es fließt kein Geld',
    outcomeText: ({ why }) => `Grund: ${why}`,
  },
  summary: { ...ENGLISH.summary, headlineText: ({ completed }) => `${completed} bezahlt` },
};

test('a problem has the words of its language, alone and in a line', () => {
  const { problemWords, problemLine, worded } = GERMAN.problems;
  const problem = { code: 'amount_missing', params: {} };
  const words = { message: 'Der Betrag fehlt.', remedy: 'Tragen Sie ihn ein.' };
  expect(problemWords(problem, 'page')).toEqual(words);
  expect(worded(problem, 'page')).toEqual({ ...problem, ...words });
  expect(problemLine(problem)).toBe('Der Betrag fehlt. Tragen Sie ihn ein.');
});

test('a refusal has them, also where it adds that nothing was sent', () => {
  const refusal = new Refusal({ code: 'others_started' });
  const words = { message: 'Andere Läufe begannen. Nichts wurde gesendet.', remedy: 'Noch einmal.' };
  expect(GERMAN.refusals.refusalText(refusal, PLACE)).toMatchObject(words);
  expect(GERMAN.refusals.refusalOnPage(refusal)).toMatchObject(words);
});

test('a report has them in its page and in its rows', () => {
  const [row] = reportRows(exampleRun([payoutRow(2)], [], { rehearsal: true }), plainCommand, GERMAN);
  expect(row?.result.message).toBe('PROBE: es fließt kein Geld. Grund: not_sent_yet');
  const report = {
    ...{ run: everyState(), head: { n: 1, hash: '0'.repeat(64) }, version: '1', retriedBy: [], approvals: [] },
    ...{ since: { rows: new Map(), asOf: null }, command: plainCommand, words: GERMAN },
  };
  const page = [...htmlReport(report).start()].join('');
  expect(page).toContain('<h1>1 bezahlt</h1>');
});
