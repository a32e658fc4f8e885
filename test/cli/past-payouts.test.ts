import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { PAST_PAYOUTS_MAX, readHistory } from '../../src/app/compare/past-payouts.ts';
import type { Entry, RunCreated } from '../../src/domain/entry.ts';
import { DEFAULT_PROFILE } from '../../src/domain/profile.ts';
import type { Payer } from '../../src/domain/run/entity.ts';
import type { PayeeHistory } from '../../src/input/checks/payee-history.ts';
import { RowMarks } from '../../src/input/checks/row-marks.ts';
import { problemWords } from '../../src/messages/problems/problem-words.ts';
import { ANYBODY, asViewer } from '../../src/messages/viewer.ts';
import { open } from '../journal/open-sqlite.ts';
import { endedPayout, sampleHeader, samplePlan, sampleRow } from '../journal/samples.ts';
import { temporaryFolder } from '../support/payrun.ts';

const AUD = { code: 'AUD', chain: null, decimals: 2 };
const REAL = { rehearsal: false, scope: 'https://pay.example/|key1' };
/** Who pays a file of no job for the company that a page begins with. */
const OF_NO_JOB = { job: null };
const REHEARSAL = { rehearsal: true, scope: 'shipped|rehearsal' };

/** The journal of `folder` gets a run of one payee, E2, that is paid `minor`; it is left open where it is not finished. */
async function addRun(folder: string, runId: string, about: Partial<RunCreated>, minor: string, status = 'COMPLETED') {
  const journal = open(join(folder, 'journal.db'));
  const header = { ...sampleHeader(runId, runId.repeat(20)), ...about };
  const row = sampleRow(2);
  const rows: Entry = { kind: 'rows', rows: [{ ...row, order: row.order && { ...row.order, amount_minor: minor } }] };
  const created = await journal.createRun({ header, rows: [rows], refuseRepeat: true });
  if (created.outcome !== 'created') throw new Error('not created');
  const counts = { completed: 1, failed: 0, rejected: 0, unresolved: 0, not_submitted: 0 };
  await created.writer.append([
    ...endedPayout(2, { minor, status: status as 'COMPLETED' | 'FAILED' }),
    { kind: 'finished', counts },
  ]);
  await journal.close();
}

/** The journal of `folder` gets so many plans that nobody starts. */
async function addPlans(folder: string, count: number, about: Partial<RunCreated>) {
  const journal = open(join(folder, 'journal.db'));
  for (let at = 1; at <= count; at++) {
    const header = { ...sampleHeader(`P${at}`, `plan ${at}`), ...about };
    const rows: Entry[] = [
      { kind: 'rows', rows: [sampleRow(2)] },
      { kind: 'planned', plan: samplePlan(header) },
    ];
    const created = await journal.createRun({ header, rows, refuseRepeat: true });
    if (created.outcome !== 'created') throw new Error(created.outcome);
    await created.writer.release();
  }
  await journal.close();
}

/** What E2 got before. */
function amountsOf(history: PayeeHistory): bigint[] {
  const marks = new RowMarks();
  const { order } = sampleRow(2);
  if (order === null) throw new Error('a sample without an order');
  marks.load(order);
  return history.paidBefore(marks)?.amounts ?? [];
}

it('a data directory without a journal is left as it is', async () => {
  const folder = join(temporaryFolder(), 'data');
  expect((await readHistory({ dataDir: folder }, OF_NO_JOB, null)).problems).toEqual([]);
  expect(existsSync(folder)).toBe(false);
  mkdirSync(folder);
  writeFileSync(join(folder, 'journal.db'), '');
  expect((await readHistory({ dataDir: folder }, OF_NO_JOB, null)).problems).toEqual([]);
});

it('completed payouts count, of every run', async () => {
  const folder = temporaryFolder();
  await addRun(folder, 'R1', REHEARSAL, '100');
  await addRun(folder, 'R2', REHEARSAL, '200');
  await addRun(folder, 'R3', REHEARSAL, '300', 'FAILED');
  const history = await readHistory({ dataDir: folder }, OF_NO_JOB, null);
  expect(amountsOf(history).toSorted()).toEqual([100n, 200n]);
  const header = sampleHeader('R1').input.header;
  // The last run paid nothing, and the one before it is not the last.
  expect(history.lastTotal(header, AUD)).toBeNull();
});

it('the last total is that of the newest run, with its id and time', async () => {
  const folder = temporaryFolder();
  await addRun(folder, 'R1', REHEARSAL, '100');
  await addRun(folder, 'R2', REHEARSAL, '200');
  const last = (await readHistory({ dataDir: folder }, OF_NO_JOB, null)).lastTotal(
    sampleHeader('R1').input.header,
    AUD,
  );
  expect(last).toMatchObject({ run: { id: 'R2' }, total: { minor: 200n } });
});

