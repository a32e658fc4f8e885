import { fault } from '../../../../domain/problem.ts';
import type { RowNote } from '../../../cells/cell-facts.ts';
import { FixedWidthReader } from './fixed-width-reader.ts';
import { ADDENDA, BATCH_CONTROL, BATCH_HEADER, ENTRY, FILE_CONTROL, FILE_HEADER, LENGTH } from './nacha-layout.ts';
import type { FixedRecord } from './records.ts';

const RECORDS_OF_BLOCK = 10;
/** An entry hash keeps its last ten digits. */
const HASH_LIMIT = 10n ** 10n;

type EntryField = keyof (typeof ENTRY)['fields'];

/** The credits to accounts of payees: the kind of account, and whether money moves. */
const CREDITS: Readonly<
  Record<string, { account: 'checking' | 'savings'; isNoPayment?: 'prenote' | 'zero_remittance' }>
> = {
  22: { account: 'checking' },
  23: { account: 'checking', isNoPayment: 'prenote' },
  24: { account: 'checking', isNoPayment: 'zero_remittance' },
  32: { account: 'savings' },
  33: { account: 'savings', isNoPayment: 'prenote' },
  34: { account: 'savings', isNoPayment: 'zero_remittance' },
};
const PAID = ['22', '32'];
/** Debits, prenotes of debits, and zero debits, of all kinds of accounts. */
const DEBITS: ReadonlySet<string> = new Set('27 28 29 37 38 39 47 48 49 55 56'.split(' '));
const DEBITS_ONLY = '225';

const FILLER = /^9{94}$/;

export const NACHA_HEADER = [
  'name',
  'amount',
  'currency',
  'rail',
  'account_number',
  'national_clearing_code',
  'account_type',
  'reference',
  'description',
  'execution_date',
  'individual_identification',
  'trace_number',
];

type Sums = { entries: bigint; hash: bigint; credits: bigint };
type Batch = { number: string; serviceClass: string; description: string; date: string; sums: Sums };
type Pending = { record: FixedRecord<EntryField>; addenda: string };

/** Reads ACH files with credits to people (PPD) and companies (CCD). */
export class NachaReader extends FixedWidthReader {
  #state: 'begin' | 'file' | 'batch' | 'end' = 'begin';
  #batches = 0n;
  #batch: Batch | null = null;
  /** An entry whose addenda may follow. */
  #pending: Pending | null = null;
  readonly #sums: Sums = { entries: 0n, hash: 0n, credits: 0n };
  #blocks: { record: FixedRecord<keyof (typeof FILE_CONTROL)['fields']>; records: number } | null = null;

  constructor() {
    super({ header: NACHA_HEADER, currency: 'USD', length: LENGTH, runsOn: true });
  }

