import { columnOf } from '../header/columns.ts';
import { type Delimiter, divide } from './csv.ts';

const CANDIDATES: readonly Delimiter[] = [',', ';', '\t', '|'];

/** So many records are looked at. */
const RECORDS_SNIFFED = 20;

/** `sep=;` as the first line, which Excel writes and reads and does not count as a row. */
const SEPARATOR_LINE = /^sep=([,;\t|])\r?\n/;

/**
 * The delimiter of the text at the begin of a file. A `sep=` line decides; else the candidate under which one of
 * the first records has the most headers that we know; else the one that gives the most records of as many cells, and the
 * most cells. A file of one column has none of them, and a comma serves.
 */
export function sniffDelimiter(text: string): { delimiter: Delimiter; hasSeparatorLine: boolean } {
  const explicit = SEPARATOR_LINE.exec(text)?.[1];
  if (explicit !== undefined) return { delimiter: explicit as Delimiter, hasSeparatorLine: true };
  let best: { delimiter: Delimiter; score: Score } = { delimiter: ',', score: [0, 0, 0] };
  for (const delimiter of CANDIDATES) {
    const score = scoreOf(text, delimiter);
    if (isHigher(score, best.score)) best = { delimiter, score };
  }
  return { delimiter: best.delimiter, hasSeparatorLine: false };
}

type Score = readonly [knownHeaders: number, regularRecords: number, cells: number];

function scoreOf(text: string, delimiter: Delimiter): Score {
  const records = divide(text, delimiter, true)
    .records.filter((record) => record.length > 1 || record[0] !== '')
    .slice(0, RECORDS_SNIFFED);
  let best: Score = [0, 0, 0];
  for (const [at, record] of records.entries()) {
    if (record.length < 2) continue;
    const known = record.filter((cell) => columnOf(cell) !== null).length;
    const regular = records.slice(at + 1).filter((other) => other.length === record.length).length;
    const score: Score = [known, regular, record.length];
    if (isHigher(score, best)) best = score;
  }
  return best;
}

function isHigher(a: Score, b: Score): boolean {
  return (a[0] - b[0] || a[1] - b[1] || a[2] - b[2]) > 0;
}
