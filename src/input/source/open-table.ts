import { extname } from 'node:path';
import { Refusal } from '../../domain/refusal.ts';
import type { Sayings } from '../header/header-search.ts';
import { openCsvTable } from './csv-table.ts';
import type { InputSource } from './file.ts';
import { isLegacy } from './legacy-encodings.ts';
import type { Encoding } from './sniff.ts';
import type { Table } from './table.ts';

export type TableOptions = {
  /** The name of a workbook's sheet; otherwise the one with our columns. */
  sheet?: string | undefined;
  /** The encoding of a text that does not show it. */
  encoding?: Encoding | null | undefined;
  /** What a person says of the headers, by which the sheet with our columns is known too. */
  sayings?: Sayings;
};

const NOTHING_SAID: Sayings = () => [];

/** The input's table, by the kind of its file. */
export async function openTable(source: InputSource, options: TableOptions = {}): Promise<Table> {
  const { sheet, encoding = null, sayings = NOTHING_SAID } = options;
  if (extname(source.name).toLowerCase() === '.xlsx') {
    const { openXlsxTable } = await import('./xlsx/xlsx-table.ts');
    return openXlsxTable(source, { sheet: sheet ?? null, sayings });
  }
  if (sheet !== undefined) throw new Refusal({ code: 'text_has_no_sheets', name: source.name, path: source.path });
  return openCsvTable(source, isLegacy(encoding) ? encoding : null);
}
