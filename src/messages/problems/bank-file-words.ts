import type {
  BankFileProblems,
  FileEnd,
  NoPayment,
  OtherMessage,
  WantedText,
} from '../../domain/problems/bank-file-problems.ts';
import { anyOf, listed, withoutStop } from '../text.ts';
import { t, textTable } from '../translate.ts';
import { fieldName } from './field-names.ts';
import { shown } from './header-text.ts';
import type { WordsOf } from './words.ts';

const exportAgain = () => t`Export the file again from the program that made it.`;
const byProgram = () => t`Correct it in the program that made the file, and export it again.`;
const read = () => t`payrun reads pain.001.001.03 and pain.001.001.09.`;

const OTHER_MESSAGES: Readonly<Record<OtherMessage, { is: string; remedy: string }>> = textTable({
  direct_debit: {
    is: 'direct debits, money to be collected from the people in it, not paid to them',
    remedy: 'Collect it with your bank. To pay, export a credit transfer file (pain.001).',
  },
  statement: {
    is: 'a bank statement or a notice of bookings: what it lists was paid already',
    remedy: 'Export the payments that are to be made as a credit transfer file (pain.001).',
  },
  status: {
    is: 'a status report: the bank’s answer to a payment file, not the payments',
    remedy: 'Give the payment file (pain.001) that it responds to.',
  },
  other_version: {
    is: 'credit transfers in a version that payrun does not read',
    get remedy() {
      return t`${read()} Choose one of them in the program that made the file.`;
    },
  },
  other: {
    is: 'no list of credit transfers',
    get remedy() {
      return t`${read()} Export a credit transfer file.`;
    },
  },
});

const WHY_NOT_PAID: Readonly<Record<NoPayment, string>> = textTable({
  prenote: 'This entry is a prenote: it tests the account and pays nothing.',
  zero_remittance: 'This entry carries remittance data and pays nothing.',
  own_account: 'This record debits the paying account with the sum of the credits to balance it. It is not a payment.',
});

const ENDS: Readonly<Record<FileEnd, string>> = textTable({
  document: 'the end of its Document',
  file_total: 'its file total record (type 7)',
  file_control: 'its file control record (type 9)',
  batch_control: 'a batch control record (type 8)',
  addenda: 'the addenda record that its entry announces',
});

