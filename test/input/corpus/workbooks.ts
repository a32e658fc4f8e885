import { type Cell, type Flavour, type Sheet, type StyleName, workbookOf } from '../../support/excel-parts.ts';

const HEADER = ['Name', 'Amount', 'Currency', 'Rail', 'Account number', 'Clearing code'];

const text = (value: string): Cell => ({ value, style: 'text' });
const shown = (value: number, style: StyleName): Cell => ({ value, style });
const bold = (values: string[]): Cell[] => values.map((value) => ({ value, style: 'bold' }));
const error = (value: string, formula?: string): Cell => ({
  value,
  isError: true,
  ...(formula !== undefined && { formula }),
});

/** A payout in Australia with its identifiers as text. */
function npp(name: Cell, amount: Cell, account: string): Cell[] {
  return [name, amount, 'AUD', 'AUD_NPP', text(account), text('062-000')];
}

const SUMMARY: Sheet = { name: 'Summary', rows: [bold(['Currency', 'Total']), ['AUD', shown(6330.65, 'grouped')]] };

const PAYROLL: Sheet = {
  name: 'Payroll',
  table: 'A1:F3',
  validations: { 'C2:C500': ['AUD', 'EUR'], 'D2:D500': ['AUD_NPP', 'EUR_SEPA'] },
  rows: [
    HEADER,
    npp({ runs: ['Ann ', 'Lee'] }, shown(4120.55, 'grouped'), '12345678'),
    npp('Ben & Söhne <Pty>', shown(2210.1, 'grouped'), '00554812'),
  ],
};

const NUMBERS: Sheet = {
  name: 'Payroll',
  rows: [
    bold(HEADER),
    ['Ann Lee', 100, 'GBP', 'GBP_FPS', shown(1926819, 'account8'), shown(40478, 'bank6')],
    ['Ben Fox', 100, 'GBP', 'GBP_FPS', 1926819, 40478],
    ['Cat Ray', 100, 'AUD', 'AUD_NPP', 12345678, shown(62000, 'bsb')],
    ['Dan Roe', 100, 'MXN', 'MXN_SPEI', { raw: '3.2180000118359699E+16' }],
    ['Eva Paz', 100, 'MXN', 'MXN_SPEI', { raw: '6.4618011040000006E+17' }],
    ['Fay Ito', 100, 'USD', 'USD_ACH', text('000483920175'), 21000021],
    ['Gus Lim', 100, 'USD', 'USD_ACH', shown(123456789012, 'scientific'), 122105155],
    ['Hal Ono', 100, 'USD', 'USD_ACH', '4.8392E+11', text('021000021')],
    ['Ian Rao', 100, 'INR', 'INR_IMPS', { raw: '501002345678123' }, 'HDFC0000123'],
    ['Joy Low', 100, 'GBP', 'GBP_FPS', shown(31926819, 'account8'), shown(601613, 'sortCode')],
  ],
};

const AMOUNTS: Sheet = {
  name: 'Payroll',
  rows: [
    bold(HEADER),
    npp('Ann Lee', { raw: '1234.4999999999998', style: 'grouped' }, '12345678'),
    npp('Ben Fox', { raw: '0.30000000000000004' }, '87654321'),
    npp('Cat Ray', shown(10.005, 'two'), '11112222'),
    npp('Dan Roe', shown(-500, 'negativeInBrackets'), '33334444'),
    npp('Eva Paz', shown(75.5, 'accounting'), '55556666'),
    npp('Fay Ito', text('1,250.00'), '77778888'),
    npp('Gus Lim', text('12.50'), '99990000'),
  ],
};

const HIDDEN: Sheet = {
  name: 'Payroll',
  hiddenColumns: [1],
  autoFilter: 'A1:F4',
  rows: [
    bold(HEADER),
    npp('Ann Lee', 100, '12345678'),
    { cells: npp('Ben Fox', 200, '87654321'), isHidden: true },
    npp('Cat Ray', 300, '11112222'),
  ],
};

