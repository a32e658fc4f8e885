import { rmSync } from 'node:fs';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Core } from '../../src/service/core.ts';
import { recordEvent } from '../../src/service/events.ts';
import { assemble } from '../../src/service/live-data.ts';
import { parseOptions } from '../../src/service/options.ts';
import { Outbox } from '../../src/service/outbox.ts';
import { openDatabase, type Store } from '../../src/service/store/database.ts';
import { openStore, servicePaths } from '../../src/service/store/open.ts';
import { machineClock as machineOf } from '../../src/service/time/clock.ts';
import { checkInvariants } from '../../src/service/verify/invariants.ts';
import { ATTEMPTS_MAX, nextAttemptMs, readRetryAfter } from '../../src/service/webhooks/deliveries.ts';
import { DeliveryFaults, type Treatment } from '../../src/service/webhooks/delivery-faults.ts';
import { keepEndpoint, listEndpoints, switchOff } from '../../src/service/webhooks/endpoints.ts';
import {
  addPayee,
  gbpPayout,
  machineClock,
  memoryLog,
  randomness,
  startTestService,
  temporaryDirectory,
} from './harness.ts';
import { startReceiver } from './webhook-receiver.ts';

function findingsIn(store: Store): string[] {
  const findings: string[] = [];
  checkInvariants(store, (text) => findings.push(text));
  return findings;
}

describe('the schedule', () => {
  const MINUTE_MS = 60_000;
  const MINUTES = [5 / 60, 5, 30, 120, 300, 600, 840, 1_200, 1_440];

  it('has ten attempts, each delay moved by a tenth at most', () => {
    expect(ATTEMPTS_MAX).toBe(10);
    for (const [place, minutes] of MINUTES.entries()) {
      const delay = (chance: number) => nextAttemptMs({ attempts: place + 1, nowMs: 0, chance, retryAfterMs: null });
      expect(delay(0.5)).toBe(minutes * MINUTE_MS);
      expect(delay(0)).toBe(minutes * MINUTE_MS * 0.9);
      expect(delay(0.999_999_999)).toBeLessThanOrEqual(minutes * MINUTE_MS * 1.1);
      expect(delay(0.999_999_999)).toBeGreaterThan(minutes * MINUTE_MS * 1.099);
    }
    expect(nextAttemptMs({ attempts: 10, nowMs: 0, chance: 0, retryAfterMs: 1 })).toBeNull();
  });

  it('reads every date that Date writes, and takes no other text for one', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 253_402_300_799 }), (second) => {
        const text = new Date(second * 1_000).toUTCString();
        expect(readRetryAfter(text, 0)).toBe(second * 1_000);
        expect(readRetryAfter(text, second * 1_000 + 5)).toBe(0);
      }),
    );
    expect(readRetryAfter('120', 0)).toBe(120_000);
    for (const text of ['', '-1', '1.5', '1e3', 'Sat, 21 Nov 2026', 'Sat, 21 Non 2026 07:06:05 GMT', '99999999999'])
      expect(readRetryAfter(text, 0), text).toBeNull();
    expect(readRetryAfter(null, 0)).toBeNull();
  });
});

describe('faults of deliveries', () => {
  const next = (faults: DeliveryFaults, count: number): Treatment[] =>
    Array.from({ length: count }, () => faults.next());

  it('come true once, at their place', () => {
    const faults = new DeliveryFaults(randomness);
    faults.add({ kind: 'twice', left: 2 });
    faults.add({ kind: 'drop', left: 4 });
    expect(next(faults, 6)).toEqual(['send', 'twice', 'send', 'drop', 'send', 'send']);
  });

  it('hold so many as were asked for', () => {
    const faults = new DeliveryFaults(randomness);
    faults.add({ kind: 'hold', left: 2 });
    expect([faults.next(), faults.isHolding()]).toEqual(['hold', true]);
    expect([faults.next(), faults.isHolding()]).toEqual(['hold', false]);
    expect(faults.next()).toBe('send');
  });

  it('are a hundred at most', () => {
    const faults = new DeliveryFaults(randomness);
    for (let added = 0; added < 100; added++) expect(faults.add({ kind: 'drop', probability: 0 })).toBe(true);
    expect(faults.add({ kind: 'drop', probability: 0 })).toBe(false);
  });
});

