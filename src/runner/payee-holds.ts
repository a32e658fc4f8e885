import type { PayoutOrder } from '../domain/payee.ts';
import { type Held, Holds } from '../domain/run/holds.ts';
import type { PayeeHolds } from '../journal/holds.ts';

/** Who must not be paid, as this process last read it. */
export class HoldsNow {
  readonly #journal: Pick<PayeeHolds, 'after'>;
  readonly #holds = new Holds();

  constructor(journal: Pick<PayeeHolds, 'after'>) {
    this.#journal = journal;
  }

  /** Reads what was recorded since the last look: one small read where nothing was. */
  async look(): Promise<void> {
    let records = await this.#journal.after(this.#holds.n);
    while (records.length > 0) {
      // Two looks side by side read the same.
      for (const record of records) if (record.n > this.#holds.n) this.#holds.add(record);
      records = await this.#journal.after(this.#holds.n);
    }
  }

  /** Why the payout must not be made, by the last look; null where it may. */
  known(order: Pick<PayoutOrder, 'payee' | 'destination'>): Held | null {
    return this.#holds.of(order);
  }
}
