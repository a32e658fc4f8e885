import { fork } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunningService } from '../../src/service/start.ts';
import { openDatabase } from '../../src/service/store/database.ts';
import { sql as firstSchema } from '../../src/service/store/migrations/000001.sql.ts';
import { servicePaths } from '../../src/service/store/open.ts';
import { SCHEMA_VERSION } from '../../src/service/store/schema.ts';
import { SNAPSHOTS_MAX } from '../../src/service/store/snapshots.ts';
import { programOf } from '../support/program.ts';
import { addPayee, gbpPayout, settled, startTestService, type TestService, temporaryDirectory } from './harness.ts';
import { accepts, answers, startReceiver } from './webhook-receiver.ts';

let service: TestService;
let accountId: string;
beforeEach(async () => {
  service = await startTestService({ settleMs: 60_000 });
  ({ accountId } = await addPayee(service));
});
afterEach(() => service.close());

const pay = (pence = 500) => service.data('transaction.transfer', gbpPayout(accountId, pence));
const snapshot = (name: string) => service.admin('state.snapshot', { name });
const restore = (name: string) => service.admin('state.restore', { name });
const listing = () => service.data('transaction.getMany', { limit: 500 });
const files = () => servicePaths(service.dataDir);

async function everything() {
  return { balances: await service.balances(), listing: await listing(), keys: (await state()).active_keys };
}

async function state() {
  return (await service.admin('state')).data;
}

describe('a snapshot', () => {
  it('is a file of its own: a link or a directory of such a name is none, and hides none', async () => {
    await snapshot('monday');
    const { snapshots } = files();
    symlinkSync(join(snapshots, 'monday.db'), join(snapshots, 'link.db'));
    symlinkSync(join(snapshots, 'nowhere'), join(snapshots, 'broken.db'));
    mkdirSync(join(snapshots, 'folder.db'));
    expect((await service.admin('state.snapshots')).data).toMatchObject([{ name: 'monday' }]);
    for (const name of ['link', 'broken', 'folder']) {
      expect(await restore(name)).toMatchObject({ status: 404 });
      expect(await service.admin('state.forget', { name })).toMatchObject({ status: 404 });
    }
    // What a link of the unfinished name leads to is not written.
    const elsewhere = join(service.dataDir, 'elsewhere');
    symlinkSync(elsewhere, join(snapshots, 'tuesday.making'));
    expect((await snapshot('tuesday')).data).toMatchObject({ name: 'tuesday' });
    expect(existsSync(elsewhere)).toBe(false);
    expect(statSync(join(snapshots, 'tuesday.db')).mode & 0o777).toBe(0o600);
  });
});

describe('a restored snapshot', () => {
  it('has the balances and listings of its moment, and the service goes on from there', async () => {
    await pay(100);
    const before = await everything();
    expect((await snapshot('monday')).data).toMatchObject({ name: 'monday' });
    await pay(200);
    await service.data('account.recipient.create', { metadata: { name: 'Somebody later' } });
    const lost = (await listing()).transactions[0];
    expect((await restore('monday')).data).toMatchObject({ name: 'monday', api_key: service.service.apiKey });
    expect(await everything()).toEqual(before);
    expect((await service.call('transaction.get', { id: lost.id })).status).toBe(404);
    const id = await pay(300);
    const { transactions } = await listing();
    expect(transactions.map((one: { id: string }) => one.id)).toEqual([id, before.listing.transactions[0].id]);
    expect(transactions[0].created_at >= lost.created_at && id !== lost.id).toBe(true);
    expect((await service.admin('verify')).data.findings).toEqual([]);
    await service.admin('clock.advance', { ms: 60_000 });
    expect((await settled(service, id)).status).toBe('COMPLETED');
  });

  it('can be restored again, and after a restart', async () => {
    await snapshot('empty');
    const before = await everything();
    for (let round = 0; round < 3; round++) {
      await pay();
      await restore('empty');
      expect(await everything()).toEqual(before);
    }
    await service.stop();
    service = await startTestService({ dataDir: service.dataDir, settleMs: 60_000 });
    expect(await everything()).toEqual(before);
    await pay();
    await restore('empty');
    expect(await everything()).toEqual(before);
  });

  it('settles what was pending in it', async () => {
    const id = await pay();
    await snapshot('pending');
    await service.admin('transaction.settle', { id });
    await restore('pending');
    expect((await service.data('transaction.get', { id })).status).toBe('PENDING');
    await service.admin('clock.advance', { ms: 60_000 });
    expect((await settled(service, id)).status).toBe('COMPLETED');
  });

  it('has its prices, its webhook endpoints, and still delivers what was to be delivered', async () => {
    await service.close();
    service = await startTestService({ settleMs: 0, webhooks: { allowPrivate: true } });
    ({ accountId } = await addPayee(service));
    const receiver = await startReceiver(answers(500));
    const { id: endpoint } = (await service.admin('webhook.add', { url: receiver.url })).data;
    await service.admin('price.set', { code: 'ETH', usd: '1234.5' });
    await pay();
    const [first] = await receiver.arrived(2);
    await snapshot('undelivered');
    const prices = (await service.admin('price.list')).data;
    await service.admin('webhook.remove', { id: endpoint });
    await service.admin('price.set', { code: 'ETH', usd: '99' });
    await service.admin('price.walk', { seed: 1, bps: 50 });
    receiver.answerWith(accepts);
    await restore('undelivered');
    expect((await service.admin('price.list')).data).toEqual(prices);
    expect((await service.admin('webhook.list')).data.endpoints).toMatchObject([{ id: endpoint, state: 'on' }]);
    await service.admin('clock.advance', { ms: 3_600_000 });
    await receiver.arrived(4);
    expect(receiver.received.slice(2).map(({ id }) => id)).toContain(first?.id);
    await receiver.close();
  });

  it('knows the keys that it had', async () => {
    await snapshot('one-key');
    const key = (await service.admin('key.add', { public_key: '11'.repeat(32) })).data ?? {};
    await restore('one-key');
    expect((await state()).active_keys).toEqual([service.service.apiKey]);
    expect((await service.admin('key.revoke', { id: key.id ?? 'key_none' })).error?.code).toBe('NOT_FOUND');
  });
});

