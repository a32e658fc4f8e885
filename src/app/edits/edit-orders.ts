import { z } from 'zod';
import { CELL_LETTERS_MAX, CELLS_OF_A_ROW_MAX, isShortened } from '../check/cells-file.ts';
import type { Change } from './edits.ts';
import type { GridRows } from './grid-rows.ts';

/** Rows of one save. */
const ROWS_OF_A_SAVE_MAX = 5_000;

const CONTROLS = /\p{Cc}+/gu;

/** A cell is one line. */
const cellText = z
  .string()
  .max(4 * CELL_LETTERS_MAX)
  .transform((typed) => typed.replaceAll(CONTROLS, ' '));
const cellTexts = z.array(cellText).min(1).max(CELLS_OF_A_ROW_MAX);
const row = z.int().positive();

/** What somebody does to the rows: sets cells side by side from a column on (0 is A), adds a row, deletes one. */
const editOrder = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('set'), row, column: z.int().nonnegative(), texts: cellTexts }),
  z.strictObject({ kind: z.literal('add'), texts: cellTexts }),
  z.strictObject({ kind: z.literal('delete'), row }),
]);

export const editOrders = z.array(editOrder).min(1).max(ROWS_OF_A_SAVE_MAX);
export type EditOrder = z.output<typeof editOrder>;

/** `too_long`: a cell would get, or has, a longer text than the rows show. */
export type Ordered =
  | { outcome: 'changes'; changes: Change[] }
  | { outcome: 'no_such_cell'; row: number }
  | { outcome: 'too_long'; row: number; column: number };

/** What the orders change of the rows as they are now: cells that hold the text already are not changed. */
export function changesOf(rows: GridRows, orders: readonly EditOrder[]): Ordered {
  const changes: Change[] = [];
  const texts = new Map<number, string[] | null>();
  const textsOf = (n: number): string[] | null => {
    const known = texts.get(n);
    if (known !== undefined) return known;
    const now = rows.textsOf(n);
    texts.set(n, now);
    return now;
  };
  let last = rows.lastRow;
  for (const order of orders) {
    if (order.kind === 'add') {
      last += 1;
      const long = tooLongAt([], 0, order.texts);
      if (long !== null) return { outcome: 'too_long', row: last, column: long };
      changes.push({ kind: 'row_added', row: last }, ...set([], last, 0, order.texts));
      continue;
    }
    const now = textsOf(order.row);
    const isOutside = order.kind === 'set' && order.column + order.texts.length > CELLS_OF_A_ROW_MAX;
    if (now === null || isOutside) return { outcome: 'no_such_cell', row: order.row };
    if (order.kind === 'delete') {
      changes.push({ kind: 'row_deleted', row: order.row, texts: now });
      texts.set(order.row, null);
      continue;
    }
    const long = tooLongAt(now, order.column, order.texts);
    if (long !== null) return { outcome: 'too_long', row: order.row, column: long };
    changes.push(...set(now, order.row, order.column, order.texts));
  }
  return { outcome: 'changes', changes };
}

/** The first cell whose text would be lost in part; null where none is. */
function tooLongAt(now: readonly string[], column: number, texts: readonly string[]): number | null {
  const isLost = (text: string, offset: number) => {
    const old = now[column + offset] ?? '';
    return text !== old && (text.length > CELL_LETTERS_MAX || isShortened(old));
  };
  const found = texts.findIndex(isLost);
  return found === -1 ? null : column + found;
}

/** Writes the texts into the row, and gives what that changed. */
function set(now: string[], n: number, column: number, texts: readonly string[]): Change[] {
  return texts.flatMap((text, offset): Change[] => {
    const at = column + offset;
    const old = now[at] ?? '';
    now[at] = text;
    return old === text ? [] : [{ kind: 'cell', row: n, column: at, old, new: text }];
  });
}
