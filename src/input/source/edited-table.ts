import { createHash } from 'node:crypto';
import type { InputEdit } from '../../domain/entries/edits.ts';
import type { RowFacts } from '../cells/cell-facts.ts';
import type { Table, TablePart } from './table.ts';

/** The edits of a table by row. */
type RowEdits = {
  /** By row, then by column. */
  cells: ReadonlyMap<number, ReadonlyMap<number, string>>;
  deleted: ReadonlySet<number>;
  /** Ascending. */
  added: readonly number[];
};

/**
 * A table as people edited it. Its rows keep their numbers: one that was deleted is blank, and those that were added come
 * behind the last. What a workbook knows of a cell goes with the text that it had. `sha256` is of the file and the edits
 * together, so that the same file with other edits is another input; who made them and when is not in it.
 */
export function editedTable(table: Table, edits: readonly InputEdit[]): Table {
  const rows = rowEdits(edits);
  return {
    ...table,
    sha256: editedHash(table.sha256, rows),
    edited: { fileSha256: table.sha256, edits },
    parts: () => editedParts(table.parts(), rows),
  };
}

function rowEdits(edits: readonly InputEdit[]): RowEdits {
  const cells = new Map<number, Map<number, string>>();
  const deleted = new Set<number>();
  const added: number[] = [];
  for (const edit of edits) {
    if (edit.kind === 'row_deleted') deleted.add(edit.row);
    else if (edit.kind === 'row_added') added.push(edit.row);
    else {
      const ofRow = cells.get(edit.row) ?? new Map<number, string>();
      cells.set(edit.row, ofRow.set(edit.column, edit.new));
    }
  }
  return { cells, deleted, added: added.sort((a, b) => a - b) };
}

function editedHash(sha256: string, { cells, deleted, added }: RowEdits): string {
  const byNumber = (a: readonly [number, unknown], b: readonly [number, unknown]) => a[0] - b[0];
  const set = [...cells].sort(byNumber).map(([row, texts]) => [row, [...texts].sort(byNumber)]);
  const changes = JSON.stringify([set, [...deleted].sort((a, b) => a - b), added]);
  return createHash('sha256').update(`payrun edited input 1 ${sha256} ${changes}`).digest('hex');
}

async function* editedParts(parts: AsyncIterable<TablePart>, edits: RowEdits): AsyncGenerator<TablePart> {
  let last = 0;
  const widths = new Map<number, number>();
  for await (const part of parts) {
    if (part.kind === 'fault') {
      yield part;
      return;
    }
    last = part.firstRow + part.records.length - 1;
    for (const { length } of part.records) widths.set(length, (widths.get(length) ?? 0) + 1);
    yield editedPart(part, edits);
  }
  // A row of a text file has as many cells as the others, or it counts as cut off.
  const [[width = 0] = []] = [...widths].sort(([, one], [, other]) => other - one);
  const blank = Array.from({ length: width }, () => '');
  for (const row of edits.added) {
    if (row <= last || edits.deleted.has(row)) continue;
    yield { kind: 'records', firstRow: row, records: [withTexts([...blank], edits.cells.get(row))] };
  }
}

type Records = Extract<TablePart, { kind: 'records' }>;

function editedPart({ firstRow, records, facts }: Records, { cells, deleted }: RowEdits): Records {
  const own = facts?.slice();
  const edited = records.map((record, at) => {
    const row = firstRow + at;
    const texts = cells.get(row);
    if (own !== undefined && (deleted.has(row) || texts !== undefined))
      own[at] = deleted.has(row) ? null : factsWithout(own[at] ?? null, texts);
    return deleted.has(row) ? [] : withTexts(record, texts);
  });
  return { kind: 'records', firstRow, records: edited, ...(own !== undefined && { facts: own }) };
}

function withTexts(record: string[], texts: ReadonlyMap<number, string> | undefined): string[] {
  if (texts === undefined) return record;
  const cells = [...record];
  for (const [column, text] of texts) {
    while (cells.length < column) cells.push('');
    cells[column] = text;
  }
  return cells;
}

/** What a person has typed is not struck through, not covered, and no number of the workbook's. */
function factsWithout(facts: RowFacts | null, texts: ReadonlyMap<number, string> | undefined): RowFacts | null {
  if (facts === null || texts === undefined) return facts;
  const { cells, struck, covered, zeroBytes, ...rest } = facts;
  const isLeft = (column: number): boolean => !texts.has(column);
  return {
    ...rest,
    cells: cells?.map((cell, column) => (isLeft(column) ? cell : undefined)) ?? null,
    ...(struck !== undefined && { struck: struck.filter(isLeft) }),
    ...(covered !== undefined && { covered: covered.filter(isLeft) }),
    ...(zeroBytes !== undefined && { zeroBytes: new Map([...zeroBytes].filter(([column]) => isLeft(column))) }),
  };
}