describe('requests around a restore', () => {
  it('that were answered since the snapshot are replays, also after a restart', async () => {
    const earlier = service.sign('account.recipient.create', { metadata: { name: 'Earlier' } });
    expect((await service.send(earlier)).status).toBe(200);
    await snapshot('before');
    const change = service.sign('transaction.transfer', gbpPayout(accountId, 500));
    const read = service.sign('account.balance.getMany', {});
    const refused = service.sign('transaction.transfer', gbpPayout(accountId, 0));
    for (const request of [change, read, refused]) await service.send(request);
    await restore('before');
    for (const request of [change, read, refused]) expect((await service.send(request)).error?.reason).toBe('REPLAYED');
    await service.stop();
    // On the same port: its name is in what was signed.
    const port = Number(new URL(service.service.baseUrl).port);
    service = await startTestService({ dataDir: service.dataDir, settleMs: 60_000, port });
    for (const request of [earlier, change]) expect((await service.send(request)).error?.reason).toBe('REPLAYED');
    expect((await listing()).transactions).toEqual([]);
  });

  it('under way are answered from one of the two states, never with an error', async () => {
    await snapshot('start');
    let isOver = false;
    const statuses = new Set<number>();
    const paying = Array.from({ length: 16 }, async () => {
      while (!isOver) {
        const reply = await service.call('transaction.transfer', gbpPayout(accountId, 1));
        statuses.add(reply.status);
        const seen = await service.call('transaction.getMany', { limit: 1 });
        statuses.add(seen.status);
      }
    });
    for (let round = 0; round < 5; round++) expect((await restore('start')).status).toBe(200);
    isOver = true;
    await Promise.all(paying);
    expect([...statuses]).toEqual([200]);
    expect((await service.admin('verify')).data.findings).toEqual([]);
  });

  it('to the admin port, under way, end first: none works on the state that was', async () => {
    await service.close();
    const resolving = Promise.withResolvers<readonly string[]>();
    const isAsked = Promise.withResolvers<void>();
    const resolve = () => {
      isAsked.resolve();
      return resolving.promise;
    };
    service = await startTestService({ webhooks: { allowPrivate: true, resolve } });
    await snapshot('before');
    const adding = service.admin('webhook.add', { url: 'http://hooks.example/' });
    await isAsked.promise;
    const order: string[] = [];
    const restoring = restore('before').then(({ status }) => order.push(`restore ${status}`));
    const later = service.admin('state').then(({ status }) => order.push(`state ${status}`));
    // Requests of the public port do not wait for it.
    await service.data('account.balance.getMany', {});
    expect(order).toEqual([]);
    resolving.resolve(['127.0.0.1']);
    order.push(`added ${(await adding).status}`);
    await Promise.all([restoring, later]);
    expect(order).toEqual(['added 200', 'restore 200', 'state 200']);
    expect((await service.admin('webhook.list')).data.endpoints).toEqual([]);
  });

  it('that are late find the state of then', async () => {
    await snapshot('before');
    await service.admin('fault.add', { operation: 'transaction.transfer', kind: 'slow', ms: 300, nth: 1 });
    const slow = pay(700);
    await restore('before');
    const id = await slow;
    expect((await listing()).transactions).toMatchObject([{ id }]);
  });
});

