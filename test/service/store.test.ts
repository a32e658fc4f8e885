import { fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/service/store/database.ts';
import { openStore, ServiceDataHeld, servicePaths } from '../../src/service/store/open.ts';
import { SCHEMA_VERSION, ServiceDataUnusable } from '../../src/service/store/schema.ts';
import { programOf } from '../support/program.ts';
import { startTestService, temporaryDirectory } from './harness.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = temporaryDirectory();
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

describe('the service’s data', () => {
  it('is kept in WAL with every commit synced, for the owner only', () => {
    const { store, close } = openStore(dataDir);
    expect(store.get('PRAGMA journal_mode')?.journal_mode).toBe('wal');
    expect(store.get('PRAGMA synchronous')?.synchronous).toBe(2);
    expect(store.get('PRAGMA foreign_keys')?.foreign_keys).toBe(1);
    const { directory } = servicePaths(dataDir);
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(directory)) expect(statSync(join(directory, name)).mode & 0o777).toBe(0o600);
    close();
  });

  it('has strict tables, all of them', () => {
    const { store, close } = openStore(dataDir);
    const tables = store.all("SELECT name, sql FROM sqlite_schema WHERE type = 'table'");
    expect(tables.length).toBeGreaterThan(8);
    for (const { name, sql } of tables) expect(sql, String(name)).toMatch(/\) STRICT(, WITHOUT ROWID)?$/);
    close();
  });

  it('is refused where a newer payrun wrote it, and left as it is', () => {
    const { store, close } = openStore(dataDir);
    store.exec(`PRAGMA user_version = ${SCHEMA_VERSION + 1}`);
    close();
    expect(() => openStore(dataDir)).toThrow(ServiceDataUnusable);
    expect(() => openStore(dataDir)).toThrow(/newer payrun/);
    const after = openDatabase(servicePaths(dataDir).database, { readOnly: true });
    expect(after.get('PRAGMA user_version')?.user_version).toBe(SCHEMA_VERSION + 1);
    after.close();
  });

  it('is refused where another program wrote it', () => {
    mkdirSync(servicePaths(dataDir).directory, { recursive: true });
    const other = openDatabase(servicePaths(dataDir).database);
    other.exec('CREATE TABLE notes (text text)');
    other.close();
    expect(() => openStore(dataDir)).toThrow(/another program/);
  });

  it('is refused where it is no database', () => {
    mkdirSync(servicePaths(dataDir).directory, { recursive: true });
    writeFileSync(
      servicePaths(dataDir).database,
      'this is not SQLite, and it is longer than a header would be'.repeat(9),
    );
    expect(() => openStore(dataDir)).toThrow(/not a database/);
  });

  it('never changes or deletes a posting or an account, nor a final status', async () => {
    const service = await startTestService({ dataDir, settleMs: 0 });
    await service.stop();
    const { store, close } = openStore(dataDir);
    expect(() => store.exec("UPDATE posting SET amount = '1'")).toThrow(/never changed/);
    expect(() => store.exec('DELETE FROM posting')).toThrow(/never deleted/);
    close();
  });
});

describe('one process at a time', () => {
  it('refuses a second opener in the same process, and lets it in after the first', () => {
    const first = openStore(dataDir);
    expect(() => openStore(dataDir)).toThrow(ServiceDataHeld);
    first.close();
    openStore(dataDir).close();
  });

  it('refuses a second service, which changes nothing', async () => {
    const service = await startTestService({ dataDir });
    await expect(startTestService({ dataDir })).rejects.toThrow(ServiceDataHeld);
    expect((await service.call('account.balance.getMany', {})).status).toBe(200);
    await service.stop();
  });

  it('frees the data when its process is killed', async () => {
    const child = fork(programOf('test/service/service-process.ts'), [dataDir]);
    await once(child, 'message');
    expect(() => openStore(dataDir)).toThrow(ServiceDataHeld);
    child.kill('SIGKILL');
    await once(child, 'exit');
    openStore(dataDir).close();
  });
});

describe('starting', () => {
  it('gives its data back when it cannot start', async () => {
    const service = await startTestService({ dataDir });
    const port = Number(new URL(service.service.baseUrl).port);
    const other = temporaryDirectory();
    await expect(startTestService({ dataDir: other, port })).rejects.toThrow(/EADDRINUSE/);
    openStore(other).close();
    rmSync(other, { recursive: true });
    await service.stop();
  });

  it('refuses a signing key that others can read', async () => {
    const service = await startTestService({ dataDir });
    await service.stop();
    chmodSync(service.service.signingKeyFile, 0o644);
    const fault = { code: 'mode_too_wide', path: service.service.signingKeyFile, mode: 0o644 };
    await expect(startTestService({ dataDir })).rejects.toMatchObject({ fault });
  });

  it.each([
    { port: 70_000 },
    { port: 1.5 },
    { adminPort: -1 },
    { rateLimit: { requests: 0, windowMs: 10 } },
    { settleMs: -1 },
    { settleMs: { GBP_FPS: 0.5 } },
  ])('refuses %o', async (options) => {
    await expect(startTestService({ dataDir, ...options })).rejects.toThrow(/Too|Invalid|expected/);
  });

  it('opens no admin port where none is wanted', async () => {
    const service = await startTestService({ dataDir, adminPort: null });
    expect(service.service.adminUrl).toBeNull();
    await service.stop();
  });
});
