import { type Currency, currencyLabel } from '../../domain/currencies.ts';
import { formatMajor, type Money } from '../../domain/money.ts';
import { grouped } from '../../messages/text.ts';
import { plural } from '../../messages/translate.ts';
import { type Html, html } from './html.ts';

/** An amount in minor units whose code has a place of its own, so that in a column decimals stand under each other. */
export function money(minor: string | bigint, currency: Currency): Html {
  return html`<span class="money">${grouped(formatMajor(BigInt(minor), currency.decimals))} <span class="cur">${currencyLabel(currency)}</span></span>`;
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
