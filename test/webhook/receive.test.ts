import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { request } from 'undici';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { signWebhook, type WebhookToSign } from '../../src/contract/webhook.ts';
import type { Journal } from '../../src/journal/journal.ts';
import { signingKey, verifyingKey } from '../../src/keys/ed25519.ts';
import { silentLog } from '../../src/platform/log.ts';
import { type Receiver, type ReceiverOptions, startReceiver } from '../../src/webhook/receive.ts';
import { commitsInWal, open } from '../journal/open-sqlite.ts';
import { ManualClock } from '../journal/place.ts';
import { entriesOf, newRun } from '../journal/suite/places.ts';

const KEY = signingKey(new Uint8Array(32).fill(5));
const STRANGER = signingKey(new Uint8Array(32).fill(6));
const SECRET = new Uint8Array(32).fill(7);
const clock = new ManualClock();
const NOW_S = clock.now / 1_000;

let path: string;
let journal: Journal;
let receiver: Receiver;

beforeEach(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'payrun-webhook-'));
  path = join(folder, 'journal.db');
  journal = open(path, { clock });
  receiver = await receiving();
  return async () => {
    await receiver.stop();
    await journal.close();
    rmSync(folder, { recursive: true });
  };
});

describe('a delivery', () => {
  it('is a hint in the journal before it is answered', async () => {
    expect(await deliver(signed('evt_1'))).toBe(204);
    expect(await journal.hintsAfter(0, 10)).toEqual([
      {
        n: 1,
        webhook_id: 'evt_1',
        transaction_id: 'tx_evt_1',
        type: 'transaction.updated',
        received_at: clock.now,
      },
    ]);
    // Another connection reads it from the file: it is committed and not only remembered.
    expect(hintsOnDisk()).toEqual(['evt_1']);
  });

  it('says nothing but ids: what its data claims is not kept', async () => {
    const data = { id: 'tx_1', status: 'COMPLETED', currency_out: { value: '999999' } };
    expect(await deliver(signed('evt_1', { body: event({ type: 'transaction.created', data }) }))).toBe(204);
    expect(Object.keys((await journal.hintsAfter(0, 10))[0] ?? {}).toSorted()).toEqual(
      ['n', 'received_at', 'transaction_id', 'type', 'webhook_id'].toSorted(),
    );
  });

  it.each([
    ['of both signatures is taken with both keys', { publicKey: true, secret: true }, {}, 204],
    [
      'of v1 alone is refused where a public key is given',
      { publicKey: true, secret: true },
      { signingKey: null },
      401,
    ],
    ['of v1 alone is taken with the secret alone', { publicKey: false, secret: true }, { signingKey: null }, 204],
    ['of v1a alone is taken with the public key alone', { publicKey: true, secret: false }, { secret: null }, 204],
    ['of v1a alone is refused with the secret alone', { publicKey: false, secret: true }, { secret: null }, 401],
  ])('%s', async (_, has, change, status) => {
    const keys = { publicKey: has.publicKey ? publicKey() : null, secret: has.secret ? SECRET : null };
    const own = await receiving({ keys });
    onTestFinished(() => own.stop());
    expect(await deliver(signed('evt_1', change), own)).toBe(status);
    expect(await journal.lastHint()).toBe(status === 204 ? 1 : 0);
  });

  it('repeated is answered like the first and leaves no trace', async () => {
    const delivery = signed('evt_1');
    expect(await deliver(delivery)).toBe(204);
    const before = await journalState();
    expect(await deliver(delivery)).toBe(204);
    // A later try of the same event is signed anew and has the same id.
    clock.now += 60_000;
    onTestFinished(() => {
      clock.now -= 60_000;
    });
    expect(await deliver(signed('evt_1', { timestampSeconds: NOW_S + 60 }))).toBe(204);
    expect(await journalState()).toEqual(before);
  });

  it.each<[string, Partial<WebhookToSign>]>([
    ['forged with another key', { signingKey: STRANGER }],
    ['forged with another secret', { secret: new Uint8Array(32) }],
    ['from 301 s ago', { timestampSeconds: NOW_S - 301 }],
    ['from 301 s ahead', { timestampSeconds: NOW_S + 301 }],
  ])('%s is refused and changes nothing', async (_, change) => {
    const before = await journalState();
    expect(await deliver(signed('evt_1', change))).toBe(401);
    expect(await journalState()).toEqual(before);
  });

  it('of a changed body is refused, in bytes that decode to the same text too', async () => {
    const { headers } = signed('evt_1');
    const before = await journalState();
    expect(await deliver({ headers, body: Buffer.from(event({ data: { id: 'tx_other' } })) })).toBe(401);
    const raw = Buffer.concat([
      Buffer.from('{"type":"other","timestamp":"'),
      Buffer.from([0xff]),
      Buffer.from('","data":{}}'),
    ]);
    const replaced = Buffer.from(raw.toString('utf8'));
    const ofRaw = signed('evt_2', { body: raw });
    expect(await deliver({ headers: ofRaw.headers, body: replaced })).toBe(401);
    // As it was signed it is from the sender, and no JSON.
    expect(await deliver(ofRaw)).toBe(400);
    expect(await journalState()).toEqual(before);
  });

  it.each([
    ['no JSON', 'transaction.updated'],
    ['an array', '[]'],
    ['no type', '{"timestamp":"now","data":{"id":"tx_1"}}'],
    ['no id of the transaction', event({ data: { status: 'COMPLETED' } })],
    ['an empty id', event({ data: { id: '' } })],
    ['an endless id', event({ data: { id: 'x'.repeat(201) } })],
    ['an id that is no text', event({ data: { id: 7 } })],
  ])('signed well with %s is 400', async (_, body) => {
    expect(await deliver(signed('evt_1', { body }))).toBe(400);
    expect(await journal.lastHint()).toBe(0);
  });

  it('about something else is taken and forgotten', async () => {
    expect(await deliver(signed('evt_1', { body: event({ type: 'balance.updated', data: {} }) }))).toBe(204);
    expect(await journal.lastHint()).toBe(0);
  });

  it('may say its charset', async () => {
    const { headers, body } = signed('evt_1');
    const contentType = { 'content-type': 'Application/JSON; charset=utf-8' };
    expect(await deliver({ headers: { ...headers, ...contentType }, body })).toBe(204);
  });
});

