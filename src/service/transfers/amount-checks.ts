import type { OperationRequest } from '../../contract/operations.ts';
import { chainsOf, currencyLabel, isCrypto } from '../../domain/currencies.ts';
import { type Asset, assetOf } from '../accounts/assets.ts';
import { accepted, badRequest, type Outcome, type Refused } from '../gateway/answers.ts';

export type WireAmount = OperationRequest<'transaction.transfer'>['currency_out'];

/** What is sent and what is received: the same asset where nothing is converted. */
export type Sides = { from: Asset; to: Asset };

/** The most minor units that the wire carries: 38 digits. */
export const AMOUNT_MAX = 10n ** 38n - 1n;

/**
 * Both sides of a conversion, or the only one of a payout without. Refuses in this order: an amount that is wrong in
 * itself, identical currencies, a currency that cannot be sent or received. `isSameAllowed`: a quote of a rail's fee.
 */
export function checkSides(
  currencyOut: WireAmount,
  currencyIn: WireAmount | null,
  { isSameAllowed }: { isSameAllowed: boolean },
): Outcome<Sides> {
  const wrong = checkAmount(currencyOut, 'out') ?? (currencyIn && checkAmount(currencyIn, 'in'));
  if (wrong) return wrong;
  if (currencyIn && !isSameAllowed && isSameCurrency(currencyOut, currencyIn))
    return badRequest('SAME_CURRENCY', `currency_in and currency_out are both ${named(currencyOut)}`);
  const from = assetOf(currencyOut.code, currencyOut.chain ?? null);
  if (!from) return badRequest('NOT_PAYABLE', `${named(currencyOut)} is not a payable currency`);
  const to = currencyIn ? assetOf(currencyIn.code, currencyIn.chain ?? null) : from;
  if (!to) return badRequest('NOT_RECEIVABLE', `${named(currencyIn ?? currencyOut)} is not a receivable currency`);
  return accepted({ from, to });
}

export function isSameCurrency(a: WireAmount, b: WireAmount): boolean {
  return a.code === b.code && a.chain === b.chain;
}

/** Refuses zero: an amount that is sent or received is something. */
export function checkNotZero(amount: WireAmount, side: 'in' | 'out'): Refused | null {
  return BigInt(amount.value) === 0n ? badRequest('INVALID', `currency_${side}.value: must be more than zero`) : null;
}

/** Direct swaps between the coins of chains are not made (specification, section 7). */
export function checkBridge({ from, to }: Sides): Refused | null {
  if (from === to || from.kind !== 'native' || to.kind !== 'native') return null;
  return badRequest(
    'CRYPTO_TO_CRYPTO',
    `direct swaps between ${currencyLabel(from.currency)} and ${currencyLabel(to.currency)} are not supported: ` +
      'bridge them by a stablecoin (USDC or USDT)',
  );
}

function checkAmount({ code, chain, decimals }: WireAmount, side: 'in' | 'out'): Refused | null {
  const field = `currency_${side}`;
  if (isCrypto(code) && chain === undefined)
    return badRequest('INVALID', `${field}.chain: ${code} needs one of ${chainsOf(code).join(', ')}`);
  const asset = assetOf(code, chain ?? null);
  if (!asset && chain !== undefined && assetOf(code, null))
    return badRequest('INVALID', `${field}.chain: ${code} has no chain`);
  if (asset && decimals !== asset.currency.decimals)
    return badRequest('INVALID', `${field}.decimals: ${code} has ${asset.currency.decimals}`);
  return null;
}

function named({ code, chain }: WireAmount): string {
  return chain === undefined ? code : `${code} on ${chain}`;
}
