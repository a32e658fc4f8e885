import { describe, expect, test } from 'vitest';
import { displayWidth, textTable, truncate } from '../../src/cli/tables.ts';
import { printable } from '../../src/messages/text.ts';

describe('textTable', () => {
  test('aligns columns, numbers to the right, and leaves no blanks at the ends of lines', () => {
    const table = textTable(
      [{ title: 'ROW', align: 'right' }, { title: 'PAYEE' }, { title: 'STATE' }],
      [
        ['2', 'Zoë', 'completed'],
        ['40001', '李小龍', ''],
      ],
    );
    expect(table).toBe(['  ROW  PAYEE   STATE', '    2  Zoë     completed', '40001  李小龍', ''].join('\n'));
  });

  test('cuts long texts where the column says so', () => {
    const table = textTable([{ title: 'NAME', widthMax: 6 }, { title: 'X' }], [['Wolfeschlegelstein', '1']]);
    expect(table).toBe('NAME    X\nWolfe…  1\n');
  });

  test('makes control characters of a cell harmless', () => {
    expect(textTable([{ title: 'N' }], [['a\u001b[31m\nb\u202Ec']])).toBe('N\na\uFFFD[31m b\uFFFDc\n');
  });

  test('takes missing cells for empty', () => {
    expect(textTable([{ title: 'A' }, { title: 'B' }], [['1']])).toBe('A  B\n1\n');
  });

  test('without rows is its titles', () => {
    expect(textTable([{ title: 'A' }, { title: 'B' }], [])).toBe('A  B\n');
  });
});

describe('displayWidth', () => {
  test.each([
    ['', 0],
    ['plain', 5],
    ['Zoë', 3],
    ['Zoe\u0308', 3],
    ['Żółć', 4],
    ['李小龍', 6],
    ['한국', 4],
    ['ｶﾅ', 2],
    ['ＡＢ', 4],
    ['👍', 2],
    ['👩‍👩‍👧', 2],
    ['🇦🇺', 2],
    ['❤️', 2],
    ['••••1234', 8],
    ['a\u200Bb', 2],
    ['ไทย', 3],
  ])('of %j is %i', (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });
});

describe('truncate', () => {
  test.each([
    ['short', 5, 'short'],
    ['longer', 5, 'long…'],
    ['李小龍', 5, '李小…'],
    ['李小龍', 4, '李…'],
    ['Zoe\u0308 Smith', 4, 'Zoe\u0308…'],
    ['👩‍👩‍👧 family', 3, '👩‍👩‍👧…'],
    ['any', 1, '…'],
    ['any', 0, ''],
  ])('%j to %i columns is %j', (text, width, cut) => {
    expect(truncate(text, width)).toBe(cut);
    expect(displayWidth(truncate(text, width))).toBeLessThanOrEqual(width);
  });
});

describe('printable', () => {
  test.each([
    ['\u001b]0;title\u0007', '\uFFFD]0;title\uFFFD'],
    ['a\r\n\tb', 'a b'],
    ['\u009b2J', '\uFFFD2J'],
    ['right\u202Eleft', 'right\uFFFDleft'],
    ['half \ud800', 'half \uFFFD'],
    ['नमस्ते 👩‍👧', 'नमस्ते 👩‍👧'],
  ])('%j is shown as %j', (text, shown) => {
    expect(printable(text)).toBe(shown);
  });
});
