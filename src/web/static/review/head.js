// What stands over the columns of the grid, and how wide they are.
import { part } from './row.js';

/** Widths in pixels. A column is as wide as its head and the texts of the first rows that are shown. */
const WIDE = { row: 44, least: 52, most: 208, reason: 212, around: 20 };
/** So that a phone shows the name, the cell that is wrong and the reason. */
const NARROW = { row: 38, least: 52, most: 104, reason: 132, around: 14 };
/** Where no row has a reason. */
const NO_REASON_PX = 80;
const HEAD_PX = { plain: 32, both: 44 };
const canvas = document.createElement('canvas').getContext('2d');

/** A header of the file stands under our word for it, where it is another one. */
export function headRow(columns) {
  const row = part('row', 'review-row');
  row.setAttribute('aria-rowindex', 1);
  const heads = [
    { title: say('Row'), className: 'n' },
    ...columns.map((column) => ({ ...column, className: { name: 'name', amount: 'number' }[column.means] ?? '' })),
    { title: say('Problem'), className: 'reason' },
  ];
  for (const [at, { title, letters, header = title, means = null, className }] of heads.entries()) {
    const cell = part('columnheader', className);
    cell.setAttribute('aria-colindex', at + 1);
    if (letters !== undefined) cell.append(textIn('span', letters, 'letters'), ' ');
    cell.append(title);
    if (![title, means].some((name) => name !== null && wordsIn(name) === wordsIn(header)))
      cell.append(textIn('small', header));
    row.append(cell);
  }
  return row;
}

export function headPxOf(row) {
  return row.querySelector('small') === null ? HEAD_PX.plain : HEAD_PX.both;
}

/** Whether a column stays in sight: whose row it is and, where there is room, how much they get. */
export function stays(element) {
  return getComputedStyle(element).position === 'sticky';
}

/** The style of the grid: where columns stay, and the widths of all. */
export function stylesOf(grid, columns, { rows, isNarrow, hasReasons }) {
  const { row, reason: most, ...limits } = isNarrow ? NARROW : WIDE;
  const reason = hasReasons ? most : NO_REASON_PX;
  const { fontSize, fontFamily } = getComputedStyle(grid);
  canvas.font = `${fontSize} ${fontFamily}`;
  const widths = [row, ...columns.map((column) => widthOf(column, rows, limits))];
  const [name, amount] = ['name', 'amount'].map((wanted) => columns.findIndex(({ means }) => means === wanted));
  grid.classList.toggle('keeps-amount', name !== -1 && amount > name);
  return {
    row: `${row}px`,
    name: `${widths[name + 1] ?? 0}px`,
    amount: `${amount > name && !isNarrow ? widths[amount + 1] : 0}px`,
    reason: `${reason}px`,
    columns: `${widths.map((width) => `${width}px`).join(' ')} minmax(${reason}px, 1fr)`,
    width: `${widths.reduce((sum, width) => sum + width, reason)}px`,
  };
}

function widthOf({ at, letters, title }, rows, { least, most, around }) {
  const texts = [`${letters}  ${title}`, ...rows.map(({ cells }) => cells[at] ?? '')];
  const widest = Math.max(...texts.map((text) => canvas.measureText(text).width));
  return Math.ceil(Math.min(most, Math.max(least, around + widest)));
}

function textIn(name, textContent, className = '') {
  return Object.assign(document.createElement(name), { textContent, className });
}

/** `Net pay` and `net_pay` are the same words. */
function wordsIn(text) {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');
}
