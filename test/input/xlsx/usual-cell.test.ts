import { describe, expect, it } from 'vitest';
import { SharedTexts } from '../../../src/input/source/xlsx/shared-texts.ts';
import { type SheetRow, SheetRows } from '../../../src/input/source/xlsx/sheet-rows.ts';
import { XmlScanner } from '../../../src/platform/xlsx/xml-scanner.ts';

const sharedStrings = new SharedTexts();
for (const text of ['Ana', 'Zoë', 'AUD']) sharedStrings.push(text);
const NUMBER = { format: '0.00', isDate: false, isStruck: false };
const STRUCK = { format: null, isDate: false, isStruck: true };
const context = { sharedStrings, styles: [STRUCK, NUMBER], is1904: false };

/** The rows of a sheet, of which the second has these cells, and the first has them or others. */
function rowsOf(cells: string, cutAt = 0, first = cells): SheetRow[] {
  const xml = `<sheetData><row r="6">${first}</row><row r="7">${cells}</row></sheetData>`;
  const sink = new SheetRows(context);
  const scanner = new XmlScanner(sink);
  scanner.push(xml.slice(0, cutAt));
  scanner.push(xml.slice(cutAt));
  return sink.take();
}

/** A blank in a tag changes nothing, and makes that it is not the form that nearly all cells have. */
const written = (cells: string) => cells.replaceAll('<v>', '<v >');

const CELLS =
  '<c r="A7" t="s"><v>1</v></c><c r="B7" s="1"><v>12.5</v></c><c r="D7" s="1" t="str"><v>a &amp; b</v></c>' +
  '<c r="AB7" s="1"/><c r="AC7" s="1" t="b"><v>1</v></c>';

describe('cells that are read whole', () => {
  it('are as they are when their tags are read one after another, wherever the text is cut', () => {
    const expected = rowsOf(written(CELLS));
    expect(expected).toHaveLength(2);
    expect(expected[1]?.texts.slice(0, 4)).toEqual(['Zoë', '12.5', '', 'a & b']);
    for (let cutAt = 0; cutAt < 400; cutAt++) expect(rowsOf(CELLS, cutAt)).toEqual(expected);
  });

  it.each([
    ['a formula', '<c r="B7" s="1"><f>A1</f><v>5</v></c>'],
    ['a formula behind the value', '<c r="B7" s="1"><v></v><f>A1</f></c>'],
    ['a comment in the value', '<c r="B7" s="1"><v>1<!-- 2 -->3</v></c>'],
    ['another style than above', '<c r="B7" s="0"><v>5</v></c>'],
    ['no reference', '<c s="1"><v>5</v></c>'],
    ['a type behind the style', '<c r="B7" s="1" t="s"><v>2</v></c>'],
  ])('have nothing of a cell with %s', (_, other) => {
    const usual = '<c r="B6" s="1"><v>12.5</v></c>';
    expect(rowsOf(other, 0, usual)).toEqual(rowsOf(written(other), 0, written(usual)));
  });

  it.each([
    ['a cell behind a later one', '<c r="C7"><v>1</v></c><c r="B7"><v>1</v></c>'],
    ['a column that no sheet has', '<c r="ZZZZ7"><v>1</v></c>'],
    ['a shared text that is not there', '<c r="A7" t="s"><v>3</v></c>'],
  ])('are refused as damage: %s', (message, cells) => {
    expect(() => rowsOf(cells)).toThrow(message);
  });
});
