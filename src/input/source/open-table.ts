import { Refusal } from '../../domain/refusal.ts';
import type { ColumnMemory } from '../header/column-memory.ts';
import type { ColumnMapper } from '../header/header-search.ts';
import { bankKindOf } from './bank/bank-kind.ts';
import { openCsvTable } from './csv-table.ts';
import type { Encoding } from './encoding/encodings.ts';
import { headOf, type InputSource } from './file.ts';
import { isBankFileName, misnamedFault, workbookKindOf } from './file-kinds.ts';
import { HEAD_BYTES } from './sniff.ts';
import type { Table } from './table.ts';

export type TableOptions = {
  /** The name of a workbook's sheet; otherwise the one with our columns. */
  sheet?: string | undefined;
  /** The encoding of a text that does not show it. */
  encoding?: Encoding | null | undefined;
  /** The explicit mapping of the headers, by which the sheet with our columns is found too. */
  mapper?: ColumnMapper;
  /** What was given for earlier files: the encoding of a text, where nothing else decides it. */
  memory?: Pick<ColumnMemory, 'recall'>;
};

const NO_MAPPING: ColumnMapper = () => ({ columns: [], currency: null });

/** The input's table, by what is in the file: its name does not count. With the edits that people made of it. */
export async function openTable(source: InputSource, options: TableOptions = {}): Promise<Table> {
  const table = await openOriginal(source, options);
  const edits = source.edits?.filter(({ sheet }) => sheet === table.sheet) ?? [];
  if (edits.length === 0 || table.bank !== undefined) return table;
  return (await import('./edited-table.ts')).editedTable(table, edits);
}

async function openOriginal(source: InputSource, options: TableOptions): Promise<Table> {
  const { sheet, encoding = null, mapper = NO_MAPPING, memory = null } = options;
  const head = await headOf(source, HEAD_BYTES);
  const kind = workbookKindOf(head, source.name);
  if (kind !== null) {
    const { openXlsxTable } = await import('./xlsx/xlsx-table.ts');
    return openXlsxTable(source, { kind, encoding, sheet: sheet ?? null, mapper });
  }
  if (sheet !== undefined) throw new Refusal({ code: 'text_has_no_sheets', name: source.name, path: source.path });
  return (await openBankFile(source, head)) ?? openCsvTable(source, encoding, memory);
}

/** The table of a file that is made for a bank, by its first bytes; null where it is none. */
async function openBankFile(source: InputSource, head: Uint8Array): Promise<Table | null> {
  if (misnamedFault(head) !== null) return null;
  const kind = bankKindOf(head);
  if (kind === 'xml') return (await import('./bank/iso20022/open-xml.ts')).openXml(source, head);
  if (kind !== null) return (await import('./bank/fixed-width/formats.ts')).openFixedWidth(source, kind);
  if (!isBankFileName(source.name) || head.length === 0) return null;
  return (await import('./bank/bank-table.ts')).unknownTable(source);
}
