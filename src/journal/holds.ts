import type { HoldRecord, PlacedHold } from '../domain/run/holds.ts';

/** Records of one page. */
export const HOLDS_PAGE_MAX = 1_000;

/** Who must not be paid, as every process that pays from this journal reads it. No run's chain covers it. */
export type PayeeHolds = {
  /** On disk when it resolves: a process that reads later reads it. */
  add(record: HoldRecord): Promise<PlacedHold>;
  /** What was recorded after number `n`, in order, at most `HOLDS_PAGE_MAX`. One small read, meant before each payout. */
  after(n: number): Promise<readonly PlacedHold[]>;
};

/** Of a journal that is only read. */
export type HoldsReading = { readonly payeeHolds: Pick<PayeeHolds, 'after'> };
