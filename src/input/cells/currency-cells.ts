import {
  type Currency,
  chainsOf,
  crypto,
  currencyLabel,
  fiat,
  isCrypto,
  sameCurrency,
} from '../../domain/currencies.ts';
import { letterDistance } from '../../domain/misspelling.ts';
import { type Fault, fault } from '../../domain/problem.ts';
import { RAILS, railsOf } from '../../domain/rails/registry.ts';
import type { Wanted } from '../../domain/refusals/settings-faults.ts';
import { amountTextOf } from './amounts/amount.ts';
import { currenciesOfMark, currenciesOfMarks, markOf } from './amounts/currency-signs.ts';
import type { RowCells } from './row-cells.ts';

/** There are fewer codes; the same one can be written in several cases. */
const CURRENCIES_SEEN_MAX = 1_000;

/**
 * Reads `currency` (and `chain` for crypto) of a row, or null with the problems noted. What the header of the amounts, or
 * another column, names as the currency must be the same one.
 */
export function readCurrency(cells: RowCells): Currency | null {
  if (cells.amountHeader !== null || cells.otherCurrencies.length > 0) requireOneCurrency(cells);
  return readOwnCurrency(cells);
}

function requireOneCurrency(cells: RowCells): void {
  const code = cells.currencyText.toUpperCase();
  if (fiat(code) === null && !isCrypto(code)) return;
  const { amountHeader } = cells;
  if (amountHeader !== null && !amountHeader.codes.includes(code))
    cells.error('amount', fault('amount_header_currency_differs', { ...amountHeader, currency: code }));
  for (const { at, header, amounts, isOfAmounts } of cells.otherCurrencies) {
    const other = cells.at(at);
    const codes = currenciesOfMark(other);
    if (codes === null || codes.includes(code)) continue;
    const params = { header, other, currency: code, amounts };
    if (isOfAmounts) cells.error('amount', fault('amount_of_other_currency', params));
    else cells.error('currency', fault('currencies_differ', params));
  }
}

function readOwnCurrency(cells: RowCells): Currency | null {
  const text = cells.currencyText;
  // Looked up once, and not in three tables, in the millions of cells that hold one of a few codes.
  const seen = cells.currencies.get(text);
  if (seen !== undefined) return seen;
  if (text === '') {
    noteMissingCurrency(cells);
    return null;
  }
  const code = text.toUpperCase();
  if (isCrypto(code)) return readCrypto(cells, code);
  const known = fiat(code);
  if (known === null) cells.error('currency', unknownCurrency(text));
  else if (cells.currencies.size < CURRENCIES_SEEN_MAX) cells.currencies.set(text, known);
  return known;
}

/** A sign or code in the amount does not stand for the column, in which people look for the currency. */
function noteMissingCurrency(cells: RowCells): void {
  const marks = amountTextOf(cells.text('amount'))?.marks ?? [];
  const [code = null, other] = currenciesOfMarks(marks);
  const params = { marks: marks.map(markOf), code };
  if (cells.has('currency')) {
    const missing = fault('currency_missing', params);
    cells.error('currency', code === null || other !== undefined ? missing : { ...missing, suggestion: code });
  } else if (marks.length > 0 && !cells.noted.has('currency_only_in_amount')) {
    cells.noted.add('currency_only_in_amount');
    cells.error('amount', fault('currency_only_in_amount', params));
  }
}

/** A sign that one currency alone has stands for its code. */
function unknownCurrency(text: string): Fault {
  const [first = null, other] = currenciesOfMark(text) ?? [];
  const meant = other === undefined ? first : null;
  const unknown = fault('currency_unknown', { meant, near: nearCurrency(text) });
  return meant === null ? unknown : { ...unknown, suggestion: meant };
}

const PAID_CODES = [...new Set(RAILS.flatMap(({ currency }) => currency ?? []))];

/** The one currency of a rail that is a wrong, missing or additional letter, or a swap of two, away; null where none is, or several. */
export function nearCurrency(text: string): string | null {
  const written = text.trim().toUpperCase();
  const [near = null, ...others] = PAID_CODES.filter((code) => letterDistance(written, code, 1) === 1);
  return others.length === 0 ? near : null;
}

export type CurrencyCode = { ok: true; code: string } | { ok: false; wanted: Wanted };

/** Reads the code of a currency that a rail pays, as a person gives it for rows that name none. */
export function parseCurrency(text: string): CurrencyCode {
  const code = text.trim().toUpperCase();
  if (fiat(code) === null && !isCrypto(code))
    return { ok: false, wanted: { form: 'known_currency', code: text.trim() } };
  return railsOf(code).length > 0 ? { ok: true, code } : { ok: false, wanted: { form: 'paid_currency', code } };
}

function readCrypto(cells: RowCells, code: string): Currency | null {
  const chain = cells.text('chain').toLowerCase();
  const known = crypto(code, chain);
  if (known !== null) return known;
  const chains = chainsOf(code);
  cells.error(
    'chain',
    chain === ''
      ? fault('chain_missing', { asset: code, chains })
      : fault('currency_not_on_chain', { currency: code, chains }),
  );
  return null;
}

/** `USDC ethereum`, `USDC on ethereum`, `USDC|ethereum`, `USDC (ethereum)`. */
const CODE_AND_CHAIN = /^([a-z]+)\s*(?:\s+on\s+|[\s|/:(-])\s*([a-z]+)\s*\)?$/i;

/** Reads `source_currency` of a row: the currency that it is paid from, or null where that is what the payee receives. */
export function readSource(cells: RowCells, currency: Currency | null): Currency | null {
  const text = cells.text('source_currency');
  if (text === '' || currency === null) return null;
  if (text.toUpperCase() === currency.code) return null;
  const source = fiat(text.toUpperCase()) ?? readCryptoSource(cells, text);
  if (source === null || sameCurrency(source, currency)) return null;
  if (!isNative(source) || !isNative(currency)) return source;
  const [from, to] = [currencyLabel(source), currencyLabel(currency)];
  cells.error('source_currency', fault('source_crypto_to_crypto', { from, to }));
  return null;
}

function readCryptoSource(cells: RowCells, text: string): Currency | null {
  const [, named = text, onChain = ''] = CODE_AND_CHAIN.exec(text) ?? [];
  const code = named.toUpperCase();
  if (!isCrypto(code)) {
    cells.error('source_currency', fault('source_currency_unknown'));
    return null;
  }
  const source = crypto(code, onChain.toLowerCase());
  const params = { currency: code, chains: chainsOf(code) };
  if (source === null)
    cells.error(
      'source_currency',
      onChain === '' ? fault('source_chain_missing', params) : fault('source_currency_not_on_chain', params),
    );
  return source;
}

/** The coin of a chain: those are not converted into each other directly (specification, section 7). */
function isNative({ code }: Currency): boolean {
  return isCrypto(code) && code !== 'USDC' && code !== 'USDT';
}
