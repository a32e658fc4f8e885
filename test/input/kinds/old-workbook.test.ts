import { describe, expect, it } from 'vitest';
import { oldWorkbookToXlsx } from '../../../src/platform/xlsx/conversion/old-workbook.ts';
import { hiddenRow, oldWorkbookOf, withRecords } from '../../support/foreign-spreadsheets.ts';
import { HEADER, placesOf } from '../reading.ts';
import { faultOf, readConverted } from './converted.ts';

const read = (bytes: Buffer) => readConverted(oldWorkbookToXlsx(bytes));

const COLUMNS = HEADER.split(',');
const row = (name: string, amount: unknown = 12.5) => [name, amount, 'AUD', 'AUD_NPP', '12345678', '062-000'];

describe('a workbook of Excel 97 to 2003 is read as an .xlsx is', () => {
  it('with its texts, amounts and sheet', async () => {
    const bytes = oldWorkbookOf([
      { name: 'Notes', rows: [['Paid by Ana']] },
      { name: 'Juli', rows: [COLUMNS, row('Zoë Ünal 株式会社'), row('Bob & <Cy>', 1.15)] },
    ]);
    const result = await read(bytes);
    expect([placesOf(result), result.sheet]).toEqual([['A3 account_name_differs'], 'Juli']);
    expect(result.runRows.map(({ row: at, order }) => [at, order?.payee.name, order?.amount_minor])).toEqual([
      [2, 'Zoë Ünal 株式会社', '1250'],
      [3, 'Bob & <Cy>', '115'],
    ]);
  });

  it('with hidden rows, columns and sheets, merged cells, zeros of a format, dates, errors, booleans', async () => {
    const rows = [
      COLUMNS,
      ['Ana', 1, 'AUD', 'AUD_NPP', { t: 'n', v: 1234567, z: '00000000' }, '062-000'],
      row('Bob'),
      ['Cy', { t: 'e', v: 0x2a }, 'AUD', 'AUD_NPP', '12345678', '062-000'],
      ['Di', true, 'AUD', 'AUD_NPP', { t: 'n', v: 46000, z: 'yyyy-mm-dd' }, '062-000'],
      ['Eva', 0.1 + 0.2, 'AUD', 'AUD_NPP', 123456789012345680, '062-000'],
      ['Fay', { t: 'n', v: 0.5, z: '0.00%' }, 'AUD', 'AUD_NPP', '12345678', '062-000'],
    ];
    const change = (sheet: Record<string, unknown>) => {
      sheet['!cols'] = [undefined, undefined, { hidden: true, wch: 8 }];
      sheet['!merges'] = [{ s: { r: 5, c: 0 }, e: { r: 6, c: 0 } }];
    };
    const ghosts = { name: 'Old', rows: [COLUMNS, row('Ghost')], hidden: true };
    const bytes = withRecords(oldWorkbookOf([ghosts, { name: 'Pay', rows, change }]), [hiddenRow(2)]);
    const result = await read(bytes);
    expect(placesOf(result).sort()).toEqual(
      [
        'file other_sheets',
        'C1 column_hidden',
        'row 3 row_hidden',
        'B4 cell_error',
        'B5 cell_is_boolean',
        'E5 cell_is_date',
        'A6 cells_merged',
        'E6 identifier_digits_lost',
        'A7 cell_covered',
        'B7 amount_is_percentage',
      ].sort(),
    );
    expect(result.runRows[0]?.order?.destination).toMatchObject({ fields: { account_number: '01234567' } });
  });

  it('with days that count from 1904', async () => {
    const rows = [COLUMNS, ['Ana', 1, 'AUD', 'AUD_NPP', { t: 'n', v: 44538, z: 'yyyy-mm-dd' }, '062-000']];
    const shown = async (is1904: boolean) =>
      (await read(oldWorkbookOf([{ name: 'Pay', rows }], { is1904 }))).problems.map(({ value }) => value);
    expect([await shown(false), await shown(true)]).toEqual([['2021-12-08'], ['2025-12-09']]);
  });

  it('with rows that its sheet hides all', async () => {
    const height = { kind: 0x225, content: Buffer.from([2, 0, 0, 0]) };
    const bytes = withRecords(oldWorkbookOf([{ name: 'Pay', rows: [COLUMNS, row('Ana')] }]), [height]);
    expect(placesOf(await read(bytes))).toEqual(['row 2 row_hidden']);
  });
});

describe('a compound file is refused in words', () => {
  const good = oldWorkbookOf([{ name: 'Pay', rows: [COLUMNS, row('Ana')] }]);
  const WORKBOOK = Buffer.from('Workbook', 'utf16le');
  const changed = (change: (bytes: Buffer) => void): Buffer => {
    const bytes = Buffer.from(good);
    change(bytes);
    return bytes;
  };

  /** FILEPASS takes the place of the second record. */
  const withPassword = changed((bytes) => {
    const begin = bytes.indexOf(Buffer.from('0908100000060500', 'hex'));
    bytes.writeUInt16LE(0x2f, begin + 4 + bytes.readUInt16LE(begin + 2));
  });

  it.each<[string, () => Buffer, string]>([
    ['with a password', () => withPassword, 'workbook_encrypted'],
    ['of Excel 95', () => oldWorkbookOf([{ name: 'Pay', rows: [COLUMNS] }], { bookType: 'biff5' }), 'workbook_too_old'],
    ['cut off', () => good.subarray(0, good.length / 2), 'workbook_damaged'],
    ['cut in its header', () => good.subarray(0, 40), 'workbook_damaged'],
    ['of zeros', () => Buffer.concat([good.subarray(0, 8), Buffer.alloc(4_096)]), 'workbook_damaged'],
  ])('%s', async (_, bytes, code) => {
    expect(await faultOf(() => oldWorkbookToXlsx(bytes()))).toBe(code);
  });

  it('that is another document', async () => {
    const bytes = changed((file) => void file.write('WordDocu', file.indexOf(WORKBOOK), 'utf16le'));
    expect(await faultOf(() => oldWorkbookToXlsx(bytes))).toBe('not_a_workbook');
  });

  it('whose chain of sectors goes in a circle', async () => {
    const bytes = changed((file) => {
      // The table of sectors begins where the header says; each sector points to the one before it, and the first to the last.
      const table = 512 + 512 * file.readUInt32LE(76);
      const sectors = Math.min(128, Math.floor((file.length - 512) / 512));
      for (let sector = 0; sector < sectors; sector++) file.writeUInt32LE((sector + 1) % sectors, table + 4 * sector);
    });
    expect(['workbook_damaged', 'not_a_workbook']).toContain(await faultOf(() => oldWorkbookToXlsx(bytes)));
  });

  it('whose list of tables goes in a circle', async () => {
    const bytes = changed((file) => {
      file.writeUInt32LE(0, 68);
      file.writeUInt32LE(1_000_000, 72);
      file.writeUInt32LE(0, 512 + 508);
    });
    expect(['workbook_damaged', 'not_a_workbook']).toContain(await faultOf(() => oldWorkbookToXlsx(bytes)));
  });
});
