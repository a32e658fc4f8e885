/** `F17` of a column index (0 is A) and a row. */
export function cellName(columnIndex: number, row: number): string {
  return columnLetters(columnIndex) + row;
}

/** `F` of a column index (0 is A). */
export function columnLetters(columnIndex: number): string {
  let letters = '';
  for (let rest = columnIndex + 1; rest > 0; rest = Math.floor((rest - 1) / 26))
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  return letters;
}

/** Row and column (both from 0) of a cell such as `F17`, or null where the text is no cell. */
export function placeOfCell(cell: string): { row: number; column: number } | null {
  const parts = /^([A-Z]{1,3})([1-9]\d{0,7})$/.exec(cell);
  if (parts === null) return null;
  let column = 0;
  for (const letter of parts[1] ?? '') column = column * 26 + letter.charCodeAt(0) - 64;
  return { row: Number(parts[2]) - 1, column: column - 1 };
}

/** `'July pay'!F17`: a cell as a hyperlink inside a workbook names it. */
export function linkTo(sheet: string, cell: string): string {
  return `'${sheet.replaceAll("'", "''")}'!${cell}`;
}