  protected take(number: number, text: string): void {
    const type = text.charAt(0);
    if (this.#state === 'end') {
      if (!FILLER.test(text)) this.afterEnd(number);
      return;
    }
    if (type !== '7') this.#payPending();
    if (this.output.isStopped) return;
    const take = TAKERS[this.#state][type];
    if (take === undefined) {
      this.unexpected(number, type, Object.keys(TAKERS[this.#state]));
      return;
    }
    take(this, number, text);
  }

  protected finish(): void {
    if (this.#state !== 'end') {
      const missing = this.#batch === null ? 'file_control' : 'batch_control';
      this.output.stop(fault('file_cut_off', { missing }));
      return;
    }
    if (this.#blocks === null) return;
    // Records of nines fill the last block.
    const blocks = BigInt(Math.ceil(this.#blocks.records / RECORDS_OF_BLOCK));
    this.compare(this.#blocks.record, 'block_count', blocks, false);
  }

  begin(number: number, text: string): void {
    const record = this.record(number, text, FILE_HEADER, LENGTH);
    if (record === null) return;
    this.refuseFaults(record);
    this.#state = 'file';
  }

  beginBatch(number: number, text: string): void {
    const record = this.record(number, text, BATCH_HEADER, LENGTH);
    if (record === null) return;
    const serviceClass = record.text('service_class_code');
    if (serviceClass === DEBITS_ONLY) {
      this.refuseDebit(record, 'service_class_code', DEBITS_ONLY);
      return;
    }
    this.refuseFaults(record);
    const [, year, month, day] = /^(\d\d)(\d\d)(\d\d)$/.exec(record.text('effective_entry_date')) ?? [];
    const date = year === undefined ? '' : `20${year}-${month}-${day}`;
    this.output.date(date);
    this.#batch = {
      number: record.text('batch_number'),
      serviceClass,
      description: record.text('company_entry_description'),
      date,
      sums: { entries: 0n, hash: 0n, credits: 0n },
    };
    this.#batches++;
    this.#state = 'batch';
  }

  entry(number: number, text: string): void {
    const record = this.record(number, text, ENTRY, LENGTH);
    if (record === null || this.#batch === null) return;
    const code = record.text('transaction_code');
    if (DEBITS.has(code)) {
      this.refuseDebit(record, 'transaction_code', code);
      return;
    }
    for (const sums of [this.#batch.sums, this.#sums]) {
      sums.entries++;
      sums.hash += record.figure('receiving_bank');
      sums.credits += record.figure('amount');
    }
    this.#pending = { record, addenda: '' };
  }

  addenda(number: number, text: string): void {
    const record = this.record(number, text, ADDENDA, LENGTH);
    if (record === null || this.#batch === null) return;
    this.refuseFaults(record);
    const pending = this.#pending;
    if (pending === null || pending.addenda !== '' || pending.record.text('addenda_indicator') !== '1') {
      this.unexpected(number, '7', ['6', '8']);
      return;
    }
    for (const sums of [this.#batch.sums, this.#sums]) sums.entries++;
    pending.addenda = record.text('payment_information') || '-';
  }

  endBatch(number: number, text: string): void {
    const record = this.record(number, text, BATCH_CONTROL, LENGTH);
    if (record === null || this.#batch === null) return;
    this.refuseFaults(record);
    const { sums, number: batchNumber, serviceClass } = this.#batch;
    this.compare(record, 'entry_and_addenda_count', sums.entries, false);
    this.compare(record, 'entry_hash', sums.hash % HASH_LIMIT, false);
    this.compare(record, 'debit_total', 0n, true);
    this.compare(record, 'credit_total', sums.credits, true);
    this.compare(record, 'batch_number', BigInt(/^\d+$/.test(batchNumber) ? batchNumber : 0), false);
    this.compare(record, 'service_class_code', BigInt(/^\d+$/.test(serviceClass) ? serviceClass : 0), false);
    this.#batch = null;
    this.#state = 'file';
  }

  endFile(number: number, text: string): void {
    const record = this.record(number, text, FILE_CONTROL, LENGTH);
    if (record === null) return;
    this.refuseFaults(record);
    this.compare(record, 'batch_count', this.#batches, false);
    this.compare(record, 'entry_and_addenda_count', this.#sums.entries, false);
    this.compare(record, 'entry_hash', this.#sums.hash % HASH_LIMIT, false);
    this.compare(record, 'debit_total', 0n, true);
    this.compare(record, 'credit_total', this.#sums.credits, true);
    this.#blocks = { record, records: this.records };
    this.#state = 'end';
  }

  /** The entry before this record, whose addenda are known now. */
  #payPending(): void {
    const pending = this.#pending;
    if (pending === null || this.#batch === null) return;
    this.#pending = null;
    const { record, addenda } = pending;
    if (record.text('addenda_indicator') === '1' && addenda === '') {
      this.output.stop(fault('file_cut_off', { missing: 'addenda' }), {
        row: record.number,
        place: record.place('addenda_indicator'),
      });
      return;
    }
    const code = record.text('transaction_code');
    const minor = record.figure('amount');
    const credit = CREDITS[code];
    if (credit?.isNoPayment !== undefined && minor === 0n) {
      this.leaveOut(record, credit.isNoPayment);
      return;
    }
    const { description, date } = this.#batch;
    const text = addenda === '-' ? '' : addenda;
    const cells = {
      name: record.text('individual_name'),
      rail: 'USD_ACH',
      account_number: record.text('account_number'),
      national_clearing_code: record.text('receiving_bank') + record.text('check_digit'),
      account_type: credit?.account ?? '',
      reference: description,
      description: text,
      execution_date: date,
      individual_identification: record.text('individual_identification'),
      trace_number: record.text('trace_number'),
    };
    this.pay(record, minor, cells, this.#notesOf(record, code, text));
  }

  #notesOf(record: FixedRecord<EntryField>, code: string, addenda: string): RowNote[] {
    const notes: RowNote[] = [];
    if (!PAID.includes(code)) {
      const what = fault('transaction_code_other', { transactionCode: code, credits: PAID });
      notes.push(this.note(record, 'transaction_code', null, what));
    }
    if (addenda !== '') {
      const place = { in: 'record', record: record.number + 1, positions: [4, 83] } as const;
      const what = fault('element_not_carried', { element: 'the addenda' });
      notes.push({ severity: 'warning', column: 'description', what, value: addenda, place });
    }
    return notes;
  }
}

type Taker = (reader: NachaReader, number: number, text: string) => void;

/** Which records may stand where, by their types. */
const TAKERS: Readonly<Record<'begin' | 'file' | 'batch', Readonly<Record<string, Taker>>>> = {
  begin: { 1: (reader, number, text) => reader.begin(number, text) },
  file: {
    5: (reader, number, text) => reader.beginBatch(number, text),
    9: (reader, number, text) => reader.endFile(number, text),
  },
  batch: {
    6: (reader, number, text) => reader.entry(number, text),
    7: (reader, number, text) => reader.addenda(number, text),
    8: (reader, number, text) => reader.endBatch(number, text),
  },
};