it('rehearsals and payments are not mixed, and payments count where there are some', async () => {
  const folder = temporaryFolder();
  await addRun(folder, 'R1', REAL, '100');
  await addRun(folder, 'R2', REHEARSAL, '200');
  await addRun(folder, 'R3', { ...REAL, rehearsal: true }, '300');
  expect(amountsOf(await readHistory({ dataDir: folder }, OF_NO_JOB, null))).toEqual([100n]);
  expect(amountsOf(await readHistory({ dataDir: folder }, OF_NO_JOB, DEFAULT_PROFILE))).toEqual([200n]);
});

it('a run is compared with runs at its own service, by its own key', async () => {
  const folder = temporaryFolder();
  await addRun(folder, 'R1', REAL, '100');
  await addRun(folder, 'R2', { ...REAL, scope: 'https://pay.example/|key2' }, '200');
  await addRun(folder, 'R3', { ...REAL, scope: 'https://other.example/|key1' }, '300');
  const profile = { ...DEFAULT_PROFILE, base_url: 'https://pay.example/', api_key: 'key1' };
  expect(amountsOf(await readHistory({ dataDir: folder }, OF_NO_JOB, profile))).toEqual([100n]);
  expect(amountsOf(await readHistory({ dataDir: folder }, OF_NO_JOB, { ...profile, api_key: 'key3' }))).toEqual([]);
  expect(amountsOf(await readHistory({ dataDir: folder }, OF_NO_JOB, null))).toEqual([300n]);
});

it('warnings show amounts of the same entity and, for a job, of that job alone', async () => {
  const folder = temporaryFolder();
  await addRun(folder, 'R1', { ...REAL, job: 'payroll' }, '100');
  await addRun(folder, 'R2', { ...REAL, job: null }, '200');
  for (let at = 0; at < 13; at++) await addRun(folder, `N${at}`, { ...REAL, entity: 'north' }, '300');
  const amounts = async (payer: Payer) => amountsOf(await readHistory({ dataDir: folder }, payer, null));
  expect(await amounts(OF_NO_JOB)).toEqual([200n, 100n]);
  expect(await amounts({ job: 'payroll', entity: 'main' })).toEqual([100n]);
  expect(await amounts({ job: 'bonus' })).toEqual([]);
  expect(await amounts({ job: null, entity: 'north' })).toEqual(Array(12).fill(300n));
  // The account is compared with that of the newest run of all.
  const { order } = sampleRow(2);
  const marks = new RowMarks();
  if (order !== null) marks.load(order);
  const history = await readHistory({ dataDir: folder }, OF_NO_JOB, null);
  expect(history.paidBefore(marks)?.run.id).toBe('N12');
  const total = (payer: Payer, file: PayeeHistory) => [
    payer,
    file.lastTotal(sampleHeader('R1').input.header, AUD)?.run.id,
  ];
  expect(total(OF_NO_JOB, history)).toEqual([OF_NO_JOB, 'R2']);
});

it('where no service is named, it is that of the payer’s newest payments', async () => {
  const folder = temporaryFolder();
  await addRun(folder, 'R1', REAL, '100');
  await addRun(folder, 'R2', { ...REAL, scope: 'https://north.example/|key2', entity: 'north' }, '200');
  expect(amountsOf(await readHistory({ dataDir: folder }, OF_NO_JOB, null))).toEqual([100n]);
  expect(amountsOf(await readHistory({ dataDir: folder }, { job: null, entity: 'north' }, null))).toEqual([200n]);
});

it('older runs beyond a hundred thousand payouts are left out', async () => {
  const folder = temporaryFolder();
  await addRun(folder, 'R1', { ...REHEARSAL, payouts: 1 }, '100');
  await addRun(folder, 'R2', { ...REHEARSAL, payouts: PAST_PAYOUTS_MAX - 1 }, '200');
  await addRun(folder, 'R3', { ...REHEARSAL, payouts: 1 }, '300');
  const history = await readHistory({ dataDir: folder }, OF_NO_JOB, null);
  expect(amountsOf(history).toSorted()).toEqual([200n, 300n]);
  expect(history.problems).toEqual([]);
});

it('a last run beyond a hundred thousand payouts is compared as far as it is read, and that is told', async () => {
  const folder = temporaryFolder();
  await addRun(folder, 'R1', REHEARSAL, '100');
  await addRun(folder, 'R2', { ...REHEARSAL, payouts: PAST_PAYOUTS_MAX + 1 }, '200');
  const history = await readHistory({ dataDir: folder }, OF_NO_JOB, null);
  expect(amountsOf(history)).toEqual([200n]);
  expect(history.lastTotal(sampleHeader('R1').input.header, AUD)).toBeNull();
  expect(history.problems).toMatchObject([
    {
      severity: 'warning',
      code: 'history_partly_read',
      params: { runId: 'R2', compared: 100_000, payouts: 100_001 },
    },
  ]);
  const [told] = asViewer({ ...ANYBODY, sees: () => false }, () =>
    history.problems.map((problem) => problemWords(problem, 'page').message),
  );
  expect(told).toBe(
    'Of the last payment, which you may not see, only the first 100,000 payouts were compared with this file.',
  );
});

