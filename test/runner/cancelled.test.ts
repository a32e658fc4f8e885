import { describe, expect, test } from 'vitest';
import type { Entry } from '../../src/domain/entry.ts';
import type { Decision } from '../../src/domain/outcomes/resolve-outcome.ts';
import type { Profile } from '../../src/domain/profile.ts';
import { resolveRow } from '../../src/runner/reconcile/resolve.ts';
import { answered } from '../client/fake-transport.ts';
import { sampleIntent } from '../journal/samples.ts';
import { type VirtualRun, virtualRun } from './virtual-run.ts';
import { type Behaviour, type Kept, LOST, taken } from './virtual-service.ts';

// Row n (from 2) pays n.00 AUD to the account `a<n>`. Whoever reads "not submitted" pays in another way, so that of a
// cancelled run only what the service does not show is called so.

const HOUR_MS = 3_600_000;

type AnyRun = Pick<VirtualRun, 'context' | 'service' | 'clock' | 'journal'>;

/** Of a run that was planned and stopped before anything was sent: what another journal, that is lost, made of a row. */
function paidElsewhere({ service }: AnyRun, row: number, over: Partial<Kept> = {}): void {
  const description = 'salary PR0123456789ABC';
  service.kept.push({
    id: `old${row}`,
    amount: `${row}00`,
    account: `a${row}`,
    description,
    atMs: service.nowMs(),
    ...over,
  });
}

function planned(behaviour: Behaviour = {}, profile: Partial<Profile> = {}): Promise<VirtualRun> {
  return virtualRun({ rows: 3, stop: AbortSignal.abort(), profile, behave: () => behaviour });
}

function statesOf({ context }: AnyRun): Record<number, string> {
  return Object.fromEntries([...context.run.payouts].map(([row, { state }]) => [row, state]));
}

const resolve = ({ context, clock }: AnyRun, row: number, verdict: Decision) =>
  clock.until(resolveRow(context, row, verdict, { by: 'ada@desk' }));

const lateBy =
  (lagMs: number): Behaviour['list'] =>
  (found, _, nowMs) => {
    const shown = found.filter(({ atMs }) => atMs <= nowMs - lagMs);
    return { shown, next_cursor: null, total: shown.length };
  };

const GIVEN_UP = { 2: 'not_submitted', 3: 'suspected', 4: 'not_submitted' };
const WAITING = { 2: 'waiting', 3: 'waiting', 4: 'waiting' };

describe('an old copy that is cancelled', () => {
  test('calls what the lost journal paid suspected, and the rest not submitted', async () => {
    const copy = await planned();
    paidElsewhere(copy, 3);
    await copy.clock.pass(HOUR_MS);
    const run = await copy.cancel();
    expect(run.end).toMatchObject({ end: 'halted', reason: 'person_needed' });
    expect(statesOf(run)).toEqual(GIVEN_UP);
    const again = await run.resume();
    expect(again.end).toMatchObject({ end: 'halted', reason: 'person_needed' });
    await resolve(again, 3, { kind: 'sent', transactionId: 'old3' });
    const { end, service } = await again.resume();
    expect(end).toMatchObject({ end: 'finished', counts: { completed: 1, not_submitted: 2 } });
    expect(service.asked).toEqual([]);
  });

  test('ends once a person has said that those payments are others', async () => {
    const copy = await planned();
    paidElsewhere(copy, 3);
    const run = await copy.cancel();
    await resolve(run, 3, { kind: 'not_sent' });
    const { end, service } = await run.resume();
    expect(end).toMatchObject({ end: 'finished', counts: { not_submitted: 3 } });
    expect(service.asked).toEqual([]);
  });

  test('waits as long as the service may list late', async () => {
    const copy = await planned({ list: lateBy(50_000) }, { listing_lag_ms: 60_000 });
    paidElsewhere(copy, 3);
    expect(statesOf(await copy.cancel())).toEqual(GIVEN_UP);
  });

  test('ended by Ctrl-C while it waits: nothing is called not submitted, and the next process looks', async () => {
    const copy = await planned({ list: lateBy(50_000) }, { listing_lag_ms: 60_000 });
    paidElsewhere(copy, 3);
    const stop = new AbortController();
    void copy.clock.sleep(10_000).then(() => stop.abort());
    const run = await copy.cancel(stop.signal);
    expect(run.end).toEqual({ end: 'interrupted' });
    expect(statesOf(run)).toEqual(WAITING);
    const next = await run.resume();
    expect(statesOf(next)).toEqual(GIVEN_UP);
    expect(next.service.asked).toEqual([]);
  });

  test('while the service is away: it is cancelled, its rows wait, and the next process looks', async () => {
    const copy = await planned();
    paidElsewhere(copy, 3);
    const { answer } = copy.service;
    copy.service.answer = () => LOST;
    const run = await copy.cancel();
    expect(run.end).toMatchObject({ end: 'halted', reason: 'outage' });
    expect(run.context.run.cancelled).toBe(true);
    const still = await run.resume();
    expect(still.end).toMatchObject({ end: 'halted', reason: 'outage' });
    expect(statesOf(still)).toEqual(WAITING);
    copy.service.answer = answer;
    const next = await still.resume();
    expect(statesOf(next)).toEqual(GIVEN_UP);
    expect(next.service.asked).toEqual([]);
  });

  test('while a row’s own attempt has no outcome: it stays unresolved', async () => {
    const copy = await planned();
    paidElsewhere(copy, 3);
    await copy.clock.pass(HOUR_MS);
    // The copy ends with an attempt that left no answer, and the lost journal settled it and made another.
    await copy.clock.until(copy.context.record(lastIntent(copy, 3)));
    const run = await copy.cancel();
    expect(run.end).toEqual({ end: 'open' });
    expect(statesOf(run)).toEqual({ 2: 'not_submitted', 3: 'sending', 4: 'not_submitted' });
    // No payout of this run has come back, so that nothing is concluded from the list.
    expect(statesOf(await run.resume())).toEqual({ ...GIVEN_UP, 3: 'unresolved' });
  });
});

