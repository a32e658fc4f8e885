import { counted, listed } from '../text.ts';
import { t } from '../translate.ts';

// What stands in bank files beside codes.

/** Of a payout whose amount is in no element. */
export function amountInWords(amount: string, currency: string): string {
  return t`Amount: ${amount} ${currency}, which ISO 20022 cannot state.`;
}

/** Of payouts that are in no entry. */
export function leftOutText(count: number, currencies: readonly string[]): string {
  return t`${counted(count, 'payout')} left out, because ISO 20022 cannot state the amount: ${listed(currencies)}.`;
}

/** Of a service whose id of a transaction is longer than a bank file's. */
export function transactionText(transactionId: string): string {
  return t`Transaction ${transactionId}.`;
}

/** What the payee received of a conversion, where no element can have it. */
export function receivedText(amount: string, currency: string): string {
  return t`The payee received ${amount} ${currency}.`;
}
