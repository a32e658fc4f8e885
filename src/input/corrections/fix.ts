import type { Problem } from '../../domain/problem.ts';
import { Refusal } from '../../domain/refusal.ts';
import { placeOfCell } from '../../platform/xlsx/cell-names.ts';
import type { ReadResult } from '../read-result.ts';
import type { InputSource } from '../source/file.ts';
import { surveyBytes } from '../source/sniff.ts';
import { sameArchive, sameBytes } from './annotate.ts';
import { patchCsv } from './csv-patch.ts';
import type { WorkbookEditor } from './xlsx/workbook-editor.ts';

/** A problem that a safe suggestion corrects. */
export type Correctable = Problem & { cell: string; suggestion: string };

/** The corrected copy: in which cells it holds the suggestion in place of `old`, and which ones are left to a person. */
export type Fixed = {
  content: Uint8Array;
  changes: { problem: Correctable; old: string }[];
  left: { problem: Correctable; why: 'table_header' | 'shared_formula' }[];
};

/** Larger text files are not copied: they are held in memory as a whole for it. */
const FIXED_BYTES_MAX = 2 ** 28;

/** Takes the problems of a file as they come and keeps those that can be corrected: the first of each cell. */
export class SafeSuggestions {
  readonly #byCell = new Map<string, Correctable>();

  add(problem: Problem): void {
    const { cell, suggestion } = problem;
    if (cell === null || suggestion === undefined || this.#byCell.has(cell)) return;
    this.#byCell.set(cell, { ...problem, cell, suggestion });
  }

  get all(): Correctable[] {
    return [...this.#byCell.values()];
  }
}

/**
 * A copy of the input in which the safe suggestions are applied, and nothing else. Null where there is none. Refuses
 * (kind `usage`) a text file that is too large for that.
 */
export async function fix(
  source: InputSource,
  result: ReadResult,
  suggestions: SafeSuggestions,
): Promise<Fixed | null> {
  const suggested = suggestions.all.flatMap((problem) => {
    const place = placeOfCell(problem.cell);
    return place === null || problem.sheet !== result.sheet ? [] : [{ problem, ...place }];
  });
  if (suggested.length === 0) return null;
  return result.sheet === null
    ? fixText(source, result, suggested)
    : fixWorkbook(source, result, result.sheet, suggested);
}

/** A safe suggestion with its place. Row and column count from 0. */
type Suggested = { problem: Correctable; row: number; column: number };

async function fixText(
  source: InputSource,
  { input, encoding }: ReadResult,
  suggested: readonly Suggested[],
): Promise<Fixed> {
  if (input.bytes > FIXED_BYTES_MAX)
    throw new Refusal({ code: 'too_large_to_fix', name: input.name, mebibytes: FIXED_BYTES_MAX / 2 ** 20 });
  const bytes = await sameBytes(source, input.sha256);
  const survey = await surveyBytes(() => source.open(), encoding);
  const texts = new Map<number, Map<number, string>>();
  for (const { problem, row, column } of suggested) {
    const ofRow = texts.get(row) ?? new Map<number, string>();
    texts.set(row, ofRow.set(column, problem.suggestion));
  }
  const patched = patchCsv(bytes, survey, texts);
  const old = new Map(patched.old.map(({ row, column, text }) => [`${row},${column}`, text]));
  return { content: patched.bytes, changes: changesOf(suggested, old), left: [] };
}

async function fixWorkbook(
  source: InputSource,
  result: ReadResult,
  sheet: string,
  suggested: readonly Suggested[],
): Promise<Fixed> {
  const { WorkbookEditor } = await import('./xlsx/workbook-editor.ts');
  const editor = await WorkbookEditor.open(await sameArchive(source, result));
  const whyLeft = await reasonsToLeave(editor, sheet);
  const wanted = suggested.filter((each) => whyLeft(each) === null);
  const left = suggested.flatMap((each) => {
    const why = whyLeft(each);
    return why === null ? [] : [{ problem: each.problem, why }];
  });
  const old = await editor.textsOf(sheet, new Set(wanted.map(({ row }) => row)));
  const content = await editor.change(
    sheet,
    wanted.map(({ problem, row, column }) => ({
      row,
      column,
      text: problem.suggestion,
      isText: problem.column !== 'amount',
    })),
  );
  return { content, changes: changesOf(wanted, old), left };
}

/** Why a cell is left as it is, or null: a text there would change more than the cell. */
async function reasonsToLeave(
  editor: WorkbookEditor,
  sheet: string,
): Promise<(place: { row: number; column: number }) => Fixed['left'][number]['why'] | null> {
  const { isInRange } = await import('../source/xlsx/cell-range.ts');
  const [headers, formulas] = [await editor.tableHeaders(sheet), await editor.sharedFormulas(sheet)];
  return ({ row, column }) => {
    if (headers.some((range) => isInRange(range, row, column))) return 'table_header';
    return formulas.some((range) => isInRange(range, row, column)) ? 'shared_formula' : null;
  };
}

/** `old` has the texts of the cells, by `row,column` from 0. */
function changesOf(changed: readonly Suggested[], old: ReadonlyMap<string, string>): Fixed['changes'] {
  return changed.map(({ problem, row, column }) => ({ problem, old: old.get(`${row},${column}`) ?? '' }));
}
