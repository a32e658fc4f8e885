import { extname } from 'node:path';
import { Refusal } from '../domain/refusal.ts';
import { openCsvTable } from './csv-table.ts';
import type { InputSource } from './file.ts';
import type { Table } from './table.ts';

/** The input's table, by the kind of its file. `sheet` names the sheet of a workbook. */
export async function openTable(source: InputSource, sheet?: string): Promise<Table> {
  if (extname(source.name).toLowerCase() === '.xlsx') {
    const { openXlsxTable } = await import('./xlsx/xlsx-table.ts');
    return openXlsxTable(source, sheet ?? null);
  }
  if (sheet !== undefined)
    throw new Refusal('usage', `${source.name} is text and has no sheets.`, 'Leave --sheet out.', {
      path: source.path,
    });
  return openCsvTable(source);
}
