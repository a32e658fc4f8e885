import { type Currency, currencyLabel } from '../../domain/currencies.ts';
import { formatMajor, type Money } from '../../domain/money.ts';
import type { Sum } from '../../domain/problems/payment-problems.ts';
import { grouped } from '../../messages/text.ts';
import { plural } from '../../messages/translate.ts';
import { type Html, html } from './html.ts';

/** An amount in minor units whose code has a place of its own, so that in a column decimals stand under each other. */
export function money(minor: string | bigint, currency: Currency): Html {
  return plainMoney({ amount: formatMajor(BigInt(minor), currency.decimals), currency: currencyLabel(currency) });
}

/** The same of a plain decimal. */
export function plainMoney({ amount, currency }: Sum): Html {
  return html`<span class="money">${grouped(amount)} <span class="cur">${currency}</span></span>`;
}

/** How much more or less it is, with a sign. */
export function differenceMoney(by: Sum): Html {
  return plainMoney({ ...by, amount: signed(by.amount) });
}

/** `+1,480.01` and `−35.00` of plain decimals, once they are grouped. */
export function signed(amount: string): string {
  if (amount.startsWith('-')) return `−${amount.slice(1)}`;
  return /[1-9]/.test(amount) ? `+${amount}` : amount;
}

/** The first of several sums, and how many others there are: sums of different currencies are not added. */
export function firstMoney(sums: readonly Money[]): Html | null {
  const [first, ...others] = sums;
  if (first === undefined) return null;
  const more =
    others.length > 0 &&
    html`<span class="soft small others">${plural(others.length, 'and # other', 'and # others')}</span>`;
  return html`<span class="first-sum">${money(first.minor, first.currency)}${more}</span>`;
}
