import { type HoldRecord, Holds, type PlacedHold } from '../domain/run/holds.ts';
import type { Clock } from '../platform/clock.ts';

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

/** Every hold and release of a journal, and who is on hold by them, for somebody who looks again and again. */
export class KnownHolds {
  readonly now = new Holds();
  readonly records: PlacedHold[] = [];
  readonly #journal: Pick<PayeeHolds, 'after'>;
  #next: Promise<this> | null = null;

  constructor({ payeeHolds }: HoldsReading) {
    this.#journal = payeeHolds;
  }

  /** Looks after everybody who asks in this turn has asked, once for all of them: they ask before each payout. */
  lookSoon({ soon }: Pick<Clock, 'soon'>): Promise<this> {
    this.#next ??= new Promise((resolve, reject) => {
      soon(() => {
        this.#next = null;
        this.look().then(resolve, reject);
      });
    });
    return this.#next;
  }

  /** Reads what was recorded since the last look: one small read where nothing was. */
  async look(): Promise<this> {
    for (;;) {
      const page = await this.#journal.after(this.now.n);
      if (page.length === 0) return this;
      // Two looks side by side read the same.
      for (const record of page)
        if (record.n > this.now.n) {
          this.now.add(record);
          this.records.push(record);
        }
    }
  }
}
