import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatMajor } from '../../src/domain/money.ts';
import { lineOf } from '../../src/input/checks/total-lines.ts';
import { readHeader } from '../../src/input/header/header.ts';
import { payrun, temporaryFolder } from '../support/payrun.ts';
import { HEADER, npp, placesOf, readAll } from './reading.ts';

const ANA = npp('Ana', '1000.50', '12345678');
const BOB = npp('Bob', '234', '12345679');

/** The problems of a table of Ana (1000.50) and Bob (234.00) with these lines under it. */
async function under(...lines: string[]) {
  const result = await readAll([HEADER, ANA, BOB, ...lines].join('\n'));
  return {
    ...result,
    said: result.problems.map(({ severity, code, cell, row }) => `${severity} ${cell ?? row} ${code}`),
  };
}

describe('a line under the table with the sum above', () => {
  it.each([
    ['nothing else', ',1234.50,,,,'],
    ['a word in the column of names', 'Total,1234.5,,,,'],
    ['a word in another column', ',1234.50,,,Total:,'],
    ['its currency', 'Total,1234.50,AUD,,,'],
    ['its currency beside the amount', 'Total,"1,234.50 AUD",,,,'],
    ['the sign of its currency', ',"$1,234.50",,,,'],
    ['fewer cells than the header', 'TOTAL,1234.50'],
    ['more cells than the header, empty ones', 'Total,1234.50,,,,,,'],
    ['more cells than the header, blank ones', ',1234.50,,,, ,  ,'],
    ['fewer cells, behind a row of empty ones', ',,,,,,,\nTotal,1234.50'],
    ['a word in a cell beside the table', ',1234.50,,,,,Total'],
    ['German words', 'Gesamtsumme,1234.50,,,,'],
    ['Polish words', 'Razem do wypłaty,1234.50,,,,'],
    ['blank rows before it', ',,,,,\n\nGrand total,1234.50,,,,'],
    ['blanks for an account', 'Total,1234.50,,, ,'],
  ])('and %s is no payout', async (_, line) => {
    const { said, rows, payouts, isWhole, runRows } = await under(line);
    expect(said).toEqual([expect.stringMatching(/^warning B\d total_line$/)]);
    expect([rows, payouts, runRows.length, isWhole]).toEqual([2, 2, 2, true]);
  });

  it('may be one for each currency, and one for all', async () => {
    const eur = 'Chloé,10,EUR,EUR_SEPA,FR7630006000011234567890189,';
    const { said } = await under(eur, 'Total,1234.50,AUD,,,', 'Total,10 €,,,,', 'Total,1244.50,,,,');
    expect(said).toEqual(['warning B5 total_line', 'warning B6 total_line', 'warning B7 total_line']);
    expect((await under(eur, 'Total,10,AUD,,,')).said).toEqual(['error B5 total_line_differs']);
    expect((await under(eur, 'Total,10,,,,')).said).toEqual(['warning B5 total_line']);
  });

  it('counts rows with problems too, because they were in the list when it was added up', async () => {
    const { said } = await under(npp('', '5', '12345670'), 'Total,1239.50,,,,');
    expect(said).toEqual(['error A4 name_missing', 'warning B5 total_line']);
  });

  it('is not compared where amounts could not be read', async () => {
    const { said, problems, isWhole } = await under(npp('Zoë', 'x', '12345670'), 'Total,9,,,,');
    expect(said).toEqual(['error B4 amount_not_a_number', 'warning B5 total_line']);
    expect(problems[1]?.message).toContain('could not be compared, because the amounts of 1 row');
    expect(isWhole).toBe(true);
  });

  it('is read in whichever way agrees where the column proves none', async () => {
    const rows = [npp('Ana', '1000', '12345678'), npp('Bob', '234', '12345679')];
    const result = await readAll([HEADER, ...rows, 'Total,"1,234",,,,'].join('\n'));
    expect(placesOf(result)).toEqual(['B4 total_line']);
    const other = await readAll([HEADER, ...rows, 'Total,"1,235",,,,'].join('\n'));
    expect(placesOf(other)).toEqual(['B4 total_line_differs']);
  });

  it('of grouped amounts is read as they are', async () => {
    const rows = [npp('Ana', '"1.000,50"', '12345678'), npp('Bob', '"234,00"', '12345679')];
    const result = await readAll([HEADER, ...rows, 'Summe,"1.234,50",,,,'].join('\n'));
    expect(placesOf(result)).toEqual(['B4 total_line']);
  });

  it('whatever the amounts are', async () => {
    const amounts = fc.array(fc.bigInt(1n, 10n ** 12n), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(amounts, fc.bigInt(-3n, 3n), async (list, difference) => {
        const rows = list.map((minor, at) => npp(`P${at}`, formatMajor(minor, 2), String(12_345_678 + at)));
        const sum = list.reduce((total, minor) => total + minor, difference);
        fc.pre(sum > 0n);
        const result = await readAll([HEADER, ...rows, `Total,${formatMajor(sum, 2)},,,,`].join('\n'));
        const codes = result.problems.map(({ code }) => code).filter((code) => code.includes('total'));
        expect(codes).toEqual([difference === 0n ? 'total_line' : 'total_line_differs']);
        expect(result.payouts).toBe(list.length);
      }),
      { numRuns: 100 },
    );
  });
});

