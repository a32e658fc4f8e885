import { openCsvTable } from './csv-table.ts';
import type { InputSource } from './file.ts';
import type { Table } from './table.ts';

/** The input's table, by the kind of its file. */
export function openTable(source: InputSource): Promise<Table> {
  return openCsvTable(source);
}
