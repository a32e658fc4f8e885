import type { Decision } from '../../../domain/outcomes/resolve-outcome.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { printable } from '../../../messages/text.ts';

/** Longer ids than any service gives. */
const TRANSACTION_ID_MAX = 200;

/** Exactly one of `--sent TX` and `--not-sent`, never from the environment: it is about one row. Throws a Refusal (`usage`). */
export function verdictOf(options: Record<string, unknown>): Decision {
  const { sent, notSent } = options;
  const remedy = 'Give --sent with the id of the transaction at the service, or --not-sent, and not both.';
  if ((sent !== undefined) === (notSent === true)) {
    const what =
      sent === undefined ? 'Nothing says what became of the payout.' : 'A payout is either sent or not sent.';
    throw new Refusal('usage', what, remedy);
  }
  if (sent === undefined) return { kind: 'not_sent' };
  const transactionId = String(sent).trim();
  if (transactionId === '' || transactionId.length > TRANSACTION_ID_MAX) {
    throw new Refusal('usage', '--sent names no transaction.', remedy);
  }
  return { kind: 'sent', transactionId };
}

/** The row that was named. Throws a Refusal (`usage`). */
export function rowOf(given: unknown): number {
  const text = String(given);
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new Refusal('usage', `${printable(text)} is no row.`, 'Give the number that `payrun show` prints before it.');
}

/** `sent, as tx_42`, or `not sent`. */
export function verdictText(verdict: Decision): string {
  return verdict.kind === 'sent' ? `sent, as ${printable(verdict.transactionId)}` : 'not sent';
}
