import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TimeSlice } from '../../src/app/background/time-slice.ts';
import { shownCheck } from '../../src/app/check/check-result.ts';
import { checkTask } from '../../src/compose/page/check-task.ts';
import type { Entry } from '../../src/domain/entry.ts';
import { assert, Refusal } from '../../src/domain/refusal.ts';
import { type CommandLine, plainCommand } from '../../src/messages/command-line.ts';
import { pageSteps } from '../../src/messages/page-steps.ts';
import { refusalOnPage } from '../../src/messages/refusals/refusal.ts';
import { stopText } from '../../src/messages/stop-words.ts';
import { machineClock } from '../../src/platform/machine.ts';
import { writeReports } from '../../src/report/write.ts';
import { doubtsPart, shownDoubts } from '../../src/web/runs/doubts.ts';
import { resultFigures } from '../../src/web/runs/result-figures.ts';
import { resultPage } from '../../src/web/runs/result-page.ts';
import { RowIndex, RowSearch } from '../../src/web/runs/rows/row-index.ts';
import { FIRST_ROWS, rowsPage } from '../../src/web/runs/rows/rows.ts';
import { runTotals } from '../../src/web/runs/totals.ts';
import { checkPage, uncheckedPage } from '../../src/web/uploads/check-page.ts';
import { DEFAULT_READING, type Upload } from '../../src/web/uploads/uploads.ts';
import { everyState, exampleRun, intent, payoutRow } from '../report/example-run.ts';
import { workbookParts } from '../report/workbook-text.ts';
import { commandHere } from '../support/command-here.ts';
import { commandsIn } from '../support/commands-in.ts';
import { temporaryFolder } from '../support/payrun.ts';

const CORPUS = join(import.meta.dirname, '..', 'input', 'corpus');

const UPLOAD: Upload = {
  id: 'u',
  name: 'pay.csv',
  kind: '.csv',
  bytes: 1,
  sha256: '',
  personId: 'p',
  at: 0,
  changedAt: 0,
  job: null,
  connectionId: null,
  reading: DEFAULT_READING,
  revision: 1,
  mends: null,
  corrects: null,
  runId: null,
  removed: null,
};

test('every file of the corpus is told in words of the page, and so is the copy that is taken from it', async () => {
  const dataDir = temporaryFolder();
  const start = { start_date: '', start_time: '', start_zone: 'UTC' };
  const of = { upload: UPLOAD, by: { name: 'Ben', over: null }, mayPrepare: true, jobs: null, start, removal: null };
  let copies = 0;
  for (const name of readdirSync(CORPUS).filter((one) => !/^\.|\.(?:ts|md|json)$/.test(one))) {
    const words = ['check', join(CORPUS, name), '--json', '--data-dir', dataDir];
    const copy = join(dataDir, `${name}.marked.xlsx`);
    const answer = JSON.parse(await commandHere(words));
    const file = { path: join(CORPUS, name), name, job: null, reading: DEFAULT_READING, corrects: null, memory: null };
    const check = (to: 'annotated' | null) =>
      checkTask(
        { dataDir },
        {
          ...file,
          entity: 'main',
          forgetColumns: false,
          copy: to && { kind: to, path: copy, language: 'en', namesRuns: true },
        },
      );
    const page =
      'problems' in answer ? checkPage(of, shownCheck(await check(null))) : uncheckedPage(of, await refusedHere(check));
    expect([name, commandsIn(String(page))]).toEqual([name, []]);
    const told = [...(answer.problems ?? []), ...(answer.groups ?? [])].map(({ message, remedy }) => message + remedy);
    if (told.every((text) => commandsIn(text).length === 0)) continue;
    await check('annotated');
    if (!existsSync(copy)) continue;
    copies++;
    for (const [part, text] of await workbookParts(readFileSync(copy)))
      expect([name, part, commandsIn(text)]).toEqual([name, part, []]);
  }
  expect(copies).toBeGreaterThan(5);
});

/** What the page shows of a check that was refused. */
async function refusedHere(check: (to: null) => Promise<unknown>): Promise<{ message: string; remedy: string }> {
  const thrown = await check(null).catch((error: unknown) => error);
  assert(thrown instanceof Refusal, 'the check was not refused');
  return refusalOnPage(thrown);
}

