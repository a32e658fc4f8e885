import { keptRow } from '../../src/app/plan/gather.ts';
import type { RunRow } from '../../src/domain/entry.ts';
import type { WordedProblem } from '../../src/domain/problem.ts';
import { readInput } from '../../src/input/input.ts';
import type { ReadOptions, ReadRow } from '../../src/input/read-options.ts';
import type { ReadResult } from '../../src/input/read-result.ts';
import type { InputSource } from '../../src/input/source/file.ts';
import { worded } from '../../src/messages/problems/problem-words.ts';

/** A source of bytes in memory, cut into chunks of `chunkBytes`. */
export function sourceOf(content: string | Uint8Array, chunkBytes = Number.POSITIVE_INFINITY): InputSource {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  async function* open(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
  }
  return { name: 'test.csv', path: 'test.csv', open };
}

/** Reads an input, and keeps its rows. Its problems are in the words of the command line. */
export async function readAll(
  content: string | Uint8Array,
  options: Omit<ReadOptions, 'onRow'> = {},
  chunkBytes?: number,
): Promise<Omit<ReadResult, 'problems'> & { problems: WordedProblem[]; runRows: RunRow[] }> {
  const runRows: RunRow[] = [];
  const onRow = (row: ReadRow) => {
    runRows.push(keptRow(row));
  };
  const result = await readInput(sourceOf(content, chunkBytes), { ...options, onRow });
  return { ...result, problems: result.problems.map((problem) => worded(problem, 'command_line')), runRows };
}

/** `F17 code` of each problem, with the row where there is no cell and `file` where there is no row. */
export function placesOf(result: Pick<ReadResult, 'problems'>): string[] {
  return result.problems.map(({ cell, row, column, code }) => {
    const place = cell ?? (row === null ? 'file' : column === null ? `row ${row}` : `row ${row} ${column}`);
    return `${place} ${code}`;
  });
}

/** A file of payouts by AUD_NPP, in which a test changes what it is about. */
export const HEADER = 'name,amount,currency,rail,account_number,national_clearing_code';

export function npp(name: string, amount: string, account = '12345678'): string {
  return `${name},${amount},AUD,AUD_NPP,${account},062-000`;
}
