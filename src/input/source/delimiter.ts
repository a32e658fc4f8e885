import { columnOf } from '../header/columns.ts';

export type Delimiter = ',' | ';' | '\t' | '|';

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
  const told = SEPARATOR_LINE.exec(text)?.[1];
  if (told !== undefined) return { delimiter: told as Delimiter, hasSeparatorLine: true };
  let best: { delimiter: Delimiter; score: number[] } = { delimiter: ',', score: [0, 0, 0] };
  for (const delimiter of CANDIDATES) {
    const score = scoreOf(text, delimiter);
    if (isHigher(score, best.score)) best = { delimiter, score };
  }
  return { delimiter: best.delimiter, hasSeparatorLine: false };
}

function scoreOf(text: string, delimiter: Delimiter): number[] {
  const records = firstRecords(text, delimiter);
  let best = [0, 0, 0];
  for (const [at, record] of records.entries()) {
    if (record.length < 2) continue;
    const known = record.filter((cell) => columnOf(cell) !== null).length;
    const regular = records.slice(at + 1).filter((other) => other.length === record.length).length;
    const score = [known, regular, record.length];
    if (isHigher(score, best)) best = score;
  }
  return best;
}

function isHigher(a: number[], b: number[]): boolean {
  for (const [at, value] of a.entries()) if (value !== b[at]) return value > (b[at] ?? 0);
  return false;
}

/** The cells of the first non-blank records, quotes respected. Exact enough to count cells and to read headers. */
function firstRecords(text: string, delimiter: Delimiter): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at <= text.length && records.length < RECORDS_SNIFFED; at++) {
    const character = text[at] ?? '\n';
    if (character === '"' && (isQuoted || cell === '')) {
      isQuoted = !isQuoted;
      continue;
    }
    if (isQuoted && at < text.length) {
      cell += character;
      continue;
    }
    if (character !== delimiter && character !== '\n' && character !== '\r') {
      cell += character;
      continue;
    }
    record.push(cell);
    cell = '';
    if (character === delimiter) continue;
    if (record.length > 1 || record[0] !== '') records.push(record);
    record = [];
  }
  return records;
}
