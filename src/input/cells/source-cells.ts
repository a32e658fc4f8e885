import {
  type Currency,
  chainsOf,
  crypto,
  currencyLabel,
  fiat,
  isCrypto,
  sameCurrency,
} from '../../domain/currencies.ts';
import type { RowCells } from './row-cells.ts';

/** `USDC ethereum`, `USDC on ethereum`, `USDC|ethereum`, `USDC (ethereum)`. */
const CODE_AND_CHAIN = /^([a-z]+)\s*(?:\s+on\s+|[\s|/:(-])\s*([a-z]+)\s*\)?$/i;

/** Reads `source_currency` of a row: the currency that it is paid from, or null where that is what the payee receives. */
export function readSource(cells: RowCells, currency: Currency | null): Currency | null {
  const text = cells.text('source_currency');
  if (text === '' || currency === null) return null;
  if (text.toUpperCase() === currency.code) return null;
  const source = fiat(text.toUpperCase()) ?? readCryptoSource(cells, text);
  if (source === null || sameCurrency(source, currency)) return null;
  if (isNative(source) && isNative(currency)) {
    cells.error('source_currency', {
      code: 'source_crypto_to_crypto',
      message: `${currencyLabel(source)} is not converted into ${currencyLabel(currency)} directly.`,
      remedy: 'Pay it from USDC or USDT, which both can be converted into.',
    });
    return null;
  }
  return source;
}

function readCryptoSource(cells: RowCells, text: string): Currency | null {
  const parts = CODE_AND_CHAIN.exec(text);
  const code = (parts?.[1] ?? text).toUpperCase();
  if (!isCrypto(code)) {
    cells.error('source_currency', {
      code: 'source_currency_unknown',
      message: 'This is not the code of a currency that payrun knows.',
      remedy:
        'Write the code of three letters (ISO 4217), such as AUD, or an asset with its chain, such as USDC ethereum; leave it empty to pay from the currency of the payout.',
    });
    return null;
  }
  const chain = parts?.[2]?.toLowerCase() ?? '';
  const source = crypto(code, chain);
  if (source !== null) return source;
  const chains = chainsOf(code);
  cells.error('source_currency', {
    code: chain === '' ? 'source_chain_missing' : 'source_currency_not_on_chain',
    message:
      chain === ''
        ? `${code} is held on several chains, and the cell does not say on which.`
        : `${code} is not held on this chain.`,
    remedy: `Write one of ${chains.map((one) => `${code} ${one}`).join(', ')}.`,
  });
  return null;
}

/** The coin of a chain: those are not converted into each other directly (specification, section 7). */
function isNative({ code }: Currency): boolean {
  return isCrypto(code) && code !== 'USDC' && code !== 'USDT';
}
