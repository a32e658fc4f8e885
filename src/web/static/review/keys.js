// What the keys of a spreadsheet do: moving, editing in the cell, copying, pasting, filling down.
import { Acts } from './acts.js';

export class Keys {
  #element;
  #grid;
  #acts;
  #mayEdit;
  #input = null;

  constructor(element, grid, rows, mayEdit) {
    this.#element = element;
    this.#grid = grid;
    this.#mayEdit = mayEdit;
    this.#acts = new Acts(grid, rows);
    element.addEventListener('keydown', (event) => this.#onKey(event));
    element.addEventListener('mousedown', (event) => this.#onMouse(event));
    element.addEventListener('mousemove', (event) => {
      if (event.buttons === 1 && this.#input === null) this.#onMouse(event, true);
    });
    element.addEventListener('dblclick', () => this.#edit());
    document.addEventListener('copy', (event) => this.#onCopy(event));
    document.addEventListener('paste', (event) => this.#onPaste(event));
  }

  get acts() {
    return this.#acts;
  }

  get #hasFocus() {
    return document.activeElement === this.#element;
  }

  #onMouse(event, isDragged = false) {
    const cell = event.target.closest('[role="gridcell"][id]');
    if (cell === null || event.target === this.#input) return;
    const [, index, column] = cell.id.split('-').map(Number);
    this.#commit();
    this.#grid.go(index, column, isDragged || event.shiftKey);
    this.#chosen();
    event.preventDefault();
    this.#grid.focus();
  }

  #onKey(event) {
    if (event.target === this.#input) return this.#onKeyInCell(event);
    const isControl = event.ctrlKey || event.metaKey;
    const key = isControl ? `Control+${event.key.toLowerCase()}` : event.key;
    const act = this.#moves(event)[key] ?? (this.#mayEdit ? this.#edits(event)[key] : undefined);
    if (act !== undefined) {
      if (act() !== false) event.preventDefault();
      this.#chosen();
    } else if (this.#mayEdit && !isControl && !event.altKey && event.key.length === 1) {
      this.#edit(event.key);
      event.preventDefault();
    }
  }

  #moves({ shiftKey }) {
    const { active, columns, pageRows } = this.#grid;
    const { index, column } = active;
    const go = (to, at) => () => this.#grid.go(to, at, shiftKey);
    const end = Number.MAX_SAFE_INTEGER;
    return {
      ArrowUp: go(index - 1, column),
      ArrowDown: go(index + 1, column),
      ArrowLeft: go(index, column - 1),
      ArrowRight: go(index, column + 1),
      PageUp: go(index - pageRows, column),
      PageDown: go(index + pageRows, column),
      Home: go(index, 0),
      End: go(index, columns.length - 1),
      'Control+home': go(0, 0),
      'Control+end': go(end, columns.length - 1),
      'Control+arrowup': go(0, column),
      'Control+arrowdown': go(end, column),
      Tab: () => this.#tab(shiftKey ? -1 : 1, index, column, columns.length),
      Escape: () => document.querySelector('[data-continue]').focus(),
    };
  }

  /** To the next cell, and to the next row behind the last. In front of the first cell and behind the last it leaves the grid. */
  #tab(step, index, column, width) {
    const next = column + step;
    if (next >= 0 && next < width) return this.#grid.go(index, next);
    const row = index + step;
    if (row < 0 || row >= this.#acts.total) return false;
    return this.#grid.go(row, step > 0 ? 0 : width - 1);
  }

  #edits({ shiftKey }) {
    return {
      Enter: () => this.#edit(),
      F2: () => this.#edit(),
      Delete: () => this.#acts.clear(),
      Backspace: () => this.#acts.clear(),
      'Control+d': () => this.#acts.fillDown(),
      'Control+z': () => (shiftKey ? this.#acts.redo() : this.#acts.undo()),
      'Control+y': () => this.#acts.redo(),
      'Control+enter': () => this.#acts.useSuggestion(),
    };
  }

  #onKeyInCell(event) {
    const { index, column } = this.#grid.active;
    if (event.key === 'Enter') {
      this.#commit();
      this.#grid.go(index + 1, column);
    } else if (event.key === 'Tab') {
      this.#takeSuggestion();
      this.#commit();
      this.#tab(event.shiftKey ? -1 : 1, index, column, this.#grid.columns.length);
    } else if (event.key === 'Escape') this.#close();
    else return;
    event.preventDefault();
    event.stopPropagation();
    this.#chosen();
  }

  /** Opens the cell; what was typed takes the place of its text. */
  #edit(typed) {
    const { activeRow: row, active, columns } = this.#grid;
    const column = columns[active.column];
    const cell = this.#grid.cellElement();
    if (!this.#mayEdit || this.#input !== null || row === undefined || column === undefined || cell === null) return;
    const input = document.createElement('input');
    input.value = typed ?? row.cells[column.at] ?? '';
    input.maxLength = 300;
    input.autocomplete = 'off';
    input.spellcheck = false;
    input.setAttribute('aria-label', `${column.letters}${row.row}, ${column.header}`);
    this.#grid.editing = active.index;
    this.#input = input;
    cell.replaceChildren(input);
    input.addEventListener('blur', () => this.#commit());
    input.focus();
    if (typed === undefined) input.select();
    this.#element.dispatchEvent(new CustomEvent('opened', { detail: input }));
  }

  /** Into the open cell, where nothing was typed there. */
  #takeSuggestion() {
    const { activeRow: row, active, columns } = this.#grid;
    const { at } = columns[active.column];
    const mark = row.isChecked ? row.marks.find((each) => each.at === at && each.suggestion !== null) : undefined;
    if (mark !== undefined && this.#input.value === (row.cells[at] ?? '')) this.#input.value = mark.suggestion;
  }

  #commit() {
    const input = this.#input;
    if (input === null) return;
    const { activeRow: row, active, columns } = this.#grid;
    const { at } = columns[active.column];
    this.#close();
    if (input.value !== (row.cells[at] ?? '')) this.#acts.set(row, at, [input.value]);
  }

  #close() {
    this.#input = null;
    this.#grid.endEditing();
    this.#grid.focus();
  }

  /** Opens the active cell, for the buttons beside the grid. */
  editCell() {
    this.#grid.focus();
    this.#edit();
  }

  #onCopy(event) {
    if (!this.#hasFocus) return;
    event.preventDefault();
    event.clipboardData.setData('text/plain', this.#acts.copied());
  }

  #onPaste(event) {
    if (!this.#hasFocus || !this.#mayEdit) return;
    event.preventDefault();
    void this.#acts.paste(event.clipboardData.getData('text/plain')).then(() => this.#chosen());
  }

  #chosen() {
    this.#element.dispatchEvent(new CustomEvent('chosen'));
  }
}
