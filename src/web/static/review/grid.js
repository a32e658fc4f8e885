import './process.js';
import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '../vendor/virtual-core/index.js';
import { headPxOf, headRow, stays, stylesOf } from './head.js';
import { part, rowElement } from './row.js';

const ROW_PX = 32;
const OVERSCAN = 8;
const IN_SIGHT = { block: 'nearest', inline: 'nearest' };

const isNarrow = matchMedia('(max-width: 720px)');

/**
 * The rows on the screen, and the cell and the block that are chosen: places in the list and in the columns, behind which the
 * reason is the last one.
 */
export class Grid {
  #element;
  #rows;
  #head;
  #body;
  #virtualizer;
  /** The elements of rows by place, with the row that each shows. */
  #shown = new Map();
  #columnsKey = '';
  #isToBeSeen = false;
  #width = 0;
  #headPx = ROW_PX;
  columns = [];
  active = { index: 0, column: 0 };
  /** The other corner of the block. */
  anchor = { index: 0, column: 0 };
  /** The place of the row in which a cell is being edited; its element stays as it is. */
  editing = null;

  constructor(element, rows) {
    this.#element = element;
    this.#rows = rows;
    this.#head = part('rowgroup', 'review-cols');
    this.#body = part('rowgroup', 'review-rows');
    element.append(this.#head, this.#body);
    isNarrow.addEventListener('change', () => this.#setWidths());
    this.#virtualizer = new Virtualizer(this.#options());
    this.#virtualizer._didMount();
    this.#virtualizer._willUpdate();
  }

  #options() {
    return {
      count: this.#rows.total,
      getScrollElement: () => this.#element,
      estimateSize: () => ROW_PX,
      overscan: OVERSCAN,
      scrollPaddingStart: this.#headPx,
      paddingStart: 0,
      observeElementRect: (instance, take) =>
        observeElementRect(instance, (rect) => {
          // The drawer has come, or the window was turned.
          this.#isToBeSeen ||= rect.width !== this.#width;
          this.#width = rect.width;
          take(rect);
          this.#scroll();
        }),
      observeElementOffset,
      scrollToFn: elementScroll,
      onChange: () => this.render(),
    };
  }

  /** After rows came or changed. */
  update() {
    const { columns = [] } = this.#rows.summary ?? {};
    this.columns = columns;
    const { show, search, first } = this.#rows;
    const key = JSON.stringify([columns, show, search, first.length > 0, this.#rows.summary?.counts.problems > 0]);
    if (key !== this.#columnsKey) this.#drawHead(key);
    const { total } = this.#rows;
    this.active.index = Math.max(0, Math.min(this.active.index, total - 1));
    this.anchor.index = Math.max(0, Math.min(this.anchor.index, total - 1));
    this.#element.setAttribute('aria-rowcount', total + 1);
    this.#element.setAttribute('aria-colcount', columns.length + 2);
    this.#virtualizer.setOptions(this.#options());
    this.#virtualizer._willUpdate();
    const height = this.#virtualizer.getTotalSize();
    this.#body.style.height = `${height}px`;
    this.#element.style.setProperty('--review-height', `${height + this.#headPx}px`);
    this.render();
  }

  #drawHead(key) {
    this.#columnsKey = key;
    this.#shown.clear();
    this.#body.replaceChildren();
    const row = headRow(this.columns);
    this.#headPx = headPxOf(row);
    this.#head.replaceChildren(row);
    this.#setWidths();
  }

  #setWidths() {
    const { summary, first } = this.#rows;
    const style = stylesOf(this.#element, this.columns, {
      rows: first,
      isNarrow: isNarrow.matches,
      hasReasons: (summary?.counts.problems ?? 0) > 0,
    });
    this.#element.style.setProperty('--review-head', `${this.#headPx}px`);
    for (const [name, value] of Object.entries(style)) this.#element.style.setProperty(`--review-${name}`, value);
  }

  render() {
    const items = this.#virtualizer.getVirtualItems();
    const wanted = new Set(items.map(({ index }) => index));
    for (const [index, { element }] of this.#shown)
      if (!wanted.has(index) && index !== this.editing) {
        element.remove();
        this.#shown.delete(index);
      }
    for (const { index, start } of items) this.#draw(index, start);
    const id = this.#cellId(this.active);
    if (document.getElementById(id) === null) this.#element.removeAttribute('aria-activedescendant');
    else this.#element.setAttribute('aria-activedescendant', id);
    this.#scroll();
  }

  #draw(index, start) {
    const row = this.#rows.at(index);
    const mark = this.#markOf(index);
    const known = this.#shown.get(index);
    if (known !== undefined && (index === this.editing || (known.row === row && known.mark === mark))) return;
    const element = rowElement(row, index, {
      columns: this.columns,
      active: this.active,
      isChosen: (column) => this.isChosen(index, column),
    });
    element.style.transform = `translateY(${start}px)`;
    if (known === undefined) {
      const next = [...this.#shown].filter(([at]) => at > index).sort(([one], [other]) => one - other)[0];
      this.#body.insertBefore(element, next?.[1].element ?? null);
    } else known.element.replaceWith(element);
    this.#shown.set(index, { element, row, mark });
  }

  /** What of the row is chosen: it is drawn again only where that changes. */
  #markOf(index) {
    const { first, last, from, to } = this.block;
    const isActive = index === this.active.index ? this.active.column : '';
    return index < first || index > last ? isActive : `${isActive} ${from} ${to}`;
  }

  get block() {
    const [first, last] = [this.active.index, this.anchor.index].sort((a, b) => a - b);
    const [from, to] = [this.active.column, this.anchor.column].sort((a, b) => a - b);
    return { first, last, from, to };
  }

  isChosen(index, column) {
    const { first, last, from, to } = this.block;
    return index >= first && index <= last && column >= from && column <= to;
  }

  /** Makes a cell the active one, and shows it. The block reaches to it where it is extended. */
  go(index, column, isExtended = false) {
    const last = Math.max(0, this.#rows.total - 1);
    this.active = {
      index: Math.max(0, Math.min(index, last)),
      column: Math.max(0, Math.min(column, this.columns.length)),
    };
    if (!isExtended) this.anchor = { ...this.active };
    this.#virtualizer.scrollToIndex(this.active.index, { align: 'auto' });
    this.render();
    this.#isToBeSeen = true;
    this.#scroll();
  }

  /** Brings the active cell into sight once it is drawn, and what is wrong in its row too where there is room for both. */
  #scroll() {
    const cell = this.cellElement();
    if (!this.#isToBeSeen || cell === null || this.activeRow === undefined) return;
    this.#isToBeSeen = false;
    const { index } = this.active;
    const column = this.columns.findIndex(({ at }) => this.activeRow.marks.some((mark) => mark.at === at));
    document.getElementById(this.#cellId({ index, column }))?.scrollIntoView(IN_SIGHT);
    cell.scrollIntoView(IN_SIGHT);
    this.#showWhole();
  }

  /** No column is cut by those that stay: a figure of which half is seen is read wrongly. */
  #showWhole() {
    const columns = [...(this.#head.firstElementChild?.children ?? [])].slice(0, -1);
    const places = columns.map((column) => ({ column, box: column.getBoundingClientRect() }));
    const edge = Math.max(...places.filter(({ column }) => stays(column)).map(({ box }) => box.right));
    const cut = places.find(({ column, box }) => !stays(column) && box.left < edge - 1 && box.right > edge + 1);
    if (cut !== undefined) this.#element.scrollLeft += Math.ceil(cut.box.right - edge);
  }

  get pageRows() {
    return Math.max(1, Math.floor(this.#element.clientHeight / ROW_PX) - 2);
  }

  get activeRow() {
    return this.#rows.at(this.active.index);
  }

  cellElement() {
    return document.getElementById(this.#cellId(this.active));
  }

  /** Draws the row again in which a cell was edited. */
  endEditing() {
    const index = this.editing;
    this.editing = null;
    const known = this.#shown.get(index);
    if (known !== undefined) known.row = null;
    this.render();
  }

  focus() {
    this.#element.focus({ preventScroll: true });
  }

  #cellId({ index, column }) {
    return `cell-${index}-${column}`;
  }
}