it('plans that nobody started crowd out no run, and do not say which service is meant', async () => {
  const folder = temporaryFolder();
  await addRun(folder, 'R1', REHEARSAL, '100');
  await addPlans(folder, 100, { ...REAL, payouts: 25_000 });
  const history = await readHistory({ dataDir: folder }, OF_NO_JOB, null);
  expect(amountsOf(history)).toEqual([100n]);
  expect(history.lastTotal(sampleHeader('R1').input.header, AUD)).toMatchObject({ run: { id: 'R1' } });
});

it('a journal that another process is writing is read all the same', async () => {
  const folder = temporaryFolder();
  await addRun(folder, 'R1', REHEARSAL, '100');
  using writing = new DatabaseSync(join(folder, 'journal.db'));
  writing.exec('BEGIN IMMEDIATE; UPDATE run SET head_n = head_n + 1');
  expect(amountsOf(await readHistory({ dataDir: folder }, OF_NO_JOB, null))).toEqual([100n]);
  writing.exec('ROLLBACK');
});

it('a journal of the time before plans is read, and not changed', async () => {
  const folder = temporaryFolder();
  await addRun(folder, 'R1', REHEARSAL, '100');
  const path = join(folder, 'journal.db');
  using database = new DatabaseSync(path);
  database.exec('DROP TABLE projected_run; DROP TABLE projected_states; DROP TABLE projected_orders');
  database.exec('DROP INDEX run_job_period; ALTER TABLE run DROP COLUMN job_period');
  database.exec('ALTER TABLE run DROP COLUMN is_planned; PRAGMA user_version = 3');
  expect(amountsOf(await readHistory({ dataDir: folder }, OF_NO_JOB, null))).toEqual([100n]);
  expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: 3 });
});

it('a journal whose process was killed is read as it stands, and not changed', async () => {
  const folder = temporaryFolder();
  const other = join(folder, 'other');
  mkdirSync(other);
  // The one that stays open keeps what is written in the log beside the journal.
  const journal = open(join(folder, 'journal.db'));
  await addRun(folder, 'R1', REHEARSAL, '100');
  for (const name of ['journal.db', 'journal.db-wal']) copyFileSync(join(folder, name), join(other, name));
  await journal.close();
  const before = readFileSync(join(other, 'journal.db'));
  expect(amountsOf(await readHistory({ dataDir: other }, OF_NO_JOB, null))).toEqual([100n]);
  expect(readFileSync(join(other, 'journal.db')).equals(before)).toBe(true);
});

it.each([
  ['no database', (path: string) => writeFileSync(path, 'not a database, and longer than a header'.repeat(30))],
  ['of another program', (path: string) => new DatabaseSync(path).exec('CREATE TABLE mine (a)')],
])('a journal that is %s is told of', async (_, make) => {
  const folder = temporaryFolder();
  make(join(folder, 'journal.db'));
  expect((await readHistory({ dataDir: folder }, OF_NO_JOB, null)).problems).toMatchObject([
    { severity: 'warning', code: 'history_unreadable', params: { folder } },
  ]);
});

const EDITED_ENTRY = `DROP TRIGGER entry_is_never_changed;
  UPDATE entry SET data = replace(data, '"amount_minor":"100"', '"amount_minor":"9100"') WHERE kind = 'rows'`;
const EDITED_ORDERS = `UPDATE projected_orders SET orders = replace(orders, '"100"', '"9100"')`;

it.each([
  ['entry', EDITED_ENTRY],
  ['order that is stored beside the entries', EDITED_ORDERS],
  ['payout that is stored as not paid', "UPDATE projected_states SET states = 'f'"],
])('an edited %s is not believed', async (_, sql) => {
  const folder = temporaryFolder();
  await addRun(folder, 'R1', REHEARSAL, '100');
  using database = new DatabaseSync(join(folder, 'journal.db'));
  database.exec(sql);
  expect(amountsOf(await readHistory({ dataDir: folder }, OF_NO_JOB, null))).toEqual([100n]);
});

it('a journal that was edited, and has nothing beside its entries to rely on, is told of', async () => {
  const folder = temporaryFolder();
  await addRun(folder, 'R1', REHEARSAL, '100');
  using database = new DatabaseSync(join(folder, 'journal.db'));
  database.exec(`${EDITED_ENTRY}; ${EDITED_ORDERS}`);
  const history = await readHistory({ dataDir: folder }, OF_NO_JOB, null);
  expect(amountsOf(history)).toEqual([]);
  expect(history.problems).toMatchObject([{ code: 'history_unreadable' }]);
});
