import { describe, expect, it } from 'vitest';
import { problemPlace } from '../../src/domain/problem.ts';

describe('the place of a problem', () => {
  it.each([
    ['Sheet1', 'Sheet1!F17'],
    ['Löhne_2026.07', 'Löhne_2026.07!F17'],
    ['July pay', "'July pay'!F17"],
    ["Mia's", "'Mia''s'!F17"],
    ['2026', "'2026'!F17"],
    ['Jul-26', "'Jul-26'!F17"],
    // A cell of its own, were it not quoted.
    ['JUL26', "'JUL26'!F17"],
    ['R1C1', "'R1C1'!F17"],
    ['R', "'R'!F17"],
  ])('on the sheet %j can be pasted where spreadsheet programs go to a cell', (sheet, place) => {
    expect(problemPlace({ sheet, cell: 'F17', row: 17 })).toBe(place);
  });

  it('is a row where no cell is known, and nothing for the whole file', () => {
    expect(problemPlace({ sheet: null, cell: 'F17', row: 17 })).toBe('F17');
    expect(problemPlace({ sheet: 'July pay', cell: null, row: 17 })).toBe('July pay, row 17');
    expect(problemPlace({ sheet: 'July pay', cell: null, row: null })).toBe('');
  });
});
