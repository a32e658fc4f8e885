import { z } from 'zod';
import type { InputEdit } from '../../domain/entries/edits.ts';
import { count, text } from '../../domain/entries/members.ts';

/** One change of a save. Rows are numbered as of the file, those that were added behind its last one; columns from 0. */
export const change = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('cell'), row: count, column: count, old: text, new: text }),
  z.strictObject({ kind: z.literal('row_added'), row: count }),
  /** `texts`: those of its cells, then and again. */
  z.strictObject({ kind: z.literal('row_deleted'), row: count, texts: z.array(text) }),
  z.strictObject({ kind: z.literal('row_restored'), row: count, texts: z.array(text) }),
]);
export type Change = z.output<typeof change>;

/** What one person saved at once. `revision` is that of the upload since; `undoes` that of the save it takes back, which may be an undo. */
export type Save = {
  revision: number;
  personId: string;
  by: string;
  /** Unix ms. */
  at: number;
  /** Null of a text file. */
  sheet: string | null;
  changes: readonly Change[];
  undoes: number | null;
};

type Author = Pick<Save, 'sheet' | 'by' | 'at'>;

/** What became of one row in the end. */
export type RowEdit = {
  /** By column: what the file has, what it is now, and who changed it last. */
  cells: Map<number, { old: string; new: string } & Author>;
  added: Author | null;
  deleted: (Author & { texts: readonly string[] }) | null;
};

export type NetEdits = ReadonlyMap<number, RowEdit>;

/** Saves of one sheet in their order, folded. A cell that holds again what it held is not changed. */
export function netOf(saves: readonly Save[]): NetEdits {
  const rows = new Map<number, RowEdit>();
  for (const { changes, sheet, by, at } of saves)
    for (const each of changes) {
      const row = rows.get(each.row) ?? { cells: new Map(), added: null, deleted: null };
      rows.set(each.row, row);
      apply(row, each, { sheet, by, at });
    }
  return rows;
}

function apply(row: RowEdit, each: Change, author: Author): void {
  switch (each.kind) {
    case 'row_added':
      row.added = author;
      return;
    case 'row_deleted':
      row.deleted = { ...author, texts: each.texts };
      return;
    case 'row_restored':
      row.deleted = null;
      return;
    case 'cell': {
      const old = row.cells.get(each.column)?.old ?? each.old;
      if (old === each.new) row.cells.delete(each.column);
      else row.cells.set(each.column, { old, new: each.new, ...author });
      return;
    }
    default:
      each satisfies never;
  }
}

/** As a plan has them: by row and column, each row that was added before its cells. */
export function inputEdits(net: NetEdits): InputEdit[] {
  return [...net]
    .sort(([one], [other]) => one - other)
    .flatMap(([row, { cells, added, deleted }]): InputEdit[] => {
      if (deleted !== null && added !== null) return [];
      if (deleted !== null) {
        const { texts, ...author } = deleted;
        return [{ kind: 'row_deleted', row, old: [...texts], ...author }];
      }
      const inOrder = [...cells].sort(([one], [other]) => one - other);
      const set = inOrder.map(([column, edit]): InputEdit => ({ kind: 'cell', row, column, ...edit }));
      return added === null ? set : [{ kind: 'row_added', row, ...added }, ...set];
    });
}

/** What a check or a plan takes of saves: what was changed on each sheet. */
export function inputEditsOf(saves: readonly Save[]): InputEdit[] {
  return [...Map.groupBy(saves, ({ sheet }) => sheet).values()].flatMap((ofSheet) => inputEdits(netOf(ofSheet)));
}

/** What takes back the changes, the last one first. */
export function inverseOf(changes: readonly Change[]): Change[] {
  return changes.toReversed().map((each): Change => {
    switch (each.kind) {
      case 'cell':
        return { ...each, old: each.new, new: each.old };
      case 'row_added':
        return { kind: 'row_deleted', row: each.row, texts: [] };
      case 'row_deleted':
        return { ...each, kind: 'row_restored' };
      case 'row_restored':
        return { ...each, kind: 'row_deleted' };
      default:
        return each satisfies never;
    }
  });
}

/** What can be taken back, and what was taken back and can be made again; null where there is none. */
export type Undoable = { undo: Save | null; redo: Save | null };

/**
 * Saves that `undoes` names are taken back, and made again where they had themselves taken one back. A new change leaves
 * nothing to be made again, whoever made it.
 */
export function undoableOf(saves: readonly Save[]): Undoable {
  const done: Save[] = [];
  let undone: Save[] = [];
  for (const save of saves) {
    if (save.undoes === null) {
      done.push(save);
      undone = [];
    } else if (done.at(-1)?.revision === save.undoes) {
      done.pop();
      undone.push(save);
    } else if (undone.at(-1)?.revision === save.undoes) {
      undone.pop();
      done.push(save);
    }
  }
  return { undo: done.at(-1) ?? null, redo: undone.at(-1) ?? null };
}

/** The texts of a row now, of those that it had when `then` was what was edited; null where it is deleted. */
export function rowNow(texts: readonly string[], then: RowEdit | undefined, now: RowEdit | undefined): string[] | null {
  if (now !== undefined && now.deleted !== null) return null;
  const original = [...(then?.deleted?.texts ?? texts)];
  for (const [column, { old }] of then?.cells ?? []) setText(original, column, old);
  for (const [column, { new: text }] of now?.cells ?? []) setText(original, column, text);
  return original;
}

function setText(texts: string[], column: number, text: string): void {
  while (texts.length < column) texts.push('');
  texts[column] = text;
}
