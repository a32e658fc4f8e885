import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { type Currency, crypto } from '../../src/domain/currencies.ts';
import type { Entry, RunRow } from '../../src/domain/entry.ts';
import type { RunState } from '../../src/domain/run/run-state.ts';
import type { CellFacts } from '../../src/input/cells/cell-facts.ts';
import { openTable } from '../../src/input/source/open-table.ts';
import { REPORT_COLUMNS, reportRows } from '../../src/report/model/rows.ts';
import { isKept } from '../../src/report/workbook/xlsx-sheet.ts';
import { writeReports } from '../../src/report/write.ts';
import { cases } from '../support/cases.ts';
import {
  accepted,
  completed,
  everyState,
  exampleRun,
  final,
  HEADER,
  intent,
  JPY,
  payoutRow,
  problemRow,
  RUN_ID,
} from './example-run.ts';
import { FORMULA_PAYLOADS } from './formula-payloads.ts';
import { workbookParts } from './workbook-text.ts';

const folder = mkdtempSync(join(tmpdir(), 'payrun-xlsx-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const HEAD = { n: 21, hash: '0123456789abcdef'.repeat(4) };

async function workbookOf(run: RunState): Promise<Buffer> {
  const [path = ''] = await writeReports({ run, head: HEAD, directory: folder, formats: ['xlsx'], version: '1.2.3' });
  return readFileSync(path);
}

type Read = { cells: string[][]; facts: (CellFacts | undefined)[][] };

/** A sheet as payrun itself reads it. */
async function readSheet(workbook: Buffer, sheet: string): Promise<Read> {
  const source = {
    name: 'report.xlsx',
    path: 'report.xlsx',
    async *open() {
      yield workbook;
    },
  };
  const table = await openTable(source, { sheet });
  expect(table.faults).toEqual([]);
  const read: Read = { cells: [], facts: [] };
  for await (const part of table.parts()) {
    if (part.kind === 'fault') throw new Error(part.code);
    for (const [at, cells] of part.records.entries()) {
      read.cells.push(cells);
      read.facts.push([...(part.facts?.[at]?.cells ?? [])]);
    }
  }
  return read;
}

/** The rows with the payouts by the names of their columns; cells that are not there are empty. */
async function payoutsOf(run: RunState): Promise<Record<string, { text: string; facts: CellFacts | undefined }>[]> {
  const { cells, facts } = await readSheet(await workbookOf(run), 'Payouts');
  const [names = [], ...rows] = cells;
  return rows.map((row, at) =>
    Object.fromEntries(
      names.map((name, column) => [name, { text: row[column] ?? '', facts: facts[at + 1]?.[column] }]),
    ),
  );
}

async function partOf(workbook: Buffer, name: string): Promise<string> {
  return (await workbookParts(workbook)).get(name) ?? '';
}

const SHEET = 'xl/worksheets/sheet2.xml';

describe('the sheet with the payouts', () => {
  test('has the columns and rows of report.csv, each by its type', async () => {
    const run = everyState();
    const read = await payoutsOf(run);
    const expected = [...reportRows(run)];
    expect(read).toHaveLength(expected.length);
    for (const [at, { cells, result }] of expected.entries()) {
      const row = read[at] ?? {};
      expect(Object.keys(row)).toEqual([...HEADER, ...REPORT_COLUMNS]);
      for (const [column, name] of HEADER.entries()) if (name !== 'Amount') expect(row[name]?.text).toBe(cells[column]);
      for (const column of REPORT_COLUMNS) {
        const { text = '', facts } = row[column] ?? {};
        const value = result[column];
        if (value === null) expect(text).toBe('');
        else if (column.endsWith('_at')) expect([text, facts?.kind]).toEqual([String(value).slice(0, 19), 'date']);
        else if (column.endsWith('_amount') || column === 'fees' || column === 'attempts')
          expect([Number(text), facts?.kind]).toEqual([Number(value), 'number']);
        else expect([text, facts]).toEqual([value, undefined]);
      }
    }
  });

  test('shows amounts with all decimals of their currency, and the amount of the file as the number that it is', async () => {
    const yen = payoutRow(3, { amountMinor: '190000', currency: JPY, cells: ['P', '190.000', 'JPY', '12345678', ''] });
    const dollars = payoutRow(2, { cells: ['P', '1.250,00', 'AUD', '12345678', ''] });
    const entries = [...completed(2), ...completed(3, { amountMinor: '190000', currency: JPY })];
    const [first, second] = await payoutsOf(exampleRun([dollars, yen], entries));
    expect(first?.Amount).toEqual({ text: '1250', facts: { kind: 'number', format: '#,##0.00', shown: null } });
    expect(first?.fees).toMatchObject({ text: '0.35', facts: { format: '#,##0.00' } });
    expect(second?.Amount).toMatchObject({ text: '190000', facts: { format: '#,##0' } });
    expect(second?.received_amount).toMatchObject({ text: '190000', facts: { format: '#,##0' } });
  });

  test('writes an amount of more digits than a spreadsheet keeps as text, with all of them', async () => {
    const ether = crypto('ETH', 'ethereum') as Currency;
    const exact = '1000000000000000001';
    const row = payoutRow(2, {
      amountMinor: exact,
      currency: ether,
      account: '0x52908400098527886E0F7030069857D2E4169EE7',
    });
    const round = payoutRow(3, { amountMinor: '2500000000000000000', currency: ether });
    const entries = [
      ...completed(2, { amountMinor: exact, currency: ether }),
      ...completed(3, { amountMinor: '2500000000000000000', currency: ether }),
    ];
    const [first, second] = await payoutsOf(exampleRun([row, round], entries));
    expect(first?.sent_amount).toEqual({ text: '1.000000000000000001', facts: undefined });
    expect(first?.Amount).toEqual({ text: '1.000000000000000001', facts: undefined });
    expect(second?.sent_amount).toMatchObject({ text: '2.5', facts: { kind: 'number' } });
  });

  test.each([
    ['0.00', true],
    ['-12.50', true],
    ['999999999999999', true],
    ['1000000000000000', true],
    ['1000000000000001', false],
    ['9999999999999.99', true],
    ['99999999999999.99', false],
    ['0.000000000000000001', true],
    ['1.000000000000000000', true],
    ['1.000000000000000001', false],
    ['007', false],
    ['1e5', false],
    ['+1', false],
    ['', false],
    ['-', false],
  ])('%s fits a number of a spreadsheet: %s', (decimal, fits) => {
    expect(isKept(decimal)).toBe(fits);
  });

  test('keeps zeros in front of identifiers, and what looks like a number, a date or a formula as text', async () => {
    const cells = ['00042', '1', 'AUD', '', '2026-11-25'];
    const header = ['payee no', 'sum', 'CCY', 'Account', 'Note'];
    const columns = header.map(() => null);
    const [row] = await payoutsOf(exampleRun([payoutRow(2, { cells, account: '' })], [], { header, columns }));
    expect(Object.values(row ?? {}).slice(0, 5)).toEqual(cells.map((text) => ({ text, facts: undefined })));
  });

  test('any text comes back as it was', async () => {
    const anyCell = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.string({ unit: fc.constantFrom(...'=+-@\t\r\n "\'<>&_x0041_;,•é'), maxLength: 20 }),
      fc.constantFrom('_x000D_', '0012', '1e5', ' two  blanks ', ...FORMULA_PAYLOADS),
    );
    const header = ['a', 'b', 'c', 'd', 'e'];
    const columns = header.map(() => null);
    const anyRows = fc.array(fc.tuple(anyCell, anyCell, anyCell, anyCell, anyCell), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(anyRows, async (rows) => {
        const run = exampleRun(
          rows.map((cells, at) => payoutRow(at + 2, { cells, account: '' })),
          [],
          { header, columns },
        );
        const read = await payoutsOf(run);
        // A character that is half of one, or none, has no place in XML.
        const expected = rows.map((cells) => cells.map((text) => text.toWellFormed()));
        expect(read.map((row) => header.map((name) => row[name]?.text))).toEqual(expected);
      }),
      { numRuns: cases(12, 40) },
    );
  });
});

describe('a formula', () => {
  /** A run with the text wherever a stranger can put one. */
  function runWith(text: string): RunState {
    return exampleRun(
      [
        payoutRow(2, { cells: [text, text, 'AUD', '', text], account: '' }),
        problemRow(3, [text, text, text, '', text], { code: text, message: text }),
      ],
      [
        { ...intent(2), recipient_id: text, external_account_id: text, token: text },
        { kind: 'accepted', row: 2, attempt: 1, transaction_id: text, by: 'answer' },
        final(2, { transaction_id: text, status: 'FAILED', code: text, message: text }),
      ],
      { header: [text, 'Amount', 'CCY', 'Account', 'Note'] },
    );
  }

  async function expectText(payload: string): Promise<void> {
    const workbook = await workbookOf(runWith(payload));
    for (const part of ['xl/worksheets/sheet1.xml', SHEET]) expect(await partOf(workbook, part)).not.toContain('<f');
    const [names = [], first = [], second = []] = (await readSheet(workbook, 'Payouts')).cells;
    const ids = ['transaction_id', 'recipient_id', 'external_account_id', 'token', 'message'];
    const at = (name: string) => names.indexOf(name);
    expect(names[0]).toBe(payload);
    expect([first[0], first[4], ...ids.map((name) => first[at(name)])]).toEqual(Array(7).fill(payload));
    expect([second[0], second[1], second[2], second[at('message')]]).toEqual(Array(4).fill(payload));
  }

  test.each(FORMULA_PAYLOADS.map((payload) => [payload]))('%j stays the text that it is', expectText);

  test('asks nothing of who edits its cell: it is marked as text', async () => {
    const workbook = await workbookOf(runWith('=1+1'));
    const styles = await partOf(workbook, 'xl/styles.xml');
    const xfs =
      styles
        .split('<cellXfs')[1]
        ?.split(/(?=<xf )/)
        .slice(1) ?? [];
    const sheet = await partOf(workbook, SHEET);
    const marked = Array.from(
      sheet.matchAll(/s="(\d+)" t="inlineStr"><is><t[^>]*>=1\+1</g),
      ([, style]) => xfs[Number(style)],
    );
    expect(marked.length).toBeGreaterThan(8);
    for (const xf of marked) expect(xf).toMatch(/numFmtId="49".* quotePrefix="1"/);
  });

  const vectors = new URL('../../../shared/vectors/csv-injection.txt', import.meta.url);
  if (existsSync(vectors)) {
    const published = readFileSync(vectors, 'utf8').split('\n').filter(Boolean);
    test.each(published.map((payload) => [payload]))('published: %s', expectText);
  } else test.skip('SKIPPED: the published payloads are not here (../shared/vectors/csv-injection.txt)', () => {});
});

describe('the workbook', () => {
  test('opens with the summary, and the payouts have a filter, a header that stays, and widths', async () => {
    const workbook = await workbookOf(everyState());
    const book = await partOf(workbook, 'xl/workbook.xml');
    expect(Array.from(book.matchAll(/<sheet name="(\w+)"/g), ([, name]) => name)).toEqual(['Summary', 'Payouts']);
    expect(book).toContain('activeTab="0"');
    const sheet = await partOf(workbook, SHEET);
    expect(sheet).toContain('<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>');
    expect(sheet).toContain('</sheetData><autoFilter ref="A1:T10"/>');
    expect(sheet.match(/<col /g)).toHaveLength(20);
  });

  test('says in its summary what became of the run, in words and in numbers', async () => {
    const run = exampleRun([payoutRow(2), payoutRow(3), payoutRow(4)], failedAndDoubtful(), { rehearsal: true });
    const { cells, facts } = await readSheet(await workbookOf(run), 'Summary');
    const lines = cells.map((row) => row.join('|').replace(/\|+$/, ''));
    expect(lines[0]).toBe('REHEARSAL: no money moves');
    expect(lines[2]).toBe('Rehearsal: 1 of 3 payouts completed');
    expect(lines).toContain('1 needs you: do not pay it by other means until its outcome is known.');
    expect(lines).toContain('completed|1');
    expect(lines).toContain('AUD|AUD_NPP|3|1|3750|1250');
    expect(lines).toContain('In doubt, not looked up yet|Payee 4|4|1250|AUD|AUD_NPP ••••4321');
    expect(lines.find((line) => line.startsWith('failed|ACCOUNT_CLOSED|1|Closed.'))).toContain('another account');
    expect(lines).toContain(`Journal head|${HEAD.hash}`);
    expect(lines).toContain(`Compare with|payrun verify ${RUN_ID}`);
    const started = cells.findIndex(([name]) => name === 'Started');
    expect([cells[started]?.[1], facts[started]?.[1]?.kind]).toEqual(['2026-11-25T09:00:00', 'date']);
  });

  function failedAndDoubtful(): Entry[] {
    const failed = final(3, { status: 'FAILED', code: 'ACCOUNT_CLOSED', message: 'Closed.' });
    return [...completed(2), intent(3), accepted(3), failed, intent(4)];
  }

  test('holds no whole account number', async () => {
    const account = '4024007142531786';
    const rows: RunRow[] = [2, 3].map((row) =>
      payoutRow(row, { account, cells: [`P ${account}`, '1', 'AUD', account, account] }),
    );
    rows.push(
      problemRow(4, ['P', 'x', 'AUD', account, `was ${account}`], { code: 'bad', message: `${account} is none` }),
    );
    const workbook = await workbookOf(exampleRun(rows, [...completed(2), intent(3)]));
    for (const name of ['Summary', 'Payouts']) {
      const text = JSON.stringify((await readSheet(workbook, name)).cells);
      expect(text).not.toContain(account);
      expect(text).toContain('••••1786');
    }
  });

  test('is the same bytes for the same run', async () => {
    expect((await workbookOf(everyState())).equals(await workbookOf(everyState()))).toBe(true);
  });

  test('of a run without rows has a header and nothing else', async () => {
    const { cells } = await readSheet(await workbookOf(exampleRun([])), 'Payouts');
    expect(cells).toEqual([[...HEADER, ...REPORT_COLUMNS]]);
  });
});
