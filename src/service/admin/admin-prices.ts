import { z } from 'zod';
import { ASSETS } from '../accounts/assets.ts';
import { accepted, badRequest, type Outcome } from '../gateway/answers.ts';
import { parsePrice, priceText } from '../market/market.ts';
import { STEP_MS, WALK_BPS_MAX } from '../market/walk.ts';
import type { AdminTools } from './admin-tools.ts';

export const priceSetRequest = z.strictObject({
  code: z.string().max(20),
  chain: z.string().max(40).optional(),
  usd: z.string().max(40),
});

/** Sets what one major unit is worth in US dollars: on one chain, or on all where none is named. */
export function setPrice({ core: { market } }: AdminTools, request: z.infer<typeof priceSetRequest>): Outcome {
  const { code, chain, usd } = request;
  const price = parsePrice(usd);
  if (price === null) return badRequest('INVALID', 'usd: give US dollars as a decimal, from 0.000000000001 to 10^12');
  if (code === 'USD') return badRequest('INVALID', 'code: prices are in US dollars, so the dollar’s is 1');
  const meant = ASSETS.filter(({ currency }) => currency.code === code && (!chain || currency.chain === chain));
  if (meant.length === 0) return badRequest('INVALID', 'code, chain: the service does not keep this currency');
  for (const asset of meant) market.setBase(asset, price);
  return accepted({ code, chain, usd: priceText(price) });
}

/** `bps` 0 lets the prices stand still. */
export const priceWalkRequest = z.strictObject({
  seed: z
    .int()
    .min(0)
    .max(2 ** 32 - 1),
  bps: z.int().min(0).max(WALK_BPS_MAX),
});

/** From now on the prices walk about those that are set, or stand still. */
export function walkPrices({ core: { market } }: AdminTools, walk: z.infer<typeof priceWalkRequest>): Outcome {
  market.setWalk(walk.bps === 0 ? null : walk);
  return accepted({ walk: market.walk() });
}

/** Every price now, and the one about which it walks. */
export function listPrices({ core: { market } }: AdminTools): Outcome {
  return accepted({
    walk: market.walk(),
    step_ms: STEP_MS,
    prices: ASSETS.map((asset) => ({
      code: asset.currency.code,
      chain: asset.currency.chain ?? undefined,
      usd: priceText(market.usdAttos(asset)),
      base_usd: priceText(market.baseAttos(asset)),
    })),
  });
}
