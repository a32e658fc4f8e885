// The drawer: what is wrong with the cell that is chosen, why, what to do, who the row pays, and what was changed in it.

const TYPING_MS = 200;

export class CellPanel {
  #element;
  #grid;
  #mayEdit;
  #onAct;
  #path;
  /** Recipients by what the row names them as: null while that is being asked, an empty list where nobody such was paid. */
  #known = new Map();
  #asking = null;

  constructor(element, { grid, mayEdit, onAct, recipients }) {
    this.#element = element;
    this.#grid = grid;
    this.#mayEdit = mayEdit;
    this.#onAct = onAct;
    this.#path = recipients;
  }

  update() {
    const { activeRow: row, active, columns } = this.#grid;
    this.#element.hidden = row === undefined || columns.length === 0;
    if (this.#element.hidden) return;
    const column = columns[active.column];
    const marks = row.isChecked
      ? row.marks.toSorted((one, other) => (other.at === column?.at) - (one.at === column?.at))
      : [];
    const body = part('div', 'review-cell-body');
    body.append(...this.#head(row, column, marks[0]));
    for (const mark of marks) body.append(this.#problem(mark, row, mark === marks[0]));
    body.append(...this.#recipient(row), ...this.#edits(row));
    this.#element.replaceChildren(body, this.#foot(column));
  }

  #head(row, column, mark) {
    const { letters = '', title: head = say('Row') } =
      this.#grid.columns.find(({ at }) => at === mark?.at) ?? column ?? {};
    const none = row.isChecked ? say('No problems in this row.') : say('Checking this row…');
    const title = text('h2', mark?.short ?? none);
    title.id = 'review-cell';
    if (mark !== undefined) title.className = mark.severity;
    return [text('p', `${letters}${row.row} · ${head}`, 'soft small'), title];
  }

  #problem({ at, severity, short, message, remedy, suggestion }, row, isFirst) {
    const element = part('div', `review-problem ${severity}`);
    const { letters = '' } = this.#grid.columns.find((each) => each.at === at) ?? {};
    if (!isFirst) element.append(text('b', `${letters}${row.row}: ${short}`));
    element.append(text('p', message), text('p', remedy, 'soft'));
    if (suggestion === null || at === null) return element;
    const old = row.cells[at] ?? '';
    element.append(
      list('review-suggestion', [
        [say('In the file'), old === '' ? say('empty') : old],
        [say('Suggestion'), suggestion],
      ]),
    );
    if (!this.#mayEdit) return element;
    const use = button(say('Use suggestion'), () => this.#onAct('suggestion', at));
    use.className = isFirst ? 'primary' : '';
    use.setAttribute('aria-keyshortcuts', 'Control+Enter');
    element.append(use);
    return element;
  }

  /** Who the row pays, as earlier payments know them. Only who may pick a recipient may see them. */
  #recipient(row) {
    const of = ['payee_id', 'name'].map((means) => this.#grid.columns.find((each) => each.means === means));
    const [payeeId = '', name = ''] = of.map((column) => (row.cells[column?.at] ?? '').trim());
    const key = payeeId === '' ? name : payeeId;
    if (!this.#mayEdit || key === '') return [];
    if (!this.#known.has(key)) this.#askLater(key);
    const known = this.#known.get(key)?.[0];
    const title = text('h3', say('Recipient'));
    if (known === undefined)
      return this.#known.get(key) ? [title, text('p', say('Not paid before, as far as is known.'), 'soft')] : [];
    const facts = list('review-facts', [
      [say('Known as'), [known.name, known.payeeId].filter(Boolean).join(' · ')],
      [say('Last paid'), `${known.amount}, ${known.paid}`],
      [say('Account'), known.account],
    ]);
    return [title, facts];
  }

  /** Once the row has been the active one for a moment: while somebody goes through the rows, nothing is asked. */
  #askLater(key) {
    clearTimeout(this.#asking);
    this.#asking = setTimeout(async () => {
      const answer = await fetch(`${this.#path}?${new URLSearchParams({ of: key })}`).catch(() => null);
      const { state, recipients } = answer?.ok ? await answer.json() : {};
      if (state !== 'ready') return;
      this.#known.set(key, recipients);
      this.update();
    }, TYPING_MS);
  }

  #edits(row) {
    const { columns } = this.#grid;
    const edits = row.edited.map(({ column: at, old, by }) => {
      const head = columns.find((each) => each.at === at)?.title ?? '';
      return text('li', `${head}: ${old === '' ? say('empty') : old} → ${row.cells[at] ?? ''} (${by})`);
    });
    const element = document.createElement('ul');
    element.append(...edits);
    const none = row.isAdded
      ? say('This row was added.')
      : say('None. Every change is recorded and shown to approvers.');
    return [text('h3', say('Changes in this row')), edits.length > 0 ? element : text('p', none, 'soft')];
  }

  #foot(column) {
    const foot = part('div', 'review-cell-foot');
    const previous = button(say('Previous'), () => this.#onAct('previous'));
    previous.setAttribute('aria-label', say('Previous problem'));
    const next = button(say('Next'), () => this.#onAct('next'));
    next.setAttribute('aria-label', say('Next problem'));
    foot.append(previous, next);
    if (this.#mayEdit && column !== undefined) foot.append(button(say('Edit cell'), () => this.#onAct('edit')));
    return foot;
  }
}

export function part(name, className) {
  return Object.assign(document.createElement(name), { className });
}

export function text(name, words, className = '') {
  const element = Object.assign(document.createElement(name), { textContent: words });
  if (className !== '') element.className = className;
  return element;
}

export function button(words, act) {
  const element = Object.assign(text('button', words), { type: 'button' });
  element.addEventListener('click', act);
  return element;
}

export function list(className, items) {
  const element = part('dl', className);
  element.append(
    ...items.map(([term, value]) => {
      const item = document.createElement('div');
      item.append(text('dt', term), text('dd', value));
      return item;
    }),
  );
  return element;
}
