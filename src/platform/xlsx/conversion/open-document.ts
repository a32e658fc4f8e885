import { SaxesParser } from 'saxes';
import { type Archive, openArchive } from '../archive.ts';
import { ConversionError } from './kinds.ts';
import { OpenDocumentSheets } from './open-document-sheets.ts';
import { workbookOf } from './sheet-builder.ts';

/** The parts of an OpenDocument spreadsheet (OASIS OpenDocument 1.3, part 2). */
const CONTENT = 'content.xml';
const MANIFEST = 'META-INF/manifest.xml';

/** An OpenDocument spreadsheet as an XLSX workbook. */
export async function openDocumentToXlsx(bytes: Buffer): Promise<Uint8Array> {
  const opened = await openArchive(bytes);
  if (!opened.ok) throw new ConversionError(opened.code === 'workbook_encrypted' ? opened.code : faultOf(opened.code));
  const { archive } = opened;
  if (await isEncrypted(archive)) throw new ConversionError('workbook_encrypted');
  if (!archive.names.includes(CONTENT)) throw new ConversionError('workbook_damaged');
  const sheets = new OpenDocumentSheets();
  const parser = new SaxesParser({ xmlns: false, position: false });
  parser.on('error', (error) => {
    throw new ConversionError('workbook_damaged', error);
  });
  // It could declare entities, and no program writes one.
  parser.on('doctype', () => {
    throw new ConversionError('workbook_damaged');
  });
  parser.on('opentag', ({ name, attributes }) => sheets.open(name, attributes));
  parser.on('closetag', ({ name }) => sheets.close(name));
  parser.on('text', (text) => sheets.text(text));
  parser.on('cdata', (text) => sheets.text(text));
  for await (const text of archive.texts(CONTENT)) parser.write(text);
  parser.close();
  return workbookOf(sheets.sheets);
}

function faultOf(code: string): 'spreadsheet_too_large' | 'workbook_damaged' {
  return code === 'workbook_too_large' ? 'spreadsheet_too_large' : 'workbook_damaged';
}

/** Documents with a password have their parts encrypted, or all of them in one. */
async function isEncrypted(archive: Archive): Promise<boolean> {
  if (archive.names.includes('encrypted-package')) return true;
  return archive.names.includes(MANIFEST) && (await archive.text(MANIFEST)).includes('encryption-data');
}
