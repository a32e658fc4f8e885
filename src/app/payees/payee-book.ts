import { hash } from 'node:crypto';
import { currencyLabel } from '../../domain/currencies.ts';
import type { RunRow } from '../../domain/entry.ts';
import { formatMajor } from '../../domain/money.ts';
import type { ReportStatus } from '../../domain/outcomes/payout-outcome.ts';
import { type Destination, payeeKey } from '../../domain/payee.ts';
import { applyToRun } from '../../domain/run/run.ts';
import { RunState } from '../../domain/run/run-state.ts';
import { type Journal, JournalDamaged } from '../../journal/journal.ts';
import { searchable } from '../../messages/text.ts';
import { accountText, rowMasker } from '../../report/model/identifiers.ts';
import { rowsWithCopies, statusOf } from '../../report/model/outcome.ts';
import type { TimeSlice } from '../background/time-slice.ts';

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

/** A payee of runs, known by the payee id, or by name and e-mail where there is none. */
export type BookedPayee = {
  /** A hash: the address of the payee's page has nothing of them. */
  id: string;
  payeeId: string | null;
  /** Both as they are searched. */
  searched: string;
  /** As in the newest run. */
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

/** Gathers the payees of the newest runs. It goes through all their entries, and gives others their turn in between. */
export async function gatherPayees(journal: Journal, turns: TimeSlice): Promise<PayeeBook> {
  const started = (await journal.listRuns(LISTED_MAX)).filter(({ isPlanned }) => !isPlanned);
  const payees = new Map<string, BookedPayee>();
  let left = PAYOUTS_MAX;
  let runs = 0;
  let damaged = 0;
  for (const { run_id, header } of started.slice(0, RUNS_MAX)) {
    left -= header.payouts;
    if (left < 0 && runs > 0) break;
    runs++;
    const run = await foldRun(journal, run_id, turns);
    if (run === null) damaged++;
    else await addRun(payees, run, turns);
  }
  const isWhole = runs === started.length && started.length < LISTED_MAX;
  return { payees: [...payees.values()].sort(bySearched), runs, isWhole, damaged };
}

/** Null where it is damaged: its own page says so. */
async function foldRun(journal: Journal, runId: string, turns: TimeSlice): Promise<RunState | null> {
  const run = new RunState();
  try {
    for await (const page of journal.readRun(runId))
      for (const { entry, at } of page) {
        applyToRun(run, entry, at);
        if (turns.isOver) await turns.next();
      }
    return run;
  } catch (error) {
    if (error instanceof JournalDamaged) return null;
    throw error;
  }
}

/** Comparing as people of one language would takes ten times as long. */
function bySearched(one: BookedPayee, other: BookedPayee): number {
  return one.searched < other.searched ? -1 : 1;
}

async function addRun(payees: Map<string, BookedPayee>, run: RunState, turns: TimeSlice): Promise<void> {
  if (run.header === null) return;
  const maskRow = rowMasker(run.header.input);
  const copies = rowsWithCopies(run);
  for (const row of run.rows) {
    if (turns.isOver) await turns.next();
    if (row.order === null) continue;
    const key = payeeKey(row.order.payee);
    const { hide } = maskRow(row);
    const payout = payoutOf(run, row, row.order, { hide, mayHaveCopy: copies.has(row.row) });
    const known = payees.get(key);
    if (known !== undefined) known.payouts.push(payout);
    else {
      const { payee_id } = row.order.payee;
      const id = hash('sha256', key, 'hex').slice(0, 24);
      const payeeId = payee_id === null ? null : hide(payee_id);
      const searched = searchable(`${payout.name}\n${payeeId ?? ''}`);
      payees.set(key, { id, payeeId, searched, name: payout.name, payouts: [payout] });
    }
  }
}

function payoutOf(
  run: RunState,
  { row }: RunRow,
  order: NonNullable<RunRow['order']>,
  { hide, mayHaveCopy }: { hide: (text: string) => string; mayHaveCopy: boolean },
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
    status: statusOf(state, run.cancelled, mayHaveCopy),
  };
}

function accountKey(destination: Destination): string {
  const named =
    destination.kind === 'existing'
      ? [destination.external_account_id]
      : [destination.rail, ...Object.values(destination.fields)];
  return hash('sha256', JSON.stringify(named), 'base64url').slice(0, 16);
}
