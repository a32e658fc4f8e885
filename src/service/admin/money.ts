import { z } from 'zod';
import { ASSETS, assetOf } from '../accounts/assets.ts';
import { accepted, badRequest, type Outcome } from '../gateway/answers.ts';
import { availableMinor } from '../ledger/ledger.ts';
import { parsePrice, priceText, STEP_MS, WALK_BPS_MAX } from '../market/market.ts';
import { type AdminOperations, type AdminTools, change, direct, nothing } from './operation.ts';

const currency = z.strictObject({ code: z.string().max(20), chain: z.string().max(40).optional() });
const minorUnits = z.string().regex(/^(0|[1-9]\d{0,37})$/, 'must be a whole number of the smallest denomination');
const balanceRequest = currency.extend({ value: minorUnits });
const priceRequest = currency.extend({ usd: z.string().max(40) });
const walkRequest = z.strictObject({
  seed: z
    .int()
    .min(0)
    .max(2 ** 32 - 1),
  bps: z.int().min(0).max(WALK_BPS_MAX),
});

export const MONEY_OPERATIONS: AdminOperations = {
  'balance.set': change(
    '50.00 can be spent; chain for crypto',
    balanceRequest,
    { code: 'GBP', value: '5000' },
    setBalance,
  ),
  'price.set': change(
    'what one is worth in US dollars; chain for one chain only',
    priceRequest,
    { code: 'ETH', usd: '3125.50' },
    setPrice,
  ),
  'price.walk': change(
    'prices walk at random, the same walk for the same seed; bps 0 stops it',
    walkRequest,
    { seed: 7, bps: 5 },
    ({ core: { market } }, walk) => {
      market.setWalk(walk.bps === 0 ? null : walk);
      return accepted({ walk: market.walk() });
    },
  ),
  'price.list': direct('every price now, and the one about which it walks', nothing, {}, listPrices),
};

const NOT_KEPT = badRequest('INVALID', 'code, chain: the service does not keep this currency');

/** Lets money come in from outside, or leave, until exactly `value` can be spent. It makes no transaction. */
function setBalance({ core, customer }: AdminTools, body: z.output<typeof balanceRequest>): Outcome {
  const asset = assetOf(body.code, body.chain ?? null);
  if (!asset) return NOT_KEPT;
  const own = core.ledger.account(`customer:${customer.customer}`, asset.currency);
  const world = core.ledger.account('world', asset.currency);
  const missing = BigInt(body.value) - availableMinor(own);
  const atMs = core.stamps.nowMs();
  if (missing > 0n) core.ledger.move(null, atMs, [{ debit: world, credit: own, amountMinor: missing }]);
  if (missing < 0n) core.ledger.move(null, atMs, [{ debit: own, credit: world, amountMinor: -missing }]);
  return accepted({ available: body.value });
}

/** Sets what one major unit is worth in US dollars: on one chain, or on all where none is named. */
function setPrice({ core: { market } }: AdminTools, { code, chain, usd }: z.output<typeof priceRequest>): Outcome {
  const price = parsePrice(usd);
  if (price === null) return badRequest('INVALID', 'usd: give US dollars as a decimal, from 0.000000000001 to 10^12');
  if (code === 'USD') return badRequest('INVALID', 'code: prices are in US dollars, so the dollar’s is 1');
  const meant = ASSETS.filter(({ currency }) => currency.code === code && (!chain || currency.chain === chain));
  if (meant.length === 0) return NOT_KEPT;
  for (const asset of meant) market.setBase(asset, price);
  return accepted({ code, chain, usd: priceText(price) });
}

function listPrices({ core: { market } }: AdminTools): Outcome {
  const prices = ASSETS.map((asset) => ({
    code: asset.currency.code,
    chain: asset.currency.chain ?? undefined,
    usd: priceText(market.usdAttos(asset)),
    base_usd: priceText(market.baseAttos(asset)),
  }));
  return accepted({ walk: market.walk(), step_ms: STEP_MS, prices });
}
