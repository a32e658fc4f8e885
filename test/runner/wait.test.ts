import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Client } from '../../src/client/client.ts';
import type { Transaction, TransactionWithDestination } from '../../src/client/wire.ts';
import { foldPages } from '../../src/journal/pages.ts';
import { silentLog } from '../../src/platform/log.ts';
import { hintsFromNow } from '../../src/runner/hinted.ts';
import { openContext } from '../../src/runner/recorder.ts';
import type { RunContext } from '../../src/runner/run-context.ts';
import { waitForAll } from '../../src/runner/wait.ts';
import { type VirtualClock, virtualClock } from '../client/virtual-clock.ts';
import { open } from '../journal/open-sqlite.ts';
import { sampleHeader, sampleIntent, sampleRows } from '../journal/samples.ts';

// The real journal and the real wait, in virtual time, at a service that is a table of when each payout settles.

type Settling = {
  /** Milliseconds after the start; null for never. */
  settlesMs: number | null;
  status?: 'COMPLETED' | 'FAILED';
  /** How long after that its webhook is received; null for lost. */
  webhookAfterMs?: number | null;
};

type Options = {
  payouts: Settling[];
  /** Whether webhooks are received at all. */
  hints: boolean;
  /** The listing shows what was so long ago. */
  listingLagMs?: number;
  /** Milliseconds after the start in which the service does not answer. */
  awayMs?: [number, number];
  /** The payouts were accepted by an earlier process, or are by the test later; else by this one before it waits. */
  accepted?: 'earlier' | 'later';
};

const POLL_EVERY_MS = 1_000;
const WAIT = { pollEveryMs: POLL_EVERY_MS, timeoutMs: 86_400_000 };

