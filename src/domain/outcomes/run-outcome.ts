/** The process that works on a run. */
export type Holding = { pid: number; host: string };

/** What a process that works on a run is doing. */
export type RunStep =
  | 'checking_journal'
  | 'checking_earlier_payments'
  | 'preparing_payees'
  | 'first_payout'
  | 'submitting'
  | 'waiting'
  | 'checking_sent'
  | 'done';

/** How a file of the journal, `path`, was found by a process that had it open; `log`: its write-ahead log was cut short or overwritten. */
export type Alteration = { path: string; how: 'cut_short' | 'overwritten' | 'log' };

/**
 * Why a process stopped working on a run before it was done. `cause`: what the system says of it. `database`: that the journal
 * is in, without its password; a journal that is a file has none.
 */
export type Loss =
  | { why: 'commit_uncertain' | 'unreadable'; cause: string; database?: string }
  | { why: 'out_of_descriptors'; cause: string }
  | { why: 'taken' }
  | { why: 'replaced'; database?: string }
  | ({ why: 'altered' } & Alteration);

/**
 * A row that is not to be paid any more, and how it stands in the run `runId`. `…_otherwise`: as another payout of that run,
 * of the same amount to the same account.
 */
export type RowLeft = {
  row: number;
  how:
    | 'unresolved'
    | 'not_final'
    | 'paid'
    | 'under_way'
    | 'paid_otherwise'
    | 'perhaps_paid_otherwise'
    | 'to_be_paid_otherwise';
  runId: string;
};

/** Why a row of a sheet corrects none of a run. */
export type CorrectionMismatch =
  | { why: 'no_such_payee' | 'no_open_row' }
  /** The row that it would correct is not to be paid any more. */
  | { why: 'left_out'; left: RowLeft }
  /** The row `by` of the sheet corrects that row already. */
  | { why: 'corrected_before'; row: number; by: number }
  /** `amount`: that of the payee's row, with its currency. */
  | { why: 'other_amount'; amount: string };

/** How far a payout is: the states of `PayoutState`. */
export const ROW_STATES = [
  'waiting',
  'sending',
  'in_doubt',
  'accepted',
  'completed',
  'failed',
  'rejected',
  'unresolved',
  'suspected',
  'not_submitted',
] as const;
export type RowState = (typeof ROW_STATES)[number];
