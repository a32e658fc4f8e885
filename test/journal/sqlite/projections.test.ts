import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../src/domain/entry.ts';
import { type Journal, JournalDamaged } from '../../../src/journal/journal.ts';
import { openJournalToRead } from '../../../src/journal/open.ts';
import { foldPages } from '../../../src/journal/pages.ts';
import { pageHash, projectionProof } from '../../../src/journal/projections/run-projection.ts';
import { reportRows } from '../../../src/report/model/rows.ts';
import { programOf } from '../../support/program.ts';
import { sqlitePlace } from '../open-sqlite.ts';
import { anotherProcess } from '../place.ts';
import { endedPayout, sampleHeader, sampleIntent, sampleRow } from '../samples.ts';
import { opened, placesOf } from '../suite/places.ts';
import { pastByFold, pastOf } from '../suite/projection.ts';

const newPlace = placesOf(sqlitePlace) as () => ReturnType<typeof sqlitePlace>;

const ROWS = [2, 3, 4].map(sampleRow);

/** A run in which row 2 was paid, row 3 failed, and row 4 was sent. */
async function paidRun(journal: Journal, runId = 'R1'): Promise<void> {
  const rows: Entry[] = [
    { kind: 'rows', rows: ROWS.slice(0, 2) },
    { kind: 'rows', rows: ROWS.slice(2) },
  ];
  const created = await journal.createRun({ header: sampleHeader(runId, runId), rows, refuseRepeat: false });
  if (created.outcome !== 'created') throw new Error(created.outcome);
  await created.writer.append([...endedPayout(2), ...endedPayout(3, { status: 'FAILED' }), sampleIntent(4)]);
  await created.writer.release();
}

const standings = async (journal: Pick<Journal, 'payoutsOf'>, runId = 'R1') =>
  (await pastOf(journal, runId))?.payouts.map(({ order, standing }) => `${order.row} ${standing}`);

const TRUE = ['2 paid', '3 unpaid', '4 perhaps'];

/** What somebody who can write to the file does, so that a payment is forgotten, or another is refused. */
const EDITS: [what: string, sql: string][] = [
  ['a paid row is called failed', "UPDATE projected_states SET states = 'ff' WHERE n = 3"],
  ['a failed row is called paid', "UPDATE projected_states SET states = 'cc' WHERE n = 3"],
  ['a row is called something that is nothing', "UPDATE projected_states SET states = 'c?' WHERE n = 3"],
  ['a sent row is called left out', "UPDATE projected_states SET states = 'n' WHERE n = 4"],
  ['an account is edited', `UPDATE projected_orders SET orders = replace(orders, '12345678', '87654321')`],
  ['an amount is edited', `UPDATE projected_orders SET orders = replace(orders, '1234', '9')`],
  ['the orders are gone', 'DELETE FROM projected_orders WHERE n = 3'],
  ['the orders are no orders', "UPDATE projected_orders SET orders = '{}'"],
  ['a page is gone', 'DELETE FROM projected_states WHERE n = 4'],
  [
    'a page is put in',
    "INSERT INTO projected_states SELECT run, 5, 'w', orders_hash FROM projected_states WHERE n = 4",
  ],
  ['two pages change places', 'UPDATE projected_states SET n = 13 - n; UPDATE projected_states SET n = n - 6'],
  ['the hash of orders is edited', "UPDATE projected_states SET orders_hash = x'00' WHERE n = 3"],
  ['the run is called finished', `UPDATE projected_run SET facts = replace(facts, 'false', 'true')`],
  ['the facts are gone', 'UPDATE projected_run SET facts = NULL'],
  ['the proof is edited', 'UPDATE projected_run SET proof = head_hash'],
];

