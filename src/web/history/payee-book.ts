import { hash } from 'node:crypto';
import type { Clock } from '../../domain/clock.ts';
import { currencyLabel } from '../../domain/currencies.ts';
import type { RunRow } from '../../domain/entry.ts';
import { formatMajor } from '../../domain/money.ts';
import { type Destination, payeeKey } from '../../domain/payee.ts';
import { applyToRun, newRun, type RunState } from '../../domain/run.ts';
import { type Journal, JournalDamaged, type RunSummary } from '../../journal/journal.ts';
import { accountText } from '../../report/account-text.ts';
import { rowMasker } from '../../report/identifiers.ts';
import { type ReportStatus, statusOf } from '../../report/outcome.ts';

/** One payout to a payee, as a started run has it. */
export type PayeePayout = {
  runId: string;
  /** When its run was started (Unix ms). */
  at: number;
  rehearsal: boolean;
  row: number;
  name: string;
  amount: string;
  currency: string;
  /** Tells accounts apart without holding them: the text shows the last four only. */
  accountKey: string;
  account: string;
  status: ReportStatus;
};

/** Somebody whom runs pay, known by the payee id, or by name and e-mail where there is none. */
export type BookedPayee = {
  /** What the address of the payee's page has: it tells nothing of them. */
  id: string;
  payeeId: string | null;
  /** As the newest run calls them. */
  name: string;
  /** Newest run first. */
  payouts: PayeePayout[];
};

export type PayeeBook = {
  payees: BookedPayee[];
  /** How many of the newest runs are in it, and whether there are older ones. */
  runs: number;
  isWhole: boolean;
  /** Runs whose journal is not as it was written. */
  damaged: number;
};

/** Runs that are read, newest first: one each day for a quarter. */
const RUNS_MAX = 100;
/** Payouts of those runs: some tens of megabytes. */
const PAYOUTS_MAX = 100_000;
const LISTED_MAX = 1_000;
const ENTRIES_AT_ONCE = 2_000;
/** So long a book is used again where something was written since. */
const FRESH_MS = 15_000;
/** One that is older is made anew in any case. */
const KEPT_MS = 60_000;

type Kept = { book: PayeeBook; madeAt: number; entryAt: number | null };

/** The payees of the newest runs, gathered when somebody looks. */
export class PayeeBooks {
  readonly #journal: Journal;
  readonly #clock: Clock;
  #kept: Kept | null = null;
  #making: Promise<PayeeBook> | null = null;

  constructor(journal: Journal, clock: Clock) {
    this.#journal = journal;
    this.#clock = clock;
  }

  /** The book, some seconds old at most while runs go on. */
  async read(): Promise<PayeeBook> {
    const now = this.#clock.monotonicMs();
    const kept = this.#kept;
    if (kept !== null && now - kept.madeAt > KEPT_MS) this.#kept = null;
    else if (kept !== null && (now - kept.madeAt < FRESH_MS || kept.entryAt === this.#journal.newestEntryAt()))
      return kept.book;
    this.#making ??= this.#make().finally(() => {
      this.#making = null;
    });
    return this.#making;
  }

  async #make(): Promise<PayeeBook> {
    const entryAt = this.#journal.newestEntryAt();
    const started = this.#journal.listRuns(LISTED_MAX).filter(({ isPlanned }) => !isPlanned);
    const payees = new Map<string, BookedPayee>();
    let left = PAYOUTS_MAX;
    let runs = 0;
    let damaged = 0;
    for (const summary of started.slice(0, RUNS_MAX)) {
      left -= summary.header.payouts;
      if (left < 0 && runs > 0) break;
      runs++;
      const run = await this.#fold(summary);
      if (run === null) damaged++;
      else addRun(payees, run);
    }
    const sorted = [...payees.values()].sort((one, other) => one.name.localeCompare(other.name, 'en'));
    const book = { payees: sorted, runs, isWhole: runs === started.length && started.length < LISTED_MAX, damaged };
    this.#kept = { book, madeAt: this.#clock.monotonicMs(), entryAt };
    return book;
  }

  /** Null where it is damaged: its own page says so. */
  async #fold({ run_id }: RunSummary): Promise<RunState | null> {
    const run = newRun();
    let count = 0;
    try {
      for (const { entry, at } of this.#journal.readRun(run_id)) {
        applyToRun(run, entry, at);
        if (++count % ENTRIES_AT_ONCE === 0) await new Promise<void>((resolve) => this.#clock.soon(resolve));
      }
      return run;
    } catch (error) {
      if (error instanceof JournalDamaged) return null;
      throw error;
    }
  }
}

function addRun(payees: Map<string, BookedPayee>, run: RunState): void {
  if (run.header === null) return;
  const maskRow = rowMasker(run.header.input);
  for (const row of run.rows) {
    if (row.order === null) continue;
    const key = payeeKey(row.order.payee);
    const { hide } = maskRow(row);
    const payout = payoutOf(run, row, row.order, hide);
    const known = payees.get(key);
    if (known !== undefined) known.payouts.push(payout);
    else {
      const { payee_id } = row.order.payee;
      const id = hash('sha256', key, 'hex').slice(0, 24);
      payees.set(key, { id, payeeId: payee_id === null ? null : hide(payee_id), name: payout.name, payouts: [payout] });
    }
  }
}

function payoutOf(
  run: RunState,
  { row }: RunRow,
  order: NonNullable<RunRow['order']>,
  hide: (text: string) => string,
): PayeePayout {
  const { payee, amount_minor, currency, destination } = order;
  const state = run.payouts.get(row)?.state ?? 'waiting';
  return {
    runId: run.header?.run_id ?? '',
    at: run.startedAt ?? run.createdAt,
    rehearsal: run.header?.rehearsal ?? false,
    row,
    name: hide(payee.name),
    amount: formatMajor(BigInt(amount_minor), currency.decimals),
    currency: currencyLabel(currency),
    accountKey: accountKey(destination),
    account: accountText(destination),
    status: statusOf(state, run.cancelled),
  };
}

function accountKey(destination: Destination): string {
  const named =
    destination.kind === 'existing'
      ? [destination.external_account_id]
      : [destination.rail, ...Object.values(destination.fields)];
  return hash('sha256', JSON.stringify(named), 'base64url').slice(0, 16);
}
