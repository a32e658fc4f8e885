import { createHash } from 'node:crypto';
import type { ColumnMemory } from '../header/column-memory.ts';
import { columnOf } from '../header/columns.ts';
import { HEADER_ROWS } from '../header/header-search.ts';
import { type Delimiter, divide, readRecords } from './csv.ts';
import { type Encoding, LEGACY_NAMES, type LegacyEncoding } from './encoding/encodings.ts';
import { changedMeanwhile, type InputSource } from './file.ts';
import { misnamedFault } from './file-kinds.ts';
import { contrastWarning, encodingProblem, type FileFault, zeroBytesProblem } from './file-problem.ts';
import { decodedText, headText, isDecodingError, type Survey, surveyBytes } from './sniff.ts';
import type { Table, TablePart } from './table.ts';
import { ZeroBytes } from './zero-bytes.ts';

const NO_COLUMNS: ReadonlySet<number> = new Set();

/**
 * A text file as a table. Its bytes are read once here, for hash and encoding, which only the last byte settles, and once
 * again for each call of `parts`. Where nothing decides the encoding, the one that `memory` has for such headers is taken.
 */
export async function openCsvTable(
  source: InputSource,
  explicit: Encoding | null = null,
  memory: Pick<ColumnMemory, 'recall'> | null = null,
): Promise<Table> {
  const found = await surveyBytes(() => source.open(), explicit);
  const remembered = found.readings.length === 0 || memory === null ? null : rememberedEncoding(found, memory);
  const survey: Survey = remembered === null ? found : { ...found, encoding: remembered, readings: [], unread: [] };
  const { delimiter, hasSeparatorLine } = sniffDelimiter(headText(survey));
  const isEmpty = survey.bytes === survey.markBytes;
  const misnamed = misnamedFault(survey.head);
  const fault = misnamed ?? survey.fault;
  const zeroBytes = fault === 'not_text' ? survey.zeroBytes : [];
  const faults: FileFault[] = isEmpty ? ['file_empty'] : fault === null || zeroBytes.length > 0 ? [] : [fault];
  const problems = [
    ...(survey.readings.length === 0 ? [] : [encodingProblem(survey)]),
    ...(survey.contrast === null ? [] : [contrastWarning(survey.contrast)]),
    ...(zeroBytes.length === 0 ? [] : [zeroBytesProblem(zeroBytes)]),
  ];

  async function* parts(): AsyncGenerator<TablePart> {
    const hash = createHash('sha256');
    async function* hashed(): AsyncGenerator<Uint8Array> {
      for await (const chunk of source.open()) {
        hash.update(chunk);
        yield chunk;
      }
    }
    // A `sep=` line is no row to the program that wrote it.
    const uncounted = hasSeparatorLine ? 1 : 0;
    const zeroBytes = new ZeroBytes(survey.zeroBytes);
    try {
      for await (const part of readRecords(decodedText(hashed(), survey), delimiter)) {
        if (part.kind === 'fault') {
          yield { ...part, row: part.row - uncounted };
          return;
        }
        const skipped = part.firstRow === 1 ? uncounted : 0;
        const records = part.records.slice(skipped);
        const facts = zeroBytes.isAtEnd ? null : zeroBytes.factsOf(records);
        const firstRow = part.firstRow - uncounted + skipped;
        yield { ...part, firstRow, records, ...(facts !== null && { facts }) };
      }
    } catch (error) {
      if (!isDecodingError(error)) throw error;
      yield { kind: 'fault', code: 'undecodable', row: null };
      return;
    }
    if (hash.digest('hex') !== survey.sha256) throw changedMeanwhile(source);
  }

  return {
    sheet: null,
    sha256: survey.sha256,
    bytes: survey.bytes,
    encoding: survey.encoding,
    isEncodingRemembered: remembered !== null,
    delimiter,
    faults,
    problems,
    hiddenColumns: NO_COLUMNS,
    isReadable: !isEmpty && misnamed === null && survey.fault !== 'not_text',
    parts,
  };
}

/** The encoding that was given for a text whose first rows, as they read in it, are headers that `memory` knows. */
function rememberedEncoding(survey: Survey, memory: Pick<ColumnMemory, 'recall'>): LegacyEncoding | null {
  const isRemembered = (encoding: LegacyEncoding): boolean => {
    const text = headText({ ...survey, encoding });
    const { records } = divide(text, sniffDelimiter(text).delimiter, true);
    return records.slice(0, HEADER_ROWS).some((cells) => memory.recall(cells).encoding === encoding);
  };
  return LEGACY_NAMES.find(isRemembered) ?? null;
}

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
    // One whose cells are all headers is not surpassed by a record that has no more cells.
    if (record.length < 2 || (best[0] === best[2] && record.length <= best[0])) continue;
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
