type None = Record<never, never>;

/** What an element of XML, or a field of a record, must hold. */
export type WantedText =
  | { form: 'length'; min: number; max: number }
  | {
      form:
        | 'digits'
        | 'decimal'
        | 'amount'
        | 'date'
        | 'time'
        | 'country'
        | 'currency'
        | 'bic'
        | 'iban'
        | 'truth'
        | 'lei';
    }
  | { form: 'one_of'; of: readonly string[] }
  | { form: 'blanks' }
  | { form: 'elements' };

/** A message of ISO 20022 that is not read: what it is. */
export type OtherMessage = 'direct_debit' | 'statement' | 'status' | 'other_version' | 'other';

/** What makes a record no payment. */
export type NoPayment = 'prenote' | 'zero_remittance' | 'own_account';

/** The part a truncated bank file lacks. */
export type FileEnd = 'document' | 'file_total' | 'file_control' | 'batch_control' | 'addenda';

/** Files that are made for a bank: messages of ISO 20022 in XML, and records of fixed length. */
export type BankFileProblems = {
  /** `root`: the outermost element of XML; null where it is none. */
  bank_file_unknown: { root: string | null };
  iso_message_other: { message: string; kind: OtherMessage };
  /** The innermost unclosed element, or the XML parser's message. */
  xml_malformed: { unclosed: string } | { reason: string };
  xml_doctype: None;
  xml_encoding: { encoding: string };
  xml_undecodable: { encoding: string };
  xml_too_deep: { levels: number };
  xml_too_long: { mebibytes: number };
  element_unexpected: { element: string; inside: string };
  element_missing: { element: string; inside: string };
  element_invalid: { element: string; wanted: WantedText };
  file_cut_off: { missing: FileEnd } | { missing: 'label'; label: string };
  record_after_end: None;
  record_unexpected: { type: string; expected: readonly string[] };
  record_length: { has: number; length: number };
  record_character: { at: number };
  /** `field`: its name in code. */
  field_invalid: { field: string; wanted: WantedText };
  /** `figure`: the element or the field of a record; `stated`: its value; `found`: what the payments add up to. */
  control_figure_differs: { figure: string; isField: boolean; stated: string; found: string };
  control_figures_absent: None;
  payment_method_other: { method: string };
  amount_equivalent: None;
  clearing_system_other: { system: string; currency: string };
  transaction_code_other: { transactionCode: string; credits: readonly string[] };
  element_not_carried: { element: string };
  reference_joined: { texts: number };
  payment_date_not_held: { dates: readonly string[]; more: number };
  record_not_paid: { why: NoPayment };
};
