import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Refusal } from '../../../src/domain/refusal.ts';
import { Deposed, type Journal, type RunWriter } from '../../../src/journal/journal.ts';
import { selfSigned } from '../../support/certificate.ts';
import { statements, urlOf } from '../../support/postgres.ts';
import { type PostgresServer, startPostgres } from '../../support/postgres-server.ts';
import { open } from '../open-postgres.ts';
import { anotherProcess, REAL_CLOCK } from '../place.ts';
import { newDatabase, newJournalDatabase } from '../postgres-place.ts';
import { sampleIntent } from '../samples.ts';
import { entriesOf, newRun, opened } from '../suite/places.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(async () => {
  await server.end();
});

const real = { clock: REAL_CLOCK, process: anotherProcess(1), isAlive: () => false };

describe('a server that is killed', () => {
  it('has what it acknowledged when it is started again, each time', async () => {
    const database = await newJournalDatabase(server);
    const first = await open(database.as('payrun_worker'), real);
    await (await newRun(first)).release();
    await first.close();
    const acknowledged: number[] = [];
    for (let round = 1; round <= 3; round++) {
      const journal = await open(database.as('payrun_worker'), { ...real, process: anotherProcess(round) });
      const writer = await opened(journal);
      const writing = writeOn(writer, round * 1_000, acknowledged);
      writing.catch(() => {});
      const before = acknowledged.length;
      await expect.poll(() => acknowledged.length).toBeGreaterThan(before + 10);
      await server.kill();
      await expect(writing).rejects.toMatchObject({ why: 'commit_uncertain' });
      await server.restart();
      // The connection that was cut is given up, and this process reads on over another one.
      const rows = (await entriesOf(journal)).flatMap((entry) => (entry.kind === 'intent' ? [entry.row] : []));
      expect(rows.filter((row) => acknowledged.includes(row))).toEqual(acknowledged);
      expect(await journal.verifyRun('R1')).toMatchObject({ ok: true });
      await journal.close();
    }
  });
});

/** Appends one row after another until that fails. */
async function writeOn(writer: RunWriter, from: number, acknowledged: number[]): Promise<never> {
  for (let row = from; ; row++) {
    await writer.append([sampleIntent(row)]);
    acknowledged.push(row);
  }
}

describe('a standby that was promoted', () => {
  it('is another database: who wrote to the one before stops, and who goes on may have company', async () => {
    const database = await newJournalDatabase(server);
    const url = database.as('payrun_worker');
    const journal = await open(url, real);
    const writer = await newRun(journal);
    expect(writer.mayHaveCompany).toBe(false);
    await server.kill();
    server.write('standby.signal', '');
    await server.restart();
    // As long as it is a standby, it is refused.
    const refused = await open(url, real).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Refusal);
    expect(refused).toMatchObject({ kind: 'unreachable', reason: { fault: { why: 'read_only' } } });
    await statements(urlOf(server, 'postgres'), 'SELECT pg_promote()');
    await expect(writer.append([sampleIntent(2)])).rejects.toMatchObject({ name: 'Deposed', why: 'replaced' });
    expect(writer.holds()).toBe(false);
    await expect(journal.openRun('R1')).rejects.toBeInstanceOf(Deposed);
    await journal.close();
    const next = await open(url, { ...real, process: anotherProcess(2) });
    const taken = await opened(next);
    expect(taken.mayHaveCompany).toBe(true);
    await taken.append([sampleIntent(2)]);
    // A new run too: what the lost commits ordered may be under way.
    expect((await newRun(next, 'R2')).mayHaveCompany).toBe(true);
    await next.close();
  });
});

describe('opening is refused', () => {
  it.each([
    ['fsync', 'ALTER SYSTEM SET fsync = off', 'ALTER SYSTEM RESET fsync'],
    ['full_page_writes', 'ALTER SYSTEM SET full_page_writes = off', 'ALTER SYSTEM RESET full_page_writes'],
  ])('where %s is off', async (setting, off, on) => {
    const database = await newDatabase(server);
    await statements(database.admin, off, 'SELECT pg_reload_conf()');
    await expect
      .poll(async () => (await statements(database.admin, `SHOW ${setting}`))[0])
      .toEqual({ [setting]: 'off' });
    const error = await refusal(open(database.admin, real));
    expect(error).toMatchObject({ kind: 'usage', reason: { fault: { why: 'not_durable', setting } } });
    await statements(database.admin, on, 'SELECT pg_reload_conf()');
    await expect
      .poll(async () => (await statements(database.admin, `SHOW ${setting}`))[0])
      .toEqual({ [setting]: 'on' });
    expect(await tables(database.admin)).toBe(0);
    await (await open(database.admin, real)).close();
  });

  it('where its certificate is of nobody that is trusted, and not where it is named', async () => {
    const database = await newJournalDatabase(server);
    const certificate = selfSigned();
    if (certificate === null) throw new Error('openssl is needed to make a certificate');
    server.write('server.crt', certificate.cert);
    server.write('server.key', certificate.key);
    await statements(database.admin, 'ALTER SYSTEM SET ssl = on', 'SELECT pg_reload_conf()');
    await expect.poll(async () => (await statements(database.admin, 'SHOW ssl'))[0]).toEqual({ ssl: 'on' });
    const url = database.as('payrun_worker');
    expect(await refusal(open(`${url}?sslmode=verify-full`, real))).toMatchObject({
      kind: 'unreachable',
      reason: { fault: { why: 'tls' } },
    });
    const trusted = join(server.data, 'server.crt');
    await (await open(`${url}?sslmode=verify-full&sslrootcert=${trusted}`, real)).close();
    await statements(database.admin, 'ALTER SYSTEM RESET ssl', 'SELECT pg_reload_conf()');
  });

  it('where no connection is left', async () => {
    const database = await newJournalDatabase(server);
    await statements(database.admin, 'ALTER ROLE payrun_worker CONNECTION LIMIT 0');
    expect(await refusal(open(database.as('payrun_worker'), real))).toMatchObject({
      kind: 'unreachable',
      reason: { fault: { why: 'too_many_connections' } },
    });
    await statements(database.admin, 'ALTER ROLE payrun_worker CONNECTION LIMIT -1');
  });

  it('where the server has ended, and while it starts', async () => {
    const database = await newJournalDatabase(server);
    await server.kill();
    const error = await refusal(open(database.as('payrun_worker'), real));
    expect(error).toMatchObject({ kind: 'unreachable', reason: { fault: { why: 'unreachable' } } });
    expect(JSON.stringify(error.reason)).not.toContain(server.password);
    await server.restart();
  });
});

async function refusal(opening: Promise<Journal>): Promise<Refusal> {
  const error = await opening.then(
    (journal) => journal.close().then(() => null),
    (thrown: unknown) => thrown,
  );
  if (error instanceof Refusal) return error;
  throw new Error('nothing was refused', { cause: error });
}

async function tables(url: string): Promise<unknown> {
  const [found] = await statements(url, "SELECT count(*)::int AS n FROM pg_tables WHERE schemaname = 'payrun'");
  return found?.n;
}
