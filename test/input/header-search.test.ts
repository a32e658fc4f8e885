import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MappedColumn } from '../../src/input/header/columns.ts';
import { readHeader } from '../../src/input/header/header.ts';
import { findHeader, type NumberedRow } from '../../src/input/header/header-search.ts';
import { sniffDelimiter } from '../../src/input/source/csv-table.ts';
import { problemWords } from '../../src/messages/problems/problem-words.ts';
import { HEADER, npp, placesOf, readAll } from './reading.ts';

/** Rows of cells that `|` divides, numbered from 1; blank ones are left out, as they are in a file. */
function table(...lines: string[]): NumberedRow[] {
  return lines.map((line, at) => ({ row: at + 1, cells: line.split('|') })).filter(({ cells }) => cells.some(Boolean));
}

function found(...lines: string[]): { row: number; codes: string[] } | null {
  const header = findHeader(table(...lines));
  return header && { row: header.row, codes: header.problems.map(({ code }) => code) };
}

const PAYEES = 'Payee|Amount|Currency|Rail|IBAN';
const ANA = 'Ana|12.50|EUR|EUR_SEPA|DE02120300000000202051';

describe('the header among the first rows', () => {
  it.each<[string, string[], number, string[]]>([
    ['is the first one', [PAYEES, ANA], 1, []],
    ['may have blank rows above', ['', '', PAYEES, ANA], 3, []],
    ['may have titles above', ['ACME GmbH', 'Payroll November', '', PAYEES, ANA], 4, ['rows_above_header']],
    ['may have labels and figures above', ['Employees:|45|Total:|1,234.50', PAYEES, ANA], 2, ['rows_above_header']],
    ['may have a total above', ['Total|4500.00|EUR', PAYEES, ANA], 2, ['rows_above_header']],
    [
      'may have dates above',
      ['Period|2026-11-01|2026-11-30|printed 2026-11-25', PAYEES, ANA],
      2,
      ['rows_above_header'],
    ],
    ['may have a title of our words above', ['Company name|ACME|Currency|EUR', PAYEES], 2, ['rows_above_header']],
    ['is not what is under it', [PAYEES, 'Name|Amount|Currency|Rail|x'], 1, ['header_ambiguous']],
    ['may be repeated', [PAYEES, ANA, PAYEES, ANA], 1, []],
    ['is refused with another one above', ['Account name|BSB|Account|x', PAYEES], 2, ['header_ambiguous']],
    ['is refused with a payout above', [ANA, PAYEES, ANA], 2, ['payout_above_header']],
    ['is refused with a payout above that is no label', ['Ana|12|AUD|12345678', PAYEES], 2, ['payout_above_header']],
    [
      'is refused with payouts of another order above',
      ['ACME', 'EUR|EUR_SEPA|Ana|DE02120300000000202051|12.50', PAYEES],
      3,
      ['payout_above_header', 'rows_above_header'],
    ],
    ['may lack a column', ['ACME', 'Payee|Amount|Rail|IBAN|Team'], 2, ['rows_above_header', 'column_missing']],
    ['may be misspelt', ['Payee|Amuont|Curency|Rail'], 1, ['column_missing', 'column_missing']],
    [
      'may be misspelt in every column, under titles',
      ['ACME GmbH', 'Naem|Amuont|Curency|Acount number', 'Ana|12.50|EUR|DE02120300000000202051'],
      2,
      ['rows_above_header', 'column_missing', 'column_missing', 'column_missing', 'column_missing'],
    ],
    ['is not found among payouts', [ANA, ANA], 1, ['header_not_found']],
    ['is not found among titles', ['ACME', 'Payroll', 'Name|ACME'], 3, ['header_not_found']],
  ])('%s', (_, lines, row, codes) => {
    expect(found(...lines)).toEqual({ row, codes });
  });

  it('says what stands above', () => {
    const problem = findHeader(table('ACME GmbH', 'Payroll', '', PAYEES))?.problems[0];
    expect(problem).toMatchObject({ severity: 'warning', row: 1, value: 'ACME GmbH' });
    expect(problem?.params).toEqual({ header: 4, first: 1, last: 2 });
  });

  it('says what was looked for, and the row that came nearest', () => {
    const header = findHeader(table('Foglio', 'x|y|z', ANA));
    expect(header?.firstError?.code).toBe('header_not_found');
    expect(header?.firstError?.params).toEqual({ rows: 20, likeliest: 1, headers: [{ header: 'Foglio', cell: 'A1' }] });
  });

  it('is one of the first twenty rows, or the first that is not blank', () => {
    const titles = Array.from({ length: 19 }, (_, at) => `Title ${at}`);
    expect(found(...titles, PAYEES)).toEqual({ row: 20, codes: ['rows_above_header'] });
    expect(found('', ...titles, PAYEES)?.codes).toEqual(['header_not_found']);
    expect(found(...Array.from({ length: 30 }, () => ''), PAYEES)).toEqual({ row: 31, codes: [] });
  });

  it('there is none without rows', () => {
    expect(findHeader([])).toBeNull();
  });

  it('may be one of which a person said what it means', () => {
    const said: MappedColumn[] = ['სახელი=name', 'თანხა=amount', 'ფული=currency', 'გზა=rail'].map((text) => {
      const [header = '', column] = text.split('=');
      return { header, column: column as MappedColumn['column'], source: 'remembered' };
    });
    const rows = table('ხალხი', 'სახელი|თანხა|ფული|გზა');
    expect(findHeader(rows)?.firstError?.code).toBe('header_not_found');
    const header = findHeader(rows, (cells) => ({
      columns: cells.includes('თანხა') ? said : [],
      currency: null,
    }));
    expect(header).toMatchObject({ row: 2, firstError: null, mapping: said });
  });
});