describe('what is no delivery', () => {
  it.each(['GET', 'PUT', 'DELETE', 'HEAD'] as const)('%s is 405', async (method) => {
    const answer = await request(receiver.url, { method });
    await answer.body.dump();
    expect(answer.statusCode).toBe(405);
    expect(answer.headers.allow).toBe('POST');
  });

  it.each([undefined, 'text/plain', 'application/jsonp', 'application/x-www-form-urlencoded'])(
    'the content type %s is 415',
    async (contentType) => {
      const { headers, body } = signed('evt_1');
      const { 'content-type': _, ...others } = headers;
      const sent = contentType === undefined ? others : { ...others, 'content-type': contentType };
      expect(await deliver({ headers: sent, body })).toBe(415);
      expect(await journal.lastHint()).toBe(0);
    },
  );

  it('a body announced as larger than 1 MiB is 413 before it is read', async () => {
    expect(await raw(['content-length: 1048577'], '')).toContain('HTTP/1.1 413');
  });

  it('a body that turns out larger than 1 MiB is 413', async () => {
    const size = 1_048_577;
    expect(await raw(['transfer-encoding: chunked'], `${size.toString(16)}\r\n${'a'.repeat(size)}`)).toContain(
      'HTTP/1.1 413',
    );
  });

  it('a body of exactly 1 MiB is read', async () => {
    const start = event({ data: { id: 'tx_1' } });
    expect(await deliver(signed('evt_1', { body: start + ' '.repeat(1_048_576 - start.length) }))).toBe(204);
  });
});

describe('the journal', () => {
  it('takes deliveries that come together in two commits: the first, and those that come in the pause after it', async () => {
    const all = Promise.withResolvers<void>();
    let arrived = 0;
    const own = await receiving({
      clock: {
        wallMs() {
          arrived++;
          if (arrived === 100) all.resolve();
          return clock.wallMs();
        },
        monotonicMs: () => clock.monotonicMs(),
        soon: (work) => clock.soon(work),
        // The pause lasts until all have come, however slow the machine is.
        async sleep(ms) {
          await all.promise;
          await clock.sleep(ms);
        },
      },
    });
    onTestFinished(() => own.stop());
    const before = commitsInWal(`${path}-wal`);
    const ids = Array.from({ length: 100 }, (_, index) => `evt_${index}`);
    const statuses = await Promise.all(ids.map((id) => deliver(signed(id), own)));
    expect(new Set(statuses)).toEqual(new Set([204]));
    expect(hintsOnDisk().toSorted()).toEqual(ids.toSorted());
    expect(commitsInWal(`${path}-wal`) - before).toBeLessThanOrEqual(2);
  });

  it('that cannot write makes the sender try again', async () => {
    let isBroken = true;
    const own = await receiving({
      journal: {
        addHints: (hints) => (isBroken ? Promise.reject(new Error('disk full')) : journal.addHints(hints)),
      },
    });
    onTestFinished(() => own.stop());
    expect(await deliver(signed('evt_1'), own)).toBe(503);
    expect(await journal.lastHint()).toBe(0);
    isBroken = false;
    expect(await deliver(signed('evt_1'), own)).toBe(204);
    expect(hintsOnDisk()).toEqual(['evt_1']);
  });

  it('is not disturbed in a run', async () => {
    const writer = await newRun(journal);
    const before = await entriesOf(journal);
    await Promise.all([deliver(signed('evt_1')), deliver(signed('evt_2')), writer.renew()]);
    expect(await entriesOf(journal)).toEqual(before);
    expect(await journal.verifyRun('R1')).toMatchObject({ ok: true });
    expect(await journal.lastHint()).toBe(2);
  });
});

