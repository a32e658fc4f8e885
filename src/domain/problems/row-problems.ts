type None = Record<never, never>;

/** Why a row is not to be paid, by what it says itself. */
export type RowProblems = {
  row_paid_already: { header: string };
  row_withheld: { header: string };
  /** A total with an account of its own. */
  row_named_total: None;
  /** Money that came in, a fee, a reversal. */
  row_no_payout: { header: string };
  /** By cheque, in cash, by card. */
  row_paid_otherwise: { header: string };
  row_is_direct_debit: { header: string };
  /** The number of an account at a building society. `reference`: the header of what is taken for the reference, or null. */
  roll_number_unused: { header: string; reference: string | null };
};