describe('with webhooks', () => {
  it('a run needs fewer than a tenth of the polls, and no more time', async () => {
    const payouts = settling(300, (at) => 5_000 + at * 200);
    const without = await waited({ payouts, hints: false });
    const hinted = await waited({ payouts, hints: true });
    expect(without.states).toEqual({ completed: 300 });
    expect(hinted.states).toEqual({ completed: 300 });
    expect(hinted.polls * 10).toBeLessThan(without.polls);
    expect(hinted.tookMs).toBeLessThanOrEqual(without.tookMs);
    expect(hinted.tookMs - (payouts.at(-1)?.settlesMs ?? 0)).toBeLessThan(POLL_EVERY_MS);
  });

  it('payouts that settle far apart do too', async () => {
    const payouts = settling(40, (at) => at * 600_000 + 20_000);
    const without = await waited({ payouts, hints: false });
    const hinted = await waited({ payouts, hints: true });
    expect(hinted.states).toEqual({ completed: 40 });
    expect(hinted.polls * 10).toBeLessThan(without.polls);
    expect(hinted.tookMs).toBeLessThanOrEqual(without.tookMs);
  });

  it('that were heard and then stop coming, a run is slower by a bounded time', async () => {
    const payouts: Settling[] = settling(40, (at) => at * 60_000 + 20_000);
    for (const lost of payouts.slice(10)) lost.webhookAfterMs = null;
    const { states, tookMs } = await waited({ payouts, hints: true });
    expect(states).toEqual({ completed: 40 });
    expect(tookMs).toBeLessThanOrEqual(39 * 60_000 + 20_000 + 20 * 30_000);
  });

  it('a failed payout gets its reason', async () => {
    const payouts = settling(20, () => 2_000);
    payouts[3] = { settlesMs: 2_000, status: 'FAILED' };
    const { states, context } = await waited({ payouts, hints: true });
    expect(states).toEqual({ completed: 19, failed: 1 });
    expect(context.run.payouts.get(5)).toMatchObject({ final: { code: 'ACCOUNT_CLOSED' } });
  });

  it('that are all lost a run is slower by less than the safety period, and complete', async () => {
    const payouts = settling(50, (at) => 1_000 + at * 100).map((each) => ({ ...each, webhookAfterMs: null }));
    const { states, tookMs } = await waited({ payouts, hints: true });
    expect(states).toEqual({ completed: 50 });
    expect(tookMs).toBeLessThanOrEqual(5_900 + 30_000 + POLL_EVERY_MS);
  });

  it('of which one is lost, the others are not waited for with it', async () => {
    const payouts = settling(50, () => 2_000);
    payouts[7] = { settlesMs: 2_000, webhookAfterMs: null };
    const world = await worldOf({ payouts, hints: true });
    const waiting = waitForAll(world.context, WAIT);
    await world.clock.pass(8_000);
    // The listing that the others needed showed the one too.
    expect(world.context.tally.accepted).toBe(0);
    expect(await world.clock.until(waiting)).toBe(true);
    expect(world.polls()).toBe(1);
  });

  it('a hint is never believed', async () => {
    // The webhooks say so from the start; the service only after a minute.
    const payouts: Settling[] = settling(10, () => 60_000).map((each) => ({ ...each, webhookAfterMs: -59_000 }));
    const world = await worldOf({ payouts, hints: true });
    const waiting = waitForAll(world.context, WAIT);
    await world.clock.pass(59_000);
    expect(world.context.tally.accepted).toBe(10);
    // One page, and what it did not confirm once more by itself; then nothing until the look at all.
    expect(world.polls()).toBe(1 + 10 + 1);
    expect(await world.clock.until(waiting)).toBe(true);
    expect(world.context.tally.completed).toBe(10);
  });

  it('the single record is read where the listing is late', async () => {
    const payouts = settling(30, () => 2_000);
    const { states, tookMs, gets } = await waited({ payouts, hints: true, listingLagMs: 600_000 });
    expect(states).toEqual({ completed: 30 });
    expect(gets).toBe(30);
    expect(tookMs).toBeLessThan(2_000 + POLL_EVERY_MS);
  });

  it('of others cost nothing', async () => {
    const world = await worldOf({ payouts: settling(5, () => 20_000), hints: true });
    const waiting = waitForAll(world.context, WAIT);
    for (let at = 0; at < 1_000; at++) await world.hint(`stranger_${at}`);
    await world.clock.pass(15_000);
    expect(world.polls()).toBe(0);
    await world.clock.until(waiting);
    expect(world.polls()).toBe(1);
  });

  it('of a transaction that was just created cost nothing', async () => {
    const world = await worldOf({ payouts: settling(5, () => 20_000), hints: true });
    const waiting = waitForAll(world.context, WAIT);
    for (let row = 2; row < 7; row++) await world.hint(`tx_${row}`, 'transaction.created');
    await world.clock.pass(15_000);
    expect(world.polls()).toBe(0);
    await world.clock.until(waiting);
  });

  it('scenario 21: one that overtakes the answer to its request counts', async () => {
    const world = await worldOf({ payouts: settling(5, () => 0, null), hints: true, accepted: 'later' });
    for (let row = 2; row < 7; row++) await world.hint(`tx_${row}`);
    await world.context.hinted?.gather(world.context);
    for (let row = 2; row < 7; row++) await accept(world.context, row);
    const startedMs = world.clock.monotonicMs();
    await world.clock.until(waitForAll(world.context, WAIT));
    expect(world.context.tally.completed).toBe(5);
    expect(world.polls()).toBe(1);
    expect(world.clock.monotonicMs() - startedMs).toBeLessThan(POLL_EVERY_MS);
  });

  it('a run that is resumed looks at once, for what was said while nobody listened', async () => {
    const { states, tookMs, polls } = await waited({
      payouts: settling(20, () => 0, null),
      hints: true,
      accepted: 'earlier',
    });
    expect(states).toEqual({ completed: 20 });
    expect({ tookMs, polls }).toEqual({ tookMs: 0, polls: 1 });
  });

  it('a service that is away is asked ever less often, and the hints are kept', async () => {
    const world = await worldOf({
      payouts: settling(20, () => 3_000),
      hints: true,
      accepted: 'later',
      awayMs: [0, 300_000],
    });
    for (let row = 2; row < 22; row++) await accept(world.context, row);
    const startedMs = world.clock.monotonicMs();
    await world.clock.until(waitForAll(world.context, WAIT));
    expect(world.context.tally.completed).toBe(20);
    expect(world.clock.monotonicMs() - startedMs).toBeLessThan(300_000 + 31_000);
    expect(world.polls()).toBeLessThan(30);
  });

  it('a stop ends the wait', async () => {
    const world = await worldOf({ payouts: settling(5, () => null), hints: true });
    const waiting = waitForAll(world.context, WAIT);
    await world.clock.pass(40_000);
    world.stop.abort();
    expect(await world.clock.until(waiting)).toBe(false);
  });

  it('the time set to wait ends it too', async () => {
    const world = await worldOf({ payouts: settling(5, () => null), hints: true });
    const waiting = waitForAll(world.context, { ...WAIT, timeoutMs: 100_000 });
    await expect(world.clock.until(waiting)).rejects.toMatchObject({ reason: 'wait_timeout' });
  });
});

function settling(
  count: number,
  settlesMs: (at: number) => number | null,
  webhookAfterMs: number | null = 50,
): Settling[] {
  return Array.from({ length: count }, (_, at) => ({ settlesMs: settlesMs(at), webhookAfterMs }));
}

async function waited(options: Options) {
  const world = await worldOf(options);
  const startedMs = world.clock.monotonicMs();
  expect(await world.clock.until(waitForAll(world.context, WAIT))).toBe(true);
  const tookMs = world.clock.monotonicMs() - startedMs;
  const states: Record<string, number> = {};
  for (const { state } of world.context.run.payouts.values()) states[state] = (states[state] ?? 0) + 1;
  return { states, tookMs, polls: world.polls(), gets: world.gets(), context: world.context };
}