describe('the receiver', () => {
  it('answers what has come and then stops, whoever still holds a connection', async () => {
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const begun = new Promise<void>((begin) => {
      void receiving({
        journal: {
          async addHints(hints) {
            begin();
            await held;
            return journal.addHints(hints);
          },
        },
      }).then((own) => {
        stopping = own;
        delivered = deliver(signed('evt_1'), own);
      });
    });
    let stopping: Receiver | undefined;
    let delivered: Promise<number> | undefined;
    await begun;
    const idle = connect({ port: Number(new URL(stopping?.url ?? '').port), host: '127.0.0.1' });
    await once(idle, 'connect');
    idle.on('error', () => {});
    idle.write('POST / HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{');
    const stopped = stopping?.stop();
    release();
    expect(await delivered).toBe(204);
    await stopped;
    await expect(deliver(signed('evt_2'), stopping)).rejects.toThrow();
    expect(hintsOnDisk()).toEqual(['evt_1']);
  });

  it('rejects where its port is taken', async () => {
    const port = Number(new URL(receiver.url).port);
    await expect(receiving({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  it('without a key is a bug', async () => {
    await expect(receiving({ keys: { publicKey: null, secret: null } })).rejects.toThrow(/without a key/);
  });
});

type Own = Partial<Pick<ReceiverOptions, 'keys' | 'journal' | 'port' | 'clock'>>;

function receiving(own: Own = {}): Promise<Receiver> {
  const keys = { publicKey: publicKey(), secret: SECRET };
  return startReceiver({ host: '127.0.0.1', port: 0, keys, journal, clock, log: silentLog, ...own });
}

function publicKey() {
  const result = verifyingKey(KEY.publicKey);
  if (!result.ok) throw new Error(result.problem);
  return result.key;
}

function event(change: object = {}): string {
  const timestamp = '2027-01-15T08:00:00.000Z';
  return JSON.stringify({
    type: 'transaction.updated',
    timestamp,
    data: { id: 'tx_1', status: 'COMPLETED' },
    ...change,
  });
}

type Sent = { headers: Record<string, string>; body: Uint8Array };

function signed(id: string, change: Partial<WebhookToSign> = {}): Sent {
  const body = Buffer.from(change.body ?? event({ data: { id: `tx_${id}`, status: 'COMPLETED' } }));
  const headers = signWebhook({ id, timestampSeconds: NOW_S, signingKey: KEY, secret: SECRET, ...change, body });
  return { headers: { ...headers, 'content-type': 'application/json' }, body };
}

async function deliver({ headers, body }: Sent, to: Receiver = receiver): Promise<number> {
  const answer = await request(to.url, { method: 'POST', headers, body });
  await answer.body.dump();
  return answer.statusCode;
}

/** What the receiver answers to bytes of our own making. */
async function raw(headers: string[], body: string): Promise<string> {
  const socket = connect({ port: Number(new URL(receiver.url).port), host: '127.0.0.1' });
  socket.on('error', () => {});
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  const lines = ['POST / HTTP/1.1', 'host: a', 'content-type: application/json', ...headers, '', ''];
  socket.write(lines.join('\r\n') + body);
  await once(socket, 'close');
  return text;
}

function hintsOnDisk(): unknown[] {
  using database = new DatabaseSync(path, { readOnly: true });
  return database
    .prepare('SELECT webhook_id FROM hint ORDER BY n')
    .all()
    .map(({ webhook_id }) => webhook_id);
}

/** Everything that a delivery could change: the hints, and whether anything at all was committed. */
async function journalState(): Promise<unknown> {
  return { hints: await journal.hintsAfter(0, 100), commits: commitsInWal(`${path}-wal`) };
}
