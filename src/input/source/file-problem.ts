import { type Fault, fault, type Problem, problemAt } from '../../domain/problem.ts';
import type { EncodingReading } from '../../domain/problems/input-problems.ts';
import type { ArchiveFault } from '../../platform/xlsx/archive.ts';
import type { ConversionFault } from '../../platform/xlsx/conversion/kinds.ts';
import { COLUMNS_MAX } from '../checks/row-length.ts';
import { RECORD_LENGTH_MAX } from './csv.ts';
import type { Reading, Readings } from './encoding/decide-encoding.ts';
import type { Contrast } from './encoding/utf8-doubt.ts';

/** Why a file cannot be read, or not to its end. */
export type FileFault =
  | 'file_empty'
  | 'not_text'
  | 'mixed_encodings'
  | 'undecodable'
  | 'no_payouts'
  | 'quote_not_closed'
  | 'text_after_quote'
  | 'record_too_long'
  | 'too_many_columns'
  | MisnamedFault
  | ArchiveFault
  | ConversionFault
  | 'workbook_binary';

/** What a file is that is neither text nor a workbook that is read. */
export type MisnamedFault = 'pdf_named_text' | 'xml_spreadsheet' | 'web_archive';

/** The question which encoding a text has, where its bytes read as names in several. */
export function encodingProblem({ readings, unread }: Readings): Problem {
  const shown = readings.map(shownReading);
  const others = unread.map(({ encoding, names }) => ({ names, encoding }));
  return problemAt(
    'error',
    fault('encoding_undecided', { readings: shown, ...(others.length > 0 && { unread: others }) }),
  );
}

/** What was given as the encoding is doubtful, or is not that of the text. */
export function contrastWarning({ used, other }: Contrast): Problem {
  return problemAt('warning', fault('encoding_contradicted', { used: shownReading(used), other: shownReading(other) }));
}

function shownReading({ encoding, names }: Reading): EncodingReading {
  return { names, encoding };
}

/** So many places are named. */
const PLACES_SHOWN = 5;

/** A text that has too many zero bytes to be one. */
export function zeroBytesProblem(places: readonly number[]): Problem {
  return problemAt('error', fault('not_text', { zeroBytes: places.slice(0, PLACES_SHOWN) }));
}

/** The fault with the limit that was exceeded, where one was. */
export function fileFault(code: FileFault): Fault {
  switch (code) {
    case 'quote_not_closed':
    case 'record_too_long':
      return fault(code, { mebibytes: RECORD_LENGTH_MAX / 1024 / 1024 });
    case 'too_many_columns':
      return fault(code, { columns: COLUMNS_MAX });
    default:
      return fault(code);
  }
}