describe('whatever stands above a header', () => {
  const title = fc.constantFrom(
    'ACME GmbH',
    'Payroll|2026-11',
    'Total:|1,234.50',
    'Name:|ACME',
    'printed 25.11.2026',
    '',
  );
  const payout = fc.constantFrom(
    ANA,
    'Bob|1.234,50|EUR|EUR_SEPA|',
    'Cy|x|EUR||DE02120300000000202051',
    '|3.00|EUR|EUR_SEPA|DE02120300000000202051',
  );

  it('a payout is never lost: it is under the header, or it is an error', () => {
    fc.assert(
      fc.property(fc.array(title, { maxLength: 6 }), fc.array(payout, { maxLength: 4 }), (titles, above) => {
        const lines = [...titles, ...above, PAYEES, ANA];
        const header = findHeader(table(...lines));
        expect(header?.row).toBe(lines.length - 1);
        expect(header?.firstError?.code ?? null).toBe(above.length > 0 ? 'payout_above_header' : null);
      }),
    );
  });

  it('with the header first, all other rows are under it', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(title, payout), { maxLength: 25 }), (lines) => {
        expect(findHeader(table(PAYEES, ...lines))).toMatchObject({ row: 1, problems: [] });
      }),
    );
  });
});

describe('a header that is nearly one of ours', () => {
  const problemsOf = (line: string) => readHeader(line.split('|'), 3).problems;

  it('of a required column is the error that it is missing, with what was meant', () => {
    expect(problemsOf('Payee|Amuont|Currency|Rail')).toEqual([
      {
        severity: 'error',
        code: 'column_missing',
        sheet: null,
        row: 3,
        column: 'amount',
        cell: 'B3',
        value: 'Amuont',
        params: { column: 'amount', like: { header: 'Amuont', isUnsure: false, other: null } },
        suggestion: 'amount',
      },
    ]);
  });

  it('of an optional column is a warning, because what is under it is not used', () => {
    expect(problemsOf('Payee|Amount|Currency|Rail|Acount number')).toMatchObject([
      {
        severity: 'warning',
        code: 'column_near_miss',
        column: 'account_number',
        cell: 'E3',
        suggestion: 'account_number',
      },
    ]);
  });

  it('of the account, without which no rail can be told, is an error', () => {
    expect(problemsOf('Payee|Amount|Currency|Acount number')).toMatchObject([
      { severity: 'error', code: 'column_missing', column: 'account_number', cell: 'D3', suggestion: 'account_number' },
    ]);
    expect(problemsOf('Payee|Amount|Currency')).toMatchObject([{ code: 'column_missing', column: 'rail', cell: null }]);
  });

  it('is nothing where the column is there, and nothing where a person said that it is not', () => {
    expect(problemsOf('Payee|Amount|Currency|Rail|Account number|Acount number')).toEqual([]);
    const said: MappedColumn[] = [{ header: 'Acount number', column: null, source: 'option' }];
    expect(readHeader('Payee|Amount|Currency|Rail|Acount number'.split('|'), 1, { columns: said }).problems).toEqual(
      [],
    );
  });

  it('has no suggestion that could be wrong', () => {
    expect(problemsOf('Payee|Total|Currency|Rail')[0]).toMatchObject({ code: 'column_missing', cell: 'B3' });
    expect(problemsOf('Payee|Total|Currency|Rail')[0]).not.toHaveProperty('suggestion');
    expect(problemsOf('Payee|Amuont|Amounts|Currency|Rail')[0]).not.toHaveProperty('suggestion');
    for (const problem of problemsOf('Payee|Amount|Currency|Rail|Countr'))
      expect(problem).not.toHaveProperty('suggestion');
  });

  it('with words that have other meanings is asked about only where it matters', () => {
    expect(problemsOf('Payee|Amount|Currency|IBAN|Payment method')).toEqual([]);
    expect(problemsOf('Payee|Amount|Currency|Rail|Konto|Firma|Total').map(({ column }) => column)).toEqual([
      'account_number',
    ]);
  });
});