describe('the clock of a restored snapshot', () => {
  it('does not go back', async () => {
    await snapshot('now');
    await service.admin('clock.advance', { ms: 86_400_000 });
    const { created_at } = (await service.data('transaction.get', { id: await pay() })) as { created_at: string };
    const { now } = (await restore('now')).data;
    expect(now >= created_at).toBe(true);
    expect((await state()).clock_offset_ms).toBe(86_400_000);
    expect((await service.data('transaction.get', { id: await pay() })).created_at >= created_at).toBe(true);
  });

  it('stands where it stood in the snapshot, at the later time', async () => {
    await service.admin('clock.freeze');
    await snapshot('standing');
    await service.admin('clock.resume');
    await service.admin('clock.advance', { ms: 1_000 });
    const later = (await state()).unix_ms;
    await restore('standing');
    const restored = await state();
    expect(restored.frozen).toBe(true);
    expect(restored.unix_ms).toBeGreaterThanOrEqual(later);
    expect((await state()).unix_ms).toBe(restored.unix_ms);
  });
});

describe('snapshots', () => {
  it('are listed, replaced by name, forgotten, and for nobody else to read', async () => {
    expect((await service.admin('state.snapshots')).data).toEqual([]);
    await snapshot('b-2');
    await snapshot('a');
    await pay();
    await snapshot('a');
    const listed = (await service.admin('state.snapshots')).data;
    expect(listed.map(({ name }: { name: string }) => name)).toEqual(['a', 'b-2']);
    expect(readdirSync(files().snapshots).sort()).toEqual(['a.db', 'b-2.db']);
    expect(statSync(join(files().snapshots, 'a.db')).mode & 0o777).toBe(0o600);
    await restore('a');
    expect((await listing()).totals.transfers).toBe(1);
    await restore('b-2');
    expect((await listing()).totals.transfers).toBe(0);
    expect(statSync(files().database).mode & 0o777).toBe(0o600);
    expect((await service.admin('state.forget', { name: 'a' })).status).toBe(200);
    expect((await restore('a')).error?.code).toBe('NOT_FOUND');
    expect((await service.admin('state.forget', { name: 'a' })).error?.code).toBe('NOT_FOUND');
  });

  it.each(['', 'A', '../a', 'a/b', 'a.db', 'x'.repeat(65), 'é'])('are not called %j', async (name) => {
    for (const operation of ['state.snapshot', 'state.restore', 'state.forget'])
      expect((await service.admin(operation, { name })).error?.message).toMatch(/^name: 1 to 64/);
  });

  it('are no more than there can be', async () => {
    mkdirSync(files().snapshots);
    for (let made = 0; made < SNAPSHOTS_MAX; made++) writeFileSync(join(files().snapshots, `s${made}.db`), '');
    expect((await snapshot('one-more')).error?.message).toMatch(/32 snapshots/);
    expect((await snapshot('s0')).status).toBe(200);
  });

  it('of an older version are brought up to date', async () => {
    const path = join(files().snapshots, 'old.db');
    await snapshot('old');
    rmSync(path);
    const old = openDatabase(path);
    old.exec(firstSchema);
    old.exec("INSERT INTO customer VALUES (1, 'cus_old', 1, 'Old', NULL)");
    old.exec("INSERT INTO recipient VALUES (1, 'rcp_old', 1, 1, 'Old payee', '{}')");
    old.exec('PRAGMA application_id = 1348565331; PRAGMA user_version = 1');
    old.close();
    const bytes = readFileSync(path);
    const { data } = await restore('old');
    const reply = await service.call('account.recipient.get', { id: 'rcp_old' }, { keyId: data.api_key });
    expect(reply.data).toMatchObject({ metadata: { name: 'Old payee' } });
    expect((await service.admin('state')).data.customer_id).toBe('cus_old');
    expect(readFileSync(path).equals(bytes)).toBe(true);
  });

  it.each([
    ['of a newer version', /was written by a newer payrun/, `PRAGMA user_version = ${SCHEMA_VERSION + 1}`],
    ['with a key that is none', /is damaged/, "UPDATE api_key SET public_key = x'00'"],
    ['of another program', /is a database of another program/, 'PRAGMA application_id = 7'],
    ['without anything', /is empty/, null],
    ['that is damaged', /is damaged/, 'damage'],
    ['that is no database', /is damaged/, 'text'],
  ])('%s are refused, and the service goes on', async (_what, problem, change) => {
    await snapshot('odd');
    const path = join(files().snapshots, 'odd.db');
    if (change === null) writeFileSync(path, '');
    else if (change === 'text') writeFileSync(path, 'no database '.repeat(1_000));
    else if (change === 'damage') {
      const bytes = readFileSync(path);
      writeFileSync(path, bytes.fill(0xa5, 4_096, bytes.length - 4_096));
    } else {
      const odd = openDatabase(path);
      odd.exec(change);
      odd.close();
    }
    const before = await everything();
    const reply = await restore('odd');
    expect(reply.error).toMatchObject({ code: 'BAD_REQUEST', message: expect.stringMatching(problem) });
    expect(await everything()).toEqual(before);
    expect(readdirSync(files().directory)).not.toContain('restoring.db');
    await pay();
  });

  it('are not restored while another program reads the data and does not end', async () => {
    await snapshot('before');
    await pay();
    const reader = openDatabase(files().database, { readOnly: true });
    reader.exec('BEGIN');
    reader.get('SELECT count(*) FROM posting');
    await pay();
    expect((await restore('before')).error?.code).toBe('SERVICE_UNAVAILABLE');
    expect((await listing()).totals.transfers).toBe(2);
    reader.exec('COMMIT');
    reader.close();
    expect((await restore('before')).status).toBe(200);
    expect((await listing()).totals.transfers).toBe(0);
  });
});

