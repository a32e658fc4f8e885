import type { OperationRequest } from '../../contract/operations.ts';
import { chainsOf, currencyLabel, isCrypto } from '../../domain/currencies.ts';
import { formatMajor } from '../../domain/money.ts';
import type { RailName } from '../../domain/rails/rail.ts';
import { type Asset, assetOf } from '../accounts/assets.ts';
import {
  checkReceives,
  checkReference,
  findAccount,
  findOwnNumber,
  maskNumber,
} from '../accounts/external-accounts.ts';
import type { Caller, Core } from '../core.ts';
import { accepted, badRequest, type Outcome, type Refused } from '../gateway/answers.ts';
import { isWithinTolerance, type Pair, sellQuote } from '../market/pairs.ts';
import type { Row } from '../store/database.ts';
import { feesOf, type TransferRail } from './fees.ts';
import type { NewTransfer } from './transfer.ts';

export type TransferRequest = OperationRequest<'transaction.transfer'>;

/** A transfer that has passed every check. */
export type Order = Pick<NewTransfer, 'sent' | 'received' | 'askedMinor' | 'rail' | 'orderingAccount' | 'fees'> & {
  kind: 'withdraw' | 'buy' | 'sell';
  /** Of a conversion; null where what is sent is what arrives. */
  pair: Pair | null;
  /** Joined with its recipient's name; null for a swap. */
  account: Row | null;
};

/**
 * Every reason to refuse `transaction.transfer` (specification, 4.3 and section 7), before anything is written: first
 * what is wrong in the request itself, then what its account and its rail cannot do, then what the market says. A
 * balance that is short is none of them: the transfer then ends FAILED (section 3). `absent` refuses an account
 * that is not there; of `transaction.transfer` it is BAD_REQUEST by section 7.
 */
export function checkTransfer(
  core: Core,
  caller: Caller,
  request: TransferRequest,
  absent = NO_ACCOUNT,
): Outcome<Order> {
  const { currency_out, currency_in, external_accounts, reference = '' } = request;
  const malformed = checkShape(request);
  if (malformed) return malformed;
  const sides = checkSides(currency_out, currency_in ?? null, { isSameAllowed: false });
  if (!sides.ok) return sides;
  const { from, to } = sides.data;
  let rail: TransferRail = 'balance';
  let account: Row | null = null;
  if (external_accounts.to !== null) {
    account = findAccount(core, caller, external_accounts.to.id) ?? null;
    if (!account) return absent;
    rail = String(account.type) as RailName;
    const mismatch = checkReceives(rail, String(account.chain), to);
    if (mismatch) return mismatch;
  }
  const ordering = checkOrdering(core, caller, external_accounts);
  if (!ordering.ok) return ordering;
  const unfit = checkReference(rail, reference);
  if (unfit) return unfit;
  const outMinor = BigInt(currency_out.value);
  const pair = currency_in ? core.market.pair(from, to) : null;
  const askedMinor = BigInt(currency_in?.value ?? 0);
  const refusal =
    pair && (checkBridge(sides.data) ?? checkMinimum(outMinor, from) ?? checkRate(outMinor, askedMinor, pair));
  if (refusal) return refusal;
  const fees = feesOf(core.market, rail, from, outMinor, pair);
  if (fees.directMinor > AMOUNT_MAX)
    return badRequest('INVALID', `currency_out.code: the fee of ${rail} is too large in it`);
  return accepted({
    kind: account ? 'withdraw' : to.currency.chain === null ? 'sell' : 'buy',
    sent: { asset: from, minor: outMinor },
    received: { asset: to, minor: pair ? askedMinor : outMinor },
    askedMinor: pair && askedMinor,
    pair,
    rail,
    account,
    orderingAccount: ordering.data,
    fees,
  });
}

function checkShape({ currency_out, currency_in, external_accounts }: TransferRequest): Refused | null {
  const zero = checkNotZero(currency_out, 'out') ?? (currency_in ? checkNotZero(currency_in, 'in') : null);
  if (zero) return zero;
  if (external_accounts.from !== null && external_accounts.to === null)
    return badRequest('INVALID', 'external_accounts.from: must be null where external_accounts.to is');
  if (external_accounts.to === null && !currency_in)
    return badRequest('INVALID', 'currency_in: a swap needs it; a payout needs external_accounts.to');
  return null;
}

const NO_ACCOUNT = Object.freeze(badRequest('INVALID', 'external_accounts.to: there is no such external account'));

/**
 * `external_accounts.from` (specification, 4.3): an account of the customer's own, in whose name a payout is sent. Money is
 * taken from the balance all the same. Nobody sends in the name of somebody else.
 */
function checkOrdering(
  core: Core,
  caller: Caller,
  { from, to }: TransferRequest['external_accounts'],
): Outcome<string | null> {
  if (from === null) return accepted(null);
  const number = from.id === to?.id ? null : findOwnNumber(core, caller, from.id);
  if (number !== null) return accepted(maskNumber(number));
  return badRequest('INVALID', 'external_accounts.from: must be another external account of your own, or null');
}

function checkMinimum(outMinor: bigint, { currency, minimumMinor }: Asset): Refused | null {
  if (outMinor >= minimumMinor) return null;
  const minimum = formatMajor(minimumMinor, currency.decimals);
  return badRequest(
    'BELOW_MINIMUM',
    `swaps from ${currencyLabel(currency)} must be at least ${minimum} ${currency.code}`,
  );
}

function checkRate(outMinor: bigint, askedMinor: bigint, pair: Pair): Refused | null {
  const { bid } = sellQuote(outMinor, pair);
  if (bid > AMOUNT_MAX) return badRequest('INVALID', 'currency_out.value: is too large to be converted');
  if (isWithinTolerance(outMinor, askedMinor, pair)) return null;
  const { code, decimals } = pair.to.currency;
  const percent = formatMajor(pair.terms.toleranceBps, 2);
  return badRequest(
    'RATE_DRIFT',
    `the implied rate is more than ${percent}% from the market, where currency_out brings ` +
      `${formatMajor(bid, decimals)} ${code} now: ask for a fresh quote`,
  );
}

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
