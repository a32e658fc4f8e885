import { describe, expect, it } from 'vitest';
import { CONVERTED_BYTES_MAX, toXlsx } from '../../../src/platform/xlsx/conversion/convert.ts';
import { oldWorkbookOf, openDocumentOf, rowOf } from '../../support/foreign-spreadsheets.ts';

const LIMITS = { memoryMb: 1_536, timeMs: 120_000 };
const wide = openDocumentOf(
  `<table:table table:name="Pay">${rowOf(['Ana'], ' table:number-rows-repeated="1000000"')}</table:table>`,
);

describe('a conversion', () => {
  it('of a good file gives a workbook', async () => {
    const result = await toXlsx('old_workbook', oldWorkbookOf([{ name: 'Pay', rows: [['name'], ['Ana']] }]));
    expect(result.ok && result.bytes.subarray(0, 2).toString()).toBe('PK');
  });

  it.each([
    ['time', { ...LIMITS, timeMs: 1 }],
    ['memory', { ...LIMITS, memoryMb: 32 }],
  ])('that takes more %s than it may is ended', async (_, limits) => {
    expect(await toXlsx('open_document', wide, limits)).toEqual({ ok: false, code: 'spreadsheet_too_large' });
  });

  it('of a damaged file says so, and one that is too large is not begun', async () => {
    expect(await toXlsx('old_workbook', Buffer.from('d0cf11e0a1b11ae1', 'hex'))).toEqual({
      ok: false,
      code: 'workbook_damaged',
    });
    expect(await toXlsx('web_page', Buffer.alloc(CONVERTED_BYTES_MAX + 1))).toEqual({
      ok: false,
      code: 'spreadsheet_too_large',
    });
  });
});