describe('a line under the table with another figure', () => {
  it('that says it is the total contradicts the file, of which nothing may be paid then', async () => {
    const { said, problems, isWhole, runRows } = await under('Total,1234.05,,,,');
    expect(said).toEqual(['error B4 total_line_differs']);
    expect(problems[0]?.message).toBe('This line says 1234.05, and the rows add up to 1,234.50 AUD.');
    expect(isWhole).toBe(false);
    expect(runRows[2]).toMatchObject({ row: 4, order: null, problem: { code: 'total_line_differs' } });
  });

  it('and no word may be a payout without a payee', async () => {
    const { said, problems, isWhole, rows } = await under(',50,,,,');
    expect(said).toEqual(['error B4 total_line_differs']);
    expect(problems[0]?.message).toContain('neither a name nor an account');
    expect(problems[0]?.remedy).toContain('fill in its name and account');
    expect([isWhole, rows]).toEqual([true, 3]);
  });

  it('is not the total in another currency', async () => {
    expect((await under('Total,1234.50,USD,,,')).said).toEqual(['error B4 total_line_differs']);
  });
});

describe('a total that stands in another column, or among words', () => {
  it.each([
    ['in the next column', 'Total,,1234.50'],
    ['with its currency, in the column of names', ',,,,TOTAL,1234.50 AUD'],
    ['behind a count', 'TOTAL,,2 records,1234.50 AUD'],
    ['behind a count in the column of accounts', '1234.50 AUD,,,TOTAL,2 records,'],
    ['in one cell', 'Total: 1234.50 AUD'],
    ['in a sentence', '"The total of all 2 payments is $1,234.50"'],
    ['in German', '"Gesamtbetrag: 1.234,50 AUD"'],
    ['behind a day', 'Total 25.11.2026: 1234.50'],
    ['with the amount where it belongs, and a count', 'Total,1234.50,,,2 records,'],
  ])('%s, agrees', async (_, line) => {
    const { said, payouts, isWhole } = await under(line);
    expect(said).toEqual([expect.stringMatching(/^warning \w+ total_line$/)]);
    expect([payouts, isWhole]).toEqual([2, true]);
  });

  it.each([
    ['in the next column', 'Total,,9999.99'],
    ['with its currency, in the column of names', ',,,,TOTAL,9999.99 AUD'],
    ['behind a count', 'TOTAL,,2 records,9999.99 AUD'],
    ['in one cell', 'Total: 9999.99'],
    ['in a sentence', 'The total of all 2 payments is 9999.99 AUD'],
    ['in Polish', 'Razem do wypłaty: 9999.99'],
    ['in another currency', 'Total: 1234.50 USD'],
    ['beside a count in the column of accounts', 'Total,9999.99,,,2 records,'],
  ])('%s, contradicts the file, of which nothing is paid', async (_, line) => {
    const { said, problems, isWhole } = await under(line);
    expect(said).toEqual([expect.stringMatching(/^error \w+ total_line_differs$/)]);
    expect(problems[0]?.message).toContain('add up to 1,234.50 AUD');
    expect(isWhole).toBe(false);
  });

  it.each([
    ['how many rows there are', 'Total records: 2'],
    ['how many rows there are, in the next column', 'Total payments,,2'],
    ['something else', 'Total hours: 320.50'],
    ['when it was made', 'Generated,,2026-10-29T08:00:00.000Z'],
    ['when it was made, in the column of accounts', 'Generated,,,,2026-10-29T08:00:00.000Z,'],
  ])('is none where a line says %s', async (_, line) => {
    const { problems, isWhole } = await under(line);
    expect(problems.map(({ severity }) => severity)).toEqual(['warning']);
    expect(isWhole).toBe(true);
  });

  it('is none where a payee called so lacks an amount', async () => {
    const { said, isWhole } = await under(npp('Total Energies', ''));
    expect(said).toEqual(['error B4 amount_missing']);
    expect(isWhole).toBe(true);
  });

  it('is a subtotal between payouts, which is an error', async () => {
    const { said, payouts } = await under('Subtotal: 1234.50 AUD', npp('Zoë', '5', '12345670'));
    expect(said).toEqual(['error 4 subtotal_line']);
    expect(payouts).toBe(3);
  });
});

