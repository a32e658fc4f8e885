import { amountOf, type HistoricPayout } from '../../app/history/payouts.ts';
import type { BookedPayee } from '../../app/payees/payee-book.ts';
import { currencyLabel } from '../../domain/currencies.ts';
import { formatMajor } from '../../domain/money.ts';
import { messages } from '../../messages/messages.ts';
import type { FileColumn } from '../../report/table-file.ts';
import { moneyTexts, paymentName } from '../shell/words.ts';

/** Of each payee: who they are, and what they were paid. */
export const PAYEE_FILE: readonly FileColumn<BookedPayee>[] = [
  { name: 'name', kind: 'text', of: ({ name }) => name },
  { name: 'payee_id', kind: 'text', of: ({ payeeId }) => payeeId },
  { name: 'account', kind: 'text', of: ({ payouts }) => payouts[0]?.account ?? null },
  { name: 'currencies', kind: 'text', of: ({ currencies }) => currencies.join(', ') },
  { name: 'payouts', kind: 'count', of: ({ payouts }) => payouts.length },
  { name: 'completed', kind: 'count', of: ({ paid }) => paid.times },
  { name: 'total_paid', kind: 'text', of: ({ paid }) => moneyTexts(paid.totals).join('; ') },
  { name: 'first_paid', kind: 'moment', of: ({ paid }) => paid.firstAt },
  { name: 'last_paid', kind: 'moment', of: ({ paid }) => paid.lastAt },
];

/** Of each payout: the recipient, the amount, and the outcome. */
export const PAYOUT_FILE: readonly FileColumn<HistoricPayout>[] = [
  { name: 'started_at', kind: 'moment', of: ({ payment }) => payment.at },
  { name: 'finished_at', kind: 'moment', of: ({ finishedAt }) => finishedAt },
  { name: 'payment', kind: 'text', of: ({ payment }) => paymentName(payment) },
  { name: 'run_id', kind: 'text', of: ({ payment }) => payment.run_id },
  { name: 'row', kind: 'count', of: ({ row }) => row },
  { name: 'name', kind: 'text', of: ({ name }) => name },
  { name: 'payee_id', kind: 'text', of: ({ payeeId }) => payeeId },
  { name: 'account', kind: 'text', of: ({ account }) => account },
  { name: 'amount', kind: 'amount', of: (payout) => amountOf(payout)[0] },
  { name: 'currency', kind: 'text', of: (payout) => amountOf(payout)[1] },
  { name: 'reference', kind: 'text', of: ({ reference }) => reference },
  {
    name: 'status',
    kind: 'code',
    of: ({ status }) => status,
    words: ({ status }) => messages.headings.statusCell(status),
  },
  { name: 'sent_amount', kind: 'amount', of: ({ sent }) => sent && formatMajor(sent.minor, sent.currency.decimals) },
  { name: 'sent_currency', kind: 'text', of: ({ sent }) => sent && currencyLabel(sent.currency) },
  { name: 'fees', kind: 'amount', of: ({ sent }) => sent && formatMajor(sent.feesMinor, sent.currency.decimals) },
  { name: 'transaction_id', kind: 'text', of: ({ transactionId }) => transactionId },
  { name: 'token', kind: 'text', of: ({ token }) => token },
  {
    name: 'rehearsal',
    kind: 'code',
    of: ({ payment }) => (payment.rehearsal ? 'yes' : 'no'),
    words: ({ payment }) => messages.headings.yesOrNo(payment.rehearsal),
  },
  { name: 'returned_at', kind: 'moment', of: ({ returned }) => returned?.at ?? null },
  { name: 'return_id', kind: 'text', of: ({ returned }) => returned?.id ?? null },
];
