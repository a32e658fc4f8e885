// Cells as spreadsheet programs copy them: tabs between cells, line ends between rows, quotes around cells that hold either.

export function textOf(rows) {
  const cell = (text) => (/[\t\r\n"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return rows.map((cells) => cells.map(cell).join('\t')).join('\n');
}

export function blockOf(text) {
  const rows = [[]];
  let cell = '';
  let isQuoted = false;
  const endCell = () => {
    rows.at(-1).push(cell);
    cell = '';
  };
  for (let at = 0; at < text.length; at++) {
    const letter = text[at];
    if (isQuoted && letter === '"' && text[at + 1] === '"') cell += text[at++];
    else if (isQuoted && letter === '"') isQuoted = false;
    else if (isQuoted) cell += letter;
    else if (letter === '"' && cell === '') isQuoted = true;
    else if (letter === '\t') endCell();
    else if (letter === '\n') {
      endCell();
      rows.push([]);
    } else if (letter !== '\r') cell += letter;
  }
  endCell();
  // Programs end the last row too.
  if (text.endsWith('\n')) rows.pop();
  return rows;
}