const MERGED: Sheet = {
  name: 'Payroll',
  merges: ['A1:F1', 'E3:F3', 'A4:A5'],
  rows: [
    bold(['Payroll July 2026']),
    [],
    bold(['Name', 'Amount', 'Currency', 'Rail', 'Account number']),
    npp('Ann Lee', 100, '12345678'),
    npp(null, 200, '87654321'),
  ],
};

const FORMULAS: Sheet = {
  name: 'Payroll',
  rows: [
    bold([...HEADER, 'Hours', 'Rate']),
    [
      { value: 'Ann Lee', formula: 'UPPER(A9)' },
      { value: 100, formula: 'G2*H2' },
      'AUD',
      'AUD_NPP',
      text('12345678'),
      text('062-000'),
      10,
      10,
    ],
    ['Ben Fox', { formula: 'G3*H3' }, 'AUD', 'AUD_NPP', text('87654321'), text('062-000'), 10, 20],
    [
      'Cat Ray',
      { value: 300, formula: 'G4*H4' },
      'AUD',
      'AUD_NPP',
      text('11112222'),
      { value: '062-000', formula: 'VLOOKUP(A4,Banks!A:B,2,0)' },
      10,
      30,
    ],
  ],
};

const ERRORS: Sheet = {
  name: 'Payroll',
  rows: [
    bold([...HEADER, 'Cost centre']),
    [error('#N/A', 'VLOOKUP(9,X:Y,2,0)'), 100, 'AUD', 'AUD_NPP', text('12345678'), text('062-000')],
    ['Ben Fox', error('#DIV/0!', 'G3/0'), 'AUD', 'AUD_NPP', text('87654321'), text('062-000')],
    ['Cat Ray', 300, 'AUD', 'AUD_NPP', error('#REF!', '#REF!'), text('062-000')],
    ['Dan Roe', 400, 'AUD', 'AUD_NPP', text('33334444'), text('062-000'), error('#NAME?', 'COSTCENTRE(A5)')],
    ['Eva Paz', { value: true }, 'AUD', 'AUD_NPP', text('55556666'), text('062-000')],
  ],
};

/** 46218 is 15 July 2026. */
const DATES: Sheet = {
  name: 'Payroll',
  rows: [
    bold([...HEADER, 'Reference', 'Pay date']),
    [...npp('Ann Lee', 100, '12345678'), shown(46218, 'monthYear'), shown(46218, 'date')],
    [...npp('Ben Fox', 200, '87654321'), 'JULY', shown(46218, 'date')],
    ['Cat Ray', 300, 'AUD', 'AUD_NPP', shown(46218, 'date'), text('062-000'), 'JULY'],
    ['Dan Roe', shown(46218, 'date'), 'AUD', 'AUD_NPP', text('33334444'), text('062-000'), 'JULY'],
  ],
};

const DATES_1904: Sheet = {
  name: 'Payroll',
  rows: [bold([...HEADER, 'Reference']), [...npp('Ann Lee', 100, '12345678'), shown(44756, 'date')]],
};

const APOSTROPHES: Sheet = {
  name: 'Payroll',
  rows: [
    bold(HEADER),
    [
      'Ann Lee',
      100,
      'AUD',
      'AUD_NPP',
      { value: '12345678', style: 'apostrophe' },
      { value: '062000', style: 'apostrophe' },
    ],
    ['Ben Fox', 200, 'AUD', 'AUD_NPP', "'87654321", "'062000"],
  ],
};

const JULY: Sheet = { name: 'July', rows: [bold(HEADER), npp('Ann Lee', 100, '12345678')] };
const AUGUST: Sheet = {
  name: 'August',
  rows: [bold(HEADER), npp('Ann Lee', 120, '12345678'), npp('Ben Fox', 1, '123')],
};

const NOTES: Sheet = { name: 'Notes', rows: [['Send by the 5th'], ['Ask Mia about bonuses']] };

const TOTALS: Sheet = {
  name: 'Payroll',
  rows: [
    bold(HEADER),
    npp('Ann Lee', 100, '12345678'),
    npp('Ben Fox', 200.5, '87654321'),
    [],
    [null, { value: 300.5, formula: 'SUBTOTAL(9,B2:B3)' }],
  ],
};

