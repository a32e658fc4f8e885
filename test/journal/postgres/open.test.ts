import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { Refusal } from '../../../src/domain/refusal.ts';
import type { Journal } from '../../../src/journal/journal.ts';
import { isJournal, openJournalToRead } from '../../../src/journal/open.ts';
import { shownUrl } from '../../../src/journal/place.ts';
import { SCHEMA_VERSION } from '../../../src/journal/postgres/schema.ts';
import { sharedPostgres, statements, urlOf } from '../../support/postgres.ts';
import { open } from '../open-postgres.ts';
import { anotherProcess } from '../place.ts';
import { newDatabase, newJournalDatabase, postgresPlaces, ROLES_SQL } from '../postgres-place.ts';
import { sampleHeader, sampleHint, sampleIntent, samplePlan, sampleRows } from '../samples.ts';
import { newRun, opened, placesOf } from '../suite/places.ts';

const newPlace = placesOf(postgresPlaces(1));

async function refusalOf(opening: Promise<Journal>): Promise<Refusal> {
  const error = await opening.then(
    (journal) => journal.close().then(() => null),
    (thrown: unknown) => thrown,
  );
  if (error instanceof Refusal) return error;
  throw new Error('nothing was refused', { cause: error });
}

describe('a database without a journal', () => {
  it('gets one by whichever of several processes comes first, and each finds it', async () => {
    const { admin } = await newDatabase();
    expect(await isJournal(admin)).toBe(false);
    expect(await openJournalToRead(admin)).toBeNull();
    const journals = await Promise.all([1, 2, 3, 4].map((pid) => open(admin, { process: anotherProcess(pid) })));
    await newRun(journals[0] as Journal);
    for (const journal of journals) expect(await journal.listRuns(1)).toMatchObject([{ run_id: 'R1' }]);
    for (const journal of journals) await journal.close();
    expect(await isJournal(admin)).toBe(true);
    const reader = await openJournalToRead(admin);
    expect(await reader?.listStartedRuns(10)).toMatchObject([{ run_id: 'R1' }]);
    expect((await reader?.payoutsOf('R1'))?.isFinished).toBe(false);
    await reader?.close();
    expect(await statements(admin, 'SELECT version FROM payrun.schema_version')).toEqual([{ version: SCHEMA_VERSION }]);
  });
});

describe('opening a database is refused', () => {
  it('with another schema of that name, which is left as it was', async () => {
    const { admin } = await newDatabase();
    await statements(admin, 'CREATE SCHEMA payrun', 'CREATE TABLE payrun.payroll (name text)');
    expect(await refusalOf(open(admin))).toMatchObject({
      kind: 'usage',
      reason: { code: 'journal_of_another_program' },
    });
    expect(await statements(admin, "SELECT tablename FROM pg_tables WHERE schemaname = 'payrun'")).toHaveLength(1);
  });

  it('with the journal of a newer payrun', async () => {
    const { admin } = await newDatabase();
    await (await open(admin)).close();
    await statements(admin, `UPDATE payrun.schema_version SET version = ${SCHEMA_VERSION + 1}`);
    expect(await refusalOf(open(admin))).toMatchObject({
      kind: 'usage',
      reason: { code: 'journal_newer', version: SCHEMA_VERSION + 1, known: SCHEMA_VERSION },
    });
  });

  it('that is not encoded as UTF8', async () => {
    const address = await sharedPostgres();
    const name = `latin_${process.pid}`;
    await statements(
      urlOf(address, 'postgres'),
      `CREATE DATABASE ${name} ENCODING 'LATIN1' TEMPLATE template0 LOCALE 'C'`,
    );
    const { reason } = await refusalOf(open(urlOf(address, name)));
    expect(reason).toMatchObject({ fault: { why: 'encoding', encoding: 'LATIN1' } });
  });

  it.each([
    ['synchronous_commit', 'not_durable', 'usage'],
    ['default_transaction_read_only', 'read_only', 'unreachable'],
  ])('that sets %s for its sessions', async (setting, why, kind) => {
    const { admin, name } = await newDatabase();
    await statements(admin, `ALTER DATABASE ${name} SET ${setting} = ${why === 'read_only' ? 'on' : 'off'}`);
    expect(await refusalOf(open(admin))).toMatchObject({ kind, reason: { fault: { why } } });
  });

  it.each([
    ['of a user with another password', 'login', 'unreachable', (url: string) => url.replace(/:[0-9a-f]+@/, ':wrong@')],
    ['without a password', 'unreachable', 'unreachable', (url: string) => url.replace(/:[0-9a-f]+@/, '@')],
    ['that is not there', 'missing', 'usage', (url: string) => `${url}_not`],
    ['over TLS that it does not have', 'unreachable', 'unreachable', (url: string) => `${url}?sslmode=verify-full`],
  ])('%s', async (_, why, kind, change) => {
    const { admin } = await newDatabase();
    const refused = await refusalOf(open(change(admin)));
    expect(refused).toMatchObject({ kind, reason: { code: 'database_unusable', fault: { why } } });
    expect(JSON.stringify(refused.reason)).not.toContain((await sharedPostgres()).password);
    // Nor is the server left waiting for a login, which a process would wait for too.
    const logins =
      "SELECT count(*)::int AS n FROM pg_stat_activity WHERE backend_type = 'client backend' AND datname IS NULL";
    await expect.poll(async () => (await statements(admin, logins))[0]?.n).toBe(0);
  });

  it('whose address nobody listens at, or whose other end is no database', async () => {
    const silent = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')).listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    const { port } = silent.address() as { port: number };
    for (const url of [`postgres://a:secret@127.0.0.1:${port}/x`, 'postgres://a:secret@127.0.0.1:1/x']) {
      const refused = await refusalOf(open(url));
      expect(refused).toMatchObject({ kind: 'unreachable', reason: { fault: { why: 'unreachable' } } });
      expect(JSON.stringify(refused.reason)).not.toContain('secret');
    }
    silent.close();
  });
});

