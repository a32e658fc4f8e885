import { Refusal } from '../../domain/refusal.ts';
import type { ColumnMapper } from '../header/header-search.ts';
import { openCsvTable } from './csv-table.ts';
import type { Encoding } from './encoding/encodings.ts';
import { headOf, type InputSource } from './file.ts';
import { workbookKindOf } from './file-kinds.ts';
import { HEAD_BYTES } from './sniff.ts';
import type { Table } from './table.ts';

export type TableOptions = {
  /** The name of a workbook's sheet; otherwise the one with our columns. */
  sheet?: string | undefined;
  /** The encoding of a text that does not show it. */
  encoding?: Encoding | null | undefined;
  /** The explicit mapping of the headers, by which the sheet with our columns is found too. */
  mapper?: ColumnMapper;
};

const NO_MAPPING: ColumnMapper = () => ({ columns: [], currency: null });

/** The input's table, by what is in the file: its name does not count. */
export async function openTable(source: InputSource, options: TableOptions = {}): Promise<Table> {
  const { sheet, encoding = null, mapper = NO_MAPPING } = options;
  const kind = workbookKindOf(await headOf(source, HEAD_BYTES), source.name);
  if (kind !== null) {
    const { openXlsxTable } = await import('./xlsx/xlsx-table.ts');
    return openXlsxTable(source, { kind, encoding, sheet: sheet ?? null, mapper });
  }
  if (sheet !== undefined) throw new Refusal({ code: 'text_has_no_sheets', name: source.name, path: source.path });
  return openCsvTable(source, encoding);
}