describe('a sum between payouts', () => {
  const ZOE = npp('Zoë', '5', '12345670');

  it.each([
    ['with a word', 'Subtotal,1234.50,,,,'],
    ['with a word and another figure', 'Subtotal,1.00,,,,'],
    ['without a word', ',1234.50,,,,'],
  ])('%s is an error that says so', async (_, line) => {
    const { said, payouts, runRows } = await under(line, ZOE, 'Total,1239.50,,,,');
    expect(said).toEqual(['error B4 subtotal_line', 'warning B6 total_line']);
    expect(payouts).toBe(3);
    expect(runRows.map(({ row, order }) => [row, order !== null])).toEqual([
      [2, true],
      [3, true],
      [4, false],
      [5, true],
    ]);
  });

  it('of the rows since the last one is one too, also at the end', async () => {
    const { said } = await under(
      'Subtotal,1234.50,,,,',
      ZOE,
      npp('Max', '6', '12345671'),
      ',11,,,,',
      npp('Eva', '7', '12345672'),
      ',7,,,,',
    );
    expect(said).toEqual(['error B4 subtotal_line', 'error B7 subtotal_line', 'warning B9 total_line']);
  });

  it('is none where the row only lacks its payee', async () => {
    const { said, runRows } = await under(',50,,,,', ZOE);
    expect(said).toEqual(expect.arrayContaining(['error A4 name_missing']));
    expect(said.join()).not.toContain('total');
    expect(runRows.map(({ row }) => row)).toEqual([2, 3, 4, 5]);
  });

  it('is none where one amount is that of the row before', async () => {
    const content = [HEADER, ANA, ',1000.50,,,,', BOB].join('\n');
    expect(placesOf(await readAll(content)).join()).toContain('A3 name_missing');
    const { said } = await under('Subtotal,1234.50,,,,', ZOE, ',5,,,,', npp('Max', '6', '12345671'));
    expect(said).toContain('error A6 name_missing');
  });
});

