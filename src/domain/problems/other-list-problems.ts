import type { HeaderCell } from './input-problems.ts';

type None = Record<never, never>;

/** A service whose lists name people by its own means, without accounts. */
export type ContactSource = 'paypal' | 'telegram' | 'wise';

/** Lists of known products that have no accounts of payees. */
export type UnpayableList =
  | 'gusto_journal'
  | 'gusto_upload'
  | 'payoneer_requests'
  | 'quickbooks_bills'
  | 'sage_transactions'
  | 'stripe_payments'
  | 'stripe_payouts'
  | 'xero_bills';

/** Lists that are not of payouts, of which nothing is paid. */
export type OtherListProblems = {
  bank_statement: { headers: readonly HeaderCell[] };
  /** `sign`: the header or title that shows it, or the value of `field` in a record. */
  direct_debit_list: { sign: string; field?: string };
  /** Of fees or receivables; `sign` as of a direct debit. `amounts`: the header of contributions that may be what is paid. */
  collection_list: { sign: string; amounts?: string };
  card_list: { header: string };
  gross_list: { header: string };
  contact_list: { source: ContactSource | null };
  list_without_accounts: None;
  /** `layout`: its name. */
  unpayable_layout: { layout: string; list: UnpayableList };
};
