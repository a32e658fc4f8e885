import { copyFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Cell, openXlsx, readXlsx, type Sheet, saveXlsx } from 'hucre/xlsx';
import { describe, expect, test } from 'vitest';
import { checkTask } from '../../src/compose/page/check-task.ts';
import { columnOf } from '../../src/input/header/columns.ts';
import type { Language } from '../../src/messages/viewer.ts';
import { DEFAULT_READING } from '../../src/web/uploads/uploads.ts';
import { bombOf } from '../support/bomb.ts';
import { PROJECT, payrun, temporaryFolder } from '../support/payrun.ts';

const PEAK_HOOK = new URL('../bench/peak.ts', import.meta.url).href;

const MISTAKES = join(PROJECT, 'samples/payroll-with-mistakes.csv');
const HEADER = 'name,amount,currency,rail,account_number,national_clearing_code';

/** A file of these lines in a folder of its own, and where its annotation goes. */
function fileOf(...lines: string[]): { path: string; out: string } {
  const folder = temporaryFolder();
  const path = join(folder, 'payroll.csv');
  writeFileSync(path, `${lines.join('\n')}\n`);
  return { path, out: join(folder, 'mend.xlsx') };
}

async function annotated(path: string, out: string, ...options: string[]) {
  const { exit, stdout } = await payrun(['check', path, '--annotate', out, '--json', ...options]);
  const { sheets } = await readXlsx(readFileSync(out), { readStyles: true });
  const [problems, sheet] = sheets;
  if (problems === undefined || sheet === undefined) throw new Error('an annotation has two sheets');
  return { exit, json: JSON.parse(stdout), problems, sheet, sheets };
}

/** The copy that the page makes for somebody who reads that language. */
async function annotatedIn(language: Language, path: string, out: string) {
  const file = { path, name: 'payroll.csv', job: null, reading: DEFAULT_READING, corrects: null, memory: null };
  const copy = { kind: 'annotated', path: out, language, namesRuns: true } as const;
  rmSync(out);
  await checkTask({ dataDir: temporaryFolder() }, { ...file, entity: 'main', forgetColumns: false, copy });
}

function fillOf(cell: Cell | undefined): string | undefined {
  const fill = cell?.style?.fill;
  return fill?.type === 'pattern' ? fill.fgColor?.rgb : undefined;
}

function texts(sheet: Sheet): string[] {
  return sheet.rows.flat().map(String);
}

