import { fault } from '../../../../domain/problem.ts';
import type { RowNote } from '../../../cells/cell-facts.ts';
import { FixedWidthReader } from './fixed-width-reader.ts';
import { OwnAccountDebits } from './own-account.ts';
import type { FixedRecord, RecordLayout } from './records.ts';

/** Source: Australian Banking Association, Cemtex (direct entry) file, as ANZ, NAB and Westpac publish it. */
const LENGTH = 120;

const DESCRIPTIVE = {
  name: 'descriptive record',
  least: 80,
  fields: {
    record_type: [1, 1, ['0']],
    reel_sequence: [19, 20, 'digits'],
    financial_institution: [21, 23, 'text'],
    user_name: [31, 56, 'text'],
    user_number: [57, 62, 'text'],
    description: [63, 74, 'text'],
    date: [75, 80, 'digits'],
  },
} as const satisfies RecordLayout;

export const DETAIL = {
  name: 'detail record',
  least: LENGTH,
  fields: {
    record_type: [1, 1, ['1']],
    bsb: [2, 8, 'text', 'national_clearing_code'],
    account_number: [9, 17, 'text', 'account_number'],
    indicator: [18, 18, 'text'],
    transaction_code: [19, 20, 'digits'],
    amount: [21, 30, 'digits', 'amount'],
    title_of_account: [31, 62, 'text', 'name'],
    lodgement_reference: [63, 80, 'text', 'reference'],
    trace_bsb: [81, 87, 'text'],
    trace_account: [88, 96, 'text'],
    remitter: [97, 112, 'text'],
    withholding_tax: [113, 120, 'digits'],
  },
} as const satisfies RecordLayout;

const FILE_TOTAL = {
  name: 'file total record',
  least: 80,
  fields: {
    record_type: [1, 1, ['7']],
    bsb: [2, 8, ['999-999']],
    net_total: [21, 30, 'digits'],
    credit_total: [31, 40, 'digits'],
    debit_total: [41, 50, 'digits'],
    number_of_records: [75, 80, 'digits'],
  },
} as const satisfies RecordLayout;

type DetailField = keyof (typeof DETAIL)['fields'];

/** Externally initiated credits, pay, pensions, allotments, dividends and interest. */
const CREDITS = ['50', '51', '52', '53', '54', '55', '56', '57'];
const DEBIT = '13';

export const ABA_HEADER = [
  'name',
  'amount',
  'currency',
  'account_number',
  'national_clearing_code',
  'reference',
  'execution_date',
  'remitter',
];

/** Reads direct entry files of Australian banks: one descriptive record, details, one file total record. */
export class AbaReader extends FixedWidthReader {
  #next: '0' | '1' | 'end' = '0';
  #date = '';
  #details = 0n;
  #credits = 0n;
  #debits = 0n;
  readonly #own = new OwnAccountDebits<DetailField>();

  constructor() {
    super({ header: ABA_HEADER, currency: 'AUD', length: LENGTH });
  }

  protected take(number: number, text: string): void {
    const type = text.charAt(0);
    if (this.#next === 'end') {
      this.afterEnd(number);
      return;
    }
    const expected = this.#next === '0' ? ['0'] : ['1', '7'];
    if (!expected.includes(type)) this.unexpected(number, type, expected);
    else if (type === '0') this.#begin(number, text);
    else if (type === '1') this.#detail(number, text);
    else this.#total(number, text);
  }

  protected finish(): void {
    if (this.#next !== 'end') this.output.stop(fault('file_cut_off', { missing: 'file_total' }));
  }

  #begin(number: number, text: string): void {
    const record = this.record(number, text, DESCRIPTIVE, LENGTH);
    if (record === null) return;
    this.refuseFaults(record);
    const [, day, month, year] = /^(\d\d)(\d\d)(\d\d)$/.exec(record.text('date')) ?? [];
    this.#date = year === undefined ? '' : `20${year}-${month}-${day}`;
    this.output.date(this.#date);
    this.#next = '1';
  }

  #detail(number: number, text: string): void {
    const record = this.record(number, text, DETAIL, LENGTH);
    if (record === null) return;
    const code = record.text('transaction_code');
    const minor = record.figure('amount');
    const payer = accountOf(record.text('trace_bsb'), record.text('trace_account'));
    this.#details++;
    if (code === DEBIT) {
      this.#debit(record, minor, payer);
      return;
    }
    this.#credits += minor;
    this.#own.credit(payer, minor);
    const notes: RowNote[] = [];
    if (!CREDITS.includes(code))
      notes.push(
        this.note(
          record,
          'transaction_code',
          null,
          fault('transaction_code_other', { transactionCode: code, credits: CREDITS }),
        ),
      );
    if (record.figure('withholding_tax') > 0n)
      notes.push({
        ...this.note(record, 'withholding_tax', null, fault('element_not_carried', { element: 'the withholding tax' })),
        severity: 'warning',
      });
    const cells = {
      name: record.text('title_of_account'),
      account_number: record.text('account_number'),
      national_clearing_code: record.text('bsb'),
      reference: record.text('lodgement_reference'),
      execution_date: this.#date,
      remitter: record.text('remitter'),
    };
    this.pay(record, minor, cells, notes);
  }

  #debit(record: FixedRecord<DetailField>, minor: bigint, payer: string): void {
    const account = accountOf(record.text('bsb'), record.text('account_number'));
    if (account !== payer) {
      this.refuseDebit(record, 'transaction_code', DEBIT);
      return;
    }
    this.#debits += minor;
    this.#own.debit(payer, minor, record);
  }

  #total(number: number, text: string): void {
    const record = this.record(number, text, FILE_TOTAL, LENGTH);
    if (record === null) return;
    this.refuseFaults(record);
    const { balancing, collecting } = this.#own.settle();
    for (const own of balancing) this.leaveOut(own, 'own_account');
    for (const debit of collecting) this.refuseDebit(debit, 'transaction_code', DEBIT);
    const net = this.#credits - this.#debits;
    this.compare(record, 'credit_total', this.#credits, true);
    this.compare(record, 'debit_total', this.#debits, true);
    this.compare(record, 'net_total', net < 0n ? -net : net, true);
    this.compare(record, 'number_of_records', this.#details, false);
    this.#next = 'end';
  }
}

function accountOf(bsb: string, account: string): string {
  return `${bsb.replace(/\D/g, '')} ${account.replace(/[^0-9A-Za-z]/g, '').replace(/^0+/, '')}`;
}