const AIRWALLEX: Sheet = {
  name: 'Batch transfers',
  merges: ['A1:H1', 'A2:H2'],
  rows: [
    ['Batch transfer template'],
    ['Do not change the headers. Fields marked (required) must be filled in.'],
    [],
    bold([
      'Recipient name (required)',
      'Transfer amount (required)',
      'Transfer currency (required)',
      'Account number',
      'BSB',
      'Reference (required)',
      'Rail',
      'Transfer date',
    ]),
    [
      'Northern Supplies',
      text('1,250.00'),
      'AUD',
      text('12345678'),
      text('062000'),
      'INV-2207',
      'AUD_NPP',
      '2026-07-15',
    ],
    ['Ocean Freight', text('89.95'), 'AUD', text('87654321'), text('62000'), 'INV-2208', 'AUD_NPP', '2026-07-15'],
  ],
};

const GOOGLE: Sheet = {
  name: 'Sheet1',
  rows: [
    ['Payee', 'Amount', 'Currency', 'Rail', 'Account number', 'BSB', 'Memo'],
    ['Ann Lee', { value: 1250, formula: '50*25' }, 'AUD', 'AUD_NPP', 12345678, text('062-000'), 'first\nsecond'],
    ['Zoë Ünal 🦊', 980.4, 'AUD', 'AUD_NPP', text('87654321'), text('062-000'), null],
    [null, null, null, null, null, null, null],
  ],
};

const NUMBERS_TABLE: Sheet = {
  name: 'Blatt 1 - Tabelle 1',
  merges: ['A1:E1'],
  rows: [
    ['Tabelle 1'],
    bold(['Empfänger', 'Betrag', 'Währung', 'IBAN', 'Verwendungszweck']),
    ['Jürgen Müller', shown(1250, 'grouped'), 'EUR', 'DE89370400440532013000', 'Rechnung 4711'],
    ['Änne Groß', shown(980.4, 'grouped'), 'EUR', 'DE70370400440539667321', 'Rechnung 4712'],
  ],
};

const NUMBERS_SUMMARY: Sheet = {
  name: 'Export Summary',
  rows: [
    ['This document was exported from Numbers. Each table was converted to an Excel worksheet.'],
    [],
    [null, 'Numbers Sheet Name', 'Numbers Table Name', 'Excel Worksheet Name'],
    [null, 'Blatt 1', 'Tabelle 1', 'Blatt 1 - Tabelle 1'],
  ],
};

const SAP: Sheet = {
  name: 'ALV',
  rows: [
    ['Vendor number', 'Vendor name', 'Amount', 'Currency', 'IBAN'],
    ['0000100017', 'Muster GmbH', 12345.67, 'EUR', 'DE89370400440532013000'],
    ['0000100018', 'Beispiel AG', 1000, 'EUR', 'DE70370400440539667322'],
  ],
};

/** Sheets whose used range goes far beyond the table, because something was formatted there once. */
const WIDE: Sheet = {
  name: 'Payroll',
  rows: [
    [...bold(HEADER), null, { style: 'text' }],
    [...npp('Ann Lee', 100, '12345678'), { style: 'text' }, { style: 'text' }, { style: 'text' }, { style: 'text' }],
    ['Ben Fox', 200, 'AUD', 'AUD_NPP', text('87654321')],
    [{ style: 'text' }, { style: 'two' }, { style: 'text' }],
    [...npp('Cat Ray', 300, '11112222'), null, null, 'checked by Mia'],
  ],
};

const STRUCK: Sheet = {
  name: 'July pay',
  rows: [
    bold(HEADER),
    npp('Ann Lee', 100, '12345678'),
    npp({ value: 'Ben Fox', style: 'struck' }, shown(200, 'struck'), '87654321'),
    npp('Cat Ray', shown(300, 'struck'), '11112222'),
    [...npp('Dan Roe', 400, '33334444'), null, { value: 'left in May', style: 'struck' }],
  ],
};

