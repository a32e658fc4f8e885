import type { Client } from '../../client/client.ts';
import type { Currency } from '../../domain/currencies.ts';
import { currencyKey, type Money, sumOf } from '../../domain/money.ts';
import type { Shortage } from '../../domain/problems/payment-problems.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { Clock } from '../../platform/clock.ts';

/** How far this machine's clock may be from the service's. */
export const CLOCK_SKEW_MAX_MS = 5_000;
/** The `Date` header has whole seconds. */
const HEADER_GRAIN_MS = 1_000;

/** What the service holds of a currency; 0 of one that it does not name. */
export type Held = (currency: Currency) => bigint;

/**
 * Asks the service once before anything is created there: it answers, takes our credentials, agrees on the time, and
 * holds enough. Throws a `Refusal` (`unreachable` or `refused`); returns whether the service marks itself as a rehearsal.
 */
export async function preflight(client: Client, clock: Clock, totals: Money[]): Promise<{ isRehearsal: boolean }> {
  const { isRehearsal, held } = await askForBalances(client, clock);
  requireFunds(held, totals);
  return { isRehearsal };
}

/** Throws a `Refusal` (`refused`) where the service holds less than that of some currency. */
export function requireFunds(held: Held, totals: readonly Money[]): void {
  const missing = shortages(held, totals);
  if (missing.length > 0) throw new Refusal({ code: 'balance_short', shortages: missing });
}

/** What a service shows of itself. `aheadMs`: by how much this machine's clock is ahead; null where it gave no time. */
export type ServiceShown = {
  isRehearsal: boolean;
  held: Held;
  /** The codes of its balances, each once. */
  currencies: string[];
  aheadMs: number | null;
};

/** As `preflight`, without the check whether that is enough. Throws a `Refusal` (`unreachable`). */
export async function askForBalances(client: Client, clock: Clock): Promise<ServiceShown> {
  const result = await client.read('account.balance.getMany', {});
  const nowMs = clock.wallMs();
  const serverMs = 'serverMs' in result && typeof result.serverMs === 'number' ? result.serverMs : null;
  if (serverMs !== null) checkClock(nowMs, serverMs);
  if (!result.ok) {
    if (result.kind === 'refused_credentials') {
      throw new Refusal({ code: 'credentials_refused', cause: result.message });
    }
    const [trouble, cause] = result.kind === 'unreachable' ? [result.trouble, ''] : [null, result.message];
    throw new Refusal({ code: 'service_unreachable', trouble, cause });
  }
  const { balances } = result.data;
  const currencies = [...new Set(balances.map(({ available }) => available.code))];
  const aheadMs = serverMs === null ? null : nowMs - serverMs;
  return { isRehearsal: result.isRehearsal, held: heldOf(balances), currencies, aheadMs };
}

/** Deadlines are worth only what the clock is. */
function checkClock(nowMs: number, serverMs: number): void {
  const aheadMs = nowMs - serverMs;
  if (aheadMs <= CLOCK_SKEW_MAX_MS + HEADER_GRAIN_MS && aheadMs >= -CLOCK_SKEW_MAX_MS) return;
  const seconds = Math.round(Math.abs(aheadMs) / 1_000);
  throw new Refusal({ code: 'clock_differs', seconds, isAhead: aheadMs > 0 });
}

type Balance = { available: { value: string; code: string; chain?: string | null | undefined } };

function heldOf(balances: Balance[]): Held {
  const held = new Map<string, bigint>();
  for (const { available } of balances) {
    held.set(available.chain ? `${available.code}|${available.chain}` : available.code, BigInt(available.value));
  }
  return (currency) => held.get(currencyKey(currency)) ?? 0n;
}

/** For each currency of which there is too little, how much is missing. */
export function shortages(held: Held, totals: readonly Money[]): Shortage[] {
  return totals.flatMap((total) => {
    const minor = total.minor - held(total.currency);
    return minor > 0n ? [{ missing: sumOf({ ...total, minor }), of: sumOf(total) }] : [];
  });
}
