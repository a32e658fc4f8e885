import type { ProblemCode, ProblemParams } from '../../src/domain/problem.ts';
import type { AccountField } from '../../src/domain/problems/account-problems.ts';
import type { TextColumn } from '../../src/domain/problems/input-problems.ts';
import { DIGIT_FIELDS } from '../../src/messages/problems/account-labels.ts';

// Over 250 lines: because it is one table.
// Parameters for the words of each problem, taken from files and runs of other tests.

type Samples = { readonly [C in ProblemCode]?: readonly ProblemParams[C][] };

const ALL: readonly AccountField[] = [...DIGIT_FIELDS, 'iban', 'bic', 'ifsc', 'pix_key', 'wallet_address'];
const TEXTS: readonly TextColumn[] = [
  ...([
    'name',
    'payee_id',
    'email',
    'entity_name',
    'registration_number',
    'address_line1',
    'address_line2',
    'city',
  ] as const),
  ...(['state', 'postal_code', 'account_name', 'external_account_id', 'recipient_id', 'description'] as const),
];

function each<Name extends string>(names: readonly Name[], kind: string, params: (name: Name) => object): object {
  return Object.fromEntries(names.map((name) => [`${name}_${kind}`, [params(name)]]));
}

export const PROBLEM_SAMPLES: Samples = {
  ...each(ALL, 'missing', (field) => ({ field })),
  ...each(ALL, 'scientific', (field) => ({ field })),
  ...each(DIGIT_FIELDS, 'characters', (field) => ({ field, min: 6, max: 9, letters: false })),
  ...each(DIGIT_FIELDS, 'length', (field) => ({ field, has: 5, min: 6, max: 6, letters: true })),
  ...each(DIGIT_FIELDS, 'leading_zero', (field) => ({ field, has: 5, length: 6, padded: '012345' })),
  ...each(TEXTS, 'too_long', (column) => ({ column, max: 140 })),
  not_text: [{ zeroBytes: [4, 5] }],
  quote_not_closed: [{ mebibytes: 1 }],
  record_too_long: [{ mebibytes: 1 }],
  too_many_columns: [{ columns: 5000 }],
  charset_not_read: [{ charset: 'koi8-r' }],
  encoding_undecided: [
    { readings: [] },
    {
      readings: [{ names: ['Britt Grõnn'], encoding: 'macintosh' }],
      unread: [{ names: ['Britt Grønn'], encoding: 'cp865' }],
    },
    {
      readings: [
        { names: ['韦伟'], encoding: 'gb18030' },
        { names: ['Τΰ'], encoding: 'utf-8' },
      ],
      unread: [{ names: ['里琉'], encoding: 'euc-jp' }],
    },
  ],
  encoding_contradicted: [
    { used: { names: ['Ĺľqw'], encoding: 'windows-1250' }, other: { names: ['žqw'], encoding: 'utf-8' } },
    {
      used: { names: ['José Muñoz', 'Jiří Dvořák'], encoding: 'utf-8' },
      other: { names: ['Jos茅 Mu帽oz', 'Ji艡铆 Dvo艡谩k'], encoding: 'gb18030' },
    },
  ],
  sheet_ambiguous: [{ sheets: ['Juni', 'Juli'] }],
  sheet_hidden: [{ sheets: ['July'] }],
  other_sheets: [{ sheets: ['Old'] }],
  header_merged: [{ range: 'C2:D2' }],
  cells_merged: [{ range: 'A3:A4', first: 'A3' }],
  bank_file_unknown: [{ root: 'Orders' }],
  iso_message_other: [{ message: 'pain.002.001.03', kind: 'status' }],
  xml_malformed: [{ unclosed: 'Amt' }],
  xml_encoding: [{ encoding: 'EBCDIC' }],
  xml_undecodable: [{ encoding: 'UTF-8' }],
  xml_too_deep: [{ levels: 32 }],
  xml_too_long: [{ mebibytes: 1 }],
  element_unexpected: [{ element: 'a', inside: 'Cdtr' }],
  element_missing: [{ element: 'EndToEndId', inside: 'PmtId' }],
  element_invalid: [
    { element: 'InstdAmt', wanted: { form: 'amount' } },
    { element: 'Nm', wanted: { form: 'length', min: 1, max: 140 } },
  ],
  file_cut_off: [
    { missing: 'document' },
    { missing: 'file_total' },
    { missing: 'file_control' },
    { missing: 'batch_control' },
    { missing: 'addenda' },
    { missing: 'label', label: 'EOF1' },
  ],
  record_unexpected: [{ type: '7', expected: ['5', '9'] }],
  record_length: [{ has: 8, length: 94 }],
  record_character: [{ at: 32 }],
  field_invalid: [
    { field: 'standard_entry_class', wanted: { form: 'one_of', of: ['PPD', ''] } },
    { field: 'amount', wanted: { form: 'digits' } },
  ],
  control_figure_differs: [
    { figure: 'GrpHdr/CtrlSum', isField: false, stated: '1', found: '2' },
    { figure: 'credit_total', isField: true, stated: '1', found: '2' },
  ],
  payment_method_other: [{ method: 'CHK' }],
  clearing_system_other: [{ system: 'GBDSC', currency: 'AUD' }],
  transaction_code_other: [{ transactionCode: '60', credits: ['50', '51'] }],
  element_not_carried: [{ element: 'Purp' }],
  reference_joined: [{ texts: 2 }],
  payment_date_not_held: [{ dates: ['2026-11-30'], more: 0 }],
  record_not_paid: [{ why: 'prenote' }],
  bank_statement: [
    { headers: [{ header: 'D/C', cell: 'F1' }] },
    {
      headers: [
        { header: 'Data contabile', cell: 'A1' },
        { header: 'Dare', cell: 'F1' },
      ],
    },
  ],
  collection_list: [{ sign: 'Beitrag' }, { sign: 'Cuota', amounts: 'Cuota' }],
  direct_debit_list: [{ sign: 'Mandat' }, { sign: '27', field: 'transaction_code' }],
  card_list: [{ header: 'Where to' }],
  gross_list: [{ header: 'Lohnart' }],
  contact_list: [{ source: null }, { source: 'wise' }],
  unpayable_layout: [{ layout: 'Xero bills', list: 'xero_bills' }],
  header_not_found: [
    { rows: 20, likeliest: 1, headers: [{ header: '[1]', cell: 'A1' }] },
    {
      rows: 20,
      likeliest: 1,
      headers: [
        { header: 'Ana', cell: 'A1' },
        { header: '12.50', cell: 'B1' },
      ],
    },
  ],
  header_of_two_rows: [{ rows: [1, 2] }],
  given_currencies_differ: [
    { code: 'GBP', other: 'USD', source: 'file', otherRow: 1 },
    { code: 'GBP', other: 'EUR', source: 'job', otherRow: null },
  ],
  header_ambiguous: [{ rows: [1, 2] }],
  payout_above_header: [{ header: 2, first: 1, last: 1 }],
  rows_above_header: [{ header: 2, first: 1, last: 1 }],
  column_twice: [
    { column: 'name', cells: ['A1', 'D1'], first: 'name', header: 'Payee', isSameHeader: false },
    { column: 'amount', cells: ['B1', 'E1'], first: 'IMPORTE', header: 'IMPORTE', isSameHeader: true },
  ],
  reference_taken: [{ header: 'ZWECK' }],
  column_missing: [
    { column: 'name', parts: ['Ad'] },
    { column: 'rail', synonyms: ['payment rail', 'payout rail'], instead: ['account_number', 'wallet_address'] },
    {
      column: 'currency',
      synonyms: ['currency code', 'ccy'],
      proposed: { code: 'NGN', evidence: { by: 'layout', layout: 'Paystack bulk transfers' }, isPaid: false },
      paid: ['AUD', 'USD'],
    },
  ],
  column_near_miss: [
    { header: 'Countr', column: 'state', isUnsure: false },
    { header: 'Konto', column: 'account_number', isUnsure: true },
  ],
  mapped_header_absent: [{ header: 'Z', column: 'name', row: 1, isOfJob: false }],
  name_in_parts: [{ header: 'Name', beside: { header: 'Vorname', cell: 'B1' } }],
  amount_beside_tax: [{ header: 'Amount', beside: { header: 'VAT', cell: 'E1' } }],
  amount_in_minor_units: [{ header: 'Pence', example: { text: '30050', whole: '300.50' } }],
  amount_in_thousands: [{ header: "Amount ('000)" }],
  amount_net_or_gross: [{ header: 'Net Pay', beside: { header: 'Gross Salary', cell: 'D1' } }],
  amount_or_other: [{ header: 'Amount', beside: { header: 'Total', cell: 'F1' } }],
  amount_before_deductions: [{ header: 'Tutar', beside: { header: 'Kesinti', cell: 'E1' } }],
  account_or_other: [{ header: 'IBAN', beside: { header: 'Again', cell: 'E1' } }],
  account_of_sender: [{ header: 'Debit Account No', column: 'account_number' }],
  name_of_customer: [
    { header: 'Kunde', isOfReceivables: true },
    { header: 'Kunde', isOfReceivables: false },
  ],
  amount_is_contribution: [{ header: 'Cuota' }],
  row_too_many_cells: [
    { cells: 8, headers: 6 },
    { cells: null, headers: null },
  ],
  row_too_few_cells: [{ cells: 1, headers: 6 }],
  row_cells_left_out: [{ headers: ['Description'] }],
  cells_differ: [
    {
      column: 'amount',
      cells: [
        { header: 'IMPORTE', cell: 'B26' },
        { header: 'IMPORTE', cell: 'E26' },
      ],
    },
  ],
  cell_is_date: [
    { shown: null, isAmount: true, readAs: null },
    { shown: '25-11-26', isAmount: false, readAs: null },
    { shown: 'Jul-26', isAmount: false, readAs: '2026-07-15' },
  ],
  formula_without_value: [{ isTotal: true }, { isTotal: false }],
  identifier_digits_lost: [{ digits: 18 }],
  not_read: [
    { isCell: false, reason: 'Error: no such limit' },
    { isCell: true, reason: 'TypeError: x is undefined' },
  ],
  garbled_text: [{ column: 'name', written: 'José Núñez' }],
  letters_doubtful: [{ column: 'name' }],
  unreadable_character: [{ column: 'name' }],
  control_character: [{ column: 'name', character: 'U+000A' }],
  example_row_changed: [{ isName: false }],
  row_paid_already: [{ header: '' }],
  row_withheld: [{ header: '' }],
  row_no_payout: [{ header: 'Type' }],
  row_paid_otherwise: [{ header: 'Type' }],
  roll_number_unused: [{ header: 'Roll No', reference: 'Reference' }],
  row_is_direct_debit: [{ header: '' }],
  name_mixed_alphabets: [
    { letter: 'о', alphabet: 'Cyrillic', word: 'Jоhn' },
    { letter: 'Α', alphabet: 'Greek', word: 'Αnn' },
  ],
  country_unknown: [{ near: [] }, { near: [{ code: 'DE', name: 'Germany' }] }],
  account_modulus_unchecked: [{ hasSubstitutions: true }, { hasSubstitutions: false }],
  amount_ambiguous: [{}],
  amount_separators_mixed: [
    { cells: [] },
    {
      cells: [
        { cell: 'B2', text: '12.50' },
        { cell: 'B3', text: '12,50' },
      ],
    },
  ],
  amount_digits_lost: [{ digits: 16 }],
  amount_too_many_decimals: [{ currency: 'AUD', decimals: 2 }],
  amount_not_positive: [{ amount: '0' }],
  amount_is_percentage: [{ holds: '0.5' }],
  amount_shown_rounded: [
    { holds: '1200', isInThousands: true },
    { holds: '12.34', isInThousands: false },
  ],
  amount_shown_in_other_currency: [{ mark: { text: '€', codes: ['EUR'] }, currency: 'AUD' }],
  amount_currency_differs: [
    { mark: { text: 'USD', codes: ['USD'] }, currency: 'AUD' },
    { mark: { text: '$', codes: ['USD', 'AUD'] }, currency: 'EUR' },
  ],
  amount_header_currency_differs: [
    { header: 'Tutar TL', codes: ['TRY'], currency: 'USD' },
    { header: 'Amount ($)', codes: ['USD', 'AUD'], currency: 'EUR' },
  ],
  currencies_differ: [{ header: 'Invoice Currency', other: 'USD', currency: 'EUR', amounts: 'Amount' }],
  amount_of_other_currency: [{ header: 'Devise facture', other: 'USD', currency: 'EUR', amounts: 'Montant facture' }],
  amount_of_source_currency: [
    { header: 'Fixed side', isAmount: false },
    { header: 'Transfer amount in currency you pay', isAmount: true },
  ],
  currency_missing: [
    { marks: [], code: null },
    { marks: [{ text: '€', codes: ['EUR'] }], code: 'EUR' },
  ],
  currency_only_in_amount: [{ marks: [{ text: '€', codes: ['EUR'] }], code: 'EUR' }],
  currency_unknown: [
    { meant: null, near: null },
    { meant: null, near: 'EUR' },
    { meant: 'EUR', near: 'EUR' },
  ],
  currency_not_on_chain: [{ currency: 'ETH', chains: ['ethereum', 'arbitrum'] }],
  currency_without_rail: [{ currency: 'NZD', currencies: ['AUD', 'USD'] }],
  source_chain_missing: [{ currency: 'USDC', chains: ['ethereum', 'polygon'] }],
  source_currency_not_on_chain: [{ currency: 'ETH', chains: ['ethereum', 'arbitrum'] }],
  source_crypto_to_crypto: [{ from: 'ETH on arbitrum', to: 'ETH on ethereum' }],
  rail_missing: [{ rails: ['AUD_NPP', 'USD_ACH'] }],
  rail_unknown: [
    { meant: null, rails: ['AUD_NPP'] },
    { meant: null, rails: ['HKD_SWIFT', 'HKD_FPS'] },
    { meant: 'MXN_SPEI', rails: ['MXN_SPEI', 'MXN_SWIFT'] },
  ],
  rail_currency_mismatch: [
    { rail: 'WEB3', pays: null, currency: 'USD' },
    { rail: 'AUD_NPP', pays: 'AUD', currency: 'NZD' },
  ],
  rail_several_fit: [
    {
      currency: 'USD',
      fitting: [
        { rail: 'USD_ACH', fields: ['account_number'] },
        { rail: 'USD_WIRE', fields: ['account_number'] },
      ],
    },
    {
      currency: 'EUR',
      fitting: [
        { rail: 'EUR_SEPA', fields: ['account_number', 'bic'] },
        { rail: 'EUR_SWIFT', fields: ['account_number', 'bic'] },
      ],
    },
  ],
  rail_none_fits: [
    {
      currency: 'USD',
      nearest: 'USD_ACH',
      rails: ['USD_ACH', 'USD_WIRE'],
      misfits: [
        { rail: 'USD_ACH', codes: ['aba_length'] },
        { rail: 'USD_WIRE', codes: ['aba_length'] },
      ],
    },
    {
      currency: 'USD',
      nearest: 'USD_SWIFT',
      rails: ['USD_ACH', 'USD_WIRE'],
      misfits: [
        { rail: 'USD_ACH', codes: ['account_number_length', 'aba_missing'] },
        { rail: 'USD_WIRE', codes: ['account_number_length', 'aba_missing'] },
      ],
    },
  ],
  account_number_unusual: [{ has: 13, min: 14, max: 14, banks: 'hdfc' }],
  aba_prefix: [{ prefix: '78' }],
  bic_invalid: [{ isOptional: true }, { isOptional: false }],
  bic_country: [{ bank: 'DE', account: 'FR' }],
  ifsc_invalid: [
    { isOptional: true, letterForZero: null },
    { isOptional: true, letterForZero: 'ICIC0000104' },
    { isOptional: false, letterForZero: 'HDFC0000123' },
  ],
  iban_characters: [{}, { character: '.' }],
  iban_country: [{ country: 'XX' }],
  iban_format: [{ country: 'IE' }],
  iban_length: [{ has: 18, country: 'DE', length: 22 }],
  iban_not_sepa: [{ country: 'BR' }],
  iban_of_another_country: [{ country: 'DE', paid: 'BR' }],
  iban_short: [{ has: 20, country: 'DE', length: 22 }],
  cpf_checksum: [{ field: 'cpf' }],
  cnpj_checksum: [{ field: 'cnpj' }],
  pix_key_ambiguous: [{ phone: '+5511912345684', cpf: '119.123.456-84' }],
  pix_key_email: [{ max: 77 }],
  pix_key_phone_prefix: [{ phone: '+5511987654321' }],
  chain_missing: [{}, { asset: 'USDC', chains: ['ethereum', 'polygon'] }],
  chain_unknown: [{ chains: ['ethereum', 'polygon'] }],
  reference_characters: [
    { rail: 'EUR_SEPA', strange: ['給', '与'], begin: '給', set: 'swift' },
    { rail: 'EUR_SEPA', strange: ['ó'], begin: 'N', set: 'swift', example: 'Nomina' },
    { rail: 'EUR_SEPA', strange: ['ó', 'ü'], begin: 'N', set: 'swift', example: 'Nomina Mueller' },
  ],
  reference_folded: [{ written: 'Nomina Mueller', rail: 'EUR_SEPA' }],
  reference_line_start: [{ line: 35, at: 36, sign: '-' }],
  reference_may_be_cut: [{ max: 18, arrives: 'xxxxxxxxxxxxxxxxxx' }],
  reference_may_change: [
    { strange: ['é'], set: 'ascii' },
    { strange: ['é'], set: 'latin_1', example: 'E' },
  ],
  reference_too_long: [{ max: 10, rail: 'USD_ACH', has: 16, arrives: 'SALARY JUL' }],
  possible_duplicate: [
    { row: 2, isOtherName: true, isOtherPayee: true },
    { row: 2, isOtherName: false, isOtherPayee: true },
    { row: 5, unit: 'record', isOtherName: false, isOtherPayee: false },
  ],
  payee_name_differs: [
    { row: 2, isSameAccount: true },
    { row: 2, isSameAccount: false },
  ],
  payee_account_differs: [
    { row: 2, currency: 'AUD', shared: 3 },
    { row: 2, currency: 'AUD', shared: null },
  ],
  account_shared: [
    { row: 2, isSameName: true },
    { row: 2, isSameName: false },
  ],
  account_name_differs: [{ row: 3 }],
  payee_repeated: [{ row: 2 }],
  total_line: [{ unread: 0 }],
  count_above_differs: [{ count: 3, rows: 2 }],
  total_line_differs: [
    { text: '0.04', isLabelled: true, sums: [{ amount: '0.02', currency: 'AUD' }] },
    { text: '50', isLabelled: false, sums: [{ amount: '1234.50', currency: 'AUD' }] },
  ],
  expected_count: [{ expected: 2, payouts: 1 }],
  expected_total: [
    {
      total: { amount: '1234.50', currency: 'AUD' },
      expected: null,
      difference: { amount: '1234.50', currency: 'AUD' },
      isMore: true,
    },
    {
      total: { amount: '0.00', currency: 'AUD' },
      expected: { amount: '0.08', currency: 'AUD' },
      difference: { amount: '0.08', currency: 'AUD' },
      isMore: false,
    },
    {
      total: { amount: '2000.50', currency: 'AUD' },
      expected: { amount: '1.00', currency: 'AUD' },
      difference: { amount: '1999.50', currency: 'AUD' },
      isMore: true,
    },
  ],
  limit_per_payout: [{ amount: { amount: '1.00', currency: 'AUD' }, limit: { amount: '1.00', currency: 'AUD' } }],
  limit_per_run: [{ amount: { amount: '1.00', currency: 'AUD' }, limit: { amount: '1.00', currency: 'AUD' } }],
  limit_per_day: [
    {
      amount: { amount: '1.00', currency: 'AUD' },
      limit: { amount: '1.00', currency: 'AUD' },
      isConverted: true,
      others: ['R1'],
      othersSum: { amount: '1.00', currency: 'AUD' },
      allSum: { amount: '1.00', currency: 'AUD' },
      day: 20000,
      timeZone: 'Europe/Berlin',
    },
    {
      amount: { amount: '1.00', currency: 'AUD' },
      limit: { amount: '1.00', currency: 'AUD' },
      isConverted: false,
      others: [],
      othersSum: null,
      allSum: { amount: '1.00', currency: 'AUD' },
      day: 20000,
      timeZone: 'UTC',
    },
  ],
  limit_currency: [{ currency: 'AUD', limits: ['EUR'] }],
  limit_payees: [{ payees: 9, limit: 5 }],
  limit_only_payees: [{ isUnnamed: true }, { isUnnamed: false }],
  history_partly_read: [{ runId: 'R1', compared: 2, payouts: 3 }],
  history_unreadable: [{ folder: 'payrun', reason: 'x' }],
  total_unusual: [
    {
      total: { amount: '1.00', currency: 'EUR' },
      last: { amount: '2.00', currency: 'EUR' },
      run: { id: 'R1', at: 1795564800000, isRehearsal: false },
    },
  ],
  amount_unusual: [{ times: '10', usual: { amount: '1.00', currency: 'AUD' }, payouts: 1 }],
  amount_changed: [
    { payee: 'A', now: { amount: '1.00', currency: 'AUD' }, before: { amount: '1.00', currency: 'AUD' } },
  ],
  account_changed: [
    {
      payee: null,
      change: {
        was: '••••5501',
        now: '••••5502',
        wasNamed: null,
        run: { id: 'R1', at: 1795564800000, isRehearsal: false },
      },
      corrected: null,
    },
    {
      payee: null,
      change: {
        was: '••••5501',
        now: '••••5501',
        wasNamed: 'bank_details',
        run: { id: 'R1', at: 1795564800000, isRehearsal: false },
      },
      corrected: null,
    },
  ],
  account_first_time: [{ payee: 'A', account: '••••1' }],
  payee_first_time: [{ payee: 'A', account: '••••1' }],
  payee_missing: [
    { count: 2, payees: ['A'], run: { id: 'R20261125-7K3M9QZ2', at: 1795564800000, isRehearsal: false } },
    { count: 1, payees: ['A'], run: null },
  ],
  paid_before: [
    {
      payee: 'Ada',
      run: { id: 'R20261125-7K3M9QZ2', at: 1795564800000, isRehearsal: false },
      more: 0,
      standing: 'paid',
    },
    {
      run: { id: 'R1', at: 1795564800001, isRehearsal: false },
      all: 3,
      count: 2,
      rows: [2, 3],
      others: { count: 1, rows: [4] },
      isRetriable: true,
    },
    {
      run: { id: 'R20261125-7K3M9QZ2', at: 1795564800000, isRehearsal: false },
      all: 2,
      count: 1,
      rows: [2],
      others: { count: 1, rows: [3] },
      isRetriable: true,
    },
  ],
  left_out_paid_before: [
    { standing: 'paid', run: { id: 'R20261125-7K3M9QZ2', at: 1795564800000, isRehearsal: false } },
    { standing: 'perhaps', run: null },
    { standing: 'waiting', run: { id: 'R20261125-7K3M9QZ2', at: 1795564800000, isRehearsal: false } },
  ],
  unknown_payment: [{ payee: 'A', transactions: ['T1'], more: 1 }],
  payee_on_hold: [
    { payee: 'A', by: 'B', heldAt: 0, reason: 'X', matched: 'payee' },
    { payee: 'A', by: 'B', heldAt: 0, reason: 'X', matched: 'account' },
  ],
  cooling_off: [
    {
      row: 2,
      payee: 'A',
      amount: { amount: '1.00', currency: 'AUD' },
      account: '••••1',
      why: {
        why: 'changed',
        change: {
          was: '1',
          now: '2',
          wasNamed: null,
          run: { id: 'R20261125-7K3M9QZ2', at: 1795564800000, isRehearsal: false },
        },
      },
    },
    {
      row: 2,
      payee: 'A',
      amount: { amount: '1.00', currency: 'AUD' },
      account: '••••1',
      why: { why: 'never_paid', payee: null, account: '1' },
    },
    {
      row: 2,
      payee: 'A',
      amount: { amount: '1.00', currency: 'AUD' },
      account: '••••1',
      why: {
        why: 'paid_lately',
        payee: 'A',
        account: '1',
        run: { id: 'R20261125-7K3M9QZ2', at: 1795564800000, isRehearsal: false },
      },
    },
    {
      row: 2,
      payee: 'A',
      amount: { amount: '1.00', currency: 'AUD' },
      account: '••••1',
      why: { why: 'not_at_service', account: '1' },
    },
    { row: 2, payee: 'A', amount: { amount: '1.00', currency: 'AUD' }, account: '••••1', why: { why: 'when_planned' } },
  ],
  balance_short: [{ missing: { amount: '1.00', currency: 'AUD' }, of: { amount: '1.00', currency: 'AUD' } }],
  may_be_below_minimum: [{ from: 'EUR', to: 'USD', rows: [2], more: 1 }],
  corrects_no_row: [
    { runId: 'R1', mismatch: { why: 'no_open_row' } },
    { runId: 'R1', mismatch: { why: 'other_amount', amount: '1.00 AUD' } },
  ],
  nothing_to_correct: [{ reason: { code: 'not_finished', runId: 'R20261125-7K3M9QZ2' } }],
  unresolved_not_retried: [
    {
      leftOut: { row: 2, how: 'not_final', runId: 'R20261125-7K3M9QZ2' },
      runId: 'R20261125-7K3M9QZ2',
      look: 'payrun show R20261125-7K3M9QZ2',
    },
  ],
  retried_before: [{ leftOut: { row: 2, how: 'paid', runId: 'R1' } }],
};
