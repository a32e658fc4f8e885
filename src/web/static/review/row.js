/** One row of the grid. `row` is undefined while it is being loaded. */
export function rowElement(row, index, { columns, active, isChosen }) {
  const element = part('row', row?.isAdded ? 'review-row added' : 'review-row');
  element.setAttribute('aria-rowindex', index + 2);
  const head = part('rowheader', 'n');
  head.setAttribute('aria-colindex', 1);
  head.textContent = row === undefined ? '…' : row.row;
  element.append(head);
  for (const [at, column] of columns.entries()) {
    const cell = cellElement(row, column);
    element.append(placed(cell, at));
  }
  element.append(placed(reasonElement(row), columns.length));
  return element;

  function placed(cell, at) {
    cell.id = `cell-${index}-${at}`;
    cell.setAttribute('aria-colindex', at + 2);
    cell.setAttribute('aria-selected', isChosen(at));
    cell.classList.toggle('active', active.index === index && active.column === at);
    return cell;
  }
}

function cellElement(row, { at, means }) {
  const cell = part('gridcell', { amount: 'number', name: 'name' }[means] ?? '');
  const text = row?.cells[at] ?? '';
  cell.textContent = text;
  if (row === undefined) return cell;
  const edit = row.edited.find(({ column }) => column === at);
  if (edit !== undefined || !row.isChecked) cell.classList.toggle('edited', edit !== undefined);
  const mark = row.isChecked ? row.marks.find((each) => each.at === at) : undefined;
  if (mark === undefined) return cell;
  cell.classList.add(mark.severity);
  if (mark.severity === 'error') cell.setAttribute('aria-invalid', 'true');
  if (text === '')
    cell.append(Object.assign(document.createElement('span'), { className: 'no-text', textContent: say('empty') }));
  return cell;
}

/** The reason, beside the cells: the worst one, and how many there are besides. */
function reasonElement(row) {
  const cell = part('gridcell', 'reason');
  if (row === undefined) return cell;
  if (!row.isChecked) {
    cell.textContent = say('Checking…');
    return cell;
  }
  const [worst, ...others] = row.marks;
  if (worst === undefined) {
    const [edit] = row.edited;
    cell.textContent = row.isAdded ? say('Added') : edit === undefined ? '' : say('Edited by #', edit.by);
    return cell;
  }
  cell.classList.add(worst.severity);
  const word = worst.severity === 'error' ? say('Error') : say('Warning');
  cell.append(
    picture(worst.severity),
    Object.assign(document.createElement('span'), { className: 'hidden', textContent: `${word}: ` }),
  );
  cell.append(Object.assign(document.createElement('span'), { className: 'words', textContent: worst.short }));
  if (others.length > 0) cell.append(` +${others.length}`);
  const whole = row.marks.map(({ message, remedy }) => `${message} ${remedy}`).join('\n');
  cell.dataset.whole = whole;
  cell.setAttribute('aria-description', whole);
  return cell;
}

const SVG = 'http://www.w3.org/2000/svg';

function picture(name) {
  const [svg, use] = ['svg', 'use'].map((element) => document.createElementNS(SVG, element));
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  use.setAttribute('href', `/static/icons.svg#${name}`);
  svg.append(use);
  return svg;
}

export function part(role, className) {
  const element = document.createElement('div');
  element.setAttribute('role', role);
  if (className !== '') element.className = className;
  return element;
}
