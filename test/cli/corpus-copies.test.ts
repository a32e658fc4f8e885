import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { payrun } from '../../src/cli/payrun.ts';
import type { WordedProblem } from '../../src/domain/problem.ts';

const CORPUS = join(import.meta.dirname, '../input/corpus');
const FILES = readdirSync(CORPUS).filter((name) => !/^\.|\.(?:ts|md|json)$/.test(name));

const folder = mkdtempSync(join(tmpdir(), 'payrun-copies-'));
afterAll(() => rmSync(folder, { recursive: true }));

type Answer = {
  payouts: number;
  problems: WordedProblem[];
  annotated?: { file: string } | null;
  fixed?: { changes: { cell: string; new: string; code: string }[] } | null;
};

/** `payrun check --json` in this process, with the options that the corpus names for the file. */
async function check(file: string, path: string, ...options: string[]): Promise<Answer> {
  const { args = [] } = JSON.parse(readFileSync(join(CORPUS, `${file}.expected.json`), 'utf8'));
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const exitCode = process.exitCode;
  try {
    await payrun(['check', path, '--json', '--data-dir', join(folder, 'data'), ...args, ...options]);
    return JSON.parse(written.mock.calls.map(([text]) => String(text)).join(''));
  } finally {
    process.exitCode = exitCode;
    written.mockRestore();
  }
}

/** How many cells a row of text has is said in other words of text: in a sheet every row has all columns. */
const OF_TEXT: ReadonlySet<string> = new Set(['row_too_few_cells', 'row_too_many_cells', 'row_cells_left_out']);

/** What is told of the rows that are told something in both. A text file has no sheet, and its copy has one. */
function told({ problems }: Answer, isText: boolean, without: ReadonlySet<number | null>): string[] {
  return problems
    .filter(({ row }) => !without.has(row))
    .map(({ severity, code, sheet, row, column, cell, value, message }) =>
      [severity, code, isText ? '' : sheet, row, column, cell, value, message].join(' | '),
    )
    .sort();
}

function rowsWith({ problems }: Answer, codes: ReadonlySet<string>): Set<number | null> {
  return new Set(problems.filter(({ code }) => codes.has(code)).map(({ row }) => row));
}

/** What such a row pays is not known, in the copy neither. */
const TOO_MANY = new Set(['row_too_many_cells']);

describe.each(FILES)('%s', (file) => {
  const path = join(CORPUS, file);
  const isText = extname(file) !== '.xlsx' && file !== 'workbook-named.csv';

  it('has the same problems at the same cells when its annotated copy is checked', async () => {
    const out = join(folder, `${file}.annotated.xlsx`);
    const original = await check(file, path, '--annotate', out);
    expect(existsSync(out)).toBe(original.annotated !== null);
    if (original.annotated === null) return;
    const copy = await check(file, out);
    const without = rowsWith(original, OF_TEXT);
    expect(told(copy, isText, without)).toEqual(told(original, isText, without));
    expect(rowsWith(copy, TOO_MANY)).toEqual(rowsWith(original, TOO_MANY));
    if (without.size === 0) expect(copy.payouts).toBe(original.payouts);
  });

  it('has no problem left that had a safe suggestion when its fixed copy is checked', async () => {
    const out = join(folder, `fixed-${isText ? file : file.replace(/\.csv$/, '.xlsx')}`);
    const original = await check(file, path, '--fix', out);
    const safe = original.problems.filter(({ suggestion }) => suggestion !== undefined);
    expect(original.fixed === null).toBe(safe.length === 0);
    if (safe.length === 0) return;
    const copy = await check(file, out);
    expect(copy.problems.filter(({ suggestion }) => suggestion !== undefined)).toEqual([]);
    const before = told(original, isText, new Set());
    expect(told(copy, isText, new Set()).filter((problem) => !before.includes(problem))).toEqual([]);
  });
});
