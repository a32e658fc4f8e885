import type { InputSource } from '../../file.ts';
import type { Table } from '../../table.ts';
import type { FixedWidthKind } from '../bank-kind.ts';
import { bankTable } from '../bank-table.ts';
import { ABA_HEADER, AbaReader, DETAIL } from './aba.ts';
import { BACS_HEADER, BacsReader, PAYMENT } from './bacs.ts';
import type { FixedWidthReader } from './fixed-width-reader.ts';
import { NACHA_HEADER, NachaReader } from './nacha.ts';
import { ENTRY } from './nacha-layout.ts';
import { positionsByColumn, type RecordLayout } from './records.ts';

/** How each format is read: its columns, the record of a payment, and its length. */
type Format = { header: readonly string[]; payment: RecordLayout; length: number; reader(): FixedWidthReader };

const FORMATS: Readonly<Record<FixedWidthKind, Format>> = {
  aba: { header: ABA_HEADER, payment: DETAIL, length: 120, reader: () => new AbaReader() },
  bacs: { header: BACS_HEADER, payment: PAYMENT, length: 100, reader: () => new BacsReader() },
  nacha: { header: NACHA_HEADER, payment: ENTRY, length: 94, reader: () => new NachaReader() },
};

/** A file of fixed-length records as a table. A row's number is that of its record. */
export function openFixedWidth(source: InputSource, format: FixedWidthKind): Promise<Table> {
  const { header, payment, length, reader } = FORMATS[format];
  const positions = positionsByColumn(payment, header);
  const placeOf = (record: number, at: number) => ({ in: 'record', record, positions: positions[at] ?? null }) as const;
  return bankTable(source, { format, header, payments: { bytesLeast: length, stated: null }, placeOf }, reader);
}