/** What the directory looks like at the moment of the kill; each twice, because a kill takes a moment too. */
const MOMENTS: readonly [string, (seen: Seen) => boolean][] = [
  ['the copy is being made', ({ copy }) => copy > 0],
  ['the nonces are being carried over', ({ journal }) => journal],
  ['the log is empty', ({ copy, log }) => copy > 0 && log === 0],
  ['the files have changed places', ({ copy, hadCopy }) => hadCopy && copy === 0],
];

type Seen = { copy: number; journal: boolean; log: number; hadCopy: boolean };

it('a restore that is killed leaves one state or the other, whole', async () => {
  const dataDir = temporaryDirectory();
  const first = await startTestService({ dataDir, settleMs: 60_000 });
  const { accountId: payee } = await addPayee(first);
  for (let row = 0; row < 300; row++) await first.data('transaction.transfer', gbpPayout(payee, 1));
  await first.admin('state.snapshot', { name: 'small' });
  await first.data('transaction.transfer', gbpPayout(payee, 1));
  await first.admin('state.snapshot', { name: 'large' });
  await first.stop();
  let transfers = 301;
  for (const [moment, isThen] of [...MOMENTS, ...MOMENTS]) {
    const name = transfers === 301 ? 'small' : 'large';
    const isAnswered = await killWhileRestoring(dataDir, name, isThen);
    const after = await startTestService({ dataDir, settleMs: 60_000 });
    transfers = (await after.data('transaction.getMany', { limit: 1 })).totals.transfers;
    expect(isAnswered ? [name === 'small' ? 300 : 301] : [300, 301], moment).toContain(transfers);
    expect((await after.admin('verify')).data.findings).toEqual([]);
    await after.stop();
    expect(readdirSync(servicePaths(dataDir).directory).filter((file) => file.startsWith('restoring'))).toEqual([]);
  }
  rmSync(dataDir, { recursive: true, force: true });
});

/** Whether the restore was answered before the kill. */
async function killWhileRestoring(dataDir: string, name: string, isThen: (seen: Seen) => boolean): Promise<boolean> {
  const { restoring, database } = servicePaths(dataDir);
  const child = fork(programOf('test/service/service-process.ts'), [dataDir]);
  const [killed] = (await once(child, 'message')) as [RunningService];
  const exited = once(child, 'exit');
  let isAnswered = false;
  const answered = fetch(`${killed.adminUrl}/state.restore`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  }).then(
    () => {
      isAnswered = true;
    },
    () => {},
  );
  const size = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const seen: Seen = { copy: 0, journal: false, log: 0, hadCopy: false };
  do {
    await new Promise((resolve) => setImmediate(resolve));
    seen.copy = size(restoring);
    seen.journal = size(`${restoring}-journal`) > 0;
    seen.log = size(`${database}-wal`);
    seen.hadCopy ||= seen.copy > 0;
  } while (!isThen(seen) && !isAnswered);
  child.kill('SIGKILL');
  await Promise.all([exited, answered]);
  return isAnswered;
}
