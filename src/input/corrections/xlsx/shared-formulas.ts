import { attributeOf, XmlScanner } from '../../../platform/xlsx/xml-scanner.ts';
import { type CellRange, columnOf, rangeOf } from '../../source/xlsx/cell-range.ts';

/**
 * The cells of a sheet whose formulas are those of other cells too: a text in any of them would take the formula from
 * others. The first cell has the formula of a shared one; of an array no cell can be changed alone.
 */
export async function readSharedFormulas(texts: AsyncIterable<string>): Promise<CellRange[]> {
  const ranges: CellRange[] = [];
  let row = -1;
  let column = -1;
  const scanner = new XmlScanner({
    open(name, attributes) {
      const reference = attributeOf(attributes, name === 'f' ? 'ref' : 'r');
      if (name === 'row') {
        row = reference === null ? row + 1 : Number(reference) - 1;
        column = -1;
      } else if (name === 'c') column = reference === null ? column + 1 : columnOf(reference);
      else if (name === 'f' && reference?.includes(':')) {
        const isShared = attributeOf(attributes, 't') === 'shared';
        const first = { firstRow: row, lastRow: row, firstColumn: column, lastColumn: column };
        const range = isShared ? first : rangeOf(reference);
        if (range !== null) ranges.push(range);
      }
    },
    close() {},
  });
  for await (const text of texts) scanner.push(text);
  return ranges;
}
