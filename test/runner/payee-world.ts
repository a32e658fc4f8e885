import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createClient } from '../../src/client/client.ts';
import { requestQueue } from '../../src/client/rate-limit.ts';
import type { Entry, RunRow } from '../../src/domain/entry.ts';
import { DEFAULT_PROFILE, type Profile } from '../../src/domain/profile.ts';
import type { RunState } from '../../src/domain/run/run-state.ts';
import type { Journal, RunWriter } from '../../src/journal/journal.ts';
import { entriesIn, foldPages } from '../../src/journal/pages.ts';
import { silentLog } from '../../src/platform/log.ts';
import { ensureAll } from '../../src/runner/provision/ensure.ts';
import { openContext } from '../../src/runner/recorder.ts';
import { type VirtualClock, virtualClock } from '../client/virtual-clock.ts';
import { open } from '../journal/open-sqlite.ts';
import { anotherProcess } from '../journal/place.ts';
import { sampleHeader, sampleRow } from '../journal/samples.ts';
import { type Fate, type PayeeService, type Promised, payeeService, WELL_BEHAVED } from './payee-service.ts';

// The real runner's payees, the real client and the real journal, in virtual time, at a service that does as it is told.

export type PayeeRow = {
  payee_id?: string | null;
  recipient_id?: string;
  name: string;
  email?: string | null;
  account: string;
};

export class Crash extends Error {}

export type World = {
  clock: VirtualClock;
  service: PayeeService;
  /** Creates a run of these rows and sees to its payees. */
  run(rows: PayeeRow[], options?: ProcessOptions): Promise<RunState>;
  /** Another process takes the newest run up. */
  resume(options?: ProcessOptions): Promise<RunState>;
  /** A journal that knows nothing, at the same service. */
  otherJournal(): void;
  entries(): Promise<Entry[]>;
};

export type ProcessOptions = {
  /** The process is gone when it wants to write this entry of its own, counted from 1. */
  crashAt?: number;
  resubmitAbsent?: boolean;
  concurrency?: number;
};

export function world(options: {
  promised?: Partial<Promised>;
  /** What the profile says of the service; by default what it does. */
  profile?: Partial<Pick<Profile, 'guarantees' | 'listing_lag_ms' | 'cursor'>>;
  fate?: (operation: string, nth: number, body: { metadata: { name: string } }) => Fate;
}): World {
  const clock = virtualClock();
  const promised = { ...WELL_BEHAVED, ...options.promised };
  const service = payeeService(clock, promised, options.fate);
  const profile: Profile = {
    ...DEFAULT_PROFILE,
    guarantees: { enforces_expiry: promised.enforcesExpiry, replay_protection: promised.refusesReplays },
    listing_lag_ms: promised.listingLagMs,
    cursor: promised.pages === 'cursor',
    rate: null,
    ...options.profile,
  };
  let runs = 0;
  let processes = 1;
  let path = newPath();

  async function inProcess(
    make: (journal: Journal, runId: string) => Promise<RunWriter>,
    { crashAt = Infinity, resubmitAbsent = false, concurrency }: ProcessOptions,
  ): Promise<RunState> {
    // Commits are not waited for by turns of the event loop, so that time stands still until they are done.
    const journal = open(path, {
      clock: { ...clock, soon: queueMicrotask },
      process: anotherProcess(++processes),
      isAlive: () => false,
      leaseMs: 1_000_000_000,
    });
    try {
      const runId = `R${runs}`;
      const writer = crashing(await make(journal, runId), crashAt);
      const run = await foldPages(journal.readRun(runId));
      const queue = requestQueue({ rate: null, concurrency: concurrency ?? profile.concurrency, clock });
      let nonce = 0;
      const client = createClient({
        transport: service.transport,
        queue,
        signer: { sign: ({ nonce: random, expires }) => ({ nonce: random, expires: String(expires) }) },
        clock,
        randomness: {
          bytes: (count) =>
            new Uint8Array(count)
              .fill(processes)
              .fill(++nonce, 1, 2)
              .fill(nonce >> 8, 2, 3),
        },
        log: silentLog,
        requestLifetimeMs: profile.request_lifetime_ms,
      });
      const stop = new AbortController().signal;
      const context = openContext({
        ...{ run, writer, journal, client, clock, log: silentLog, stop, resubmitAbsent },
        randomness: { bytes: (count) => new Uint8Array(count) },
      });
      await clock.until(ensureAll(context));
      await writer.release();
      return run;
    } finally {
      await journal.close();
    }
  }

  return {
    clock,
    service,
    run(rows, process = {}) {
      runs++;
      const create = async (journal: Journal, runId: string): Promise<RunWriter> => {
        const header = { ...sampleHeader(runId), profile, payouts: rows.length };
        const entry: Entry = { kind: 'rows', rows: rows.map(rowOf) };
        const created = await journal.createRun({ header, rows: [entry], refuseRepeat: false });
        if (created.outcome !== 'created') throw new Error(created.outcome);
        return created.writer;
      };
      return inProcess(create, process);
    },
    resume(process = {}) {
      const take = async (journal: Journal, runId: string): Promise<RunWriter> => {
        const opened = await journal.openRun(runId);
        if (opened.outcome !== 'opened') throw new Error(opened.outcome);
        return opened.writer;
      };
      return inProcess(take, process);
    },
    otherJournal() {
      path = newPath();
    },
    async entries() {
      const journal = open(path);
      try {
        return (await entriesIn(journal.readRun(`R${runs}`))).map(({ entry }) => entry);
      } finally {
        await journal.close();
      }
    },
  };
}

function rowOf({ payee_id = null, recipient_id, name, email = null, account }: PayeeRow, at: number): RunRow {
  const sample = sampleRow(at + 2);
  const order = sample.order;
  if (order === null || order.destination.kind !== 'account') throw new Error('the sample has no account');
  const fields = { ...order.destination.fields, account_number: account };
  const payee = { ...order.payee, payee_id, name, email };
  return {
    ...sample,
    order: {
      ...order,
      recipient_id: recipient_id ?? null,
      payee,
      destination: { ...order.destination, account_name: name, fields },
    },
  };
}

/** A writer whose process ends: what it wanted to write then is not written, and nothing after it. */
function crashing(writer: RunWriter, crashAt: number): RunWriter {
  let appended = 0;
  return {
    runId: writer.runId,
    epoch: writer.epoch,
    mayHaveCompany: writer.mayHaveCompany,
    append(entries) {
      if (++appended >= crashAt) return Promise.reject(new Crash(`before entry ${appended}`));
      return writer.append(entries);
    },
    start: (start) => writer.start(start),
    holds: () => writer.holds(),
    renew: () => writer.renew(),
    release: () => writer.release(),
  };
}

function newPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'payrun-payees-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'journal.db');
}