describe('check --annotate of a text file', () => {
  test('marks each problem at its cell, lists all in front, and exits 3', async () => {
    const out = join(temporaryFolder(), 'mend.xlsx');
    const { exit, json, problems, sheet } = await annotated(MISTAKES, out);
    expect(exit).toBe(3);
    expect(json.annotated).toEqual({ file: out, cells: 17, problems: 17, left: 0 });
    expect(statSync(out).mode & 0o777).toBe(0o600);
    expect(problems.name).toBe('Problems');
    expect(sheet.name).toBe('payroll-with-mistakes');
    const marked = [...(sheet.cells ?? [])].filter(([, cell]) => cell.comment !== undefined).map(([key]) => key);
    const places = json.problems.map(({ cell, row }: { cell: string; row: number }) => `${row - 1},${columnAt(cell)}`);
    expect(marked.sort()).toEqual([...places].sort());
    for (const key of marked) expect(fillOf(sheet.cells?.get(key))).toMatch(/FFC8CE|FFEC9C/);
    for (const { row, cell, message } of json.problems)
      expect(sheet.cells?.get(`${row - 1},${columnAt(cell)}`)?.comment?.text).toContain(message);
    const bsb = sheet.cells?.get('2,6');
    expect(bsb).toMatchObject({ value: '13006', type: 'string', style: { numFmt: '@' } });
    expect(bsb?.comment?.text).toBe(
      'payrun: error. The BSB has 5 digits instead of 6: a spreadsheet has probably dropped leading zeros.\nIf 013006 is right, write that and format the column as text.',
    );
    const listed = problems.rows.filter((row) => row[1] === 'error' || row[1] === 'warning');
    expect(listed).toHaveLength(17);
    expect(problems.rows[0]?.[0]).toBe('Problems found by payrun');
  });

  test('has a link to each cell, and headers that are none of ours', async () => {
    const { path, out } = fileOf(HEADER, 'Ana,1,AUD,AUD_NPP,12345678,62000');
    const { problems } = await annotated(path, out);
    const at = problems.rows.findIndex((row) => row[0] === 'F2');
    expect(problems.cells?.get(`${at},0`)?.hyperlink?.location).toBe("'payroll'!F2");
    expect(problems.rows.flat().filter((cell) => typeof cell === 'string' && columnOf(cell) !== null)).toEqual([]);
  });

  test('shows a suggestion, and a mended cell that was empty keeps its zeros', async () => {
    const { path, out } = fileOf(
      `${HEADER},reference`,
      'Ana,1,EUR,EUR_SEPA,DE89370400440532013000,,Nómina julio',
      'Bob,1,AUD,AUD_NPP,,062-000,',
    );
    const { sheet, problems } = await annotated(path, out);
    expect(sheet.cells?.get('1,6')?.comment?.text).toContain('\nSuggestion: Nomina julio');
    expect(texts(problems)).toContain('Nomina julio');
    expect(sheet.cells?.get('2,4')?.style?.numFmt).toBe('@');
  });

  test('keeps text that looks like a formula or a number as text', async () => {
    const formula = '=HYPERLINK("http://x.example")';
    const { path, out } = fileOf(
      `${HEADER},note`,
      `"=1+1",x,AUD,AUD_NPP,00012345,062-000,"${formula.replaceAll('"', '""')}"`,
    );
    const { sheet, problems } = await annotated(path, out);
    expect(sheet.rows[1]).toEqual(['=1+1', 'x', 'AUD', 'AUD_NPP', '00012345', '062-000', formula]);
    for (const { cells } of [sheet, problems])
      for (const cell of cells?.values() ?? []) expect(cell.formula).toBeUndefined();
  });

  test('keeps text that looks like an escape of workbooks', async () => {
    const { path, out } = fileOf(HEADER, 'Ann_x0041_,-1,AUD,AUD_NPP,12345678,062000');
    const { sheet } = await annotated(path, out);
    expect(texts(sheet)).toContain('Ann_x0041_');
  });

  test('has every row where it was, blank ones too, and marks a row without the right cells', async () => {
    const { path, out } = fileOf(
      'sep=;',
      HEADER.replaceAll(',', ';'),
      '',
      'Ana;1;AUD',
      '',
      'Zoë;1;AUD;AUD_NPP;12345678;062-000',
    );
    const { sheet } = await annotated(path, out);
    expect(sheet.rows[0]?.[0]).toBe('name');
    expect(sheet.rows[4]?.[0]).toBe('Zoë');
    expect(sheet.cells?.get('2,0')?.comment?.text).toContain('The row has 3 cells');
    expect(sheet.freezePane).toMatchObject({ rows: 1 });
  });

  test('lists every problem and marks every cell, and comments ten thousand, errors first', async () => {
    const rows = Array.from(
      { length: 10_050 },
      (_, at) => `P${at},x,AUD,AUD_NPP,${10_000_000 + at},062-000,INV-2208 for July and August`,
    );
    const { path, out } = fileOf(`${HEADER},reference`, ...rows);
    const { json, problems, sheet } = await annotated(path, out);
    const { errors, warnings } = countsOf(json);
    expect({ errors, warnings }).toEqual({ errors: 10_050, warnings: 10_050 });
    expect(json.annotated).toMatchObject({ cells: 20_100, problems: 20_100, left: 0 });
    expect(texts(problems)).toContain(
      'Of 20,100 marked cells 10,000 have a comment, errors first. What is wrong with all is below.',
    );
    expect(problems.rows.filter((row) => row[1] === 'error' || row[1] === 'warning')).toHaveLength(20_100);
    const cells = [...(sheet.cells?.values() ?? [])];
    expect(cells.filter((cell) => fillOf(cell) !== undefined)).toHaveLength(20_100);
    const commented = cells.filter(({ comment }) => comment !== undefined);
    expect(commented).toHaveLength(10_000);
    expect(commented.every((cell) => fillOf(cell) === 'FFC8CE')).toBe(true);
  });
});

