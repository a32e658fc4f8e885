import { CELLS_OF_A_ROW_MAX } from '../../app/check/cells-file.ts';
import type { ShownCheck } from '../../app/check/check-result.ts';
import { columnLetters } from '../../app/check/headers.ts';
import { type NetEdits, netOf, type Save } from '../../app/edits/edits.ts';
import { type GridKind, GridRows, type RowsFilter, type Show } from '../../app/edits/grid-rows.ts';
import { textTable } from '../../messages/translate.ts';
import { Recent, UnderWay } from '../once.ts';
import type { WebParts } from '../parts.ts';
import type { Problem } from '../shell/parts.ts';
import type { Checks } from '../uploads/checks.ts';
import { headText } from '../uploads/column-words.ts';
import type { Upload } from '../uploads/uploads.ts';

/** So many revisions are checked one after another while people go on editing; the page asks for the next. */
const ROUNDS_MAX = 100;
const FAILED_MAX = 1_000;

const NOT_EDITED: Problem = textTable({
  message: 'The rows of this file cannot be edited here.',
  remedy: 'Fix it in the program that made it, and upload it again.',
});

/** The rows of an upload as they can be reviewed. */
export type Review =
  /** The check is under way, and nothing of it is there yet. */
  | { state: 'reading' }
  | ({ state: 'unusable' } & Problem)
  | {
      state: 'ready';
      /** The rows as they are now. */
      open(): GridRows;
      /** The revision that the problems are of: an earlier one while the last is being checked. */
      checkedRevision: number;
      result: ShownCheck & { header_row: number };
      /** What people changed of this sheet. */
      saves: readonly Save[];
      edits: NetEdits;
    };

/**
 * The rows of uploads with their problems. An edit shows at once; the whole file is checked again behind it, one revision at
 * a time, and those in between are left out.
 */
export class Reviews {
  readonly #parts: WebParts;
  readonly #checks: Checks;
  readonly #running = new UnderWay<void>();
  /** Revisions of which no cells could be made. */
  readonly #failed = new Recent<true>(FAILED_MAX);

  constructor(parts: WebParts, checks: Checks) {
    this.#parts = parts;
    this.#checks = checks;
  }

  /** What is known by now; begins the check of the last revision where that is not under way. */
  async of(upload: Upload): Promise<Review> {
    const checkedRevision = this.#checks.newestCells(upload);
    if (checkedRevision !== upload.revision && !this.#failed.get(keyOf(upload))) void this.#begin(upload);
    if (checkedRevision === null) return this.#withoutCells(upload);
    const checked = await this.#checks.look({ ...upload, revision: checkedRevision }, 0);
    if (checked === null) return { state: 'reading' };
    if (checked.state !== 'checked') return this.#withoutCells(upload);
    const { header_row, format, sheet } = checked.result;
    if (header_row === null || format !== undefined) return { state: 'unusable', ...NOT_EDITED };
    const saves = (await this.#parts.uploads.edits.of(upload)).filter((save) => save.sheet === sheet);
    const [then, now] = [netOf(saves.filter(({ revision }) => revision <= checkedRevision)), netOf(saves)];
    const path = this.#checks.cellsPath({ ...upload, revision: checkedRevision });
    const open = () => new GridRows(path, { headerRow: header_row, then, now });
    return { state: 'ready', open, checkedRevision, result: { ...checked.result, header_row }, saves, edits: now };
  }

  async #withoutCells(upload: Upload): Promise<Review> {
    const checked = await this.#checks.look(upload, 0);
    if (checked?.state === 'refused') return { state: 'unusable', message: checked.message, remedy: checked.remedy };
    return this.#failed.get(keyOf(upload)) ? { state: 'unusable', ...NOT_EDITED } : { state: 'reading' };
  }

  #begin({ id }: Upload): Promise<void> {
    return this.#running
      .of(id, async () => {
        for (let round = 0; round < ROUNDS_MAX; round++) {
          const upload = await this.#parts.uploads.get(id);
          if (upload === null || upload.removed !== null) return;
          if (this.#checks.newestCells(upload) === upload.revision) return;
          const { path } = await this.#checks.copy(upload, 'cells');
          if (path !== null) await this.#checks.begin(upload);
          if ((this.#checks.newestCells(upload) ?? 0) >= upload.revision) continue;
          this.#failed.set(keyOf(upload), true);
          return;
        }
      })
      .catch((error: unknown) => this.#parts.deps.log.error({ error, upload: id }, 'rows could not be checked again'));
  }
}

function keyOf({ id, revision }: Upload): string {
  return `${id} ${revision}`;
}

/** What all rows of an upload are gone through for is kept: somebody who scrolls asks for rows again and again. */
const NUMBERS = new Recent<Uint32Array>(32);
const KINDS = new Recent<GridKind[]>(100);

/** The numbers of the rows that are wanted; `version` says of which upload, revision and check. */
export function numbersOf(version: string, rows: GridRows, { show, search }: RowsFilter): Uint32Array {
  const key = JSON.stringify([version, show, search]);
  const known = NUMBERS.get(key) ?? rows.numbers({ show, search });
  NUMBERS.set(key, known);
  return known;
}

/** How many rows there are of each kind. */
export function countsOf(version: string, rows: GridRows) {
  const kinds = KINDS.get(version) ?? rows.kinds();
  KINDS.set(version, kinds);
  const count = (show: Show): number => numbersOf(version, rows, { show, search: '' }).length;
  return { kinds, counts: { all: count('all'), problems: count('problems'), edited: count('edited') } };
}

const INDEX_OF: ReadonlyMap<string, number> = new Map(
  Array.from({ length: CELLS_OF_A_ROW_MAX }, (_, index) => [columnLetters(index), index]),
);

/** The columns that the grid shows: `at` from 0, and what stands over them. */
export function columnsOf({ columns }: Pick<ShownCheck, 'columns'>) {
  return columns.flatMap(({ column, header, means }) => {
    const at = INDEX_OF.get(column);
    return at === undefined ? [] : [{ at, letters: column, header, means, title: headText(header, means) }];
  });
}
