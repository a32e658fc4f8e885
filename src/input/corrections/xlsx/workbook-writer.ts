import { xmlAttribute } from '../../source/xlsx/xml-text.ts';
import { withShapes } from './comment-shapes.ts';
import { type CellComment, Comments } from './comments.ts';
import { type NewSheet, newSheetXml } from './new-sheet.ts';
import { StyleBook } from './style-book.ts';
import { ZipWriter } from './zip-writer.ts';

/** Who a workbook of ours says has saved it last. Every spreadsheet program writes its own user there. */
export const SAVED_BY = 'payrun';

/** The names of what a workbook is made of. */
export const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
export const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';

/** The kinds of content of a workbook's parts. */
export const CONTENT = {
  workbook: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml',
  worksheet: 'application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml',
  styles: 'application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml',
  comments: 'application/vnd.openxmlformats-officedocument.spreadsheetml.comments+xml',
  vmlDrawing: 'application/vnd.openxmlformats-officedocument.vmlDrawing',
  core: 'application/vnd.openxmlformats-package.core-properties+xml',
} as const;

export const CORE_RELATION = `${PACKAGE}/relationships/metadata/core-properties`;

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

const DRAWING_ID = 'rId1';

/** A workbook of these sheets; it opens with the first. Its `notes` are names that nobody sees, kept by whoever saves it. */
export async function writeWorkbook(
  sheets: readonly NewSheet[],
  notes: Readonly<Record<string, string>> = {},
): Promise<Buffer> {
  const zip = new ZipWriter();
  const styles = new StyleBook(null);
  const contents: [name: string, type: string][] = [];
  const add = async (name: string, type: string, text: string | AsyncIterable<string>) => {
    contents.push([name, type]);
    await zip.add(name, text);
  };
  for (const [at, sheet] of sheets.entries()) {
    const number = at + 1;
    const comments: CellComment[] = [];
    const options = { styles, namespace: MAIN, isSelected: at === 0, drawingId: DRAWING_ID, comments };
    await add(`xl/worksheets/sheet${number}.xml`, CONTENT.worksheet, newSheetXml(sheet, options));
    if (comments.length === 0) continue;
    const part = new Comments(null, MAIN, SAVED_BY);
    for (const comment of comments) part.add(comment);
    await add(`xl/comments${number}.xml`, CONTENT.comments, part.toString());
    await add(`xl/drawings/vmlDrawing${number}.vml`, CONTENT.vmlDrawing, withShapes(null, new Set(), comments));
    const relations = [
      [DRAWING_ID, `${RELATIONS}/vmlDrawing`, `/xl/drawings/vmlDrawing${number}.vml`],
      ['rId2', `${RELATIONS}/comments`, `/xl/comments${number}.xml`],
    ] as const;
    await zip.add(`xl/worksheets/_rels/sheet${number}.xml.rels`, relationsXml(relations));
  }
  await add('xl/styles.xml', CONTENT.styles, styles.toString());
  await add('xl/workbook.xml', CONTENT.workbook, workbookXml(sheets, notes));
  await zip.add(
    'xl/_rels/workbook.xml.rels',
    relationsXml([
      ...sheets.map(
        (_, at) => [`rId${at + 1}`, `${RELATIONS}/worksheet`, `/xl/worksheets/sheet${at + 1}.xml`] as const,
      ),
      [`rId${sheets.length + 1}`, `${RELATIONS}/styles`, '/xl/styles.xml'],
    ]),
  );
  await add('docProps/core.xml', CONTENT.core, coreXml());
  await zip.add(
    '_rels/.rels',
    relationsXml([
      ['rId1', `${RELATIONS}/officeDocument`, '/xl/workbook.xml'],
      ['rId2', CORE_RELATION, '/docProps/core.xml'],
    ]),
  );
  await zip.add('[Content_Types].xml', contentTypesXml(contents));
  return zip.finish('[Content_Types].xml');
}

/** Who has saved a workbook last, as a part of it. */
export function coreXml(): string {
  const namespace = `${PACKAGE}/metadata/core-properties`;
  return `${HEAD}<cp:coreProperties xmlns:cp="${namespace}"><cp:lastModifiedBy>${SAVED_BY}</cp:lastModifiedBy></cp:coreProperties>`;
}

function workbookXml(sheets: readonly NewSheet[], notes: Readonly<Record<string, string>>): string {
  const listed = sheets.map(
    ({ name }, at) => `<sheet name="${xmlAttribute(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`,
  );
  const names = Object.entries(notes).map(
    ([name, text]) => `<definedName name="${xmlAttribute(name)}" hidden="1">"${xmlAttribute(text)}"</definedName>`,
  );
  const defined = names.length === 0 ? '' : `<definedNames>${names.join('')}</definedNames>`;
  return `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><bookViews><workbookView activeTab="0"/></bookViews><sheets>${listed.join('')}</sheets>${defined}</workbook>`;
}

export function relationsXml(relations: readonly (readonly [id: string, type: string, target: string])[]): string {
  const listed = relations.map(([id, type, target]) => `<Relationship Id="${id}" Type="${type}" Target="${target}"/>`);
  return `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${listed.join('')}</Relationships>`;
}

export function contentTypesXml(contents: readonly (readonly [name: string, type: string])[]): string {
  const listed = contents.map(([name, type]) => `<Override PartName="/${name}" ContentType="${type}"/>`);
  return `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${listed.join('')}</Types>`;
}