function lastIntent({ service }: AnyRun, row: number): Entry {
  const intent = sampleIntent(row);
  if (intent.kind !== 'intent') throw new Error('a sample that is no intent');
  const created = Math.floor(service.nowMs() / 1_000);
  const request = { ...intent.request, created, expires: created + 30 };
  const place = { external_account_id: `a${row}`, amount_minor: `${row}00` };
  return { ...intent, ...place, token: 'PRZZZZZZZZZZZZZ', request };
}

describe('a living process that works on an old copy and is asked to cancel', () => {
  test('before it looked: it looks all the same', async () => {
    const copy = await planned();
    paidElsewhere(copy, 3);
    await copy.journal.askToCancel('R1', 'ada@desk');
    const run = await copy.resume();
    expect(run.end).toMatchObject({ end: 'halted', reason: 'person_needed' });
    expect(statesOf(run)).toEqual(GIVEN_UP);
    expect(run.service.asked).toEqual([]);
  });

  test('while it looks: it looks to the end', async () => {
    const copy = await planned({ list: lateBy(50_000) }, { listing_lag_ms: 60_000 });
    paidElsewhere(copy, 3);
    void copy.clock.sleep(10_000).then(() => copy.journal.askToCancel('R1', 'ada@desk'));
    const run = await copy.resume();
    expect(run.context.run.cancelled).toBe(true);
    expect(statesOf(run)).toEqual(GIVEN_UP);
  });
});

describe('a refusal of one copy of a request, whose other copy took effect, before the run is cancelled:', () => {
  const REFUSED = answered(401, { error: { code: 'UNAUTHORIZED', message: 'no such key' } });

  /** Ends with row 4 in doubt, whose only attempt was refused and has taken effect. */
  function refusedAt4(commit: (row: number, kept: () => string) => void): Promise<VirtualRun> {
    const stop = new AbortController();
    return virtualRun({
      rows: 4,
      stop: stop.signal,
      behave: () => ({
        transfer({ row }, kept) {
          if (row !== 4) return taken(kept());
          commit(row, kept);
          stop.abort();
          return REFUSED;
        },
      }),
    });
  }

  test('the row is paid, and the others are not submitted', async () => {
    const stopped = await refusedAt4((_, kept) => void kept());
    expect(statesOf(stopped)).toMatchObject({ 4: 'in_doubt', 5: 'waiting' });
    const run = await stopped.cancel();
    expect(run.end).toEqual({ end: 'open' });
    expect(statesOf(run)).toMatchObject({ 4: 'in_doubt', 5: 'not_submitted' });
    const { end, service } = await run.resume();
    expect(end).toMatchObject({ end: 'finished', counts: { completed: 3, not_submitted: 1 } });
    expect(service.kept).toHaveLength(3);
  });

  test('a record with its token and another amount leaves it unresolved', async () => {
    const stopped = await refusedAt4((_, kept) => void kept());
    for (const one of stopped.service.kept) if (one.account === 'a4') one.amount = '399';
    const run = await stopped.cancel();
    expect(statesOf(await run.resume())).toMatchObject({ 4: 'unresolved', 5: 'not_submitted' });
  });

  test('that took none: the row is not submitted', async () => {
    const stopped = await refusedAt4(() => {});
    const run = await (await stopped.cancel()).resume();
    expect(run.context.payout(4)).toMatchObject({
      state: 'not_submitted',
      message: { code: 'cancelled_without_effect' },
    });
  });
});

describe('cancelling a run of which nothing is accepted or in doubt', () => {
  /** Ends with the first row's only attempt answered like this, without effect. */
  function answeredOnce(rows: number, status: number): Promise<VirtualRun> {
    const stop = new AbortController();
    return virtualRun({
      rows,
      stop: stop.signal,
      behave: () => ({
        transfer() {
          stop.abort();
          return answered(status, { error: { code: 'REFUSED', message: 'no' } });
        },
      }),
    });
  }

  test('finishes it', async () => {
    const run = await (await planned()).cancel();
    expect(run.end).toEqual({ end: 'finished' });
    expect(run.context.run.finished).toMatchObject({ not_submitted: 3 });
  });

  test('leaves it to be settled where an attempt was refused: another copy may have been taken', async () => {
    const run = await (await answeredOnce(2, 401)).cancel();
    expect(run.end).toEqual({ end: 'open' });
    expect(statesOf(run)).toEqual({ 2: 'in_doubt', 3: 'not_submitted' });
  });

  test('leaves it to be finished by a look where nothing waits and an attempt was refused', async () => {
    const run = await (await answeredOnce(1, 400)).cancel();
    expect(run.end).toEqual({ end: 'open' });
    expect((await run.resume()).end).toMatchObject({ end: 'finished', counts: { rejected: 1 } });
  });
});
