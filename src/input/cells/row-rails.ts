import type { Currency } from '../../domain/currencies.ts';
import type { Rail, RailName } from '../../domain/rails/rail.ts';
import type { DefaultRails } from './default-rails.ts';
import { writtenFields } from './destination-cells.ts';
import { deduceRail, readRail } from './rail-cells.ts';
import type { RowCells } from './row-cells.ts';

/** How many payouts go by a rail that their rows do not name. */
export type UnnamedRail = { rail: RailName; count: number };

/** The rails of a file's rows: the one that a row names, else that of its currency by default, else the only one that its fields fit. */
export class RowRails {
  readonly #defaults: DefaultRails;
  readonly #byDefault = new Map<RailName, number>();
  readonly #inferred = new Map<RailName, number>();
  /** Of the row that was read last; null where it names its rail. */
  #unnamed: RailName | null = null;
  #isDefault = false;

  constructor(defaults: DefaultRails = new Map()) {
    this.#defaults = defaults;
  }

  /** The rail of a row. Null with the problem noted, or where the row needs none. */
  read(cells: RowCells, currency: Currency | null): Rail | null {
    this.#unnamed = null;
    if (cells.text('rail') !== '') return readRail(cells);
    const byDefault = currency === null ? undefined : this.#defaults.get(currency.code);
    const rail = deduceRail(cells, currency, writtenFields(cells), byDefault);
    this.#unnamed = rail?.name ?? null;
    this.#isDefault = byDefault !== undefined;
    return rail;
  }

  /** Counts the row that was read last, which is paid. */
  count(): void {
    const rail = this.#unnamed;
    if (rail === null) return;
    const counts = this.#isDefault ? this.#byDefault : this.#inferred;
    counts.set(rail, (counts.get(rail) ?? 0) + 1);
  }

  /** Of payable rows, in order of first appearance. */
  get byDefault(): UnnamedRail[] {
    return Array.from(this.#byDefault, ([rail, count]) => ({ rail, count }));
  }

  /** Of payable rows, in order of first appearance. */
  get inferred(): UnnamedRail[] {
    return Array.from(this.#inferred, ([rail, count]) => ({ rail, count }));
  }
}
