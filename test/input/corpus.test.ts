import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { payrun as payrunInProcess } from '../../src/cli/payrun.ts';
import { type Problem, problemPlace } from '../../src/domain/problem.ts';
import { readInput } from '../../src/input/input.ts';
import { openFile } from '../../src/input/source/file.ts';
import { payrun } from '../support/payrun.ts';
import { textFiles } from './corpus/make.ts';
import { workbooks } from './corpus/workbooks.ts';

const CORPUS = join(import.meta.dirname, 'corpus');
const SUFFIX = '.expected.json';

/** What a person wrote beside a file, from the rules and not from what payrun said of it. */
const Expectation = z.strictObject({
  /** Why payrun does not answer so yet. */
  open: z.string().optional(),
  /** The options that the file is checked with. */
  args: z.array(z.string()).default([]),
  exit: z.union([z.literal(0), z.literal(3)]),
  rows: z.int(),
  payouts: z.int(),
  totals: z.array(z.tuple([z.string(), z.int(), z.string()])),
  inferred_rails: z.array(z.tuple([z.string(), z.int()])),
  problems: z.array(z.tuple([z.enum(['error', 'warning']), z.string(), z.string()])),
  /** The payees who can be paid, where the file is about how their names are written. */
  names: z.array(z.string()).optional(),
});

type Expectation = z.infer<typeof Expectation>;
type Answer = Pick<Expectation, 'exit' | 'rows' | 'payouts' | 'totals' | 'inferred_rails'> & { problems: string[] };

const NAMES = readdirSync(CORPUS).filter((name) => !/^\.|\.(?:ts|md)$/.test(name));
const FILES = NAMES.filter((name) => !name.endsWith(SUFFIX));

/** One of each way that a file takes: text, a workbook, options, a file that is refused. The others go it in this process. */
const IN_A_PROCESS = [
  'excel-de-windows-1252.csv',
  'excel-payroll.xlsx',
  'excel-sheet-given.xlsx',
  'decimals-given.csv',
];

/** Files of the corpus that people can try, by their names among the samples. */
const SAMPLES = { 'payroll.xlsx': 'excel-payroll.xlsx', 'payroll-de.csv': 'datev-auszahlungsliste.csv' };

const dataDir = mkdtempSync(join(tmpdir(), 'payrun-corpus-'));
afterAll(() => rmSync(dataDir, { recursive: true }));

function expectationOf(file: string): Expectation {
  return Expectation.parse(JSON.parse(readFileSync(join(CORPUS, file + SUFFIX), 'utf8')));
}

function commandOf(file: string, { args }: Expectation): string[] {
  return ['check', join(CORPUS, file), '--json', '--data-dir', dataDir, ...args];
}

/** `payrun check --json` in this process: what it printed. */
async function checkHere(file: string, expectation: Expectation): Promise<string> {
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const exitCode = process.exitCode;
  try {
    await payrunInProcess(commandOf(file, expectation));
    return written.mock.calls.map(([text]) => String(text)).join('');
  } finally {
    process.exitCode = exitCode;
    written.mockRestore();
  }
}

/** What was printed, in the words of the expectations. */
function answerOf(printed: string): Answer {
  const { exit, rows, payouts, totals, inferred_rails, problems } = JSON.parse(printed);
  return {
    exit,
    rows,
    payouts,
    totals: totals.map((total: Record<string, unknown>) => [total.currency, total.count, total.amount]),
    inferred_rails: inferred_rails.map((inferred: Record<string, unknown>) => [inferred.rail, inferred.count]),
    problems: problems.map((problem: Problem) => `${problem.severity} ${problem.code} at ${placeOf(problem)}`).sort(),
  };
}

function expectedOf({ exit, rows, payouts, totals, inferred_rails, problems }: Expectation): Answer {
  const lines = problems.map(([severity, code, place]) => `${severity} ${code} at ${place}`);
  return { exit, rows, payouts, totals, inferred_rails, problems: lines.sort() };
}

/** `F17`, `Sheet1!F17`; the row and the column where there is no cell, and `file` where there is no row. */
function placeOf(problem: Problem): string {
  if (problem.cell !== null) return problemPlace(problem);
  const { sheet, row, column } = problem;
  const place = row === null ? 'file' : column === null ? `row ${row}` : `row ${row} ${column}`;
  return sheet === null ? place : `${sheet}!${place}`;
}

describe('the corpus', () => {
  it('has at least forty files, each with an expectation and a line in the README', () => {
    expect(FILES.length).toBeGreaterThanOrEqual(40);
    expect(NAMES.filter((name) => name.endsWith(SUFFIX)).sort()).toEqual(FILES.map((name) => name + SUFFIX).sort());
    const readme = readFileSync(join(CORPUS, 'README.md'), 'utf8');
    expect(FILES.filter((name) => !readme.includes(`| \`${name}\` |`))).toEqual([]);
  });

  it('has the text files that its makers make, byte for byte, and every workbook', () => {
    for (const [name, bytes] of textFiles()) expect(readFileSync(join(CORPUS, name)).equals(bytes), name).toBe(true);
    expect(FILES).toEqual(expect.arrayContaining(workbooks().map(([name]) => name)));
  });

  it.each(Object.entries(SAMPLES))('the sample %s is %s of it', (sample, file) => {
    const bytes = readFileSync(join(CORPUS, '../../../samples', sample));
    expect(bytes.equals(readFileSync(join(CORPUS, file)))).toBe(true);
  });

  describe.each(FILES)('%s', (file) => {
    const expectation = expectationOf(file);
    const check = async () => {
      expect(answerOf(await checkHere(file, expectation))).toEqual(expectedOf(expectation));
      if (expectation.names !== undefined) expect(await namesOf(file)).toEqual(expectation.names);
    };
    if (expectation.open === undefined) it('is answered as the rules demand', check);
    else it.fails(`is not yet: ${expectation.open}`, check);
  });

  it.each(IN_A_PROCESS)('%s gets the same answer from the command itself', async (file) => {
    const expectation = expectationOf(file);
    const { exit, stdout, stderr } = await payrun(commandOf(file, expectation));
    expect(stderr).toBe('');
    expect(exit).toBe(expectation.exit);
    expect(answerOf(stdout)).toEqual(expectedOf(expectation));
  });
});

/** The payees of a file's rows that can be paid. The answer of `check` does not name them. */
async function namesOf(file: string): Promise<string[]> {
  const names: string[] = [];
  await readInput(await openFile(join(CORPUS, file)), {
    onRow: ({ order }) => {
      if (order !== null) names.push(order.payee.name);
    },
  });
  return names;
}
