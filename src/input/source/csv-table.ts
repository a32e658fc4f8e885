import { createHash } from 'node:crypto';
import { readRecords } from './csv.ts';
import { sniffDelimiter } from './delimiter.ts';
import { changedMeanwhile, type InputSource } from './file.ts';
import { encodingProblem, type FileFault } from './file-problem.ts';
import type { LegacyEncoding } from './legacy-encodings.ts';
import { misnamedFault } from './misnamed.ts';
import { decodedText, headText, surveyBytes } from './sniff.ts';
import type { Table, TablePart } from './table.ts';

const NO_COLUMNS: ReadonlySet<number> = new Set();

/**
 * A text file as a table. Its bytes are read once here, for hash and encoding, which only the last byte settles, and once
 * again for each call of `parts`.
 */
export async function openCsvTable(source: InputSource, explicit: LegacyEncoding | null = null): Promise<Table> {
  const survey = await surveyBytes(() => source.open(), explicit);
  const { delimiter, hasSeparatorLine } = sniffDelimiter(headText(survey));
  const isEmpty = survey.bytes === survey.markBytes;
  const misnamed = misnamedFault(survey.head);
  const fault = misnamed ?? survey.fault;
  const faults: FileFault[] = isEmpty ? ['file_empty'] : fault === null ? [] : [fault];

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
    try {
      for await (const part of readRecords(decodedText(hashed(), survey), delimiter)) {
        if (part.kind === 'fault') {
          yield { ...part, row: part.row - uncounted };
          return;
        }
        const skipped = part.firstRow === 1 ? uncounted : 0;
        yield { ...part, firstRow: part.firstRow - uncounted + skipped, records: part.records.slice(skipped) };
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
    delimiter,
    faults,
    problems: survey.readings.length === 0 ? [] : [encodingProblem(survey.readings)],
    hiddenColumns: NO_COLUMNS,
    isReadable: !isEmpty && misnamed === null && survey.fault !== 'not_text',
    parts,
  };
}

function isDecodingError(error: unknown): boolean {
  return error instanceof TypeError && 'code' in error && error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA';
}
