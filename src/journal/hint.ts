/** What one webhook reported of which transaction. */
export type Hint = {
  /** The same for every delivery of one event. */
  webhook_id: string;
  transaction_id: string;
  type: 'transaction.created' | 'transaction.updated';
  /** Unix ms, by the receiver's clock. */
  received_at: number;
};

/** Numbers grow and are never given twice, over all runs. */
export type PlacedHint = Hint & { n: number };

export const HINTS_CALL_MAX = 1_024;
/** Some 20 MiB. A run reads each within a second; older ones serve only to know a repeated delivery. */
export const HINTS_KEPT_MAX = 100_000;
