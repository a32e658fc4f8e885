import { fault } from '../../../../domain/problem.ts';
import type { RowNote } from '../../../cells/cell-facts.ts';
import { FixedWidthReader } from './fixed-width-reader.ts';
import { OwnAccountDebits } from './own-account.ts';
import type { FixedRecord, RecordLayout } from './records.ts';

/**
 * Source: Pay.UK, Bacs Standard 18 (electronic funds transfer, file structures); labels have 80 characters. The positions
 * of all fields, those of UTL1 too, are as they are published in tracey-stobbs/bacs-file-data-generator on GitHub
 * (docs/FileFormats/BacsStandard.md), and the lengths as in FinDock's documentation (Bacs Direct Debit collection file).
 */
const LABEL_LENGTH = 80;
const LENGTH = 100;
/** With the processing day of each payment. */
const LENGTH_OF_SEVERAL_DAYS = 106;

export const PAYMENT = {
  name: 'payment',
  least: LENGTH,
  fields: {
    destination_sort_code: [1, 6, 'digits', 'national_clearing_code'],
    destination_account: [7, 14, 'digits', 'account_number'],
    destination_account_type: [15, 15, ['0', '']],
    transaction_code: [16, 17, 'text'],
    originating_sort_code: [18, 23, 'digits'],
    originating_account: [24, 31, 'digits'],
    free_format: [32, 35, 'text'],
    amount: [36, 46, 'digits', 'amount'],
    service_user_name: [47, 64, 'text'],
    service_user_reference: [65, 82, 'text', 'reference'],
    destination_account_name: [83, 100, 'text', 'name'],
    processing_day: [101, 106, 'text'],
  },
} as const satisfies RecordLayout;

const USER_HEADER = {
  name: 'user header label',
  least: 10,
  fields: { label: [1, 4, ['UHL1']], processing_day: [5, 10, 'text'] },
} as const satisfies RecordLayout;

const USER_TRAILER = {
  name: 'user trailer label',
  least: 44,
  fields: {
    label: [1, 4, ['UTL1']],
    debit_total: [5, 17, 'digits'],
    credit_total: [18, 30, 'digits'],
    debit_count: [31, 37, 'digits'],
    credit_count: [38, 44, 'digits'],
  },
} as const satisfies RecordLayout;

type PaymentField = keyof (typeof PAYMENT)['fields'];

const CREDIT = '99';
/** First, regular, represented and final collections; instructions of direct debit. */
const DEBITS: ReadonlySet<string> = new Set(['01', '17', '18', '19', '0C', '0N', '0S']);
/** A contra record, which debits the account that is paid from. */
const CONTRA = '17';

const HEADERS = ['VOL1', 'HDR1', 'HDR2', 'UHL1'];
const TRAILERS = ['EOF1', 'EOF2', 'UTL1'];
/** The label by which each of these is closed. */
const CLOSED_BY: Readonly<Record<string, string>> = { HDR1: 'EOF1', UHL1: 'UTL1' };

export const BACS_HEADER = [
  'name',
  'amount',
  'currency',
  'account_number',
  'national_clearing_code',
  'reference',
  'execution_date',
];

/** What the payments since the last user trailer come to. */
type Section = { credits: bigint; debits: bigint; creditCount: bigint; debitCount: bigint };

const NOTHING: Section = { credits: 0n, debits: 0n, creditCount: 0n, debitCount: 0n };

/** Reads Bacs Standard 18, with its labels or without them. */
export class BacsReader extends FixedWidthReader {
  #part: 'header' | 'payments' | 'trailer' = 'header';
  /** The labels by which the file must be closed. */
  readonly #open = new Set<string>();
  #hasTrailer = false;
  #section: Section = { ...NOTHING };
  #day = '';
  readonly #own = new OwnAccountDebits<PaymentField>();

  constructor() {
    super({ header: BACS_HEADER, currency: 'GBP', length: LENGTH });
  }

