import { fault, type Problem, problemAt } from '../../../domain/problem.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { type Archive, openArchive } from '../../../platform/xlsx/archive.ts';
import { isOfTextFile, isProblemsList } from '../../corrections/xlsx/annotation.ts';
import { type ColumnMapper, HEADER_ROWS } from '../../header/header-search.ts';
import type { Encoding } from '../encoding/encodings.ts';
import type { InputSource } from '../file.ts';
import type { WorkbookKind } from '../file-kinds.ts';
import { encodingProblem, type FileFault } from '../file-problem.ts';
import type { Table } from '../table.ts';
import {
  type Candidate,
  chooseSheet,
  layoutProblems,
  lookAtRows,
  otherSheetsProblem,
  type SheetChoice,
  sheetChoiceProblem,
} from './choose-sheet.ts';
import { firstRows, isDamage, sheetParts } from './sheet-table.ts';
import { readWorkbook, type Workbook } from './workbook.ts';
import { readWorkbookBytes, type WorkbookBytes } from './workbook-bytes.ts';

type XlsxTableOptions = {
  kind: WorkbookKind;
  /** Of a web page, where a person names it. */
  encoding: Encoding | null;
  sheet: string | null;
  mapper: ColumnMapper;
};

type Opened = { archive: Archive; workbook: Workbook; candidates: Candidate[]; isCopyOfText: boolean };

/**
 * One sheet of a workbook as a table: the one that `wanted` names, else the one with our columns. The workbook is held in
 * memory as it is, packed; its rows are unpacked anew for each call of `parts`. Throws a Refusal (kind `usage`) where
 * `wanted` is none of its sheets.
 */
export async function openXlsxTable(
  source: InputSource,
  { kind, encoding, sheet: wanted, mapper }: XlsxTableOptions,
): Promise<Table> {
  const {
    workbook: bytes,
    size,
    sha256,
    survey,
    otherCharset = null,
  } = await readWorkbookBytes(source, kind, encoding);
  const bare = { sha256, bytes: size, encoding: survey?.encoding ?? null, delimiter: null };
  const doubts = survey === null ? [] : encodingDoubts(survey, otherCharset);
  const unreadable = (faults: FileFault[], problems: Problem[]): Table => ({
    ...bare,
    sheet: null,
    faults,
    problems,
    hiddenColumns: new Set(),
    isReadable: false,
    parts: async function* () {},
  });
  if (typeof bytes === 'string') return unreadable([bytes], []);
  const opened = await openWorkbook(bytes, mapper);
  if (typeof opened === 'string') return unreadable([opened], []);
  const { archive, workbook, candidates, isCopyOfText } = opened;
  const choice = chooseSheet(candidates, wanted);
  const sheet = choice.kind === 'chosen' ? workbook.sheets[choice.index] : undefined;
  if (choice.kind !== 'chosen' || sheet === undefined) return unreadable(...nothingChosen(choice, wanted, source));
  const headerRow = candidates[choice.index]?.look.headerRow ?? null;
  return {
    ...bare,
    sheet: sheet.name,
    faults: [],
    problems: [...doubts, ...otherSheetsProblem(sheet.name, choice.others), ...layoutProblems(sheet, headerRow)],
    hiddenColumns: sheet.hiddenColumns,
    isReadable: true,
    isCopyOfText,
    parts: () => sheetParts(archive, sheet, workbook.context),
  };
}

async function openWorkbook(bytes: Buffer, mapper: ColumnMapper): Promise<Opened | FileFault> {
  const opened = await openArchive(bytes);
  if (!opened.ok) return opened.code;
  const { archive } = opened;
  // A zip all the same: of another office program, or of anything.
  if (!archive.names.includes('[Content_Types].xml')) return 'not_a_workbook';
  if (archive.names.some((name) => name.endsWith('/workbook.bin'))) return 'workbook_binary';
  try {
    const workbook = await readWorkbook(archive);
    const candidates: Candidate[] = [];
    let isCopyOfText = false;
    for (const { name, part, isHidden } of workbook.sheets) {
      const first = await firstRows(archive, part, workbook.context, HEADER_ROWS);
      const rows = first
        .filter(({ texts }) => texts.some((text) => text.trim() !== ''))
        .map(({ row, texts }) => ({ row, cells: texts }));
      const isList = isProblemsList(name, rows[0]?.cells);
      isCopyOfText ||= isList && isOfTextFile(rows[0]?.cells);
      const isEmpty = rows.length === 0 || isList;
      candidates.push({ name, isHidden, look: lookAtRows(rows, mapper), isEmpty });
    }
    return { archive, workbook, candidates, isCopyOfText };
  } catch (error) {
    if (isDamage(error)) return 'workbook_damaged';
    throw error;
  }
}

function nothingChosen(
  choice: SheetChoice,
  wanted: string | null,
  source: InputSource,
): [faults: FileFault[], problems: Problem[]] {
  switch (choice.kind) {
    case 'unknown':
      throw new Refusal({
        code: 'no_such_sheet',
        name: source.name,
        path: source.path,
        sheet: wanted ?? '',
        sheets: choice.names,
      });
    case 'ambiguous':
    case 'only_hidden':
      return [[], [sheetChoiceProblem(choice.kind, choice.names)]];
    default:
      return [['file_empty'], []];
  }
}

/** An encoding that a web page names and payrun does not read is named; else the question which one it has. */
function encodingDoubts(survey: NonNullable<WorkbookBytes['survey']>, otherCharset: string | null): Problem[] {
  if (otherCharset !== null) return [problemAt('error', fault('charset_not_read', { charset: otherCharset }))];
  return survey.readings.length === 0 ? [] : [encodingProblem(survey)];
}
