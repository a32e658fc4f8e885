import { type Currency, currencyLabel } from '../../domain/currencies.ts';
import type { RunCreated, RunRow } from '../../domain/entry.ts';
import { formatMajor } from '../../domain/money.ts';
import type { ReportStatus } from '../../domain/outcomes/payout-outcome.ts';
import { accountHash, payeeHash } from '../../domain/run/holds.ts';
import type { PayoutState } from '../../domain/run/payout.ts';
import { applyToRun } from '../../domain/run/run.ts';
import { RunState } from '../../domain/run/run-state.ts';
import { type Journal, JournalDamaged } from '../../journal/journal.ts';
import { searchable } from '../../messages/text.ts';
import { accountSeen, rowMasker } from '../../report/model/identifiers.ts';
import { rowsWithCopies, statusOf } from '../../report/model/outcome.ts';
import type { TimeSlice } from '../background/time-slice.ts';

/** What its payouts have of a payment. `preparer`: who made its plan, or started it; null where nobody is named. `approvers`: by name. */
export type PaymentOf = Pick<RunCreated, 'run_id' | 'job' | 'entity' | 'period' | 'rehearsal'> & {
  input: Pick<RunCreated['input'], 'name'>;
  /** When it was started (Unix ms). */
  at: number;
  preparer: string | null;
  approvers: readonly string[];
};

/** One payout, as a started run has it. No text of it has more of an account than its last four characters. */
export type HistoricPayout = {
  payment: PaymentOf;
  row: number;
  /** Of the payee: a hash, so that an address has nothing of them. */
  payee: string;
  payeeId: string | null;
  name: string;
  minor: bigint;
  currency: Currency;
  /** The rail of bank details; null for an account that the input names by its id. */
  rail: string | null;
  /** Tells accounts apart without holding them. */
  accountKey: string;
  account: string;
  /** Of the account (ISO 3166); null where nothing tells it. */
  country: string | null;
  reference: string | null;
  status: ReportStatus;
  /** Of the last attempt that left this machine. */
  token: string | null;
  transactionId: string | null;
  /** What left the balance, where that is known. */
  sent: { minor: bigint; feesMinor: bigint; currency: Currency } | null;
  /** When it became final (Unix ms). */
  finishedAt: number | null;
  /** Its return by a bank after it was completed; `at` is Unix ms by the service, null where that showed no time. */
  returned: { id: string; at: number | null } | null;
  /** Name, payee id, amount, reference, token and transaction as they are searched. */
  searched: string;
};

/** `payouts`: the newest run first, in its order. */
export type PayoutHistory = {
  payouts: HistoricPayout[];
  /** How many of the newest runs are in it, and whether there are older ones. */
  runs: number;
  isWhole: boolean;
  /** Runs whose journal is not as it was written. */
  damaged: number;
};

/** Runs that are read, newest first: three each day for a year. */
const RUNS_MAX = 1_000;
/** Payouts of those runs: some tens of megabytes. */
const PAYOUTS_MAX = 100_000;

/** What a run has, with its end at that time. */
type Gathered = { head: string; payouts: HistoricPayout[] | null };