export const BANK_FILE_WORDS: WordsOf<BankFileProblems> = textTable({
  bank_file_unknown: ({ root }) => ({
    message:
      root === null
        ? t`The file is named like a bank file, but its content is not one that payrun knows.`
        : t`The file is XML with the outermost element ${shown(root)}, which payrun does not read.`,
    remedy: t`Bank files that payrun reads: ISO 20022 credit transfers (pain.001.001.03 and pain.001.001.09), ABA, Bacs Standard 18 and NACHA. If it is a table, name it .csv.`,
  }),
  iso_message_other: ({ message, kind }) => ({
    message: t`The file is ${message}: ${OTHER_MESSAGES[kind].is}. Nothing of it is paid.`,
    remedy: OTHER_MESSAGES[kind].remedy,
  }),
  xml_malformed: (malformed) => ({
    message: t`The XML is damaged or ends too early here, so nothing from here on could be read: ${'unclosed' in malformed ? t`unclosed tag: ${malformed.unclosed}` : withoutStop(malformed.reason)}.`,
    remedy: exportAgain(),
  }),
  xml_doctype: {
    message:
      'The XML has a DOCTYPE, which no bank file needs and by which XML attacks programs. Nothing of it is paid.',
    remedy: 'Ask whoever sent it. Files from your own program have none.',
  },
  xml_encoding: ({ encoding }) => ({
    message: t`The XML names the encoding ${shown(encoding)}, which payrun does not read or which contradicts its first bytes.`,
    remedy: t`Export it in UTF-8.`,
  }),
  xml_undecodable: ({ encoding }) => ({
    message: t`The XML has bytes that its encoding, ${encoding}, does not have, so some letters would be read wrong.`,
    remedy: t`Export it in UTF-8.`,
  }),
  xml_too_deep: ({ levels }) => ({
    message: t`The XML has more than ${levels} elements within each other, so nothing from here on was read.`,
    remedy: exportAgain(),
  }),
  xml_too_long: ({ mebibytes }) => ({
    message: t`The XML has more than ${mebibytes} MiB between two tags, so nothing from here on was read.`,
    remedy: exportAgain(),
  }),
  element_unexpected: ({ element, inside }) => ({
    message: t`${element} may not stand in ${inside}, or not here, or not so many times.`,
    remedy: byProgram(),
  }),
  element_missing: ({ element, inside }) => ({
    message: t`${inside} has no ${element}, which is required.`,
    remedy: byProgram(),
  }),
  element_invalid: ({ element, wanted }) => ({
    message: t`${element} must hold ${wantedText(wanted)}.`,
    remedy: byProgram(),
  }),
  file_cut_off: (end) => ({
    message: t`The file ends without ${end.missing === 'label' ? t`the label ${end.label}` : ENDS[end.missing]}, so payments may be missing.`,
    remedy: exportAgain(),
  }),
  record_after_end: {
    message: 'Records follow the one that ends the file.',
    remedy: 'If several files were put together, check and pay each file separately.',
  },
  record_unexpected: ({ type, expected }) => ({
    message: t`The file has a record ${shown(type)} where only ${listed(expected.map((one) => `“${one}”`))} is allowed.`,
    remedy: exportAgain(),
  }),
  record_length: ({ has, length }) => ({
    message: t`The record has ${has} characters in place of ${length}, so its fields are not where they belong.`,
    remedy: t`Export the file again, and do not open it in an editor that removes or adds blanks.`,
  }),
  record_character: ({ at }) => ({
    message: t`The record has a character at position ${at} that the format does not have (only ASCII).`,
    remedy: t`Write the name or text without accents in the program that made the file, and export it again.`,
  }),
  field_invalid: ({ field, wanted }) => ({
    message: t`The field ${fieldName(field)} must hold ${wantedText(wanted)}.`,
    remedy: byProgram(),
  }),
  control_figure_differs: ({ figure, isField, stated, found }) => ({
    message: t`${isField ? t`The field ${fieldName(figure)}` : figure} says ${stated}, and the payments of the file come to ${found}. Nothing of it is paid.`,
    remedy: t`The file was changed or cut after it was made: export it again. Do not correct the figure by hand.`,
  }),
  control_figures_absent: {
    message: 'The file has no trailer with the number and sum of its payments, so it may be incomplete.',
    remedy: {
      command_line: 'Compare both with the program that made it, or use --expect-count and --expect-total.',
      page: 'Compare the number and the sum with the program that made it.',
    },
  },
  payment_method_other: ({ method }) => ({
    message: t`PmtMtd is ${shown(method)}: only transfers (TRF) are paid.`,
    remedy: t`Export the transfers without cheques and direct debits.`,
  }),
  amount_equivalent: {
    message:
      'The amount is an equivalent amount (EqvtAmt): it is in the currency that is debited, and what the payee receives is open.',
    remedy: 'Write the amount that the payee receives (InstdAmt).',
  },
  clearing_system_other: ({ system, currency }) => ({
    message: t`The bank code is of ${shown(system)}, which cannot receive ${currency}.`,
    remedy: t`Find out which is right: the payee's bank or the currency.`,
  }),
  transaction_code_other: ({ transactionCode, credits }) => ({
    message: t`The transaction code ${shown(transactionCode)} is no credit to an account that payrun pays (${credits.join(', ')}).`,
    remedy: byProgram(),
  }),
  element_not_carried: ({ element }) => ({
    message: t`payrun does not pass on ${element}: neither the bank nor the payee receives it.`,
    remedy: t`Nothing to do unless the payment depends on it.`,
  }),
  reference_joined: ({ texts }) => ({
    message: t`The payment has ${texts} texts for the payee: they are joined with blanks to one reference.`,
    remedy: t`Nothing to do unless the payee’s program needs only one of them.`,
  }),
  payment_date_not_held: ({ dates, more }) => ({
    message: t`The file asks for payment on ${listed(more > 0 ? [...dates, t`${more} more`] : dates)}. payrun does not hold payments back: they are sent when the run starts.`,
    remedy: t`Start the run on the day the payments should be sent.`,
  }),
  record_not_paid: ({ why }) => ({ message: WHY_NOT_PAID[why], remedy: t`Nothing to do: it is not paid.` }),
});

const FORMS: Readonly<Record<Exclude<WantedText['form'], 'length' | 'one_of'>, string>> = textTable({
  digits: 'digits only',
  decimal: 'a decimal with a point',
  amount: 'an amount with a point, of at most 18 digits and 5 decimals, and its currency (Ccy)',
  date: 'a date',
  time: 'a date and time as in 2026-11-30T09:00:00',
  country: 'a country code of two letters',
  currency: 'a currency code of three letters',
  bic: 'a BIC of 8 or 11 characters',
  iban: 'an IBAN in capitals, without blanks',
  truth: 'true or false',
  lei: 'an LEI of 20 characters',
  blanks: 'blanks only',
  elements: 'other elements and no text',
});

function wantedText(wanted: WantedText): string {
  if (wanted.form === 'one_of') return anyOf(wanted.of.map((one) => (one === '' ? t`a blank` : `“${one}”`)));
  if (wanted.form !== 'length') return FORMS[wanted.form];
  const { min, max } = wanted;
  return min === max ? t`${max} characters` : t`${min} to ${max} characters`;
}
