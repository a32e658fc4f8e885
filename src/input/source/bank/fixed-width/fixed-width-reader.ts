import { formatMajor } from '../../../../domain/money.ts';
import { fault } from '../../../../domain/problem.ts';
import type { RowNote } from '../../../cells/cell-facts.ts';
import type { ColumnName } from '../../../header/synonyms.ts';
import { BankOutput } from '../bank-output.ts';
import type { BankReader } from '../bank-table.ts';
import { LINE_MAX, Lines } from './lines.ts';
import { FixedRecord, type RecordLayout } from './records.ts';

/** What all formats of fixed-length records have in common: lines, their lengths and characters, and payments as rows. */
export abstract class FixedWidthReader implements BankReader {
  readonly output = new BankOutput();
  readonly #lines: Lines;
  readonly #header: readonly string[];
  readonly #decimals = 2;
  #number = 0;
  #filled = 0;
  readonly #currency: string;
  readonly #length: number;
  #count = 0;
  #total = 0n;

  /** `runsOn`: whether records may follow each other without a line break. */
  constructor(format: { header: readonly string[]; currency: string; length: number; runsOn?: boolean }) {
    this.#header = format.header;
    this.#currency = format.currency;
    this.#length = format.length;
    this.#lines = new Lines(format.runsOn === true ? format.length : null);
  }

  /** A record that is not blank. */
  protected abstract take(number: number, text: string): void;
  /** Behind the last record. */
  protected abstract finish(): void;

  /** The records so far, without blank lines. */
  protected get records(): number {
    return this.#filled;
  }

  push(chunk: Uint8Array): void {
    for (const line of this.#lines.push(chunk)) this.#takeLine(line);
    if (this.#lines.isTooLong)
      this.output.stop(fault('record_length', { has: LINE_MAX, length: this.#length }), { place: this.#placeOfNext() });
  }

  end(): void {
    for (const line of this.#lines.end()) this.#takeLine(line);
    if (!this.output.isStopped) this.finish();
    this.output.finish({ count: this.#count, totals: new Map([[this.#currency, this.#total]]) });
  }

  #placeOfNext() {
    return { in: 'record', record: this.#number + 1, positions: null } as const;
  }

  #takeLine(line: string): void {
    if (this.output.isStopped) return;
    this.#number++;
    // A DOS program may end a text with Control-Z.
    if (line.trim() === '' || line === '\x1a') return;
    this.#filled++;
    const other = line.search(/[^ -~]/);
    if (other !== -1) {
      const place = { in: 'record', record: this.#number, positions: [other + 1, other + 1] } as const;
      this.output.stop(fault('record_character', { at: other + 1 }), { row: this.#number, place });
      return;
    }
    this.take(this.#number, line);
  }

  /** The record by its layout; null where its length is wrong, which ends the reading. */
  protected record<Field extends string>(
    number: number,
    text: string,
    layout: RecordLayout<Field>,
    length: number,
  ): FixedRecord<Field> | null {
    const isLong = text.length > length && text.slice(length).trim() !== '';
    if (!isLong && text.length >= layout.least) return new FixedRecord(number, text.padEnd(length), layout);
    this.output.stop(fault('record_length', { has: text.length, length }), {
      row: number,
      place: { in: 'record', record: number, positions: null },
    });
    return null;
  }

  /** A header, trailer or control record: what is wrong in its fields makes that nothing is paid. */
  protected refuseFaults(record: FixedRecord): void {
    for (const { what, place, value } of record.faults())
      this.output.problem('error', what, { row: record.number, place, value });
  }

  /** A payment with its cells by column, and the errors of its fields. */
  protected pay<Field extends string>(
    record: FixedRecord<Field>,
    minor: bigint,
    cells: Readonly<Record<string, string>>,
    notes: readonly RowNote[],
  ): void {
    this.#count++;
    this.#total += minor;
    const all: Readonly<Record<string, string>> = {
      ...cells,
      amount: formatMajor(minor, this.#decimals),
      currency: this.#currency,
    };
    const faults = record.faults().map((found): RowNote => ({ severity: 'error', column: null, ...found }));
    const texts = this.#header.map((column) => all[column] ?? '');
    this.output.row(record.number, texts, null, [...faults, ...notes]);
  }

  /** A record that moves no money to a payee. */
  protected leaveOut(record: FixedRecord, why: 'prenote' | 'zero_remittance' | 'own_account'): void {
    const where = { row: record.number, place: record.place(null) };
    this.output.problem('warning', fault('record_not_paid', { why }), where);
  }

  /** A record that collects money. */
  protected refuseDebit<Field extends string>(record: FixedRecord<Field>, field: Field, code: string): void {
    this.output.stop(fault('direct_debit_list', { sign: code, field }), {
      row: record.number,
      place: record.place(field),
      value: code,
    });
  }

  /** An error of a row at one of its fields. */
  protected note<Field extends string>(
    record: FixedRecord<Field>,
    field: Field,
    column: ColumnName | null,
    what: RowNote['what'],
  ): RowNote {
    return { severity: 'error', column, what, value: record.text(field), place: record.place(field) };
  }

  /** A figure of a control record against what the records before it come to. */
  protected compare<Field extends string>(
    record: FixedRecord<Field>,
    field: Field,
    found: bigint,
    isSum: boolean,
  ): void {
    const stated = record.figure(field);
    if (stated === found) return;
    const shown = (figure: bigint) => (isSum ? formatMajor(figure, this.#decimals) : String(figure));
    const differs = { figure: field, isField: true, stated: shown(stated), found: shown(found) };
    this.output.problem('error', fault('control_figure_differs', differs), {
      row: record.number,
      place: record.place(field),
      value: record.text(field),
    });
  }

  protected unexpected(number: number, type: string, expected: readonly string[]): void {
    const place = { in: 'record', record: number, positions: [1, type.length] } as const;
    this.output.stop(fault('record_unexpected', { type, expected }), { row: number, place });
  }

  protected afterEnd(number: number): void {
    const place = { in: 'record', record: number, positions: null } as const;
    this.output.stop(fault('record_after_end'), { row: number, place });
  }
}