/** The payouts of the newest runs. A run is read again where something was written to it since. */
export class Payouts {
  readonly #journal: Journal;
  #known = new Map<string, Gathered>();

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /** Goes through all entries of runs that are new, and gives others their turn in between. */
  async gather(turns: TimeSlice): Promise<PayoutHistory> {
    const started = await this.#journal.listStartedRuns(RUNS_MAX + 1);
    const heads = new Map((await this.#journal.heads()).map(({ runId, n, hash }) => [runId, `${n} ${hash}`]));
    const known = new Map<string, Gathered>();
    let left = PAYOUTS_MAX;
    let damaged = 0;
    for (const { run_id, header } of started.slice(0, RUNS_MAX)) {
      left -= header.payouts;
      if (left < 0 && known.size > 0) break;
      const head = heads.get(run_id) ?? '';
      const before = this.#known.get(run_id);
      const gathered = before?.head === head ? before : { head, payouts: await this.#read(run_id, turns) };
      known.set(run_id, gathered);
      if (gathered.payouts === null) damaged++;
    }
    this.#known = known;
    const payouts = [...known.values()].flatMap((run) => run.payouts ?? []);
    return { payouts, runs: known.size, isWhole: known.size === started.length, damaged };
  }

  /** Null where it is damaged: its own page says so. */
  async #read(runId: string, turns: TimeSlice): Promise<HistoricPayout[] | null> {
    const run = new RunState();
    try {
      for await (const page of this.#journal.readRun(runId))
        for (const { entry, at } of page) {
          applyToRun(run, entry, at);
          if (turns.isOver) await turns.next();
        }
    } catch (error) {
      if (error instanceof JournalDamaged) return null;
      throw error;
    }
    return payoutsOf(run, turns);
  }
}

async function payoutsOf(run: RunState, turns: TimeSlice): Promise<HistoricPayout[]> {
  const { header, plan, approvals, startedBy, startedOnPage } = run;
  if (header === null) return [];
  const { run_id, job, entity, period, input, rehearsal } = header;
  const preparer = plan?.approval?.preparer ?? startedOnPage ?? startedBy;
  const payment = {
    run_id,
    job,
    entity,
    period,
    rehearsal,
    input: { name: input.name },
    at: run.startedAt ?? run.createdAt,
    preparer,
    approvers: [...new Set(approvals.map(({ approver }) => approver))],
  };
  const maskRow = rowMasker(input);
  const copies = rowsWithCopies(run);
  const payouts: HistoricPayout[] = [];
  for (const row of run.rows) {
    if (turns.isOver) await turns.next();
    if (row.order === null) continue;
    const state = run.payouts.get(row.row) ?? { state: 'waiting', attempts: 0 };
    const status = statusOf(state.state, run.cancelled, copies.has(row.row));
    const back = run.returned.get(row.row);
    const returned = back === undefined ? null : { id: back.return_id, at: back.returned_at };
    payouts.push(payoutOf(payment, row.order, { ...knownOf(state), status, returned }, maskRow(row).hide));
  }
  return payouts;
}

type Known = Pick<HistoricPayout, 'status' | 'token' | 'transactionId' | 'sent' | 'finishedAt' | 'returned'>;

function payoutOf(
  payment: PaymentOf,
  { row, payee, amount_minor, currency, destination, reference }: NonNullable<RunRow['order']>,
  known: Known,
  hide: (text: string) => string,
): HistoricPayout {
  const name = hide(payee.name);
  const payeeId = payee.payee_id && hide(payee.payee_id);
  const shown = { payeeId, reference: reference && hide(reference) };
  const seen = accountSeen(destination);
  const minor = BigInt(amount_minor);
  const { token, transactionId, returned } = known;
  const searched = [name, payeeId, formatMajor(minor, currency.decimals), seen.account.slice(-4), shown.reference];
  return {
    payment,
    row,
    payee: payeeHash(payee),
    name,
    ...shown,
    minor,
    currency,
    accountKey: accountHash(destination),
    ...seen,
    ...known,
    searched: searchable(
      [...searched, token, transactionId, returned?.id ?? null].filter((text) => text !== null).join('\n'),
    ),
  };
}

function knownOf(payout: PayoutState): Omit<Known, 'status' | 'returned'> {
  const unknown = { token: null, transactionId: null, sent: null, finishedAt: null };
  switch (payout.state) {
    case 'waiting':
    case 'not_submitted':
    case 'suspected':
      return unknown;
    case 'sending':
    case 'in_doubt':
    case 'unresolved':
      return { ...unknown, token: payout.intent.token };
    case 'rejected':
      return { ...unknown, token: payout.token, finishedAt: payout.finishedAt };
    case 'accepted':
      return { ...unknown, token: payout.sent.token, transactionId: payout.sent.transaction_id };
    case 'failed':
    case 'completed': {
      const { sent, final, finishedAt } = payout;
      const paid = { minor: BigInt(final.sent_minor), feesMinor: BigInt(final.fees_minor) };
      const left = payout.state === 'failed' ? null : { ...paid, currency: final.sent_currency };
      return { token: sent.token, transactionId: sent.transaction_id, sent: left, finishedAt };
    }
  }
}

/** Whether the payee has the money: it was completed, and did not come back. */
export function isPaid({ status, returned }: Pick<HistoricPayout, 'status' | 'returned'>): boolean {
  return status === 'completed' && returned === null;
}

/** A payout's amount as a plain decimal, and its currency as people read it. */
export function amountOf({ minor, currency }: Pick<HistoricPayout, 'minor' | 'currency'>): [string, string] {
  return [formatMajor(minor, currency.decimals), currencyLabel(currency)];
}
