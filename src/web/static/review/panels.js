// What stands around the grid: which rows to show, the cell that is chosen, the figures of the file, whether it is saved.

const STATUS = { saving: say('Saving…'), saved: say('Saved'), checking: say('Saved. Checking…'), ready: '' };

export class Panels {
  #root;
  #rows;
  #grid;
  #mayEdit;
  #onShow;
  #onAct;
  #isSavedOnce = false;
  #kindsKey = '';

  constructor(root, { rows, grid, mayEdit, onShow, onAct }) {
    this.#root = root;
    this.#rows = rows;
    this.#grid = grid;
    this.#mayEdit = mayEdit;
    this.#onShow = onShow;
    this.#onAct = onAct;
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
    this.#kinds(summary);
    this.#ofFile(summary);
    this.#figures(summary);
    this.#tools(summary);
    this.cell();
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
    const element = button(title, () => this.#onShow(show));
    element.setAttribute('aria-pressed', show === this.#rows.show);
    const bubble = text('span', count.toLocaleString('en'));
    bubble.className = `bubble ${severity}`;
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

  #figures({ counts, totals, errors, payouts }) {
    const figures = [
      [say('Rows'), counts.all.toLocaleString(document.documentElement.lang)],
      ...totals.slice(0, 6).map(({ currency, shown }) => [currency, shown]),
      [say('Errors left'), errors.toLocaleString(document.documentElement.lang)],
    ];
    const parts = figures.map(([term, value]) => {
      const part = document.createElement('div');
      part.append(text('dt', term), text('dd', value));
      return part;
    });
    parts.at(-1).classList.toggle('wrong', errors > 0);
    document.querySelector('[data-figures]').replaceChildren(...parts);
    const onward = document.querySelector('[data-continue]');
    const some = payouts > 0 ? say('Continue with the valid rows') : say('Back to the check');
    onward.textContent = errors > 0 || payouts === 0 ? some : say('Continue');
    onward.classList.toggle('primary', errors === 0 && payouts > 0);
  }

  #tools({ mayUndo, mayRedo }) {
    if (!this.#mayEdit) return;
    const { hasUnsaved } = this.#rows;
    this.#root.querySelector('[data-act="undo"]').disabled = !mayUndo && !hasUnsaved;
    this.#root.querySelector('[data-act="redo"]').disabled = !mayRedo || hasUnsaved;
  }

  /** The cell that is chosen: what is wrong with it, what to do, and what was changed in its row. */
  cell() {
    const { activeRow: row, active, columns } = this.#grid;
    const column = columns[active.column];
    const element = this.#root.querySelector('[data-cell]');
    element.hidden = row === undefined || columns.length === 0;
    if (element.hidden) return;
    const title = text(
      'h2',
      column === undefined ? say('Row #', row.row) : `${column.letters}${row.row} ${column.header}`,
    );
    title.id = 'review-cell';
    const marks = row.isChecked
      ? row.marks.toSorted((one, other) => (other.at === column?.at) - (one.at === column?.at))
      : [];
    const problems = marks.map((mark) => this.#problem(mark, column?.at));
    const none = row.isChecked ? say('No problems in this row.') : say('Checking this row…');
    const edits = row.edited.map(({ column: at, old, by }) => {
      const header = columns.find((each) => each.at === at)?.header ?? '';
      return text('li', `${header}: ${old === '' ? say('empty') : old} → ${row.cells[at] ?? ''} (${by})`);
    });
    const list = document.createElement('ul');
    list.append(...edits);
    const nothing = text(
      'p',
      row.isAdded ? say('This row was added.') : say('None. Every change is recorded and shown to approvers.'),
    );
    const parts = [
      title,
      ...(problems.length > 0 ? problems : [text('p', none)]),
      text('h3', say('Changes in this row')),
      edits.length > 0 ? list : nothing,
    ];
    const acts = document.createElement('div');
    acts.className = 'row';
    if (this.#mayEdit && column !== undefined) acts.append(button(say('Edit cell'), () => this.#onAct('edit')));
    acts.append(button(say('Next problem'), () => this.#onAct('next')));
    element.replaceChildren(...parts, acts);
  }

  #problem({ at, severity, message, remedy, suggestion }, chosen) {
    const part = document.createElement('div');
    part.className = `review-problem ${severity}`;
    const isError = severity === 'error';
    const { header = '' } = this.#grid.columns.find((each) => each.at === at) ?? {};
    const isHere = at === null || at === chosen;
    const here = isError ? say('Error') : say('Warning');
    const title = isHere ? here : isError ? say('Error in #', header) : say('Warning in #', header);
    part.append(text('b', title), text('p', message), text('p', remedy));
    if (suggestion === null || at !== chosen || !this.#mayEdit) return part;
    const use = button(say('Use suggestion'), () => this.#onAct('suggestion'));
    use.setAttribute('aria-keyshortcuts', 'Control+Enter');
    part.append(text('code', suggestion), use);
    return part;
  }
}

function noneText({ search }, summary) {
  if (search !== '') return say('No row has this text.');
  if (summary?.counts.all === 0) return say('No rows yet. Add a row, or paste rows from a spreadsheet.');
  return say('No errors or warnings. “All rows” shows the others.');
}

function text(name, words) {
  return Object.assign(document.createElement(name), { textContent: words });
}

function button(words, act) {
  const element = Object.assign(text('button', words), { type: 'button' });
  element.addEventListener('click', act);
  return element;
}
