import type { Shortage } from '../../domain/problems/payment-problems.ts';
import type { MoneyReason } from '../../domain/refusals/money-reasons.ts';
import { noteText } from '../note-words.ts';
import { sumText } from '../problems/check-words.ts';
import { t, textTable } from '../translate.ts';
import { failureText } from '../trouble-words.ts';
import type { WordsOf } from './refusal-words.ts';

/** Rows that are named in one sentence. */
const NAMED_MAX = 20;

/** What to do about payouts that the service does not convert, by its own code. */
const REMEDIES: Readonly<Record<string, string>> = textTable({
  BELOW_MINIMUM: 'Increase these amounts, combine the rows, or leave their source_currency empty.',
  CRYPTO_TO_CRYPTO: 'Pay these rows from USDC or USDT.',
});

/** Why a run cannot be paid from the balances. */
export const MONEY_WORDS: WordsOf<MoneyReason['code']> = {
  balance_short: ({ shortages }) => ({
    message: t`The balance is short. ${shortages.map(shortageText).join('; ')}.`,
    remedy: t`Fund the balance, or pay fewer rows.`,
  }),
  no_quote: ({ from, to, why }) => ({
    message: t`The service gives no quote of ${from} into ${to}: ${failureText(why)}.`,
    nothingSent: true,
    remedy: { command_line: 'Run the same command again.', page: t`Try again.` },
  }),
  quote_unusable: ({ from, to, cause }) => ({
    message: t`The service’s quote of ${from} into ${to} cannot be used: ${noteText(cause)}.`,
    nothingSent: true,
    remedy: t`Ask the operator of the service, or leave source_currency empty.`,
  }),
  not_converted: ({ from, to, payouts, why, cause }) => {
    const named = payouts.slice(0, NAMED_MAX).map(({ row, amount }) => t`row ${row} (${sumText(amount)})`);
    const more = payouts.length > NAMED_MAX ? t`, and ${payouts.length - NAMED_MAX} more` : '';
    return {
      message: t`The service does not convert ${from} into ${to} for ${named.join(', ')}${more}: ${cause}.`,
      nothingSent: true,
      remedy: REMEDIES[why] ?? t`Correct source_currency of these rows, or leave it empty.`,
      details: { code: why, rows: payouts.map(({ row }) => row) },
    };
  },
};

/** `AUD: 5.00 AUD missing of 20.00 AUD`. */
export function shortageText({ missing, of }: Shortage): string {
  return t`${of.currency}: ${sumText(missing)} missing of ${sumText(of)}`;
}
