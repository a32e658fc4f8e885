import type { Currency } from '../../../domain/currencies.ts';
import { fault } from '../../../domain/problem.ts';
import type { Header } from '../../header/columns.ts';
import { headerKey } from '../../header/header-key.ts';
import { layoutOf } from '../../header/layout-of.ts';
import type { RowCells } from '../row-cells.ts';

/** `amountCurrency` of Wise, `Fixed side` of others. */
const SIDE_KEYS: ReadonlySet<string> = new Set(['amountcurrency', 'fixedside', 'fixedamountside', 'fixedcurrencyside']);

const TARGET: ReadonlySet<string> = new Set(
  'target buy receive recipient receiver beneficiary payee destination'.split(' '),
);

/** Amounts of a file that may be in the currency that is sent, and not in that of the payee. */
export class SentAmounts {
  readonly #header: Header;
  /** The column that tells in which currency amounts are, or -1. */
  readonly #amountCurrency: number;
  /** The column of the amounts where the layout has them in the currency that is sent, or -1. */
  readonly #sent: number;

  constructor(header: Header) {
    this.#header = header;
    this.#amountCurrency = header.cells.findIndex((cell) => SIDE_KEYS.has(headerKey(cell)));
    this.#sent = layoutOf(header.cells)?.amounts === 'in_source_currency' ? header.index.amount : -1;
  }

  /** Refuses the row where its amount may be in another currency. `source`: null where the row is sent as it is received. */
  refuse(cells: RowCells, source: Currency | null): void {
    const isUnsaid = this.#sent !== -1 && cells.text('source_currency') === '';
    if (source === null && !isUnsaid) return;
    const isSaid = this.#amountCurrency !== -1 && !TARGET.has(cells.at(this.#amountCurrency).toLowerCase());
    const at = isSaid ? this.#amountCurrency : this.#sent;
    if (at === -1) return;
    const header = this.#header.cells[at] ?? '';
    cells.error('source_currency', fault('amount_of_source_currency', { header, isAmount: !isSaid }));
  }
}
