import type { OperationRequest } from '../../contract/operations.ts';
import type { RailName } from '../../domain/rails/rail.ts';
import { type Asset, assetOf, wireMoney } from '../accounts/assets.ts';
import { checkReceives, findAccount } from '../accounts/external-accounts.ts';
import type { Caller, Core } from '../core.ts';
import { accepted, badRequest, notFound, type Outcome } from '../gateway/answers.ts';
import { buyQuote, midDown, sellQuote, type TwoSides } from '../market/pairs.ts';
import { feesOf, type TransferRail, wireFees } from './fees.ts';
import { AMOUNT_MAX, checkBridge, checkSides, isSameCurrency, type Sides } from './transfer-checks.ts';

type QuoteRequest = OperationRequest<'quote.get'>;

/**
 * `quote.get` (specification, 4.2; `decisions.md`, "Reading a quote"): what the side with the placeholder is worth. It
 * moves nothing and binds nobody. Of the same currency, with a destination, it tells what that rail costs.
 */
export function getQuote(core: Core, caller: Caller, request: QuoteRequest): Outcome {
  const { currency_in, currency_out } = request;
  const isInAsked = BigInt(currency_in.value) === 0n;
  if (isInAsked === (BigInt(currency_out.value) === 0n))
    return badRequest('INVALID', 'currency_in.value, currency_out.value: exactly one of the two is the placeholder 0');
  const isPayout = (request.destination ?? null) !== null || request.external_account_id !== undefined;
  const isSame = isSameCurrency(currency_in, currency_out);
  const sides = checkSides(currency_out, currency_in, { isSameAllowed: isPayout });
  if (!sides.ok) return sides;
  const rail = checkRail(core, caller, request, sides.data.to);
  if (!rail.ok) return rail;
  const wrong = checkBridge(sides.data);
  if (wrong) return wrong;
  const given = BigInt(isInAsked ? currency_out.value : currency_in.value);
  return answer(core, { ...sides.data, rail: rail.data, given, isInAsked, isSame });
}

/** The rail that the account or the destination names; of neither, a swap stays in the balance. */
function checkRail(core: Core, caller: Caller, request: QuoteRequest, to: Asset): Outcome<TransferRail> {
  const destination = request.destination ?? null;
  const { external_account_id } = request;
  if (external_account_id === undefined) {
    if (destination === null) return accepted('balance');
    return checkReceives(destination, null, to) ?? accepted(destination);
  }
  const account = findAccount(core, caller, external_account_id);
  if (!account) return notFound('external account');
  const rail = String(account.type) as RailName;
  if (destination !== null && destination !== rail)
    return badRequest('INVALID', `destination: the external account is one of ${rail}`);
  return checkReceives(rail, String(account.chain), to) ?? accepted(rail);
}

type Asked = Sides & { rail: TransferRail; given: bigint; isInAsked: boolean; isSame: boolean };

function answer({ market }: Core, asked: Asked): Outcome {
  const { from, to, rail, given, isInAsked, isSame } = asked;
  const pair = isSame ? null : market.pair(from, to);
  const sides = twoSides();
  const outMinor = isInAsked ? given : sides.ask;
  const fees = feesOf(market, rail, from, outMinor, pair);
  const passing = stablecoinOf();
  const largest = [sides.ask, fees.conversionMinor, fees.directMinor, passing?.minor ?? 0n];
  if (largest.some((minor) => minor > AMOUNT_MAX))
    return badRequest('INVALID', `currency_${isInAsked ? 'out' : 'in'}.value: is too large to be quoted`);
  const asset = isInAsked ? to : from;
  return accepted({
    bid: wireMoney(sides.bid, asset.currency),
    ask: wireMoney(sides.ask, asset.currency),
    direction: isInAsked ? 'bid' : 'ask',
    fees: wireFees(fees, from.currency, rail),
    stablecoin: passing === null ? null : wireMoney(passing.minor, passing.asset.currency),
  });

  function twoSides(): TwoSides {
    if (pair === null) return { bid: given, ask: given };
    return isInAsked ? sellQuote(given, pair) : buyQuote(given, pair);
  }

  /** Where neither side is a dollar of some kind, the conversion passes through USDC: so much of it, at mid. */
  function stablecoinOf(): { asset: Asset; minor: bigint } | null {
    const usdc = assetOf('USDC', 'ethereum');
    if (!usdc || pair === null || from.kind === 'dollar' || to.kind === 'dollar') return null;
    return { asset: usdc, minor: midDown(given, market.pair(isInAsked ? from : to, usdc)) };
  }
}