describe('names in parts', () => {
  it.each([
    ['Vorname|Rufname|Amount|Currency|Rail', 'column_missing', '`Vorname` and `Rufname`'],
    [
      'First name|Given name|Surname|Amount|Currency|Rail',
      'column_missing',
      '`First name`, `Given name` and `Surname`',
    ],
    ['Name|Vorname|Amount|Currency|Rail', 'name_in_parts', '`Vorname` in B1'],
    ['Nombre|Apellidos|Amount|Currency|Rail', 'name_in_parts', '`Apellidos` in B1'],
  ])('%s: %s', (line, code, words) => {
    const { problems } = readHeader(line.split('|'), 1);
    expect(problems.map((problem) => problem.code)).toEqual([code]);
    expect(problems.map((problem) => problemWords(problem, 'page').message).join()).toContain(words);
  });

  it('are no matter beside a column that says whole names', () => {
    expect(readHeader('Full name|First name|Amount|Currency|Rail'.split('|'), 1).problems).toEqual([]);
  });
});

describe('a file with titles', () => {
  it('is paid from under its header, with the rows numbered as they stand', async () => {
    const titled = [
      '"ACME, Ltd";Payroll',
      '',
      HEADER.replaceAll(',', ';'),
      npp('Ana', '1').replaceAll(',', ';'),
      ';;;;;',
    ];
    const result = await readAll([...titled, npp('', '2').replaceAll(',', ';')].join('\r\n'));
    expect(result.delimiter).toBe(';');
    expect(placesOf(result)).toEqual(['row 1 rows_above_header', 'A6 name_missing']);
    expect(result.runRows.map(({ row }) => row)).toEqual([4, 6]);
    expect(result).toMatchObject({ headerRow: 3, payouts: 1, isWhole: true, isHeaderClear: true });
  });

  it('pays nobody where a payout stands above the header', async () => {
    const result = await readAll([npp('Zoë', '9'), HEADER, npp('Ana', '1')].join('\n'));
    expect(placesOf(result)).toEqual(['row 1 payout_above_header']);
    expect(result).toMatchObject({ payouts: 0, isWhole: false, isHeaderClear: false });
  });

  it('with more than twenty rows is read as one with few', async () => {
    const rows = Array.from({ length: 50 }, (_, at) => npp(`P${at}`, '1,5'.replace(',', '.'), String(10_000_000 + at)));
    for (const chunkBytes of [7, 64, 100_000]) {
      const result = await readAll(['Payroll', HEADER, ...rows].join('\n'), {}, chunkBytes);
      expect(result.runRows.map(({ row }) => row)).toEqual(rows.map((_, at) => at + 3));
      expect(result.payouts).toBe(50);
    }
  });

  it('that is cut off within its first rows still tells what is wrong with the header', async () => {
    expect(placesOf(await readAll(`Title\n${HEADER.replace('currency', 'Curency')}\n"Ana,1`))).toEqual([
      'row 1 rows_above_header',
      'C2 column_missing',
      'row 3 quote_not_closed',
    ]);
  });

  it.each([
    ['ACME, Berlin\nName;Betrag;Währung\nAna;1,50;EUR\nBob;2,50;EUR', ';'],
    ['Lohn; November\nEmpfänger\tBetrag\nAna\t1', '\t'],
    ['a,b\nname,amount\n"x;y",1', ','],
  ])('%j is divided by %j', (text, delimiter) => {
    expect(sniffDelimiter(text).delimiter).toBe(delimiter);
  });
});
