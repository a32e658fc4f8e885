import type { JournalDamage } from '../outcomes/journal-damage.ts';
import type { CorrectionMismatch, RowLeft } from '../outcomes/run-outcome.ts';
import type { RetryReason } from '../refusals/run-reasons.ts';

type None = Record<never, never>;

/** Money as a plain decimal and the label of its currency. */
export type Sum = { amount: string; currency: string };

/** How much is missing of what a run costs in one currency. */
export type Shortage = { missing: Sum; of: Sum };

/** An earlier run. `at` is Unix milliseconds. */
export type RunMention = { id: string; at: number; isRehearsal: boolean };

/** Which account a payee was paid on by `run`, masked, and which it is now; `wasNamed` where that was in another way. */
export type AccountChange = {
  was: string;
  now: string;
  wasNamed: 'bank_details' | 'external_account_id' | null;
  run: RunMention;
};

/** What a corrected row changes beside the row of `runId`. Accounts are masked; null stands for none. */
export type RowChange =
  | { what: 'recipient_id' | 'account_name' | 'name'; was: string | null; now: string | null }
  /** `others`: the columns that differ beside the number. */
  | { what: 'account'; was: string; now: string; others: readonly string[]; isNumberChanged: boolean };

/** How certain it is that a payment was made: it waits to be made in a run that is planned. */
export type PaidStanding = 'paid' | 'perhaps' | 'waiting';

/** An earlier row of the file; of a bank file, in which it is a payment or a record. */
export type EarlierRow = { row: number; unit?: 'payment' | 'record' };

/** What of a payout repeats or contradicts other rows of the file. */
export type RepeatProblems = {
  possible_duplicate: EarlierRow & { isOtherName: boolean; isOtherPayee: boolean };
  payee_name_differs: EarlierRow & { isSameAccount: boolean };
  /** `shared`: the row that pays this account for another payee. */
  payee_account_differs: EarlierRow & { currency: string; shared: number | null };
  account_shared: EarlierRow & { isSameName: boolean };
  account_name_differs: EarlierRow;
  payee_repeated: EarlierRow;
};

export type TotalProblems = {
  /** `unread`: rows whose amounts it could not be compared with. */
  total_line: { unread: number };
  total_line_differs: { text: string; isLabelled: boolean; sums: readonly Sum[] };
  /** `count`: what a line above the header says. */
  count_above_differs: { count: number; rows: number };
  subtotal_line: None;
  footer_line: None;
  expected_count: { expected: number; payouts: number };
  /** `expected` is null for a currency of which nothing was. `difference` is not negative. */
  expected_total: { total: Sum; expected: Sum | null; difference: Sum; isMore: boolean };
  limit_per_payout: { amount: Sum; limit: Sum };
  limit_per_run: { amount: Sum; limit: Sum };
  /** `isConverted`: by a rate that may change. `others`: runs of the same day, which come to `othersSum`. */
  limit_per_day: {
    amount: Sum;
    limit: Sum;
    isConverted: boolean;
    others: readonly string[];
    othersSum: Sum | null;
    allSum: Sum;
    /** Days since 1970. */
    day: number;
    timeZone: string;
  };
  limit_currency: { currency: string; limits: readonly string[] };
  limit_payees: { payees: number; limit: number };
  limit_only_payees: { isUnnamed: boolean };
};

/** What earlier runs have to do with a file or a plan. Payees are shown as `Ada Byron (E1)`. */
export type HistoryProblems = {
  history_partly_read: { runId: string; compared: number; payouts: number };
  /** `reason`: of another error in its own words. */
  history_unreadable: { folder: string; reason: string | JournalDamage };
  total_unusual: { total: Sum; last: Sum; run: RunMention };
  /** `payouts`: how many earlier ones `usual` is the median of. */
  amount_unusual: { times: string; usual: Sum; payouts: number };
  amount_changed: { payee: string; now: Sum; before: Sum };
  /** `corrected`: what a corrected row changes; null where the row corrects none. `payee` is null where a cell shows it. */
  account_changed: {
    payee: string | null;
    change: AccountChange | null;
    corrected: { runId: string; changes: readonly RowChange[] } | null;
  };
  account_first_time: { payee: string; account: string };
  payee_first_time: { payee: string; account: string };
  /** `payees`: the first few of `count`. */
  payee_missing: { count: number; payees: readonly string[]; run: RunMention | null };
  paid_before: PaidBeforeRow | PaidBeforeFile | PaidBeforeLeftOut;
  left_out_paid_before: PaidBeforeLeftOut;
  unknown_payment: { payee: string; transactions: readonly string[]; more: number };
  /** A row must not be paid: a hold on its payee, or on one who was paid on its account, since `heldAt` (Unix ms). */
  payee_on_hold: { payee: string; by: string; heldAt: number; reason: string; matched: 'payee' | 'account' };
  cooling_off: { row: number; payee: string; amount: Sum; account: string; why: CoolingReason };
  balance_short: Shortage;
  may_be_below_minimum: { from: string; to: string; rows: readonly number[]; more: number };
  corrects_no_row: { runId: string; mismatch: CorrectionMismatch };
  nothing_to_correct: { reason: RetryReason };
  /** `look`: the command that shows what to do. */
  unresolved_not_retried: { leftOut: RowLeft; runId: string; look: string };
  retried_before: { leftOut: RowLeft };
};

/** Of a row that is left out for it. */
type PaidBeforeLeftOut = { standing: PaidStanding; run: RunMention | null };

/** A payout that an earlier run made, and how many more runs did. */
type PaidBeforeRow = { payee: string; run: RunMention | null; more: number; standing: PaidStanding };

/** `count` of a file's `all` payouts, the first few in `rows`, and those that were not made where that tells anything. */
type PaidBeforeFile = {
  run: RunMention;
  all: number;
  count: number;
  rows: readonly number[];
  others: { count: number; rows: readonly number[] } | null;
  /** Whether what the run did not pay can be retried. */
  isRetriable: boolean;
};

/** Why an account waits for an approval of its own. */
export type CoolingReason =
  | { why: 'changed'; change: AccountChange }
  /** `payee`: null where nobody was ever paid there. */
  | { why: 'never_paid'; payee: string | null; account: string }
  | { why: 'paid_lately'; payee: string; account: string; run: RunMention }
  | { why: 'not_at_service'; account: string }
  /** By what was known when it was planned. */
  | { why: 'when_planned' };
