import { type Fault, fault } from '../domain/problem.ts';
import { Refusal } from '../domain/refusal.ts';
import type { Header } from './header/columns.ts';
import type { ColumnName } from './header/synonyms.ts';

/** So many characters of a library's message are shown. */
const REASON_SHOWN = 200;

/** The column in which reading a row fails, and the problem there. */
export type Crash = { column: ColumnName | null; fault: Fault };

/**
 * The problem of a row that cannot be read because of a mistake in payrun or in a library: the row is refused at its cell,
 * and the others are read. The cell is the first without which the row can be read; `read` reads a row for that only.
 * Throws a Refusal again, which a person reads.
 */
export function crashOf(
  error: unknown,
  { columns }: Header,
  cells: readonly string[],
  read: (cells: string[]) => void,
): Crash {
  if (error instanceof Refusal) throw error;
  const isRead = (changed: string[]): boolean => {
    try {
      read(changed);
      return true;
    } catch {
      return false;
    }
  };
  const isFilled = (place: number) => columns[place] !== null && (cells[place] ?? '') !== '';
  // Where the row alone can be read, it is not a cell that fails.
  const at = isRead([...cells])
    ? -1
    : columns.findIndex((_, place) => isFilled(place) && isRead(cells.with(place, '')));
  const column = columns[at] ?? null;
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { column, fault: fault('not_read', { isCell: column !== null, reason: reason.slice(0, REASON_SHOWN) }) };
}
