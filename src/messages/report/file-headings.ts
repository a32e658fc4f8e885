import type { ReportStatus } from '../../domain/outcomes/payout-outcome.ts';
import { textTable } from '../translate.ts';
import { viewer } from '../viewer.ts';
import { STATUS_LABELS } from './outcome-words.ts';

/** Sheet names of workbooks. Excel allows at most 31 characters, and none of []:*?/\. */
export const SHEETS = textTable({ summary: 'Summary', payouts: 'Payouts' });

const HEADINGS: Readonly<Record<string, string>> = textTable({
  status: 'Status',
  transaction_id: 'Transaction',
  recipient_id: 'Recipient at the service',
  external_account_id: 'Account at the service',
  sent_amount: 'Amount sent',
  sent_currency: 'Currency sent',
  received_amount: 'Amount received',
  received_currency: 'Currency received',
  fees: 'Fees',
  submitted_at: 'Submitted',
  finished_at: 'Finished',
  attempts: 'Attempts',
  token: 'Token',
  problem_code: 'Code of the problem',
  message: 'Message',
  name: 'Name',
  payee_id: 'Payee ID',
  account: 'Account',
  currencies: 'Currencies',
  payouts: 'Payouts',
  completed: 'Completed',
  total_paid: 'Total paid',
  first_paid: 'First paid',
  last_paid: 'Last paid',
  tags: 'Tags',
  started_at: 'Started',
  payment: 'Payment',
  run_id: 'Run',
  row: 'Row',
  amount: 'Amount',
  currency: 'Currency',
  reference: 'Reference',
  rehearsal: 'Rehearsal',
  returned_at: 'Returned',
  return_id: 'Return',
  entity: 'Entity',
  month: 'Month',
  sent: 'Sent',
});

/**
 * The heading of one of our columns in a workbook. In English it is the column's name, as in the CSV, for programs; in
 * other languages it is words.
 */
export function headingText(column: string): string {
  return viewer().language === 'en' ? column : (HEADINGS[column] ?? column);
}

/** The same for a status. */
export function statusCell(status: ReportStatus): string {
  return viewer().language === 'en' ? status : STATUS_LABELS[status];
}

const YES_OR_NO = textTable({ yes: 'yes', no: 'no' });

export function yesOrNo(isSo: boolean): string {
  return isSo ? YES_OR_NO.yes : YES_OR_NO.no;
}
