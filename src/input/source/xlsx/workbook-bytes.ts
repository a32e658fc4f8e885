import { type ArchiveFault, UNPACKED_BYTES_MAX } from '../../../platform/xlsx/archive.ts';
import { type Encoding, isLegacy, type LegacyEncoding } from '../encoding/encodings.ts';
import { type InputSource, readWhole } from '../file.ts';
import type { WorkbookKind } from '../file-kinds.ts';
import type { FileFault } from '../file-problem.ts';
import { decodedText, isDecodingError, type Survey, surveyBytes } from '../sniff.ts';

/** An input as an XLSX workbook, or why it is none. Hash and size are those of the input itself. */
export type WorkbookBytes = {
  sha256: string;
  size: number;
  workbook: Buffer | FileFault;
  /** Of a web page, whose text has one. */
  survey: Pick<Survey, 'encoding' | 'readings' | 'unread'> | null;
  /** The encoding that a web page names, where payrun does not read it and the text is not Unicode. */
  otherCharset?: string | null;
};

/**
 * Reads an input of a kind that becomes an XLSX workbook: such a workbook as it is, and others as they are converted in
 * a process of their own. `encoding`: that of a web page, where a person names it.
 */
export async function readWorkbookBytes(
  source: InputSource,
  kind: WorkbookKind,
  encoding: Encoding | null,
): Promise<WorkbookBytes> {
  const { bytes, size, sha256 } = await readWhole(source, UNPACKED_BYTES_MAX);
  const known = { sha256, size, survey: null };
  if (bytes === null) return { ...known, workbook: 'workbook_too_large' satisfies ArchiveFault };
  if (kind === 'workbook') return { ...known, workbook: bytes };
  const { toXlsx } = await import('../../../platform/xlsx/conversion/convert.ts');
  if (kind !== 'web_page') {
    const converted = await toXlsx(kind, bytes);
    return { ...known, workbook: converted.ok ? converted.bytes : converted.code };
  }
  const declared = encoding === null ? declaredCharset(bytes) : null;
  const survey = await surveyBytes(() => chunksOf(bytes), encoding ?? declared?.encoding ?? null);
  if (survey.fault !== null) return { ...known, survey, workbook: survey.fault };
  const isOther = declared !== null && declared.encoding === null && isLegacy(survey.encoding);
  const otherCharset = isOther ? declared.label : null;
  const text = await wholeText(bytes, survey);
  if (text === null) return { ...known, survey, workbook: 'undecodable' };
  const converted = await toXlsx(kind, Buffer.from(text));
  return { ...known, survey, otherCharset, workbook: converted.ok ? converted.bytes : converted.code };
}

/** Null where the encoding does not have all of the bytes. */
async function wholeText(bytes: Buffer, survey: Survey): Promise<string | null> {
  let text = '';
  try {
    for await (const piece of decodedText(chunksOf(bytes), survey)) text += piece;
  } catch (error) {
    if (!isDecodingError(error)) throw error;
    return null;
  }
  return text;
}

async function* chunksOf(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}

const DECLARED = /<meta[^>]+charset\s*=\s*["']?([\w-]+)/i;
const DECLARED_WITHIN = 4_096;

/** What a web page says of its encoding, null where it says nothing; `encoding`: null where that is none that payrun reads. */
function declaredCharset(bytes: Buffer): { label: string; encoding: LegacyEncoding | null } | null {
  const label = DECLARED.exec(bytes.toString('latin1', 0, DECLARED_WITHIN))?.[1];
  if (label === undefined) return null;
  try {
    const { encoding } = new TextDecoder(label);
    // The bytes decide whether it is Unicode.
    if (encoding.startsWith('utf-')) return null;
    // The Encoding Standard decodes both alike.
    if (encoding === 'gbk') return { label, encoding: 'gb18030' };
    return { label, encoding: isLegacy(encoding) ? encoding : null };
  } catch {
    return { label, encoding: null };
  }
}