describe('text under the table', () => {
  it.each([
    ['with a date', 'Printed 25.11.2026'],
    ['with a colon', 'Prepared by: Ana,,,,,'],
    ['behind a blank row', '\nAna Kowalska'],
    ['behind a total', 'Total,1234.50,,,,\nAna Kowalska'],
    ['with a word for a total', 'Total:'],
    ['of many words', 'The list was made by the office'],
  ])('%s is left out with a warning', async (_, lines) => {
    const { problems, rows, payouts } = await under(lines);
    expect(problems.at(-1)).toMatchObject({ severity: 'warning', code: 'footer_line' });
    expect([rows, payouts]).toEqual([2, 2]);
  });

  it.each([
    ['is a name right under the last payee', 'Zoë Müller'],
    ['has a rail', '\nZoë Müller,,,AUD_NPP,,'],
    ['has a currency', '\nZoë Müller,,AUD,,,'],
    ['has an account', '\nZoë Müller,,,,12345670,'],
    ['is between payouts', `\nSales: \n${npp('Zoë', '5', '12345670')}`],
  ])('is an error where it %s', async (_, lines) => {
    const { problemCounts, problems } = await under(lines);
    expect(problemCounts.errors).toBeGreaterThan(0);
    expect(problems.map(({ code }) => code)).not.toContain('footer_line');
  });

  it('is nothing where there is no payout above it', async () => {
    expect(placesOf(await readAll(`${HEADER}\nTotal,0,,,,`)).join()).not.toContain('total_line');
    expect((await readAll(`${HEADER}\nPrinted 25.11.2026,,,,,`)).problemCounts.errors).toBeGreaterThan(0);
  });

  it('of more lines than people write is rows', async () => {
    const lines = Array.from({ length: 25 }, (_, at) => `Note ${at}: x,,,,,`);
    const { problemCounts, runRows } = await under(...lines);
    expect(problemCounts.errors).toBeGreaterThan(0);
    expect(runRows.map(({ row }) => row)).toEqual([...runRows.map(({ row }) => row)].sort((a, b) => a - b));
  });
});

describe('what is no line of a sum', () => {
  const header = readHeader([...HEADER.split(','), 'department', 'gross'], 1);
  const line = (text: string) => lineOf(header, text.split(','), null);

  it.each([
    ['Total,5,AUD,AUD_NPP,12345678,062-000,,'],
    ['Total,5,AUD,AUD_NPP,,062-000,,'],
    ['Ana,5,AUD,,,,,'],
    [',5,AUD,AUD_NPP,,,,'],
    [',5,AUD,,,,Sales,'],
    [',five,,,,,,'],
    ['Total,see below,,,,,,'],
  ])('%s', (text) => {
    expect(line(text)).toBeNull();
  });

  it('nor a row with the number of a payee', () => {
    const withIds = readHeader([...HEADER.split(','), 'payee_id', 'department'], 1);
    expect(lineOf(withIds, ',5,,,,,E17,Total'.split(','), null)).toBeNull();
    expect(lineOf(withIds, ',5,,,,,Total,'.split(','), null)).toEqual({
      kind: 'total',
      isLabelled: true,
      hasFigure: true,
    });
  });

  it('but one may have sums of other columns', () => {
    expect(line(',5,,,,,,7.50')).toEqual({ kind: 'total', isLabelled: false, hasFigure: true });
    expect(line(',5,,,,,Total,7.50')).toEqual({ kind: 'total', isLabelled: true, hasFigure: true });
  });
});

describe('a real run', () => {
  it('pays what is above the total, and ends well', async () => {
    const cwd = temporaryFolder();
    writeFileSync(
      join(cwd, 'payroll.csv'),
      [HEADER, ANA, BOB, '', 'Total,1234.50,,,,', 'Printed 25.11.2026'].join('\n'),
    );
    const { exit, stdout } = await payrun(['run', 'payroll.csv', '--yes', '--json', '--expect-count', '2'], { cwd });
    expect(JSON.parse(stdout)).toMatchObject({ counts: { completed: 2, not_submitted: 0 } });
    expect(exit).toBe(0);
  });

  it('pays nothing where the total is another, not even the valid rows', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'payroll.csv'), [HEADER, ANA, BOB, 'Total,1234.51,,,,'].join('\n'));
    const { exit, stdout } = await payrun(['run', 'payroll.csv', '--yes', '--only-valid'], { cwd });
    expect(stdout).toContain('total_line_differs at B4');
    expect(exit).toBe(3);
  });
});
