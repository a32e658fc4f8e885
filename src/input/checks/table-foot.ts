import { type Fault, fault } from '../../domain/problem.ts';
import type { DecimalConvention } from '../cells/amounts/amount.ts';
import type { RowFacts } from '../cells/cell-facts.ts';
import type { Header } from '../header/columns.ts';
import type { ReadRow } from '../read-options.ts';
import type { ForeignRow, RowReader } from '../rows.ts';
import { type AmountSums, isSum, sumsIn, sumsSince } from './control-figures.ts';
import { codesOf, isFooterText, type Line, lineOf, readingsOf } from './total-lines.ts';
import { countOfTotal, figuresOfTotal, isNameOfTotal, type WordedFigure } from './words/total-words.ts';

/** More lines than people write under a table; what is above them is read as rows then. */
const HELD_MAX = 20;

type HeldRow = ForeignRow & { line: Line };

/** The figure of a total line: as written, and the amounts and currencies that it can mean. */
type Figure = { text: string; codes: readonly string[]; readings: readonly string[] };

/**
 * Separates the lines under a table (totals, `Printed 25.11.2026`) from payouts that lack something. Only what comes
 * next decides, so rows without a payee are held back until the next payout or the end of the table.
 */
export class TableFoot {
  readonly #header: Header;
  readonly #reader: RowReader;
  /** Where the columns are of which nearly every row has one. */
  readonly #accounts: readonly number[];
  #held: HeldRow[] = [];
  #lastRow = 0;
  /** What the rows added up to at the last line between payouts. */
  #before: AmountSums | null = null;
  #isContradicted = false;
  /** The last row that is a total by its name, and has an account. */
  #namedTotal = 0;
  readonly #above: readonly ForeignRow[];

  /** `first`: the first rows of the file. Those above the header may give the number of the payouts and their sum. */
  constructor(header: Header, reader: RowReader, first: readonly ForeignRow[] = []) {
    this.#header = header;
    this.#reader = reader;
    this.#above = first.filter(({ row }) => row < header.row);
    const { account_number, wallet_address, external_account_id } = header.index;
    this.#accounts = [account_number, wallet_address, external_account_id].filter((at) => at !== -1);
  }

  /** Whether a line labelled as the total has another figure than the rows: then the file contradicts itself. */
  get isContradicted(): boolean {
    return this.#isContradicted;
  }

  /** Whether a row is a total by its name, though it has an account. */
  isNamedTotal(row: number): boolean {
    return row === this.#namedTotal;
  }

  get isHolding(): boolean {
    return this.#held.length > 0;
  }

