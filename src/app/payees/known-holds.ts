import { type HoldRecord, Holds, type PlacedHold } from '../../domain/run/holds.ts';
import type { Journal } from '../../journal/journal.ts';

/** Every hold and release of a journal, in order, and who is on hold by them. */
export type HoldsKnown = { records: readonly PlacedHold[]; now: Holds };

/** The holds of a journal, as somebody looks at them again and again. */
export class KnownHolds {
  readonly #journal: Journal['payeeHolds'];
  readonly #records: PlacedHold[] = [];
  readonly #now = new Holds();

  constructor({ payeeHolds }: Pick<Journal, 'payeeHolds'>) {
    this.#journal = payeeHolds;
  }

  /** As they are recorded now. */
  async look(): Promise<HoldsKnown> {
    for (;;) {
      const page = await this.#journal.after(this.#now.n);
      if (page.length === 0) return { records: this.#records, now: this.#now };
      // Two looks side by side read the same.
      for (const record of page)
        if (record.n > this.#now.n) {
          this.#now.add(record);
          this.#records.push(record);
        }
    }
  }

  async record(record: HoldRecord): Promise<void> {
    await this.#journal.add(record);
  }
}