  protected take(number: number, text: string): void {
    const label = text.slice(0, 4);
    if (HEADERS.includes(label)) {
      this.#header(number, text, label);
      return;
    }
    if (TRAILERS.includes(label)) {
      this.#trailer(number, text, label);
      return;
    }
    if (this.#part === 'trailer') {
      this.afterEnd(number);
      return;
    }
    if (!/^[\d ]/.test(label)) {
      this.unexpected(number, label, [...HEADERS, ...TRAILERS]);
      return;
    }
    this.#part = 'payments';
    this.#payment(number, text);
  }

  protected finish(): void {
    const [missing] = this.#open;
    if (missing !== undefined) {
      this.output.stop(fault('file_cut_off', { missing: 'label', label: missing }));
      return;
    }
    this.#settle();
    if (!this.#hasTrailer) this.output.problem('warning', fault('control_figures_absent'));
  }

  #header(number: number, text: string, label: string): void {
    if (this.#part === 'payments') {
      this.unexpected(number, label, TRAILERS);
      return;
    }
    this.#part = 'header';
    const closing = CLOSED_BY[label];
    if (closing !== undefined) this.#open.add(closing);
    if (label !== 'UHL1') return;
    const record = this.record(number, text, USER_HEADER, LABEL_LENGTH);
    if (record === null) return;
    this.refuseFaults(record);
    this.#day = dayOf(record.text('processing_day'));
  }

  #trailer(number: number, text: string, label: string): void {
    this.#part = 'trailer';
    this.#open.delete(label);
    if (label !== 'UTL1') return;
    this.#hasTrailer = true;
    const record = this.record(number, text, USER_TRAILER, LABEL_LENGTH);
    if (record === null) return;
    this.refuseFaults(record);
    this.#settle();
    const { credits, debits, creditCount, debitCount } = this.#section;
    this.compare(record, 'credit_total', credits, true);
    this.compare(record, 'credit_count', creditCount, false);
    this.compare(record, 'debit_total', debits, true);
    this.compare(record, 'debit_count', debitCount, false);
    this.#section = { ...NOTHING };
  }

  #payment(number: number, text: string): void {
    const isOfDays = text.length >= LENGTH_OF_SEVERAL_DAYS;
    const record = this.record(number, text, PAYMENT, isOfDays ? LENGTH_OF_SEVERAL_DAYS : LENGTH);
    if (record === null) return;
    const code = record.text('transaction_code');
    const minor = record.figure('amount');
    const payer = record.raw('originating_sort_code') + record.raw('originating_account');
    if (DEBITS.has(code)) {
      this.#debit(record, code, minor, payer);
      return;
    }
    this.#section.credits += minor;
    this.#section.creditCount++;
    this.#own.credit(payer, minor);
    const credits = [CREDIT];
    const notes: RowNote[] = credits.includes(code)
      ? []
      : [
          this.note(
            record,
            'transaction_code',
            null,
            fault('transaction_code_other', { transactionCode: code, credits }),
          ),
        ];
    const day = dayOf(record.text('processing_day')) || this.#day;
    this.output.date(day);
    const cells = {
      name: record.text('destination_account_name'),
      account_number: record.text('destination_account'),
      national_clearing_code: record.text('destination_sort_code'),
      reference: record.text('service_user_reference'),
      execution_date: day,
    };
    this.pay(record, minor, cells, notes);
  }

  #debit(record: FixedRecord<PaymentField>, code: string, minor: bigint, payer: string): void {
    const account = record.raw('destination_sort_code') + record.raw('destination_account');
    if (code !== CONTRA || account !== payer) {
      this.refuseDebit(record, 'transaction_code', code);
      return;
    }
    this.#section.debits += minor;
    this.#section.debitCount++;
    this.#own.debit(payer, minor, record);
  }

  #settle(): void {
    const { balancing, collecting } = this.#own.settle();
    for (const own of balancing) this.leaveOut(own, 'own_account');
    for (const debit of collecting) this.refuseDebit(debit, 'transaction_code', CONTRA);
  }
}

/** `2026-11-30` of `26334`, a year and the day in it; empty for no such day. */
function dayOf(text: string): string {
  const [, year, day] = /^(\d\d)(\d{3})$/.exec(text) ?? [];
  if (year === undefined || Number(day) === 0 || Number(day) > 366) return '';
  return new Date(Date.UTC(2000 + Number(year), 0, Number(day))).toISOString().slice(0, 10);
}