  /** Whether the row is held back. Nearly every row has a name and an account, and is not examined further. */
  holds(row: number, cells: string[], facts: RowFacts | null): boolean {
    const isApart = row - this.#lastRow > 1;
    this.#lastRow = row;
    if (this.#hasPayee(cells)) {
      if (!this.#mayBeTotal(cells)) return false;
      if (isNameOfTotal(cells[this.#header.index.name] ?? '')) this.#namedTotal = row;
    }
    const line = this.#held.length < HELD_MAX ? lineOf(this.#header, cells, facts) : null;
    if (line === null || this.#header.firstError !== null || this.#reader.sums.rows === 0) return false;
    // A bare name right under the last payee is a row that was begun, not a footer.
    const isOfNames = line.kind === 'footer' && (line.column === 'name' || line.column === 'payee_id');
    if (isOfNames && !isApart && this.#held.length === 0 && !isFooterText(line.text)) return false;
    this.#held.push({ row, cells, facts, line });
    return true;
  }

  #hasPayee(cells: readonly string[]): boolean {
    const { name } = this.#header.index;
    if (name === -1 || isEmpty(cells[name])) return false;
    for (const at of this.#accounts) if (!isEmpty(cells[at])) return true;
    return false;
  }

  /** Whether a line may be a total though it has a name and an account: its words and figures may stand in any column. */
  #mayBeTotal(cells: readonly string[]): boolean {
    const { name, amount } = this.#header.index;
    return isEmpty(cells[amount]) || LIKE_TOTAL.test(cells[name] ?? '');
  }

  /** Decides what the held rows are, at the end of the table or before the next payout, and gives those that are rows. */
  release(isEnd: boolean, convention: DecimalConvention): ReadRow[] {
    const held = this.#held;
    this.#held = [];
    const rows = held
      .map((each) => (isEnd ? this.#readAtEnd(each, convention) : this.#readBetween(each, convention)))
      .filter((row) => row !== null);
    if (isEnd && this.#header.firstError === null) for (const line of this.#above) this.#compareAbove(line, convention);
    return rows;
  }

  /** A number or a sum over the header that is not that of the rows contradicts them. */
  #compareAbove(line: ForeignRow, convention: DecimalConvention): void {
    const { sums } = this.#reader;
    const filled = [...line.cells.entries()].map(([at, cell]) => ({ at, text: cell.trim(), isOfAccount: false }));
    const cells = filled.filter(({ text }) => text !== '');
    const count = countOfTotal(cells);
    const figures = figuresOfTotal(cells, []).filter(({ isSure }) => isSure);
    const read = figures.map(({ text, at }) => {
      return { text, codes: codesOf('', text), readings: readingsOf(text, line.facts, at, convention) };
    });
    const wrong = read.find((figure) => !isSumOf(figure, sums));
    if (count !== null && count !== sums.rows)
      this.#contradict(line, fault('count_above_differs', { count, rows: sums.rows }));
    if (wrong === undefined || sums.unread > 0 || read.some((figure) => isSumOf(figure, sums))) return;
    const params = { text: wrong.text, isLabelled: true, sums: sumsIn(wrong.codes, sums) };
    this.#contradict(line, fault('total_line_differs', params));
  }

  #contradict(line: ForeignRow, what: Fault): void {
    this.#isContradicted = true;
    this.#reader.refuse(line, null, what);
  }

  #readAtEnd(held: HeldRow, convention: DecimalConvention): ReadRow | null {
    const { line } = held;
    if (line.kind === 'footer') {
      this.#reader.note(held, line.column, fault('footer_line'), line.text);
      return null;
    }
    if (line.kind === 'worded_total') return this.#readWorded(held, line.figures, convention);
    if (!line.hasFigure) {
      this.#reader.note(held, 'amount', fault('formula_without_value', { isTotal: true }));
      return null;
    }
    const { sums } = this.#reader;
    const figure = this.#figure(held, convention);
    if (isSumOf(figure, sums) || isSumOf(figure, sumsSince(this.#before, sums))) {
      this.#reader.note(held, 'amount', fault('total_line', { unread: 0 }));
      return null;
    }
    if (sums.unread === 0) {
      if (line.isLabelled) this.#isContradicted = true;
      const { text, codes } = figure;
      const params = { text, isLabelled: line.isLabelled, sums: sumsIn(codes, sums) };
      return this.#reader.refuse(held, 'amount', fault('total_line_differs', params));
    }
    if (!line.isLabelled) return this.#reader.read(held.row, held.cells, convention, held.facts);
    this.#reader.note(held, 'amount', fault('total_line', { unread: sums.unread }));
    return null;
  }

  /** A figure that is neither a sum nor the number of the rows contradicts them, where it can be nothing else. */
  #readWorded(held: HeldRow, figures: readonly WordedFigure[], convention: DecimalConvention): ReadRow | null {
    const { sums } = this.#reader;
    const read = figures.map(({ text, at, isSure }) => {
      const readings = readingsOf(text, held.facts, at, convention);
      return { figure: { text, codes: codesOf('', text), readings }, column: this.#header.columns[at] ?? null, isSure };
    });
    const isAnySum = ({ figure }: { figure: Figure }) =>
      isSumOf(figure, sums) || isSumOf(figure, sumsSince(this.#before, sums));
    const agreeing = read.find(isAnySum);
    const [wrong] = read.filter(({ figure, isSure }) => isSure && !figure.readings.includes(String(sums.rows)));
    if (agreeing === undefined && wrong !== undefined && sums.unread === 0) {
      const { figure, column } = wrong;
      this.#isContradicted = true;
      const params = { text: figure.text, isLabelled: true, sums: sumsIn(figure.codes, sums) };
      return this.#reader.refuse(held, column, fault('total_line_differs', params));
    }
    const text = held.cells.filter((cell) => !isEmpty(cell)).join(' ');
    const found = agreeing ?? wrong;
    const unread = agreeing === undefined ? sums.unread : 0;
    if (found === undefined) this.#reader.note(held, null, fault('footer_line'), text);
    else this.#reader.note(held, found.column, fault('total_line', { unread }), text);
    return null;
  }

  #readBetween(held: HeldRow, convention: DecimalConvention): ReadRow | null {
    const { sums } = this.#reader;
    const { line } = held;
    if (line.kind === 'worded_total') return this.#reader.refuse(held, null, fault('subtotal_line'));
    if (line.kind === 'total') {
      const figure = this.#figure(held, convention);
      const block = sumsSince(this.#before, sums);
      const isOfSeveral = sums.rows > 1 && (isSumOf(figure, sums) || (block.rows > 1 && isSumOf(figure, block)));
      if (line.isLabelled || isOfSeveral) {
        this.#before = sums;
        return this.#reader.refuse(held, 'amount', fault('subtotal_line'));
      }
    }
    return this.#reader.read(held.row, held.cells, convention, held.facts);
  }

  #figure({ cells, facts }: HeldRow, convention: DecimalConvention): Figure {
    const { amount, currency } = this.#header.index;
    const text = cells[amount]?.trim() ?? '';
    const codes = codesOf(currency === -1 ? '' : (cells[currency]?.trim() ?? ''), text);
    return { text, codes, readings: readingsOf(text, facts, amount, convention) };
  }
}

/** Names that may begin with a word for a sum; every name is tested. */
const LIKE_TOTAL =
  /tot|sum|som|gesamt|razem|ogół|łącznie|celkem|yekun|ukup|skupaj|spolu|yhteen|итог|сумм|всього|разом|σύνολ|συνολ|[合总總小][计計额額]|[합총]계|รวม|tổng|jumlah|جمالي|مجموع/iu;

/** Whether there are only blanks; most cells begin with something else. */
function isEmpty(cell = ''): boolean {
  return cell === '' || (cell.charCodeAt(0) <= 0x20 && cell.trim() === '');
}

function isSumOf({ readings, codes }: Figure, sums: AmountSums): boolean {
  return readings.some((plain) => isSum(plain, codes, sums));
}
