// What does not fit into its cell, and a reason that is short there, in full: of the cell under the pointer, or of the active one while the grid has the focus.
// While a cell is being edited, it says what is wrong with it.

const GAP_PX = 4;

export class Tip {
  #element;
  #grid;
  #tip;
  /** The cell under the pointer whose text is shown; null where it is that of the active one. */
  #pointed = null;

  constructor(element, grid) {
    this.#element = element;
    this.#grid = grid;
    this.#tip = Object.assign(document.createElement('div'), { id: 'review-tip', className: 'review-tip' });
    this.#tip.setAttribute('role', 'tooltip');
    this.#tip.popover = 'manual';
    element.after(this.#tip);
    for (const type of ['focus', 'chosen']) element.addEventListener(type, () => this.#ofActive());
    element.addEventListener('opened', ({ detail }) => this.#ofInput(detail));
    element.addEventListener('blur', () => this.#hide());
    element.addEventListener('scroll', () => this.#follow());
    element.addEventListener('mouseover', ({ target }) => this.#ofPointed(target));
    element.addEventListener('mouseleave', ({ relatedTarget }) => {
      if (relatedTarget !== this.#tip) this.#ofActive();
    });
    this.#tip.addEventListener('mouseleave', () => this.#ofActive());
    document.addEventListener('keydown', (event) => this.#onKey(event), true);
  }

  get #isOpen() {
    return this.#tip.matches(':popover-open');
  }

  /** Escape takes the tip away first, and leaves the grid when there is none. */
  #onKey(event) {
    if (event.key !== 'Escape' || !this.#isOpen) return;
    this.#hide();
    if (event.target === this.#element) event.stopPropagation();
  }

  #ofActive() {
    if (this.#grid.editing !== null) return;
    this.#pointed = null;
    const isInGrid = document.activeElement === this.#element;
    this.#ofCell(isInGrid ? this.#grid.cellElement() : null);
  }

  #ofPointed(target) {
    if (this.#grid.editing !== null) return;
    const cell = target.closest('[role="gridcell"], [role="columnheader"]');
    if (!hasMore(cell)) return this.#ofActive();
    this.#pointed = cell;
    this.#ofCell(cell);
  }

  /** The cells move under it. */
  #follow() {
    if (this.#pointed?.isConnected && this.#isOpen) this.#ofCell(this.#pointed);
    else this.#ofActive();
  }

  #ofCell(cell) {
    if (hasMore(cell) && this.#isInSight(cell)) this.#show(cell, cell.dataset.whole ?? cell.textContent);
    else this.#hide();
  }

  #isInSight(cell) {
    const [seen, { top, bottom }] = [this.#element.getBoundingClientRect(), cell.getBoundingClientRect()];
    return bottom > seen.top && top < seen.bottom;
  }

  #ofInput(input) {
    const { activeRow: row, active, columns } = this.#grid;
    const { at } = columns[active.column];
    const mark = row.isChecked ? row.marks.find((each) => each.at === at) : undefined;
    if (mark === undefined) return this.#hide();
    input.setAttribute('aria-describedby', this.#tip.id);
    const use = mark.suggestion === null ? [] : [say('Tab fills in #.', mark.suggestion)];
    const title = Object.assign(document.createElement('strong'), { textContent: mark.message });
    title.className = mark.severity;
    this.#show(input, title, ...[mark.remedy, ...use].map((words) => `\n${words}`));
  }

  #show(beside, ...words) {
    this.#tip.replaceChildren(...words);
    if (!this.#isOpen) this.#tip.showPopover();
    const { left, top, bottom } = beside.getBoundingClientRect();
    const { offsetWidth, offsetHeight } = this.#tip;
    const { clientWidth, clientHeight } = document.documentElement;
    const below = bottom + GAP_PX;
    this.#tip.style.left = `${Math.max(GAP_PX, Math.min(left, clientWidth - offsetWidth - GAP_PX))}px`;
    this.#tip.style.top = `${below + offsetHeight < clientHeight ? below : top - offsetHeight - GAP_PX}px`;
  }

  #hide() {
    if (this.#isOpen) this.#tip.hidePopover();
  }
}

/** Whether it is cut off, or says in short what is longer. */
function hasMore(cell) {
  return cell !== null && (cell.dataset.whole !== undefined || cell.scrollWidth > cell.clientWidth);
}
