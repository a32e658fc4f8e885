// The grid in which the rows of an upload are reviewed and edited.
import { Grid } from './grid.js';
import { Keys } from './keys.js';
import { Panels } from './panels.js';
import { openRecipients } from './recipients.js';
import { Rows } from './rows.js';
import { Tip } from './tip.js';

/** While somebody types what to search for. */
const TYPING_MS = 250;

const root = document.querySelector('[data-review]');
const mayEdit = root.dataset.edit === 'yes';
const element = root.querySelector('[data-grid]');
const rows = new Rows(root.dataset.review, {
  onChange: () => {
    keepActive();
    grid.update();
    if (isOpened) panels.update();
    else if (isClean()) void filter('all', '');
    else toFirstProblem();
    root.dataset.checked = String(!rows.isChecking && !rows.hasUnsaved);
  },
  onStatus: (state, words) => panels.status(state, words),
});
const grid = new Grid(element, rows);
const keys = new Keys(element, grid, rows, mayEdit);
const { acts } = keys;
new Tip(element, grid);
const panels = new Panels(root, {
  rows,
  grid,
  mayEdit,
  onShow: (show) => void choose(show, rows.search),
  onAct: (act, at) => ACTS[act](at),
});

const ACTS = {
  undo: () => acts.undo(),
  redo: () => acts.redo(),
  fill: () => void acts.fillDown(),
  add: () => void acts.addRow().then(() => toRow(rows.total - 1)),
  delete: () => void acts.deleteRows(),
  suggestion: (at) => acts.useSuggestion(at),
  edit: () => keys.editCell(),
  previous: () => void toProblem(-1),
  next: () => void toProblem(1),
  pick: () => pickRecipient(),
};

for (const button of root.querySelectorAll('[data-act]'))
  button.addEventListener('click', () => ACTS[button.dataset.act]());
element.addEventListener('chosen', () => {
  activeRow = grid.activeRow?.row ?? null;
  panels.cell();
});

let typing = null;
root.querySelector('[data-search]').addEventListener('input', ({ target }) => {
  clearTimeout(typing);
  typing = setTimeout(() => void choose(rows.show, target.value.trim()), TYPING_MS);
});
addEventListener('beforeunload', (event) => {
  if (rows.hasUnsaved) event.preventDefault();
});

/** The number of the row that is chosen: where other rows come and go around it, it stays the chosen one. */
let activeRow = null;
function keepActive() {
  if (activeRow === null || grid.activeRow?.row === activeRow) return;
  const from = Math.max(0, grid.active.index - 20);
  for (let index = from; index < Math.min(rows.total, from + 40); index++)
    if (rows.at(index)?.row === activeRow) grid.go(index, grid.active.column);
}

function pickRecipient() {
  const row = grid.activeRow?.row;
  if (row === undefined) return;
  openRecipients(
    document.querySelector('[data-recipients]'),
    root.dataset.review.replace(/rows$/, 'recipients'),
    (id) => {
      rows.pick(row, id);
      grid.focus();
    },
  );
}

function choose(show, search) {
  hasChosen = true;
  return filter(show, search);
}

async function filter(show, search) {
  activeRow = null;
  await rows.filter(show, search);
  toFirstProblem();
}

/** Whether the file was read and has nothing to look at: then all rows show, which are there to be read. */
let hasChosen = false;
function isClean() {
  return !hasChosen && rows.show === 'problems' && rows.total === 0 && (rows.summary?.counts.all ?? 0) > 0;
}

/** Whether the grid has opened at its first problem: while the file is still being read, there is none. */
let isOpened = false;
function toFirstProblem() {
  isOpened = rows.total > 0;
  const marks = rows.at(0)?.marks ?? [];
  grid.go(
    0,
    Math.max(
      0,
      grid.columns.findIndex(({ at }) => marks.some((mark) => mark.at === at)),
    ),
  );
  panels.update();
}

function toRow(index) {
  grid.go(index, 0);
  grid.focus();
  panels.cell();
}

/** To the next cell with a problem behind the active one, or in front of it. */
async function toProblem(step) {
  const from = grid.active;
  for (let index = from.index; index >= 0 && index < rows.total; index += step) {
    const [row] = await rows.range(index, index);
    const isFurther = (column) => index !== from.index || (column - from.column) * step > 0;
    const isWrong = ({ at }, column) => isFurther(column) && row?.marks.some((mark) => mark.at === at);
    const found = step > 0 ? grid.columns.findIndex(isWrong) : grid.columns.findLastIndex(isWrong);
    if (found === -1) continue;
    grid.go(index, found);
    break;
  }
  activeRow = grid.activeRow?.row ?? null;
  grid.focus();
  panels.cell();
}

await rows.filter('problems', '');