describe('a disk that is full', () => {
  it('is named where nothing has begun, and ends a writer', async () => {
    const { database, ...place } = newPlace();
    const journal = await place.open();
    const writer = await newRun(journal);
    await statements(
      database.admin,
      `CREATE OR REPLACE FUNCTION payrun.no_room() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$`,
      'CREATE TRIGGER no_room BEFORE INSERT ON payrun.entry EXECUTE FUNCTION payrun.no_room()',
    );
    const refusal = await refused(newRun(journal, 'R2'));
    expect(refusal).toMatchObject({
      kind: 'usage',
      reason: { fault: { why: 'full', cause: 'could not extend file' } },
    });
    expect(await refused(writer.append([sampleIntent(2)]))).toMatchObject({ why: 'commit_uncertain' });
    await statements(database.admin, 'DROP TRIGGER no_room ON payrun.entry');
    expect((await journal.listRuns(9)).map(({ run_id }) => run_id)).toEqual(['R1']);
    expect(await journal.verifyRun('R1')).toMatchObject({ ok: true, entries: 3 });
  });
});

describe('the roles', () => {
  it('of the owner alone makes tables; without permissions nothing is done, and they can be granted again', async () => {
    const address = await sharedPostgres();
    await newJournalDatabase();
    const database = await newDatabase();
    await statements(database.admin, ROLES_SQL);
    for (const role of ['payrun_worker', 'payrun_page'] as const)
      expect((await refusalOf(open(database.as(role)))).reason).toMatchObject({ fault: { why: 'rights' } });
    await (await open(database.as('payrun_owner'))).close();
    expect((await refusalOf(open(database.as('payrun_worker')))).reason).toMatchObject({ fault: { why: 'rights' } });
    for (let again = 0; again < 2; again++) await statements(database.admin, ROLES_SQL);
    await (await open(database.as('payrun_worker'))).close();
    await statements(urlOf(address, 'postgres'), `DROP DATABASE ${database.name} WITH (FORCE)`);
  });

  it('of a worker adds entries and changes none', async () => {
    const { database, ...place } = newPlace();
    await newRun(await place.open());
    for (const sql of [
      'UPDATE payrun.entry SET at = 1',
      'DELETE FROM payrun.entry',
      'DELETE FROM payrun.run',
      'TRUNCATE payrun.lease',
    ])
      await expect(statements(database.as('payrun_worker'), sql)).rejects.toMatchObject({ code: '42501' });
    await expect(statements(database.admin, 'UPDATE payrun.entry SET at = 1')).rejects.toThrow('append-only');
  });

  it('of the page reads, makes and approves plans, and asks to cancel and pause; it starts nothing', async () => {
    const { database, ...place } = newPlace();
    const page = await open(database.as('payrun_page'), { process: anotherProcess(7) });
    const header = sampleHeader('R1');
    const rows = [sampleRows(3), { kind: 'planned' as const, plan: samplePlan(header) }];
    const created = await page.createRun({ header, rows, refuseRepeat: true });
    if (created.outcome !== 'created') throw new Error(created.outcome);
    await page.askToCancel('R1', 'ana');
    await page.askToPause('R1', 'ana');
    await created.writer.append([{ kind: 'stopped', reason: 'interrupted' }]);
    await created.writer.release();
    const writer = await opened(page);
    expect((await refused(writer.start({ by: 'ana', refuseRepeat: true }))).name).toBe('CommitUncertain');
    const again = await opened(await open(database.as('payrun_page'), { isAlive: () => false }));
    expect((await refused(again.append([sampleIntent(2)]))).name).toBe('CommitUncertain');
    await expect(page.addHints([sampleHint('a')])).rejects.toMatchObject({ reason: { fault: { why: 'rights' } } });
    const worker = await place.open({ process: anotherProcess(2), isAlive: () => false });
    expect(await worker.listRuns(1)).toMatchObject([{ run_id: 'R1', isPlanned: true }]);
    expect(await (await opened(worker)).start({ by: 'ben', refuseRepeat: true })).toMatchObject({ outcome: 'started' });
    expect(await worker.verifyRun('R1')).toMatchObject({ ok: true });
    await page.close();
  });
});

async function refused(work: Promise<unknown>): Promise<Error> {
  return work.then(
    () => new Error('nothing was refused'),
    (error: Error) => error,
  );
}

describe('the URL of a database', () => {
  it.each([
    ['postgres://u:secret@h:5432/d', 'postgres://u@h:5432/d'],
    ['postgresql://u@h/d', 'postgresql://u@h/d'],
    ['postgres://h/d?user=u&password=secret&sslmode=require', 'postgres://h/d?user=u&sslmode=require'],
    ['postgres://u:sec@ret/secret@h/d', 'postgres://u@h/d'],
    ['postgres://u:secret?@h/d', 'postgres://u@h/d'],
    ['postgres://u:secret@/d?host=/run/postgresql', 'postgres://u@/d?host=/run/postgresql'],
    ['postgres://u:%73ecret@h/d#secret', 'postgres://u@h/d'],
    ['sqlite:.payrun/journal.db', 'sqlite:.payrun/journal.db'],
  ])('%s is shown as %s', (url, shown) => {
    expect(shownUrl(url)).toBe(shown);
  });
});
