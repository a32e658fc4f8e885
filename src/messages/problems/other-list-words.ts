import type { ContactSource, OtherListProblems } from '../../domain/problems/input-problems.ts';
import { shown, shownAt } from './header-words.ts';
import type { WordsOf } from './words.ts';

/** Which list of a service has accounts. */
const LISTS_WITH_ACCOUNTS: Readonly<Record<ContactSource, string>> = {
  paypal:
    'PayPal keeps no bank accounts of recipients, so no export of it has them: take names and accounts from your payroll or supplier list.',
  telegram:
    'Telegram keeps no accounts: ask the recipients for a bank account or a wallet address, and add it in a column of its own.',
  wise: 'Wise has a batch file with bank details: start a batch payment there, choose the currency and download the template “bank details” (with IBAN, or account number and bank code) in place of the saved recipients.',
};

export const OTHER_LIST_WORDS: WordsOf<OtherListProblems> = {
  bank_statement: ({ headers }) => ({
    message: `The file is a bank statement, as ${headers.map(shownAt).join(' and ')} ${headers.length === 1 ? 'shows' : 'show'}: its rows were paid already, and paying them would send received money back. Nothing of it is paid.`,
    remedy:
      'Export the payments that are to be made from your payroll or accounting program. If the file is such a list, remove these columns from it.',
  }),
  direct_debit_list: ({ sign }) => ({
    message: `The file is a list of direct debits, as ${shown(sign)} shows: this money is to be collected from the people in it, not paid to them. Nothing of it is paid.`,
    remedy:
      'Collect it with your bank’s direct debit. To pay, export a list of credit transfers; if this is one, remove what belongs to mandates and debtors from it.',
  }),
  card_list: ({ header }) => ({
    message: `The file is a list of cards: ${shown(header)} holds card numbers, and no bank account is in it. payrun pays to accounts and wallets, not to cards. Nothing of it is paid.`,
    remedy:
      'Export the list with bank accounts (IBAN, or account number and bank code) and without card numbers, and delete this copy: card numbers must not lie in spreadsheets.',
  }),
  gross_list: ({ header }) => ({
    message: `The file is a gross list of a payroll (in DATEV, a Bruttoliste): ${shown(header)} has several lines for a person, before tax, and no account is in it. Nothing of it is paid.`,
    remedy:
      'Export the list of net payments: in DATEV the “Auszahlungsliste” or “Zahlungsliste”, with one line, IBAN and net amount for each person.',
  }),
  contact_list: ({ source }) => ({
    message:
      'No account is in it: the file lists people by e-mail, telephone, or a name at some service, and payrun pays to bank accounts and wallets. Nothing of it is paid.',
    remedy:
      source === null
        ? 'Add a column account_number (IBAN, or account number and bank code) or wallet_address, or export the list that has it.'
        : LISTS_WITH_ACCOUNTS[source],
  }),
};
