import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { Deposed, type RunWriter } from '../../../src/journal/journal.ts';
import { statements } from '../../support/postgres.ts';
import { open } from '../open-postgres.ts';
import { anotherProcess, ManualClock } from '../place.ts';
import { type PostgresPlace, postgresPlaces } from '../postgres-place.ts';
import { sampleIntent } from '../samples.ts';
import { entriesOf, newRun, opened, placesOf } from '../suite/places.ts';

const newPlace = placesOf(postgresPlaces(1));

const LEASE_MS = 30_000;

/** Number of the lock at which a commit is held in its middle. */
const GATE = 42;

const clients: pg.Client[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.end();
});

async function clientOf({ database }: PostgresPlace): Promise<pg.Client> {
  const client = new pg.Client(database.admin);
  await client.connect();
  clients.push(client);
  return client;
}

/** Whether the work waits, some time after it began. */
async function isWaiting(work: Promise<unknown>): Promise<boolean> {
  return Promise.race([work.then(() => false), sleep(300, true)]);
}

describe('a look at the epoch, in the transaction that writes', () => {
  async function racing(look: string) {
    const place = newPlace();
    await newRun(await place.open());
    const [deposed, taker] = [await clientOf(place), await clientOf(place)];
    await deposed.query('BEGIN');
    const { rows } = await deposed.query(`SELECT epoch FROM payrun.lease WHERE run = 1 ${look}`);
    const takeover = taker.query('UPDATE payrun.lease SET epoch = 2 WHERE run = 1');
    const waited = await isWaiting(takeover);
    await deposed.query("INSERT INTO payrun.cancel_asked VALUES (1, 'the deposed process', 0)");
    await deposed.query('COMMIT');
    await takeover;
    return { seen: Number(rows[0].epoch), waited };
  }

  it('is no fence where it only looks: the deposed process commits after the takeover', async () => {
    expect(await racing('')).toEqual({ seen: 1, waited: false });
  });

  it('is one where it locks the row: the takeover comes after the commit', async () => {
    expect(await racing('FOR SHARE')).toEqual({ seen: 1, waited: true });
  });
});

/** What a takeover and the commit that it meets in its middle come to. */
async function takeoverInMidCommit(place: PostgresPlace) {
  const journal = await place.open({ process: anotherProcess(1) });
  const writer = await newRun(journal);
  await statements(
    place.database.admin,
    `CREATE OR REPLACE FUNCTION payrun.wait_at_gate() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN PERFORM pg_advisory_xact_lock(${GATE}); RETURN NEW; END $$`,
    `CREATE OR REPLACE TRIGGER gate BEFORE INSERT ON payrun.entry FOR EACH ROW WHEN (NEW.kind = 'intent')
     EXECUTE FUNCTION payrun.wait_at_gate()`,
  );
  const gate = await clientOf(place);
  await gate.query(`SELECT pg_advisory_lock(${GATE})`);
  const commit = writer.append([sampleIntent(2)]).then(
    () => 'done',
    (error: Error) => error.name,
  );
  await sleep(200);
  const second = await place.open({ process: anotherProcess(2), isAlive: () => false });
  const takeover = second.openRun('R1').then(
    ({ outcome }) => outcome,
    (error: Error) => error.name,
  );
  await isWaiting(takeover);
  // That of the commit waits at the gate.
  const waiting = await statements(
    place.database.admin,
    `SELECT query FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
     AND NOT EXISTS (SELECT FROM pg_locks WHERE pg_locks.pid = pg_stat_activity.pid AND locktype = 'advisory')`,
  );
  await gate.query(`SELECT pg_advisory_unlock(${GATE})`);
  const outcome = { commit: await commit, takeover: await takeover };
  await statements(place.database.admin, 'DROP TRIGGER gate ON payrun.entry');
  const waitsAt = waiting.map(({ query }) => /(?:FROM|UPDATE) (\w+)/.exec(String(query))?.[1]);
  return { ...outcome, waitsAt, kinds: (await entriesOf(second)).map(({ kind }) => kind).slice(3) };
}

/** What a deposed writer can still do that has nothing to write. */
async function renewalOfDeposed(place: PostgresPlace) {
  const deposed = await newRun(await place.open({ process: anotherProcess(1) }));
  await opened(await place.open({ process: anotherProcess(2), isAlive: () => false }));
  return deposed.renew().then(
    () => 'done',
    (error: Error) => error.name,
  );
}

/** The function with which a writer commits, as it is, or with a text in place of another. */
async function withFence<Result>(
  place: PostgresPlace,
  [from, to]: [RegExp, string],
  work: () => Promise<Result>,
): Promise<Result> {
  const [found] = await statements(place.database.admin, "SELECT pg_get_functiondef('payrun.append'::regproc) AS sql");
  const sql = String(found?.sql);
  expect(sql).toMatch(from);
  await statements(place.database.admin, sql.replace(from, to));
  try {
    return await work();
  } finally {
    await statements(place.database.admin, sql);
  }
}

