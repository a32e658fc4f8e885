// The rows of the upload: pages of them as the grid asks for them, and edits that are saved one after another.

const PAGE = 100;
/** How often a check under way is asked for; and for how long, which is longer than one may take. */
const POLL_MS = 600;
const POLLS_MAX = 1_500;
/** The page takes no larger form. */
const BODY_MAX = 250_000;

export class Rows {
  #path;
  #pages = new Map();
  #loading = new Map();
  /** Grows with each change of what is asked for: an answer to an earlier question is dropped. */
  #asked = 0;
  #queue = [];
  #isSaving = false;
  #saving = Promise.resolve();
  #polls = 0;
  #timer = null;
  #onChange;
  #onStatus;
  show = 'problems';
  search = '';
  total = 0;
  revision = null;
  checked = null;
  summary = null;
  trouble = null;

  constructor(path, { onChange, onStatus }) {
    this.#path = path;
    this.#onChange = onChange;
    this.#onStatus = onStatus;
  }

  get isChecking() {
    return this.checked !== this.revision;
  }

  get hasUnsaved() {
    return this.#queue.length > 0;
  }

  /** The row at a place of the list; undefined until it is loaded, which begins now. */
  at(index) {
    const page = Math.floor(index / PAGE);
    const rows = this.#pages.get(page);
    if (rows === undefined) void this.#load(page);
    return rows?.[index % PAGE];
  }

  /** The rows of the first page, as far as they are loaded. */
  get first() {
    return this.#pages.get(0) ?? [];
  }

  /** The rows from one place to another, loaded. */
  async range(first, last) {
    for (let page = Math.floor(first / PAGE); page <= Math.floor(last / PAGE); page++)
      if (!this.#pages.has(page)) await this.#load(page);
    const rows = [];
    for (let index = first; index <= last; index++) rows.push(this.at(index));
    return rows.filter((row) => row !== undefined);
  }

  /** Shows other rows, from the first. */
  async filter(show, search) {
    this.show = show;
    this.search = search;
    this.#asked++;
    this.#pages.clear();
    this.#loading.clear();
    await this.#load(0);
  }

  /** Asks again for the rows that are there. Those that are on the screen stay until the others come. */
  async refresh(pages = [...this.#pages.keys()].slice(-3)) {
    this.#asked++;
    const asked = this.#asked;
    this.#loading.clear();
    const answers = [];
    for (const page of pages.length === 0 ? [0] : pages) answers.push([page, await this.#ask(page)]);
    if (asked !== this.#asked) return;
    this.#pages.clear();
    for (const [page, answer] of answers) this.#take(page, answer);
    this.#onChange();
  }

  #load(page) {
    const known = this.#loading.get(page);
    if (known !== undefined) return known;
    const asked = this.#asked;
    const loading = this.#ask(page).then((answer) => {
      if (asked !== this.#asked) return;
      this.#take(page, answer);
      this.#onChange();
    });
    this.#loading.set(page, loading);
    return loading;
  }

  async #ask(page) {
    const query = new URLSearchParams({ from: page * PAGE, count: PAGE, show: this.show, search: this.search });
    try {
      const answer = await fetch(`${this.#path}?${query}`, { headers: { 'x-refresh': 'rows' } });
      if (answer.status === 401 || answer.redirected)
        return { state: 'unusable', message: say('Sign in again.'), remedy: '' };
      return answer.ok ? await answer.json() : null;
    } catch {
      return null;
    }
  }

  #take(page, answer) {
    this.#pollLater(answer);
    if (answer === null) return;
    this.revision = this.#isSaving ? this.revision : answer.revision;
    this.trouble = answer.state === 'unusable' ? answer : null;
    if (answer.state !== 'ready') return;
    const { rows, total, checked, summary } = answer;
    this.checked = checked;
    this.summary = summary;
    this.total = total;
    this.#pages.set(page, rows);
    // Edits that are not saved yet show all the same.
    for (const action of this.#queue) for (const order of action.orders ?? []) this.#apply(order);
    if (this.#queue.length === 0) this.#onStatus(this.isChecking ? 'checking' : 'ready');
  }

  #pollLater(answer) {
    const isOver = answer !== null && (answer.state === 'unusable' || answer.checked === answer.revision);
    if (isOver || this.#timer !== null || this.#polls >= POLLS_MAX) return;
    this.#polls++;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      if (!this.#isSaving) void this.refresh();
    }, POLL_MS);
  }

  /** Saves what somebody did, and resolves when it is saved. It shows at once. */
  async edit(orders) {
    if (orders.length === 0) return;
    if (JSON.stringify(orders).length > BODY_MAX) {
      this.#onStatus('refused', say('That is too much at once. Paste or fill at most about 1,000 rows.'));
      return;
    }
    for (const order of orders) this.#apply(order);
    this.#queue.push({ orders });
    this.#onChange();
    await this.saveAll();
  }

  /** Puts a recipient who was paid before into a row. */
  pick(row, recipient) {
    this.#queue.push({ row, recipient });
    void this.saveAll();
  }

  undo() {
    this.#queue.push({ undo: true });
    void this.saveAll();
  }

  redo() {
    this.#queue.push({ redo: true });
    void this.saveAll();
  }

  /** Saves what is not saved yet, in its order. */
  saveAll() {
    if (!this.#isSaving) this.#saving = this.#saveQueue();
    return this.#saving;
  }

  async #saveQueue() {
    this.#isSaving = true;
    let isSaved = true;
    while (isSaved && this.#queue.length > 0) {
      this.#onStatus('saving');
      isSaved = await this.#save(this.#queue[0]);
    }
    this.#isSaving = false;
    if (!isSaved) return;
    this.#polls = 0;
    this.#onStatus('saved');
    await this.refresh();
  }

  async #save(action) {
    const body = JSON.stringify({ revision: this.revision, ...action });
    let answer;
    try {
      const headers = { 'content-type': 'application/json' };
      answer = await fetch(this.#path, { method: 'POST', body, headers });
    } catch {
      this.#onStatus('failed', say('The page cannot be reached.'));
      return false;
    }
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
    const { revision, message, remedy } = isJson ? await answer.json() : {};
    if (answer.ok && revision !== undefined) {
      this.revision = revision;
      this.#queue.shift();
      return true;
    }
    if (answer.status === 401) {
      this.#onStatus('failed', say('Sign in again in another tab.'));
      return false;
    }
    // What was refused is refused again: what comes behind it was made of rows that are not there.
    this.#queue = [];
    this.#isSaving = false;
    this.#onStatus('refused', message === undefined ? say('Reload the page.') : `${message} ${remedy}`);
    await this.refresh();
    return false;
  }

  #apply({ kind, row, column, texts }) {
    for (const rows of this.#pages.values()) {
      const found = rows.findIndex((each) => each.row === row);
      if (found === -1 || kind !== 'set') continue;
      const cells = [...rows[found].cells];
      for (const [offset, text] of texts.entries()) {
        while (cells.length < column + offset) cells.push('');
        cells[column + offset] = text;
      }
      rows[found] = { ...rows[found], cells, isChecked: false };
    }
  }
}
