import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createClient } from '../../src/client/client.ts';
import { requestQueue } from '../../src/client/rate-limit.ts';
import type { Currency } from '../../src/domain/currencies.ts';
import type { Entry, RunCreated } from '../../src/domain/entry.ts';
import type { Limits } from '../../src/domain/plan.ts';
import { DEFAULT_PROFILE, type Profile } from '../../src/domain/profile.ts';
import type { Journal, RunWriter } from '../../src/journal/journal.ts';
import { packedRows } from '../../src/journal/packed-rows.ts';
import { foldPages } from '../../src/journal/pages.ts';
import { silentLog } from '../../src/platform/log.ts';
import { type CancelEnd, endCancelled, markCancelled } from '../../src/runner/cancel.ts';
import { hintsFromNow } from '../../src/runner/hinted.ts';
import { openContext } from '../../src/runner/recorder.ts';
import { execute, type RunEnd } from '../../src/runner/run.ts';
import type { RunContext } from '../../src/runner/run-context.ts';
import { fakeTransport } from '../client/fake-transport.ts';
import { type VirtualClock, virtualClock } from '../client/virtual-clock.ts';
import { open } from '../journal/open-sqlite.ts';
import { sampleHeader, samplePlan, sampleRow } from '../journal/samples.ts';
import { type Behaviour, type Kept, type VirtualService, virtualService } from './virtual-service.ts';

export type VirtualRun<End = RunEnd> = {
  end: End;
  context: RunContext;
  service: VirtualService;
  clock: VirtualClock;
  journal: Journal;
  /** Goes on with the run as another process would, from its journal. */
  resume(): Promise<VirtualRun>;
  /** Cancels the run as another process would. */
  cancel(stop?: AbortSignal): Promise<VirtualRun<CancelEnd>>;
};

/**
 * The whole runner over a real journal, in virtual time, at a service that behaves as told. Row n (from 2) pays n.00 AUD
 * to the account `a<n>`.
 */
export async function virtualRun(options: {
  rows: number;
  /** Paid from EUR, planned at as much EUR as there are AUD, with a ceiling of 50 %. */
  isConverted?: boolean;
  limits?: Limits;
  profile?: Partial<Profile>;
  /** What the service holds before the run. */
  kept?: Omit<Kept, 'atMs'>[];
  behave(clock: VirtualClock): Behaviour;
  /** Ctrl-C, to the first process. */
  stop?: AbortSignal;
  /** Whether it listens for webhooks; none ever comes. */
  hasWebhooks?: boolean;
  /** Before the run begins: for people who act in its journal while it goes on. */
  onJournal?(journal: Journal): void | Promise<void>;
  /** A day unless told. */
  waitTimeoutMs?: number;
}): Promise<VirtualRun> {
  const clock = virtualClock();
  const profile = { ...UNREPEATED, ...options.profile };
  const { journal, writer: first } = await journalOf(clock, options, profile);
  await options.onJournal?.(journal);
  const service = virtualService(clock, options.behave(clock));
  for (const one of options.kept ?? []) service.kept.push({ ...one, atMs: service.nowMs() });
  let drawn = 0;
  const randomness = {
    bytes: (count: number) => createHash('sha512').update(String(drawn++)).digest().subarray(0, count),
  };
  const client = createClient({
    transport: fakeTransport(clock, (request) => service.answer(request)),
    queue: requestQueue({ rate: options.profile?.rate ?? null, concurrency: profile.concurrency, clock }),
    signer: { sign: ({ created, expires, nonce }) => ({ created: String(created), expires: String(expires), nonce }) },
    clock,
    randomness,
    log: silentLog,
    requestLifetimeMs: profile.request_lifetime_ms,
  });
  const times = { leaseMs: LEASE_MS, pollEveryMs: 1_000, waitTimeoutMs: options.waitTimeoutMs ?? 86_400_000 };
  const go = async <End>(writer: RunWriter, stop: AbortSignal, work: Work<End>): Promise<VirtualRun<End>> => {
    const run = await foldPages(journal.readRun('R1', { withTexts: true }), packedRows());
    const hints = options.hasWebhooks ? await hintsFromNow(journal) : null;
    const context = openContext({ run, writer, journal, client, clock, randomness, log: silentLog, stop, hints });
    const end = await clock.until(work(context));
    const next = async (): Promise<RunWriter> => {
      await clock.until(writer.release());
      const opened = await journal.openRun('R1');
      if (opened.outcome !== 'opened') throw new Error(opened.outcome);
      return opened.writer;
    };
    const resume = async () => go(await next(), new AbortController().signal, executed);
    const cancel = async (signal = new AbortController().signal) => {
      const canceller = await next();
      await clock.until(markCancelled(await foldPages(journal.readRun('R1')), canceller, { by: 'ada@desk' }));
      return go(canceller, signal, cancelled);
    };
    return { end, context, service, clock, journal, resume, cancel };
  };
  const executed: Work<RunEnd> = (context) => execute(context, { ...times, onPhase() {} });
  const cancelled: Work<CancelEnd> = (context) => endCancelled(context, times);
  return go(first, options.stop ?? new AbortController().signal, executed);
}