/** A run with a doubt of each kind, and one that stopped for a reason with commands in it. */
function doubtfulRun() {
  const abouts = ['no_expiry', 'incomplete', 'candidate', 'mismatch', 'twice'] as const;
  const rows = [...abouts.keys()].map((at) => payoutRow(at + 2));
  const doubts = abouts.flatMap((about, at): Entry[] => [
    intent(at + 2),
    { kind: 'doubt', row: at + 2, attempt: 1, reason: 'the service answered 500' },
    { kind: 'unresolved', about, transactions: ['tx_9'], row: at + 2, attempt: 1, reason: 'nobody knows' },
  ]);
  rows.push(payoutRow(9));
  const states = ['unresolved'] as const;
  const payees = [{ state: 'unresolved', name: 'Ada', target: 'account', rows: [9] }] as const;
  const why = { code: 'open_payees', rows: 1, count: 1, payees, states } as const;
  const message = stopText(why, 'command_line');
  return exampleRun(rows, [
    ...doubts,
    { kind: 'suspected', row: 9, attempt: 0, transactions: ['tx_8'], reason: 'an old copy' },
    { kind: 'stopped', reason: 'person_needed', message, why },
  ]);
}

test('a report that is taken from the page names what the page has, in every format', async () => {
  const finished: Entry = {
    kind: 'finished',
    counts: { completed: 0, failed: 1, rejected: 1, unresolved: 0, not_submitted: 0 },
  };
  const failed = exampleRun(
    [payoutRow(2), payoutRow(3)],
    [
      intent(2),
      { kind: 'accepted', row: 2, attempt: 1, transaction_id: 'tx_2', by: 'answer' },
      intent(3),
      { kind: 'rejected', row: 3, attempt: 1, code: 'NOT_PAYABLE', message: 'Not payable.', spent: true },
      finished,
    ],
  );
  const formats = ['csv', 'html', 'json', 'xlsx', 'pain002', 'camt054'] as const;
  const texts = async (command: CommandLine, run: typeof failed) => {
    const head = { n: 1, hash: 'a'.repeat(64) };
    const paths = await writeReports({ run, head, directory: temporaryFolder(), formats, version: '1', command });
    const found: string[] = [];
    for (const path of paths) {
      const bytes = readFileSync(path);
      const parts = path.endsWith('.xlsx') ? [...(await workbookParts(bytes)).values()].join('\n') : bytes.toString();
      found.push(parts);
    }
    return found;
  };
  for (const run of [failed, doubtfulRun(), everyState()]) {
    for (const [at, text] of (await texts(pageSteps, run)).entries())
      expect([formats[at], commandsIn(text)]).toEqual([formats[at], []]);
    expect((await texts(plainCommand, run)).flatMap(commandsIn).length).toBeGreaterThan(3);
  }
  const [, page, , workbook] = await texts(pageSteps, failed);
  for (const text of [page, workbook]) {
    expect(text).toContain('“Pay again unchanged” on the page of run ');
    expect(text).toContain('“Correct these rows” on the page of run ');
  }
  const [csv, doubtful] = await texts(pageSteps, doubtfulRun());
  expect(csv).toContain('“It was sent”, as tx_9, at row 4 under “Needs you”, on the page of run ');
  expect(doubtful).toContain('“Go on” then sends it again');
  expect(doubtful).toContain(
    'It stopped: 1 row of 1 payee waits: whether the account of Ada (row 9) was made is not known.',
  );
});

test('the page of a result names no command; a doubt names one on purpose, for whoever operates payrun', async () => {
  for (const state of [everyState(), doubtfulRun()]) {
    const run = { ...state, rows: [...state.rows] };
    const followed = { run, rows: new RowIndex(), search: new RowSearch(run), n: 1 };
    followed.rows.add(run, { kind: 'rows', rows: run.rows });
    const turns = new TimeSlice(machineClock);
    const doubts = shownDoubts(followed);
    const rows = await rowsPage(followed, FIRST_ROWS, turns);
    const figures = await resultFigures(followed, turns);
    const refused = refusalOnPage(new Refusal({ code: 'not_finished', runId: 'R1' }));
    const result = {
      upload: null,
      comments: [],
      compared: null,
      proof: () => false,
      figures,
      totals: runTotals(followed, 'finished'),
      doubts,
      retriedBy: [],
      retryable: [],
      refused,
      head: { n: 1, hash: 'a' },
      mayAct: true,
      mayPlan: true,
    };
    expect(commandsIn(String(await resultPage(run, 'R1', { ...result, rows })))).toEqual([]);
    expect(commandsIn(String(await doubtsPart('R1', doubts, { mayAct: true })))).toEqual([]);
  }
});
