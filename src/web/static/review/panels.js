// What stands around the grid: which rows to show, the figures of the file, whether it is saved, and the drawer.
import { button, CellPanel, list, text } from './cell-panel.js';

/** More do not fit beside the ways on. */
const SUMS_SHOWN = 8;

const STATUS = { saving: say('Saving…'), saved: say('Saved'), checking: say('Saved. Checking…'), ready: '' };

export class Panels {
  #root;
  #rows;
  #mayEdit;
  #onShow;
  #onAct;
  #cell;
  #isSavedOnce = false;
  #kindsKey = '';

  constructor(root, { rows, grid, mayEdit, onShow, onAct }) {
    this.#root = root;
    this.#rows = rows;
    this.#mayEdit = mayEdit;
    this.#onShow = onShow;
    this.#onAct = onAct;
    const recipients = root.dataset.review.replace(/rows$/, 'recipients');
    this.#cell = new CellPanel(root.querySelector('[data-cell]'), { grid, mayEdit, onAct, recipients });
  }

  status(state, words = '') {
    const element = document.querySelector('[data-status]');
    this.#isSavedOnce ||= state === 'saved';
    const problem = ['failed', 'refused'].includes(state) ? say('Not saved: #', words) : undefined;
    element.textContent = problem ?? (state === 'ready' && this.#isSavedOnce ? STATUS.saved : STATUS[state]);
    element.classList.toggle('wrong', problem !== undefined);
    if (state !== 'failed') return;
    element.append(
      ' ',
      button(say('Try again'), () => void this.#rows.saveAll()),
    );
  }

  update() {
    const { summary, trouble } = this.#rows;
    const none = this.#root.querySelector('[data-none]');
    none.hidden = trouble === null && (summary === null || this.#rows.total > 0);
    if (trouble !== null) none.textContent = `${trouble.message} ${trouble.remedy}`;
    else none.textContent = noneText(this.#rows, summary);
    if (summary === null) return;
    if (summary.counts.all === 0 && this.#mayEdit && trouble === null) {
      const add = button(say('Add row'), () => this.#onAct('add'));
      add.className = 'primary';
      none.append(' ', add);
    }
    this.#kinds(summary);
    this.#ofFile(summary);
    this.#figures(summary);
    this.#tools(summary);
    this.cell();
  }

  /** The drawer, after another cell was chosen. */
  cell() {
    this.#cell.update();
  }

  #kinds({ counts, kinds }) {
    const key = JSON.stringify([counts, kinds, this.#rows.show]);
    if (key === this.#kindsKey) return;
    this.#kindsKey = key;
    const of = (severity) =>
      kinds
        .filter((kind) => kind.severity === severity)
        .map(({ code, title, rows }) => [`code:${code}`, title, rows, severity]);
    const parts = [
      [
        null,
        [
          ['problems', say('To review'), counts.problems],
          ['all', say('All rows'), counts.all],
        ],
      ],
      [say('Errors'), of('error')],
      [say('Warnings'), of('warning')],
      [say('Changes'), counts.edited === 0 ? [] : [['edited', say('Edited rows'), counts.edited]]],
    ];
    const isFocused = document.activeElement?.closest?.('[data-kinds]') !== null;
    const element = this.#root.querySelector('[data-kinds]');
    element.replaceChildren(
      ...parts
        .filter(([, items]) => items.length > 0)
        .flatMap(([title, items]) => [
          ...(title === null ? [] : [text('h2', title)]),
          ...items.map((item) => this.#kind(item)),
        ]),
    );
    if (isFocused) element.querySelector('[aria-pressed="true"]')?.focus();
  }

  #kind([show, title, count, severity = '']) {
    const element = button('', () => this.#onShow(show));
    element.append(text('span', title));
    element.setAttribute('aria-pressed', show === this.#rows.show);
    const bubble = text('span', count.toLocaleString('en'));
    bubble.className = `bubble ${severity}`;
    element.title = title;
    element.append(' ', bubble);
    return element;
  }

  #ofFile({ ofFile }) {
    const items = ofFile.slice(0, 5).map(({ severity, message, remedy }) => {
      const item = text('p', `${message} ${remedy}`);
      item.className = `notice ${severity === 'error' ? 'wrong' : 'care'}`;
      return item;
    });
    document.querySelector('[data-of-file]').replaceChildren(...items);
  }

  #figures({ counts, sums, unread, errors, payouts }) {
    const { lang } = document.documentElement;
    const figures = [
      [say('Rows'), counts.all.toLocaleString(lang)],
      ...sums.slice(0, SUMS_SHOWN).map(({ currency, shown }) => [currency, shown]),
      ...(sums.length > SUMS_SHOWN ? [[say('Other currencies'), (sums.length - SUMS_SHOWN).toLocaleString(lang)]] : []),
      ...(unread > 0 ? [[say('Amounts not read'), unread.toLocaleString(lang)]] : []),
      [say('Errors left'), errors.toLocaleString(lang)],
    ];
    const element = list('', figures);
    element.lastElementChild.classList.toggle('wrong', errors > 0);
    document.querySelector('[data-figures]').replaceChildren(...element.children);
    const onward = document.querySelector('[data-continue]');
    const some =
      payouts > 0 ? say('Continue with the valid rows (#)', payouts.toLocaleString(lang)) : say('Back to the check');
    onward.textContent = errors > 0 || payouts === 0 ? some : say('Continue');
    onward.classList.toggle('primary', errors === 0 && payouts > 0);
    const fix = document.querySelector('[data-fix]');
    fix.hidden = errors === 0 || !this.#mayEdit;
    fix.textContent =
      errors === 1 ? say('Fix 1 error to continue') : say('Fix # errors to continue', errors.toLocaleString(lang));
  }

  #tools({ mayUndo, mayRedo }) {
    if (!this.#mayEdit) return;
    const { hasUnsaved } = this.#rows;
    this.#root.querySelector('[data-act="undo"]').disabled = !mayUndo && !hasUnsaved;
    this.#root.querySelector('[data-act="redo"]').disabled = !mayRedo || hasUnsaved;
  }
}

function noneText({ search }, summary) {
  if (search !== '') return say('No row has this text.');
  if (summary?.counts.all === 0) return say('No rows yet. Add a row, or paste rows from a spreadsheet.');
  return say('No errors or warnings. “All rows” shows the others.');
}
