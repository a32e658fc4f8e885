// What somebody does to the block of cells that is chosen, each as one edit that is saved and can be taken back.
import { blockOf, textOf } from './clipboard.js';

/** Rows of one act. The page refuses more. */
const ROWS_MAX = 2_000;

export class Acts {
  #grid;
  #rows;

  constructor(grid, rows) {
    this.#grid = grid;
    this.#rows = rows;
  }

  get total() {
    return this.#rows.total;
  }

  set({ row }, column, texts) {
    void this.#rows.edit([{ kind: 'set', row, column, texts }]);
  }

  clear() {
    void this.#fill((cells) => cells.map(() => ''));
  }

  undo() {
    this.#rows.undo();
  }

  redo() {
    this.#rows.redo();
  }

  /** The first row of the block into those below it; of one row, the row above into that. */
  async fillDown() {
    const { first, last, from, to } = this.#grid.block;
    const source = first === last ? first - 1 : first;
    if (source < 0) return;
    const [row] = await this.#rows.range(source, source);
    if (row === undefined) return;
    const texts = this.#ats(from, to).map((at) => row.cells[at] ?? '');
    await this.#fill(() => texts, first === last ? first : first + 1, last);
  }

  addRow() {
    return this.#rows.edit([{ kind: 'add', texts: [''] }]);
  }

  async deleteRows() {
    const { first, last } = this.#grid.block;
    const rows = await this.#rows.range(first, Math.min(last, first + ROWS_MAX - 1));
    void this.#rows.edit(rows.map(({ row }) => ({ kind: 'delete', row })));
  }

  /** What is suggested for a cell of the active row, that of the active one by default. */
  useSuggestion(at = this.#grid.columns[this.#grid.active.column]?.at) {
    const { activeRow: row } = this.#grid;
    const mark = row?.marks.find((each) => each.at === at && each.suggestion !== null);
    if (mark !== undefined) this.set(row, at, [mark.suggestion]);
  }

  copied() {
    const { first, last, from, to } = this.#grid.block;
    const ats = this.#ats(from, to);
    const textsOf = (row) => (ats.length === 0 ? reasonsOf(row) : ats.map((at) => row?.cells[at] ?? ''));
    const lines = [];
    for (let index = first; index <= Math.min(last, first + ROWS_MAX - 1); index++)
      lines.push(textsOf(this.#rows.at(index)));
    return textOf(lines);
  }

  /** Puts a block of cells from the active one on; lines behind the last row are new rows. One cell fills the whole block. */
  async paste(text) {
    const block = blockOf(text).slice(0, ROWS_MAX);
    if (block.length === 0) return;
    if (block.length === 1 && block[0].length === 1) {
      await this.#fill((cells) => cells.map(() => block[0][0]));
      return;
    }
    const { first, from } = this.#grid.block;
    const isFull = this.#rows.search === '' && ['all', 'problems'].includes(this.#rows.show);
    const rows = await this.#rows.range(first, Math.min(first + block.length, this.total) - 1);
    const orders = [];
    for (const [offset, texts] of block.entries()) {
      const cells = new Map(texts.map((each, at) => [this.#grid.columns[from + at]?.at, each]));
      cells.delete(undefined);
      if (cells.size === 0) break;
      const row = rows[offset];
      if (row !== undefined) orders.push(...this.#sets(row, cells));
      else if (isFull) orders.push({ kind: 'add', texts: wide(cells) });
    }
    void this.#rows.edit(orders);
  }

  #ats(from, to) {
    return this.#grid.columns.slice(from, to + 1).map(({ at }) => at);
  }

  async #fill(textsFor, ofRow = this.#grid.block.first, toRow = this.#grid.block.last) {
    const { from, to } = this.#grid.block;
    const ats = this.#ats(from, to);
    const rows = await this.#rows.range(ofRow, Math.min(toRow, ofRow + ROWS_MAX - 1));
    const orders = rows.flatMap((row) => {
      const now = ats.map((at) => row.cells[at] ?? '');
      const texts = textsFor(now);
      return this.#sets(row, new Map(ats.map((at, n) => [at, texts[n]])));
    });
    void this.#rows.edit(orders);
  }

  /** The orders that make the cells of a row so: one for cells side by side, none for those that are so already. */
  #sets(row, cells) {
    const orders = [];
    const changed = [...cells]
      .filter(([at, text]) => (row.cells[at] ?? '') !== text)
      .sort(([one], [other]) => one - other);
    for (const [at, text] of changed) {
      const before = orders.at(-1);
      if (before !== undefined && before.column + before.texts.length === at) before.texts.push(text);
      else orders.push({ kind: 'set', row: row.row, column: at, texts: [text] });
    }
    return orders;
  }
}

function reasonsOf(row) {
  return [(row?.marks ?? []).map(({ message }) => message).join(' ')];
}

function wide(cells) {
  const texts = [];
  for (const [at, text] of cells) {
    while (texts.length < at) texts.push('');
    texts[at] = text;
  }
  return texts;
}
