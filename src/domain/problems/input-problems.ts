import type { RailName } from '../rails/rail-names.ts';

type None = Record<never, never>;

export type EncodingReading = { names: readonly string[]; encoding: string };

/** A header of the file and its cell. */
export type HeaderCell = { header: string; cell: string };

/** A sign or a code beside an amount, and the currencies that it can mean. */
export type CurrencyMark = { text: string; codes: readonly string[] };

/** A file that cannot be read, or not to its end. Limits in MiB and columns. */
export type FileProblems = {
  file_empty: None;
  /** `zeroBytes`: the first places of those that show it, from 0. */
  not_text: { zeroBytes?: readonly number[] };
  mixed_encodings: None;
  undecodable: None;
  no_payouts: None;
  quote_not_closed: { mebibytes: number };
  text_after_quote: None;
  record_too_long: { mebibytes: number };
  too_many_columns: { columns: number };
  pdf_named_text: None;
  xml_spreadsheet: None;
  web_archive: None;
  web_page_without_table: None;
  web_page_unclear: None;
  not_a_workbook: None;
  workbook_binary: None;
  workbook_damaged: None;
  workbook_encrypted: None;
  workbook_too_old: None;
  workbook_too_large: None;
  spreadsheet_too_large: None;
  charset_not_read: { charset: string };
  encoding_undecided: { readings: readonly EncodingReading[]; unread?: readonly EncodingReading[] };
  /** An encoding was given. What the text is read as, and what it is in the other of that and UTF-8. */
  encoding_contradicted: { used: EncodingReading; other: EncodingReading };
  sheet_ambiguous: { sheets: readonly string[] };
  sheet_hidden: { sheets: readonly string[] };
  other_sheets: { sheets: readonly string[] };
  rows_hidden_by_default: None;
  header_merged: { range: string };
  cells_merged: { range: string; first: string };
};

/** What implies a currency: a header, a known layout, the country of the IBANs, or codes of Indian branches. */
export type CurrencyEvidence =
  | { by: 'header'; header: string }
  | { by: 'layout'; layout: string }
  | { by: 'iban'; country: string }
  | { by: 'ifsc' };

/** `isPaid`: whether a rail pays it. */
export type ProposedCurrency = { code: string; evidence: CurrencyEvidence; isPaid: boolean };

export type HeaderProblems = {
  header_not_found: { rows: number; likeliest: number; headers: readonly HeaderCell[] };
  /** A row that may be the header or a payout. */
  header_undecided: None;
  header_of_two_rows: { rows: readonly [number, number] };
  /** A line above the header names `code`; `other` is given, or named by the line in `otherRow`. */
  given_currencies_differ: {
    code: string;
    other: string;
    source: 'option' | 'job' | 'remembered' | 'file';
    otherRow: number | null;
  };
  header_ambiguous: { rows: readonly [number, number] };
  payout_above_header: { header: number; first: number; last: number };
  rows_above_header: { header: number; first: number; last: number };
  /** `first` and `header` are in the two cells, in order. */
  column_twice: {
    column: string;
    cells: readonly [string, string];
    first: string;
    header: string;
    isSameHeader: boolean;
  };
  /** A column of texts to a payment that is taken for the reference. */
  reference_taken: { header: string };
  /** At most one of `like` and `parts` says where it may be: a header like it, or parts of names. */
  column_missing: {
    column: string;
    like?: { header: string; isUnsure: boolean; other: HeaderCell | null };
    parts?: readonly string[];
    synonyms?: readonly string[];
    /** Columns that would do as well. */
    instead?: readonly string[];
    /** Of the currency: what the file implies, and what the rails pay. */
    proposed?: ProposedCurrency | null;
    paid?: readonly string[];
  };
  column_near_miss: { header: string; column: string; isUnsure: boolean };
  mapped_header_absent: { header: string; column: string | null; row: number; isOfJob: boolean };
  name_in_parts: { header: string; beside: HeaderCell };
  amount_beside_tax: { header: string; beside: HeaderCell };
  /** `example`: the text of a cell, and the amount that it stands for. */
  amount_in_minor_units: { header: string; example: { text: string; whole: string } | null };
  /** Thousands, or another multiple of units. */
  amount_in_thousands: { header: string };
  amount_net_or_gross: { header: string; beside: HeaderCell };
  amount_or_other: { header: string; beside: HeaderCell };
  /** `beside` may have to be taken off the amount. */
  amount_before_deductions: { header: string; beside: HeaderCell };
  account_or_other: { header: string; beside: HeaderCell };
  /** `isOfReceivables`: whether the list is of invoices that are due. */
  name_of_customer: { header: string; isOfReceivables: boolean };
  amount_is_contribution: { header: string };
  account_of_sender: { header: string; column: string };
  header_repeated: None;
  header_second_row: None;
  header_covered: None;
  column_hidden: None;
};