type World = {
  clock: VirtualClock;
  context: RunContext;
  stop: AbortController;
  hint(transactionId: string, type?: 'transaction.created' | 'transaction.updated'): Promise<void>;
  polls(): number;
  gets(): number;
};

async function worldOf(options: Options): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'payrun-wait-'));
  const clock = virtualClock();
  const journal = open(join(folder, 'journal.db'), {
    // Commits are not waited for by turns of the event loop, so that time stands still until they are done.
    clock: { ...clock, soon: queueMicrotask },
    leaseMs: 1_000_000_000,
  });
  onTestFinished(async () => {
    await journal.close();
    rmSync(folder, { recursive: true });
  });
  const { payouts } = options;
  const header = { ...sampleHeader('R1'), payouts: payouts.length };
  const creating = await journal.createRun({ header, rows: [sampleRows(payouts.length)], refuseRepeat: false });
  if (creating.outcome !== 'created') throw new Error(creating.outcome);
  const { writer } = creating;
  const rows = payouts.map((_, at) => at + 2);
  if (options.accepted === 'earlier') {
    for (const row of rows) await writer.append([sampleIntent(row), accepted(row)]);
  }
  const service = serviceOf(options, clock);
  const stop = new AbortController();
  const context = openContext({
    run: await foldPages(journal.readRun('R1')),
    writer,
    journal,
    client: service.client,
    clock,
    randomness: { bytes: (count) => new Uint8Array(count) },
    log: silentLog,
    stop: stop.signal,
    hints: options.hints ? await hintsFromNow(journal) : null,
  });
  if (options.accepted === undefined) for (const row of rows) await accept(context, row);
  let hints = 0;
  const hint: World['hint'] = async (transaction_id, type = 'transaction.updated') => {
    await journal.addHints([{ webhook_id: `evt_${hints++}`, transaction_id, type, received_at: clock.wallMs() | 0 }]);
  };
  for (const [at, { settlesMs, webhookAfterMs }] of payouts.entries()) {
    if (settlesMs === null || webhookAfterMs === null || webhookAfterMs === undefined) continue;
    void clock.sleep(settlesMs + webhookAfterMs).then(() => hint(`tx_${at + 2}`));
  }
  return { clock, context, stop, hint, polls: service.polls, gets: service.gets };
}

function accepted(row: number) {
  return { kind: 'accepted', row, attempt: 1, transaction_id: `tx_${row}`, by: 'answer' } as const;
}

async function accept(context: RunContext, row: number): Promise<void> {
  await context.record(sampleIntent(row), accepted(row));
}

/** `transaction.get` and `transaction.getMany` over the table. */
function serviceOf({ payouts, listingLagMs = 0, awayMs }: Options, clock: VirtualClock) {
  const startedMs = clock.monotonicMs();
  const createdAt = new Date(clock.wallMs()).toISOString();
  let polls = 0;
  let gets = 0;
  const recordAt = (at: number, nowMs: number): TransactionWithDestination => {
    const { settlesMs = null, status = 'COMPLETED' } = payouts[at] ?? {};
    const isSettled = settlesMs !== null && nowMs >= settlesMs;
    const amount = { value: '1234', code: 'AUD', decimals: 2 };
    return {
      id: `tx_${at + 2}`,
      created_at: createdAt,
      status: isSettled ? status : 'PENDING',
      currency_in: amount,
      currency_out: amount,
      metadata: { description: 'pay PR0123456789ABC' },
      failure_reason: isSettled && status === 'FAILED' ? { code: 'ACCOUNT_CLOSED', message: 'closed' } : null,
    };
  };
  const read = async (operation: string, body: { id?: string; cursor?: string }) => {
    polls++;
    const nowMs = clock.monotonicMs() - startedMs;
    const isAway = awayMs !== undefined && nowMs >= awayMs[0] && nowMs < awayMs[1];
    if (isAway) return { ok: false, kind: 'unreachable', trouble: { code: 'not_reached', why: 'away' } };
    const shared = { ok: true, serverMs: clock.wallMs(), isRehearsal: true };
    if (operation === 'transaction.get') {
      gets++;
      return { ...shared, data: recordAt(Number(body.id?.slice(3)) - 2, nowMs) };
    }
    if (operation !== 'transaction.getMany') throw new Error(operation);
    const from = Number(body.cursor ?? 0);
    const transactions: Transaction[] = payouts
      .map((_, at) => recordAt(at, nowMs - listingLagMs))
      .slice(from, from + 500);
    const next_cursor = from + 500 < payouts.length ? String(from + 500) : null;
    return { ...shared, data: { transactions, totals: { transfers: payouts.length, fiatAmount: 0 }, next_cursor } };
  };
  return { client: { read } as unknown as Client, polls: () => polls, gets: () => gets };
}