describe('what --annotate does not write', () => {
  test('anything where nothing is wrong, or nothing could be read', async () => {
    for (const [lines, exit, text] of [
      [[HEADER, 'Ana,1,AUD,AUD_NPP,12345678,062-000'], 0, 'There is nothing to mark'],
      [[''], 3, 'There are no rows in which something could be marked'],
    ] as const) {
      const { path, out } = fileOf(...lines);
      const ended = await payrun(['check', path, '--annotate', out]);
      expect(ended.exit).toBe(exit);
      expect(ended.stdout).toContain(text);
      expect(existsSync(out)).toBe(false);
    }
  });

  test.each([
    ['mend.csv', 'no .xlsx file'],
    ['no/such/mend.xlsx', 'cannot be written'],
  ])('a name that cannot be: %s', async (name, text) => {
    const { path } = fileOf(HEADER, 'Ana,x,AUD,AUD_NPP,12345678,062-000');
    const { exit, stderr } = await payrun(['check', path, '--annotate', name], { cwd: temporaryFolder() });
    expect(exit).toBe(2);
    expect(stderr).toContain(text);
  });

  test('--fix at the same time', async () => {
    expect((await payrun(['check', MISTAKES, '--annotate', 'a.xlsx', '--fix', 'b.csv'])).exit).toBe(2);
  });

  test.each([
    ['that says what it is', {}],
    ['whose size lies', { unpacked: 1_000 }],
  ])('anything over a bomb %s, which is not unpacked to see what it is', async (_, says) => {
    const { path, out } = fileOf(HEADER, 'Ana,x,AUD,AUD_NPP,12345678,062-000');
    writeFileSync(out, bombOf(says));
    const peakFile = `${out}.peak`;
    const env = { NODE_OPTIONS: `--import ${PEAK_HOOK}`, PAYRUN_BENCH_PEAK: peakFile };
    const { exit, stderr } = await payrun(['check', path, '--annotate', out], { env });
    expect(exit).toBe(2);
    expect(stderr).toContain('exists already');
    expect(Number(readFileSync(peakFile, 'utf8'))).toBeLessThan(200 * 2 ** 20);
  });

  test("somebody's file; an earlier annotation it replaces, until somebody has worked in that", async () => {
    const { path, out } = fileOf(HEADER, 'Ana,x,AUD,AUD_NPP,12345678,062-000');
    copyFileSync(MISTAKES, out);
    const args = ['check', path, '--annotate', out];
    const refused = await payrun(args);
    expect(refused.exit).toBe(2);
    expect(refused.stderr).toContain('exists already');
    expect(readFileSync(out)).toEqual(readFileSync(MISTAKES));
    expect((await payrun([...args, '--force'])).exit).toBe(3);
    expect((await payrun(args)).exit).toBe(3);
    await annotatedIn('de', path, out);
    const german = await payrun(['check', out, '--json']);
    const again = JSON.parse(german.stdout);
    expect([german.exit, again.sheet, countsOf(again)]).toEqual([3, 'payroll', { errors: 1, warnings: 0 }]);
    const beside = join(temporaryFolder(), 'beside.xlsx');
    expect((await annotated(out, beside)).sheets.map(({ name }) => name)).toEqual(['Problems', 'payroll']);
    expect((await payrun(args)).exit).toBe(3);
    const workbook = await openXlsx(readFileSync(out), { readStyles: true });
    workbook.properties = { ...workbook.properties, lastModifiedBy: 'Ana' };
    const worked = await saveXlsx(workbook);
    writeFileSync(out, worked);
    expect((await payrun(args)).exit).toBe(2);
    expect(readFileSync(out)).toEqual(Buffer.from(worked));
  });
});

function columnAt(cell: string): number {
  return (cell.charCodeAt(0) ?? 0) - 65;
}

function countsOf({ groups }: { groups: { severity: string; count: number }[] }) {
  const of = (severity: string) =>
    groups.reduce((sum, group) => sum + (group.severity === severity ? group.count : 0), 0);
  return { errors: of('error'), warnings: of('warning') };
}