/** Columns of text, of which only so much is taken. */
export type TextColumn =
  | 'name'
  | 'payee_id'
  | 'email'
  | 'entity_name'
  | 'registration_number'
  | 'address_line1'
  | 'address_line2'
  | 'city'
  | 'state'
  | 'postal_code'
  | 'account_name'
  | 'external_account_id'
  | 'recipient_id'
  | 'description';

export type CellProblems = Record<`${TextColumn}_too_long`, { column: string; max: number }> & {
  row_hidden: None;
  row_struck_through: None;
  row_is_comment: None;
  row_may_be_comment: None;
  /** Both null where the row goes on behind the last column of a sheet. */
  row_too_many_cells: { cells: number | null; headers: number | null };
  row_too_few_cells: { cells: number; headers: number };
  row_cells_left_out: { headers: readonly string[] };
  cells_beside_table: None;
  /** Cells of the row that mean the same column and differ, with their headers. */
  cells_differ: { column: string; cells: readonly [HeaderCell, HeaderCell] };
  cell_covered: None;
  cell_is_boolean: None;
  cell_error: None;
  /** `shown`: what the sheet shows, where that is another text; `readAs`: null where it is not read. */
  cell_is_date: { shown: string | null; readAs: string | null; isAmount: boolean };
  formula_without_value: { isTotal: boolean };
  identifier_digits_lost: { digits: number };
  identifier_number: None;
  leading_apostrophe: None;
  /** A mistake in payrun. */
  not_read: { isCell: boolean; reason: string };
  garbled_text: { column: string; written: string };
  letters_doubtful: { column: string };
  unreadable_character: { column: string };
  control_character: { column: string; character: string };
  example_row: None;
  example_row_changed: { isName: boolean };
};

export type PayeeProblems = {
  name_missing: None;
  name_placeholder: None;
  name_without_letters: None;
  name_only_digits: None;
  /** Its first letter of another alphabet than Latin, and the word that has it. */
  name_mixed_alphabets: { letter: string; alphabet: 'Cyrillic' | 'Greek'; word: string };
  name_like_placeholder: None;
  email_invalid: None;
  phone_left_out: None;
  country_unknown: { near: readonly { code: string; name: string }[] };
  account_modulus: None;
  account_modulus_unchecked: { hasSubstitutions: boolean };
};

export type AmountProblems = {
  amount_missing: None;
  amount_not_a_number: None;
  amount_ambiguous: None;
  amount_separators_mixed: { cells: readonly { cell: string; text: string }[] };
  amount_wrong_separator: None;
  amount_scientific: None;
  amount_digits_lost: { digits: number };
  amount_too_many_decimals: { currency: string | null; decimals: number };
  amount_too_large: None;
  amount_not_positive: { amount: string };
  amount_is_percentage: { holds: string };
  amount_shown_rounded: { holds: string; isInThousands: boolean };
  amount_shown_in_other_currency: { mark: CurrencyMark; currency: string };
  amount_currency_differs: { mark: CurrencyMark; currency: string };
  /** `codes`: what the header of the amounts can mean. */
  amount_header_currency_differs: { header: string; codes: readonly string[]; currency: string };
  /** `other`: what the column under `header`, which is none of ours, names. `amounts`: the header of the amounts. */
  currencies_differ: { header: string; other: string; currency: string; amounts?: string };
  amount_of_other_currency: { header: string; other: string; currency: string; amounts: string };
  /** `isAmount`: the header is that of the amounts, and not of a column that says it. */
  amount_of_source_currency: { header: string; isAmount: boolean };
  /** `code`: the only one that the marks beside the amount can mean, or the first. */
  currency_missing: { marks: readonly CurrencyMark[]; code: string | null };
  currency_only_in_amount: { marks: readonly CurrencyMark[]; code: string | null };
  /** `meant`: by the sign that the cell holds; `near`: a code that is a letter away. */
  currency_unknown: { meant: string | null; near: string | null };
  currency_not_on_chain: { currency: string; chains: readonly string[] };
  currency_without_rail: { currency: string; currencies: readonly string[] };
  source_currency_unknown: None;
  source_chain_missing: { currency: string; chains: readonly string[] };
  source_currency_not_on_chain: { currency: string; chains: readonly string[] };
  source_crypto_to_crypto: { from: string; to: string };
  destination_missing: None;
  rail_missing: { rails: readonly RailName[] };
  rail_unknown: { meant: RailName | null; rails: readonly RailName[] };
  /** `pays`: null for crypto assets. */
  rail_currency_mismatch: { rail: RailName; pays: string | null; currency: string };
  rail_several_fit: { currency: string; fitting: readonly { rail: RailName; fields: readonly string[] }[] };
  rail_none_fits: {
    currency: string;
    nearest: RailName;
    rails: readonly RailName[];
    misfits: readonly { rail: RailName; codes: readonly string[] }[];
  };
};