describe('what is stored of who was paid', () => {
  it.each(EDITS)('is not believed where %s, and verify names it', async (_, sql) => {
    const place = newPlace();
    const journal = await place.open();
    await paidRun(journal);
    using database = new DatabaseSync(place.path);
    database.exec(sql);
    expect(await standings(journal)).toEqual(TRUE);
    expect(await pastOf(journal)).toEqual(await pastByFold(journal, ROWS));
    const verified = { ok: false, damage: { code: expect.stringMatching(/^projection_/) } };
    expect(await journal.verifyRun('R1')).toMatchObject(verified);
    // Nor by a process that opens it later, and writes on.
    const next = await place.open({ process: anotherProcess(2), isAlive: () => false });
    await (await opened(next)).append([{ kind: 'doubt', row: 4, attempt: 1, reason: 'lost' }]);
    expect(await standings(next)).toEqual(TRUE);
  });

  it.each([
    ['of another end of the run', 'UPDATE projected_run SET n = n - 1'],
    ['of an end that is not the one that was written', "UPDATE projected_run SET head_hash = x'00'"],
    ['gone', 'DELETE FROM projected_run; DELETE FROM projected_states; DELETE FROM projected_orders'],
  ])('is not believed where it is %s, and made again with the next opening', async (_, sql) => {
    const place = newPlace();
    const journal = await place.open();
    await paidRun(journal);
    using database = new DatabaseSync(place.path);
    const stored = () =>
      ['projected_run', 'projected_states', 'projected_orders'].map((table) =>
        database.prepare(`SELECT * FROM ${table} ORDER BY n`).all(),
      );
    const before = stored();
    database.exec(sql);
    expect(await standings(journal)).toEqual(TRUE);
    const next = await place.open();
    expect(stored()).toEqual(before);
    expect(await next.verifyRun('R1')).toMatchObject({ ok: true });
  });

  it('is named by verify also where it was edited with its proof, as only one who knows how it is made can do', async () => {
    const place = newPlace();
    const journal = await place.open();
    await paidRun(journal);
    using database = new DatabaseSync(place.path);
    database.exec("UPDATE projected_states SET states = 'ff' WHERE n = 3");
    const pages = database.prepare('SELECT n, states, orders_hash FROM projected_states ORDER BY n').all();
    const hashes = pages.map(({ n, states, orders_hash }) =>
      pageHash({
        n: Number(n),
        states: String(states),
        ordersHash: Buffer.from(orders_hash as Uint8Array).toString('hex'),
      }),
    );
    const head = await journal.head('R1');
    const facts = String(database.prepare('SELECT facts FROM projected_run').get()?.facts);
    if (head === null) throw new Error('a run without an end');
    const proof = Buffer.from(projectionProof('R1', head, facts, hashes), 'hex');
    database.prepare('UPDATE projected_run SET proof = ?').run(proof);
    // As with entries that are written anew with every hash: nothing in the file itself tells, but the other half of it does.
    expect(await standings(journal)).toEqual(['2 unpaid', '3 unpaid', '4 perhaps']);
    expect(await journal.verifyRun('R1')).toMatchObject({ ok: false, damage: { code: 'projection_changed' } });
  });

  it('is damaged where the entries were edited too', async () => {
    const place = newPlace();
    const journal = await place.open();
    await paidRun(journal);
    using database = new DatabaseSync(place.path);
    database.exec(`DROP TRIGGER entry_is_never_changed; UPDATE entry SET data = replace(data, '12345678', '87654321');
      UPDATE projected_states SET states = 'ff' WHERE n = 3`);
    await expect(journal.payoutsOf('R1')).rejects.toThrow(JournalDamaged);
  });

  it('is damaged, and not what is stored, where entries were cut off the end of the run', async () => {
    const place = newPlace();
    const journal = await place.open();
    await paidRun(journal);
    using database = new DatabaseSync(place.path);
    database.exec('DROP TRIGGER entry_is_never_deleted; DELETE FROM entry WHERE n > 9');
    await expect(journal.payoutsOf('R1')).rejects.toThrow(JournalDamaged);
  });

  it('is what the entries give where an earlier payrun is still writing to the run', async () => {
    const place = newPlace();
    const journal = await place.open();
    await paidRun(journal);
    // What a process does that knows of no projections.
    const before = new DatabaseSync(place.path);
    const kept = ['projected_run', 'projected_states'].map((table) => before.prepare(`SELECT * FROM ${table}`).all());
    const next = await place.open({ process: anotherProcess(2), isAlive: () => false });
    const writer = await opened(next);
    await writer.append([{ kind: 'accepted', row: 4, attempt: 1, transaction_id: 't4', by: 'answer' }]);
    before.exec('DELETE FROM projected_run; DELETE FROM projected_states');
    for (const [at, table] of ['projected_run', 'projected_states'].entries())
      for (const row of kept[at] ?? []) {
        const values = Object.values(row);
        before.prepare(`INSERT INTO ${table} VALUES (${values.map(() => '?').join(', ')})`).run(...values);
      }
    before.close();
    expect((await pastOf(journal))?.payouts.map(({ state }) => state)).toEqual(['completed', 'failed', 'accepted']);
    expect(await journal.verifyRun('R1')).toMatchObject({ ok: true });
  });
});

