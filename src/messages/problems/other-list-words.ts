import type { ContactSource, OtherListProblems, UnpayableList } from '../../domain/problems/other-list-problems.ts';
import { listed } from '../text.ts';
import { plural, t, textTable } from '../translate.ts';
import { fieldName } from './field-names.ts';
import { columnOption, shown, shownAt } from './header-text.ts';
import type { WordsOf } from './words.ts';

/** Which list of a service has accounts. */
const LISTS_WITH_ACCOUNTS: Readonly<Record<ContactSource, string>> = textTable({
  paypal:
    'PayPal keeps no bank accounts of recipients, so no export of it has them: take names and accounts from your payroll or supplier list.',
  telegram:
    'Telegram keeps no accounts: ask the recipients for a bank account or a wallet address, and add it in a column of its own.',
  wise: 'Wise has a batch file with bank details: start a batch payment there, choose the currency and download the template “bank details” (with IBAN, or account number and bank code) in place of the saved recipients.',
});

const addAccounts = () =>
  t`add a column account_number (IBAN, or account number and bank code) or wallet_address to it from your own records`;

/** What a list of a known product is, and which list can be paid instead. */
const UNPAYABLE: Readonly<Record<UnpayableList, { what: string; remedy: string }>> = textTable({
  gusto_journal: {
    what: 'it has what people earned and no account to pay it to',
    get remedy() {
      return t`If Gusto does not pay these people itself, ${addAccounts()}.`;
    },
  },
  gusto_upload: {
    what: 'it has hours and earnings before tax, which Gusto is to work out, and no account',
    get remedy() {
      return t`Run the payroll in Gusto. For what it does not pay itself, take the net amounts from its payroll journal and ${addAccounts()}.`;
    },
  },
  payoneer_requests: {
    what: 'its companies are asked to pay you, so that this money is to be collected, not paid',
    remedy: 'Upload it to Payoneer. To pay, export a list of the people to be paid, with their accounts.',
  },
  quickbooks_bills: {
    what: 'it has bills by line with accounts of the ledger, and no bank account of a supplier',
    get remedy() {
      return t`Export the bills to be paid, one line each with the open amount, and ${addAccounts()}.`;
    },
  },
  sage_transactions: {
    what: 'it has bookings with accounts of the ledger, and no bank account of a supplier',
    get remedy() {
      return t`Export the supplier payments (in Sage 50 the e-Banking payments), or a list of open amounts, and ${addAccounts()}.`;
    },
  },
  stripe_payments: {
    what: 'its rows were paid to you, and paying them would send received money back',
    remedy: 'Export the payments that are to be made from your payroll or accounting program.',
  },
  stripe_payouts: {
    what: 'its rows were paid by Stripe to your own bank account',
    remedy: 'Export the payments that are to be made from your payroll or accounting program.',
  },
  xero_bills: {
    what: 'it has bills by line with accounts of the ledger, and no bank account of a supplier',
    get remedy() {
      return t`In Xero make a batch payment of the bills and export its batch file, which has the account of each supplier; or export one line and the open amount for each bill, and ${addAccounts()}.`;
    },
  },
});

export const OTHER_LIST_WORDS: WordsOf<OtherListProblems> = textTable({
  bank_statement: ({ headers }) => ({
    message: t`The file is a bank statement, as ${listed(headers.map(shownAt))} ${plural(headers.length, 'shows', 'show')}: its rows were paid already, and paying them would send received money back. Nothing of it is paid.`,
    remedy: t`Export the payments that are to be made from your payroll or accounting program. If the file is such a list, remove these columns from it.`,
  }),
  collection_list: ({ sign, amounts }) => ({
    message: t`The file is a list of what people owe, as ${shown(sign)} shows: fees, receivables or payments that come in. This money is to be collected from them, not paid to them. Nothing of it is paid.`,
    remedy:
      amounts === undefined
        ? t`Collect it with your bank. If the file is a list of payments, rename the header of what is paid to amount, or correct the title.`
        : {
            command_line: `Collect it with your bank. If the file is a list of payments, say ${columnOption(amounts, 'amount')}.`,
            page: ({ columns }) =>
              t`Collect it with your bank. If the file is a list of payments, choose under ${columns} that ${shown(amounts)} is the amount.`,
          },
  }),
  direct_debit_list: ({ sign, field }) => ({
    message: t`The file is a list of direct debits, as ${shown(field === undefined ? sign : `${fieldName(field)} ${sign}`)} shows: this money is to be collected from the people in it, not paid to them. Nothing of it is paid.`,
    remedy: t`Collect it with your bank’s direct debit. To pay, export a list of credit transfers; if this is one, remove what belongs to mandates and debtors from it.`,
  }),
  card_list: ({ header }) => ({
    message: t`The file is a list of cards: ${shown(header)} holds card numbers, and no bank account is in it. payrun pays to accounts and wallets, not to cards. Nothing of it is paid.`,
    remedy: t`Export the list with bank accounts (IBAN, or account number and bank code) and without card numbers. Delete this copy: card numbers do not belong in spreadsheets.`,
  }),
  gross_list: ({ header }) => ({
    message: t`The file is a gross list of a payroll (in DATEV, a Bruttoliste): ${shown(header)} has several lines for a person, before tax, and no account is in it. Nothing of it is paid.`,
    remedy: t`Export the list of net payments: in DATEV the “Auszahlungsliste” or “Zahlungsliste”, with one line, IBAN and net amount for each person.`,
  }),
  contact_list: ({ source }) => ({
    message: t`The file has no accounts. It lists people by e-mail, phone or user name, and payrun pays to bank accounts and wallets. Nothing in it is paid.`,
    remedy:
      source === null
        ? t`Add a column account_number (IBAN, or account number and bank code) or wallet_address, or export the list that has it.`
        : LISTS_WITH_ACCOUNTS[source],
  }),
  list_without_accounts: {
    message:
      'This file has no account numbers: none of its columns holds an IBAN, an account number or a wallet address. Nothing of it is paid.',
    remedy: {
      command_line:
        'Export it with bank details, or add a column account_number (IBAN, or account number and bank code) or wallet_address; where another header means it, say so with --column "HEADER=account_number".',
      page: ({ columns }) =>
        t`Export it with bank details, or add a column account_number (IBAN, or account number and bank code) or wallet_address; where another header means it, choose under ${columns} which.`,
    },
  },
  unpayable_layout: ({ layout, list }) => ({
    message: t`The file has the layout ${layout}: ${UNPAYABLE[list].what}. Nothing of it is paid.`,
    remedy: UNPAYABLE[list].remedy,
  }),
});
