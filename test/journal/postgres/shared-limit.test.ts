import { hash } from 'node:crypto';
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Pace, SlotsWanted } from '../../../src/domain/shared-limit.ts';
import { FakeLimit, type FakeSlots } from '../../client/fake-limit.ts';
import { cases } from '../../support/cases.ts';
import { sharedPostgres, statements, urlOf } from '../../support/postgres.ts';
import { open } from '../open-postgres.ts';
import { REAL_CLOCK } from '../place.ts';
import { newJournalDatabase, type TestDatabase } from '../postgres-place.ts';

const PACE: Pace = { requests: 1_000, windowMs: 1_000, lateMs: 40 };
/** Of times in microseconds that are added up as numbers of ms. */
const ROUNDING_MS = 0.1;

let database: TestDatabase;
let clients: pg.Client[];
beforeAll(async () => {
  database = await newJournalDatabase();
  const roles = ['payrun_worker', 'payrun_worker', 'payrun_page', 'payrun_worker'] as const;
  clients = roles.map((role) => new pg.Client(database.as(role)));
  await Promise.all(clients.map((client) => client.connect()));
});
afterAll(async () => {
  for (const client of clients) await client.end();
  await statements(urlOf(await sharedPostgres(), 'postgres'), `DROP DATABASE ${database.name} WITH (FORCE)`);
});

/** As the database gives them, in ms. */
async function take(worker: number, scope: string, wanted: Partial<SlotsWanted> = {}): Promise<FakeSlots> {
  const asked = { ...PACE, count: 1, noticeMs: 0, pauseMs: 0, ...wanted };
  const us = (ms: number) => Math.ceil(ms * 1_000);
  const pace = [asked.requests, us(asked.windowMs), us(asked.lateMs)];
  const values = [hash('sha256', scope), ...pace, asked.count, us(asked.noticeMs), us(asked.pauseMs)];
  const result = await clients[worker]?.query('SELECT * FROM payrun.take_slots($1, $2, $3, $4, $5, $6, $7)', values);
  const row = result?.rows[0] as Record<string, string>;
  const ms = (name: string) => Number(row[name]) / 1_000;
  return {
    ...{ count: Number(row.slots), atMs: ms('asked_at'), firstInMs: ms('first_in'), everyMs: ms('every') },
    ...{ windowMs: ms('span'), lateMs: ms('late'), pausedMs: ms('paused_for'), againInMs: ms('again_in') },
  };
}

/** The beginnings of slots, on the clock of the database. */
function slotsOf({ count, atMs, firstInMs, everyMs }: FakeSlots): number[] {
  return Array.from({ length: count }, (_, nth) => atMs + firstInMs + nth * everyMs);
}

/** All slots that four processes get which ask at the same time, again and again, in their order. */
async function slotsOfFour(scope: string): Promise<number[]> {
  const ask = async (worker: number): Promise<number[]> => {
    const slots: number[] = [];
    for (let times = 0; times < 40; times++) slots.push(...slotsOf(await take(worker, scope, { count: 3 })));
    return slots;
  };
  const all = await Promise.all([0, 1, 2, 3].map(ask));
  return all.flat().sort((a, b) => a - b);
}

function closest(slots: readonly number[]): number {
  return Math.min(...slots.slice(1).map((ms, nth) => ms - (slots[nth] ?? 0)));
}

describe('slots', () => {
  const everyMs = (PACE.windowMs + PACE.lateMs) / PACE.requests;

  test('are given once each, also where several ask at the same time', async () => {
    const slots = await slotsOfFour('once');
    expect(slots.length).toBeGreaterThan(400);
    expect(closest(slots)).toBeGreaterThanOrEqual(everyMs - ROUNDING_MS);
  });

  test('would be given twice without the lock of the row: the test before notices it', async () => {
    const [{ source } = {}] = await statements(
      database.admin,
      "SELECT pg_get_functiondef('payrun.take_slots'::regproc) AS source",
    );
    // And time between reading and writing, so that a busy machine does not put the calls in a row.
    const slow = String(source).replace('it := was;', 'it := was; PERFORM pg_sleep(0.005);');
    const unlocked = slow.replaceAll('FOR UPDATE', '');
    expect(unlocked).not.toBe(slow);
    await statements(database.admin, unlocked);
    try {
      expect(closest(await slotsOfFour('twice'))).toBeLessThan(everyMs / 2);
    } finally {
      await statements(database.admin, String(source));
    }
  });

  test('of one service and key are no others’, and neither is stored', async () => {
    await take(0, 'https://pay.example/|key-1', { ...PACE, requests: 1, windowMs: 60_000, count: 1 });
    const [other] = slotsOf(await take(0, 'https://pay.example/|key-2'));
    expect(other).toBeDefined();
    const rows = await statements(database.admin, 'SELECT key FROM payrun.rate_limit');
    for (const { key } of rows) expect(key).toMatch(/^[0-9a-f]{64}$/);
  });

  test('begin after a pause that any process asks for', async () => {
    await take(0, 'pause');
    const paused = await take(1, 'pause', { count: 0, pauseMs: 5_000 });
    expect(paused.pausedMs).toBe(5_000);
    const other = await take(2, 'pause');
    expect(other.pausedMs).toBeGreaterThan(4_000);
    expect(other.firstInMs).toBeGreaterThanOrEqual(other.pausedMs);
  });

  test('begin anew only after two windows where the server was started anew, for it may not know the last ones', async () => {
    await take(0, 'restart');
    await statements(database.admin, "UPDATE payrun.rate_limit SET server = '2026-01-01'");
    const first = await take(1, 'restart');
    expect([first.count, first.againInMs > 0]).toEqual([0, true]);
    expect(first.firstInMs).toBeGreaterThan(2 * PACE.windowMs + 1_900);
  });
});