type Work<End> = (context: RunContext) => Promise<End>;

/** A service that looks at no nonces is never sent the same bytes again. */
const UNREPEATED: Profile = {
  ...DEFAULT_PROFILE,
  concurrency: 1,
  guarantees: { enforces_expiry: true, replay_protection: false },
};

/** So long that it is never put off: nothing here is about leases. */
const LEASE_MS = 1e12;

async function journalOf(
  clock: VirtualClock,
  { rows, isConverted = false, limits }: { rows: number; isConverted?: boolean; limits?: Limits },
  profile: Profile,
) {
  const folder = mkdtempSync(join(tmpdir(), 'payrun-virtual-'));
  // Commits are not waited for by turns of the event loop, so that time stands still until they are done.
  const journal = open(join(folder, 'journal.db'), { clock: { ...clock, soon: queueMicrotask }, leaseMs: LEASE_MS });
  onTestFinished(async () => {
    await journal.close();
    rmSync(folder, { recursive: true });
  });
  const header = { ...sampleHeader('R1'), payouts: rows, profile };
  const source = isConverted ? EUR : null;
  const orders: Entry = { kind: 'rows', rows: Array.from({ length: rows }, (_, at) => rowOf(at + 2, source)) };
  const isPlanned = isConverted || limits !== undefined;
  const entries: Entry[] = isPlanned
    ? [orders, planOf(header, isConverted, limits), { kind: 'started', by: 'ada@desk' }]
    : [orders];
  const created = await journal.createRun({ header, rows: entries, refuseRepeat: false });
  if (created.outcome !== 'created') throw new Error(created.outcome);
  return { journal, writer: created.writer };
}

const EUR = { code: 'EUR', chain: null, decimals: 2 };

function planOf(header: RunCreated, isConverted: boolean, limits: Limits | null = null): Entry {
  if (!isConverted) return { kind: 'planned', plan: { ...samplePlan(header), limits } };
  const pair = { source: EUR, currency: { code: 'AUD', chain: null, decimals: 2 }, payouts: 1, fees_minor: null };
  const amounts = { planned_minor: '100000', quoted_minor: '100000', sent_minor: '100000' };
  const conversions = { pairs: [{ ...pair, ...amounts }], ceilings: { payout_bps: 5_000, run_bps: 5_000 } };
  return { kind: 'planned', plan: { ...samplePlan(header), conversions, limits } };
}

function rowOf(row: number, source: Currency | null) {
  const { order, ...rest } = sampleRow(row);
  if (order === null) throw new Error('a sample without an order');
  const destination = { kind: 'existing' as const, external_account_id: `a${row}` };
  return { ...rest, order: { ...order, destination, amount_minor: String(row * 100), source } };
}