describe('the outbox', () => {
  let dataDir: string;
  let core: Core;
  let close: () => void;
  beforeEach(() => {
    dataDir = temporaryDirectory();
    const opened = openStore(dataDir);
    const options = { dataDir, clock: machineClock, randomness, log: memoryLog(), port: 0, adminPort: null };
    const machine = machineOf(machineClock);
    ({ core } = assemble(opened.store, { ...options, parsed: parseOptions(options), machine }));
    close = () => opened.close();
  });
  afterEach(() => {
    close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const commit = <Result>(run: () => Result): Promise<Result | 'crashed'> =>
    core.committer.submit<Result | 'crashed'>(run, { crashed: () => 'crashed' });

  it('writes one statement for an event where no endpoint is on', () => {
    const texts: string[] = [];
    const store: Store = {
      ...core.store,
      run: (text) => {
        texts.push(text);
        return { changes: 1, lastId: 1 };
      },
      get: () => expect.fail('nothing is to be read'),
    };
    recordEvent({ ...core, store }, 1, 'transaction.created', 'PENDING', 0);
    expect(texts).toEqual([expect.stringContaining('INSERT INTO event')]);
  });

  it('forgets an endpoint with the transaction that made it', async () => {
    const undone = commit(() => {
      keepEndpoint(core, 'https://a.example/', null);
      expect(core.outbox.endpoints).toHaveLength(1);
      throw new Error('after that');
    });
    const kept = commit(() => keepEndpoint(core, 'https://b.example/', null));
    expect(await undone).toBe('crashed');
    await kept;
    expect(core.outbox.endpoints.map(({ url }) => url)).toEqual(['https://b.example/']);
    expect(listEndpoints(core).map(({ url }) => url)).toEqual(['https://b.example/']);
    const back = commit(() => {
      switchOff(core, core.outbox.endpoints[0]?.endpoint ?? 0, 'because');
      expect(core.outbox.endpoints).toEqual([]);
      throw new Error('after that');
    });
    expect(await back).toBe('crashed');
    expect(core.outbox.endpoints).toHaveLength(1);
    expect(new Outbox(core.store).endpoints).toEqual(core.outbox.endpoints);
  });
});

describe('the check of deliveries', () => {
  it('finds each thing that is wrong', async () => {
    const receiver = await startReceiver();
    const service = await startTestService({ settleMs: 0, webhooks: { allowPrivate: true, urls: [receiver.url] } });
    const { accountId } = await addPayee(service, 'REHEARSE_STUCK');
    for (let made = 0; made < 3; made++) await service.data('transaction.transfer', gbpPayout(accountId, 100));
    await receiver.arrived(3);
    await service.stop();
    await receiver.close();
    const store = openDatabase(servicePaths(service.dataDir).database);
    const findingsAfter = (sql: string): string[] => {
      store.exec(`BEGIN; ${sql}`);
      const findings = findingsIn(store);
      store.exec('ROLLBACK');
      return findings;
    };
    expect(findingsIn(store)).toEqual([]);
    expect(findingsAfter('DELETE FROM delivery WHERE event = 2')).toEqual([
      expect.stringMatching(/^event 2 has no delivery/),
    ]);
    expect(findingsAfter("UPDATE webhook_endpoint SET state = 'off'")).toEqual([
      expect.stringMatching(/off with 1 open/),
    ]);
    expect(findingsAfter('UPDATE webhook_period SET until_event = 9')).toEqual([
      expect.stringMatching(/on with 0 open/),
    ]);
    expect(
      findingsAfter("UPDATE delivery SET state = 'pending', due_at = 1; UPDATE webhook_endpoint SET state = 'off';"),
    ).toContainEqual(expect.stringMatching(/^event 1 is due for/));
    expect(findingsAfter('DROP TRIGGER event_body_stays; UPDATE event SET body = NULL WHERE event = 3;')).toEqual([
      'event 3 has a delivery and no text',
    ]);
    expect(() => store.exec("UPDATE event SET status = 'FAILED'")).toThrow(/never changed/);
    expect(() => store.exec("UPDATE event SET body = 'x'")).toThrow(/never changed/);
    store.close();
    rmSync(service.dataDir, { recursive: true, force: true });
  });
});