/** Libraries write formulas and calculate none. */
const SUM_WITHOUT_VALUE: Sheet = {
  name: 'Payroll',
  rows: [
    bold(HEADER),
    npp('Ann Lee', 100, '12345678'),
    npp('Ben Fox', 200.5, '87654321'),
    [null, { formula: 'SUM(B2:B3)' }],
    ['Total', { formula: 'SUM(B2:B3)' }, 'AUD'],
  ],
};

/** `Invoice 7, July` was written into a text file without quotes, which was opened and saved as a workbook. */
const BESIDE: Sheet = {
  name: 'Payroll',
  rows: [
    bold(['Name', 'Currency', 'Amount', 'Memo', 'Rail', 'Account number', 'Clearing code', 'Reference']),
    ['Ann Lee', 'AUD', 100, 'Rent', 'AUD_NPP', text('12345678'), text('062-000'), 'JULY', null, 'asked Mia'],
    ['Ben Fox', 'AUD', 200, 'Rent', 'AUD_NPP', text('87654321'), text('062-000'), 'Invoice 7', 'July'],
    ['Cat Ray', 'AUD', 300, 'Rent', 'AUD_NPP', text('11112222'), text('062-000'), 'JULY'],
  ],
};

type Made = { sheets: Sheet[]; flavour?: Flavour };

/** Workbooks of Excel and of programs that write in its format. */
const WORKBOOKS: Readonly<Record<string, Made>> = {
  'excel-payroll.xlsx': { sheets: [SUMMARY, PAYROLL] },
  'excel-numbers-as-identifiers.xlsx': { sheets: [NUMBERS] },
  'excel-amounts.xlsx': { sheets: [AMOUNTS] },
  'excel-hidden.xlsx': { sheets: [HIDDEN] },
  'excel-hidden-sheet.xlsx': { sheets: [NOTES, { ...JULY, state: 'hidden' }] },
  'excel-merged.xlsx': { sheets: [MERGED] },
  'excel-formulas.xlsx': { sheets: [FORMULAS] },
  'excel-errors.xlsx': { sheets: [ERRORS] },
  'excel-dates.xlsx': { sheets: [DATES] },
  'excel-1904.xlsx': { sheets: [DATES_1904], flavour: { is1904: true } },
  'excel-apostrophes.xlsx': { sheets: [APOSTROPHES] },
  'excel-two-months.xlsx': { sheets: [JULY, AUGUST] },
  'excel-sheet-given.xlsx': { sheets: [JULY, AUGUST] },
  'excel-third-sheet.xlsx': { sheets: [NOTES, SUMMARY, AUGUST] },
  'excel-totals.xlsx': { sheets: [TOTALS] },
  'excel-wide-range.xlsx': { sheets: [WIDE] },
  'excel-struck-through.xlsx': { sheets: [STRUCK] },
  'excel-beside-table.xlsx': { sheets: [BESIDE] },
  'library-sum.xlsx': { sheets: [SUM_WITHOUT_VALUE], flavour: { application: 'openpyxl' } },
  'excel-strict.xlsx': { sheets: [PAYROLL], flavour: { isStrict: true } },
  'airwallex-batch.xlsx': { sheets: [AIRWALLEX] },
  'google-sheets.xlsx': { sheets: [GOOGLE], flavour: { application: 'Google Sheets' } },
  'numbers.xlsx': { sheets: [NUMBERS_SUMMARY, NUMBERS_TABLE], flavour: { application: 'Numbers' } },
  'sap-export.xlsx': { sheets: [SAP], flavour: { isInline: true, hasReferences: false, application: 'SAP' } },
};

/** What a workbook with a password is: a container of the old kind, with the workbook encrypted in it. */
function encrypted(): Buffer {
  const bytes = Buffer.alloc(2048);
  bytes.set([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
  bytes.write('EncryptedPackage', 1024, 'utf16le');
  return bytes;
}

/** The bytes of every workbook that is made here, by name. */
export function workbooks(): [name: string, bytes: Buffer][] {
  const made = Object.entries(WORKBOOKS).map(([name, { sheets, flavour }]): [string, Buffer] => [
    name,
    workbookOf(sheets, flavour),
  ]);
  return [...made, ['excel-password.xlsx', encrypted()]];
}