test('a process has them on its own clock, whichever of its journals it asks', async () => {
  const journal = await open(database.as('payrun_worker'), { clock: REAL_CLOCK });
  const askedMs = REAL_CLOCK.monotonicMs();
  const given = await journal.sharedLimit('own')?.takeSlots({ ...PACE, count: 5, noticeMs: 0, pauseMs: 0 });
  const answeredMs = REAL_CLOCK.monotonicMs();
  expect(given).toMatchObject({ count: 5, everyMs: 1.04, windowMs: 1_000, lateMs: 40, ownLateMs: 40 });
  expect(given?.first.earliestMs).toBeGreaterThan(askedMs - 1);
  expect(given?.first.latestMs).toBeLessThan(answeredMs + 1);
  await journal.close();
});

test('the double that the tests in virtual time use gives the same', async () => {
  const anyPace = fc.constantFrom<Pace>(
    { requests: 10, windowMs: 1_000, lateMs: 40 },
    { requests: 10, windowMs: 1_000, lateMs: 90 },
    { requests: 100, windowMs: 10_000, lateMs: 200 },
    { requests: 3, windowMs: 1_000, lateMs: 40 },
    { requests: 1_000, windowMs: 1_000, lateMs: 40 },
    { requests: 0, windowMs: 0, lateMs: 20 },
  );
  const anyCall = fc.record({
    afterMs: fc.oneof(fc.nat(50), fc.nat(3_000), fc.constant(40_000)),
    pace: anyPace,
    count: fc.nat(30),
    noticeMs: fc.constantFrom(0, 0, 7),
    pauseMs: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, fc.nat(4_000)),
    restart: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, fc.constant(true)),
  });
  const clock = `CREATE OR REPLACE FUNCTION payrun.clock_us() RETURNS bigint LANGUAGE sql VOLATILE AS `;
  await statements(database.admin, 'CREATE TABLE public.now (us bigint)', 'INSERT INTO public.now VALUES (0)');
  await statements(database.admin, 'GRANT SELECT ON public.now TO payrun_worker');
  await statements(database.admin, `${clock} $$ SELECT us FROM public.now $$`);
  const admin = new pg.Client(database.admin);
  await admin.connect();
  let nth = 0;
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(anyCall, { minLength: 1, maxLength: 12 }), async (calls) => {
        const scope = `double ${nth++}`;
        let nowMs = 1_795_599_000_000;
        const double = new FakeLimit(() => nowMs);
        for (const { afterMs, pace, count, noticeMs, pauseMs, restart } of calls) {
          nowMs += afterMs;
          if (restart) double.restart();
          const wanted = { ...pace, count, noticeMs, pauseMs };
          const server = restart ? "; UPDATE payrun.rate_limit SET server = '2026-01-01'" : '';
          await admin.query(`UPDATE public.now SET us = ${nowMs * 1_000}${server}`);
          const given = await take(0, scope, wanted);
          const expected = double.take(wanted);
          for (const [name, value] of Object.entries(expected))
            expect(Math.abs((given[name as keyof typeof given] ?? NaN) - value), name).toBeLessThan(ROUNDING_MS);
        }
      }),
      { numRuns: cases(25, 200) },
    );
  } finally {
    await admin.end();
    await statements(
      database.admin,
      `${clock} $$ SELECT floor(extract(epoch FROM clock_timestamp()) * 1000000)::bigint $$`,
    );
  }
});
