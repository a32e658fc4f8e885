import { mkdirSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Nonces, openNonces } from '../../src/service/gateway/nonces.ts';
import { openDatabase } from '../../src/service/store/database.ts';
import { sql as firstSchema } from '../../src/service/store/migrations/000001.sql.ts';
import { type OpenStore, openStore, servicePaths } from '../../src/service/store/open.ts';
import { temporaryDirectory } from './harness.ts';

let dataDir: string;
let opened: OpenStore;
beforeEach(() => {
  dataDir = temporaryDirectory();
  mkdirSync(servicePaths(dataDir).directory, { recursive: true });
  const old = openDatabase(servicePaths(dataDir).database);
  old.exec(firstSchema);
  old.exec(`INSERT INTO customer VALUES (1, 'cus_1', 1, 'One', NULL);
    INSERT INTO api_key VALUES (1, 'key_1', 1, zeroblob(32), 1, NULL), (2, 'key_2', 1, zeroblob(32), 1, NULL);
    INSERT INTO nonce VALUES (2000, 1, 'old-a'), (2000, 2, 'old-a'), (1000, 1, 'old-b');
    PRAGMA application_id = 1348565331; PRAGMA user_version = 1`);
  old.close();
  opened = openStore(dataDir);
});
afterEach(() => {
  opened.close();
  rmSync(dataDir, { recursive: true, force: true });
});

function use(nonces: Nonces, apiKey: number, nonce: string, expires: number): void {
  expect(nonces.keep(apiKey, nonce, expires, 0)).toBe(true);
  nonces.record(apiKey, nonce, expires, { status: 200 });
}

describe('nonces', () => {
  it('of before are used up after the schema was changed, each for its own key', () => {
    const nonces = openNonces(opened.store);
    for (const [key, nonce] of [
      [1, 'old-a'],
      [2, 'old-a'],
      [1, 'old-b'],
    ] as const)
      expect(nonces.isUsed(key, nonce)).toBe(true);
    expect(nonces.isUsed(2, 'old-b')).toBe(false);
  });

  it('that expire in one second all stay used up over any number of starts', () => {
    for (const start of [1, 2, 3]) {
      const nonces = openNonces(opened.store);
      for (let made = 0; made < 50; made++) use(nonces, 1, `start-${start}-${made}`, 2_000);
      opened.close();
      opened = openStore(dataDir);
    }
    const nonces = openNonces(opened.store);
    for (const start of [1, 2, 3])
      for (let made = 0; made < 50; made++) expect(nonces.isUsed(1, `start-${start}-${made}`)).toBe(true);
    expect(opened.store.get('SELECT count(*) AS kept FROM nonce')?.kept).toBe(153);
  });

  it('are forgotten a minute after they have expired, in memory and on disk', () => {
    const nonces = openNonces(opened.store);
    use(nonces, 1, 'new', 2_001);
    nonces.clear(2_000 + 61);
    nonces.keep(1, 'newer', 2_100, 2_000 + 61);
    expect(nonces.isUsed(1, 'old-b')).toBe(false);
    expect([nonces.isUsed(1, 'old-a'), nonces.isUsed(1, 'new')]).toEqual([false, true]);
    expect(opened.store.all('SELECT nonce FROM nonce')).toEqual([expect.objectContaining({ nonce: 'new' })]);
  });

  it('that have died make room, also where nothing is ever changed', () => {
    const nonces = openNonces(opened.store, { max: 5 });
    expect(nonces.keep(1, 'read-1', 2_000, 1_990)).toBe(true);
    expect(nonces.keep(1, 'read-2', 2_000, 1_990)).toBe(true);
    expect(nonces.keep(1, 'too many', 2_000, 2_060)).toBe(true);
    expect(nonces.keep(1, 'one more', 2_100, 2_060)).toBe(false);
    expect(nonces.keep(1, 'read-3', 2_100, 2_061)).toBe(true);
    expect([nonces.isUsed(1, 'read-2'), nonces.isUsed(1, 'read-3')]).toEqual([false, true]);
  });

  it('are written one after the other, so that those of one transaction share a page', () => {
    const nonces = openNonces(opened.store);
    const names = Array.from({ length: 200 }, (_, place) => `${(place * 7_919) % 200}-nonce`);
    for (const name of names) use(nonces, 1, name, 3_000);
    const rows = opened.store.all('SELECT nonce FROM nonce WHERE expires = 3000');
    expect(rows.map(({ nonce }) => nonce)).toEqual(names);
  });
});