describe('a journal of version 7', () => {
  const TABLES = [
    'projected_run',
    'projected_states',
    'projected_orders',
    'journal_move',
    'announcement',
    'payee_hold',
  ];

  async function withoutProjections(runs: number) {
    const place = newPlace();
    const journal = await place.open();
    for (let run = 1; run <= runs; run++) await paidRun(journal, `R${run}`);
    await journal.close();
    using database = new DatabaseSync(place.path);
    for (const table of TABLES) database.exec(`DROP TABLE ${table}`);
    database.exec('DROP INDEX entry_scheduled');
    database.exec('DROP INDEX entry_returned');
    database.exec('DROP INDEX entry_doubt');
    database.exec('DROP INDEX entry_planned');
    database.exec('PRAGMA user_version = 7');
    return place;
  }

  it('is read without being changed, by the fold of its entries', async () => {
    const place = await withoutProjections(1);
    const reader = await openJournalToRead(`sqlite:${place.path}`);
    expect(reader && (await standings(reader))).toEqual(TRUE);
    await reader?.close();
    using database = new DatabaseSync(place.path);
    expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: 7 });
  });

  it.each([1, 2, 3, 5])(
    'is brought up to date by the next process where one is killed in commit %i of that',
    async (commit) => {
      const place = await withoutProjections(4);
      expect(openAndBeKilled(place.path, commit)).toEqual(['SIGKILL', '']);
      using database = new DatabaseSync(place.path);
      // The schema is one commit, and each run is one.
      const isThere = database.prepare("SELECT count(*) AS n FROM sqlite_schema WHERE name = 'projected_run'").get()?.n;
      expect(isThere).toBe(commit === 1 ? 0 : 1);
      if (commit > 1) expect(database.prepare('SELECT count(*) AS n FROM projected_run').get()?.n).toBe(commit - 2);
      const journal = await place.open();
      for (let run = 1; run <= 4; run++) {
        expect(await standings(journal, `R${run}`)).toEqual(TRUE);
        expect(await journal.verifyRun(`R${run}`)).toMatchObject({ ok: true });
      }
      expect(database.prepare('SELECT count(*) AS n FROM projected_run').get()?.n).toBe(4);
    },
  );

  it('is brought up to date but for a run that is damaged, which is as it was', async () => {
    const place = await withoutProjections(3);
    using database = new DatabaseSync(place.path);
    database.exec(`DROP TRIGGER entry_is_never_changed; UPDATE entry SET at = 1 WHERE run = 2 AND n = 5`);
    const journal = await place.open();
    expect(database.prepare('SELECT run FROM projected_run').all()).toEqual([{ run: 1 }, { run: 3 }]);
    expect(await standings(journal, 'R3')).toEqual(TRUE);
    await expect(journal.payoutsOf('R2')).rejects.toThrow(JournalDamaged);
  });

  it('is opened while another process keeps it locked for a moment too long, and brought up to date later', async () => {
    const place = await withoutProjections(2);
    using database = new DatabaseSync(place.path, { timeout: 0 });
    await (await place.open()).close();
    database.exec('DELETE FROM projected_run');
    database.exec('BEGIN IMMEDIATE');
    const journal = await place.open();
    expect(await standings(journal)).toEqual(TRUE);
    database.exec('ROLLBACK');
    await place.open();
    expect(database.prepare('SELECT count(*) AS n FROM projected_run').get()?.n).toBe(2);
  });
});

describe('a journal of version 5, as an earlier payrun wrote it', () => {
  const [STARTED, PLANNED] = ['R20261101-00000001', 'R20261101-00000002'];
  const OF_STARTED = ['2 paid', '3 unpaid', '4 perhaps', '5 perhaps', '6 perhaps', '7 unpaid'];
  const OF_PLANNED = [2, 3, 4, 5, 6, 7].map((row) => `${row} waiting`);

  function olderJournal() {
    const place = newPlace();
    using database = new DatabaseSync(place.path);
    database.exec(readFileSync(join(import.meta.dirname, 'journal-5.sql'), 'utf8'));
    return place;
  }

  it('is read as it is', async () => {
    const reader = await openJournalToRead(`sqlite:${olderJournal().path}`);
    expect(reader && (await standings(reader, STARTED))).toEqual(OF_STARTED);
    await reader?.close();
  });

  it('shows the sentences that it holds in place of codes', async () => {
    const run = await foldPages((await olderJournal().open()).readRun(STARTED));
    expect([...reportRows(run)].find(({ row }) => row === 7)).toMatchObject({
      result: { problem_code: 'cancelled' },
      message: 'The run was cancelled.',
    });
  });

  it.each([0, 1, 2, 3])(
    'is brought up to date, also where a process is killed in commit %i of that',
    async (commit) => {
      const place = olderJournal();
      if (commit > 0) expect(openAndBeKilled(place.path, commit)).toEqual(['SIGKILL', '']);
      const journal = await place.open();
      expect(await standings(journal, STARTED)).toEqual(OF_STARTED);
      expect(await standings(journal, PLANNED)).toEqual(OF_PLANNED);
      for (const runId of [STARTED, PLANNED]) expect(await journal.verifyRun(runId)).toMatchObject({ ok: true });
      expect(await journal.faults()).toEqual([]);
      // And written on.
      const writer = await opened(await place.open({ process: anotherProcess(2), isAlive: () => false }), STARTED);
      const counts = { completed: 1, failed: 1, rejected: 1, unresolved: 2, not_submitted: 1 };
      await writer.append([{ kind: 'finished', counts }]);
      expect(await standings(journal, STARTED)).toEqual(OF_STARTED.with(2, '4 unpaid'));
    },
  );
});

/** The signal that ends a process which opens the journal, and what it wrote to standard error. */
function openAndBeKilled(path: string, commit: number) {
  const script = programOf('test/journal/sqlite/killed-opener.ts');
  const killed = spawnSync(process.execPath, [script, path, String(commit)], { encoding: 'utf8' });
  return [killed.signal, killed.stderr];
}