describe('the fence', () => {
  it('lets a takeover wait for a commit that has begun, and know of it', async () => {
    expect(await takeoverInMidCommit(newPlace())).toEqual({
      commit: 'done',
      takeover: 'opened',
      waitsAt: ['lease'],
      kinds: ['intent', 'lease_taken'],
    });
  });

  it('is missed where the row of the lease is not locked', async () => {
    const place = newPlace();
    const outcome = await withFence(place, [/FOR SHARE/, ''], () => takeoverInMidCommit(place));
    // The chain of the run is another fence, which both meet at once: one of them is undone, and begins again.
    expect(outcome.waitsAt).not.toEqual(['lease']);
  });

  it('refuses a deposed writer also where it has nothing to write', async () => {
    expect(await renewalOfDeposed(newPlace())).toBe('Deposed');
  });

  it('is missed where the epoch is not compared', async () => {
    const place = newPlace();
    const compared =
      /WHERE run = given_run AND epoch = given_epoch AND lease_id = given_lease_id AND holder = given_holder/;
    // The chain of the run, which the new holder has moved, is another fence.
    const outcome = await withFence(place, [compared, 'WHERE run = given_run'], () => renewalOfDeposed(place));
    expect(outcome).toBe('JournalDamaged');
  });
});

describe('a lease', () => {
  it("runs out by the database's clock, whatever the clocks of the hosts say", async () => {
    const place = newPlace();
    const clock = new ManualClock();
    await newRun(await place.open({ clock, process: anotherProcess(1), leaseMs: LEASE_MS }));
    const ahead = new ManualClock();
    ahead.now += 3_600_000;
    const second = await place.open({ clock: ahead, process: anotherProcess(2), leaseMs: LEASE_MS });
    const holder = { ...anotherProcess(1), expires_at: clock.now + LEASE_MS };
    expect(await second.openRun('R1')).toEqual({ outcome: 'held', holder });
    expect(await second.holder('R1')).toEqual(holder);
    const behind = new ManualClock();
    behind.now -= 3_600_000;
    const third = await place.open({ clock: behind, process: anotherProcess(3), leaseMs: LEASE_MS });
    await place.pass(clock, LEASE_MS);
    expect(await third.openRun('R1')).toMatchObject({ outcome: 'opened' });
  });

  it('is missed where each process goes by a clock of its own: one that is ahead takes it too early', async () => {
    const place = newPlace();
    const { database } = place;
    // Closed with the place.
    const journals = [await place.open()];
    const [found] = await statements(database.admin, "SELECT pg_get_functiondef('payrun.clock_ms'::regproc) AS sql");
    const own = "SELECT current_setting('payrun.own_clock')::bigint";
    await statements(
      database.admin,
      `CREATE OR REPLACE FUNCTION payrun.clock_ms() RETURNS bigint LANGUAGE sql VOLATILE AS $$ ${own} $$`,
    );
    try {
      const at = async (clock: ManualClock, number: number) => {
        const options = encodeURIComponent(`-c payrun.own_clock=${clock.now}`);
        const url = `${database.as('payrun_worker')}?options=${options}`;
        const journal = await open(url, { clock, process: anotherProcess(number), leaseMs: LEASE_MS });
        journals.push(journal);
        return journal;
      };
      await newRun(await at(new ManualClock(), 1));
      const ahead = new ManualClock();
      ahead.now += 3_600_000;
      expect(await (await at(ahead, 2)).openRun('R1')).toMatchObject({ outcome: 'opened' });
    } finally {
      for (const journal of journals.slice(1)) await journal.close();
      await statements(database.admin, String(found?.sql));
    }
  });

  it('is held by its holder for as long as its own clocks say, from before it asked, and no server is asked', async () => {
    const place = newPlace();
    const clock = new ManualClock();
    const writer: RunWriter = await newRun(await place.open({ clock, leaseMs: LEASE_MS }));
    expect(writer.holds()).toBe(true);
    clock.now += LEASE_MS - 1;
    expect(writer.holds()).toBe(true);
    clock.now += 1;
    expect(writer.holds()).toBe(false);
    // Nobody has taken it: it can be put off, and is held again.
    await writer.append([sampleIntent(2)]);
    expect(writer.holds()).toBe(true);
  });

  it('is lost where the machine slept: the wall clock went on, and the monotonic clock did not', async () => {
    const clock = new (class extends ManualClock {
      readonly start = this.now;
      override monotonicMs(): number {
        return this.start;
      }
    })();
    const writer = await newRun(await newPlace().open({ clock, leaseMs: LEASE_MS }));
    clock.now += LEASE_MS;
    expect(writer.holds()).toBe(false);
  });

  it('of a deposed writer is not held any more, once it knows', async () => {
    const place = newPlace();
    const deposed = await newRun(await place.open({ process: anotherProcess(1) }));
    await opened(await place.open({ process: anotherProcess(2), isAlive: () => false }));
    await expect(deposed.append([sampleIntent(2)])).rejects.toThrow(Deposed);
    expect(deposed.holds()).toBe(false);
  });
});
