import type { RecordLayout } from './records.ts';

/** Source: Nacha Operating Rules, appendix 3 (ACH record format specifications). */
export const LENGTH = 94;

export const FILE_HEADER = {
  name: 'file header record',
  least: 40,
  fields: {
    record_type: [1, 1, ['1']],
    priority_code: [2, 3, ['01']],
    record_size: [35, 37, ['094']],
    blocking_factor: [38, 39, ['10']],
    format_code: [40, 40, ['1']],
  },
} as const satisfies RecordLayout;

export const BATCH_HEADER = {
  name: 'batch header record',
  least: LENGTH,
  fields: {
    record_type: [1, 1, ['5']],
    service_class_code: [2, 4, ['200', '220']],
    company_name: [5, 20, 'text'],
    company_identification: [41, 50, 'text'],
    standard_entry_class: [51, 53, ['PPD', 'CCD']],
    company_entry_description: [54, 63, 'text', 'reference'],
    effective_entry_date: [70, 75, 'text'],
    batch_number: [88, 94, 'digits'],
  },
} as const satisfies RecordLayout;

export const ENTRY = {
  name: 'entry detail record',
  least: LENGTH,
  fields: {
    record_type: [1, 1, ['6']],
    transaction_code: [2, 3, 'digits', 'account_type'],
    receiving_bank: [4, 11, 'digits', 'national_clearing_code'],
    check_digit: [12, 12, 'digits'],
    account_number: [13, 29, 'text', 'account_number'],
    amount: [30, 39, 'digits', 'amount'],
    individual_identification: [40, 54, 'text'],
    individual_name: [55, 76, 'text', 'name'],
    addenda_indicator: [79, 79, ['0', '1']],
    trace_number: [80, 94, 'digits'],
  },
} as const satisfies RecordLayout;

export const ADDENDA = {
  name: 'addenda record',
  least: LENGTH,
  fields: {
    record_type: [1, 1, ['7']],
    addenda_type: [2, 3, ['05']],
    payment_information: [4, 83, 'text'],
    addenda_sequence: [84, 87, 'digits'],
    entry_sequence: [88, 94, 'digits'],
  },
} as const satisfies RecordLayout;

export const BATCH_CONTROL = {
  name: 'batch control record',
  least: LENGTH,
  fields: {
    record_type: [1, 1, ['8']],
    service_class_code: [2, 4, ['200', '220']],
    entry_and_addenda_count: [5, 10, 'digits'],
    entry_hash: [11, 20, 'digits'],
    debit_total: [21, 32, 'digits'],
    credit_total: [33, 44, 'digits'],
    batch_number: [88, 94, 'digits'],
  },
} as const satisfies RecordLayout;

export const FILE_CONTROL = {
  name: 'file control record',
  least: 55,
  fields: {
    record_type: [1, 1, ['9']],
    batch_count: [2, 7, 'digits'],
    block_count: [8, 13, 'digits'],
    entry_and_addenda_count: [14, 21, 'digits'],
    entry_hash: [22, 31, 'digits'],
    debit_total: [32, 43, 'digits'],
    credit_total: [44, 55, 'digits'],
  },
} as const satisfies RecordLayout;
