import { type Currency, currency } from '../../domain/currencies.ts';
import type { Caller, Core } from '../core.ts';
import { accepted, type Outcome } from '../gateway/answers.ts';
import { availableMinor } from '../ledger/ledger.ts';

/** A Currency object of section 2.1. */
export type WireMoney = { value: string; code: string; decimals: number; chain?: string };

/** `account.balance.getMany`: what can be spent, and what is reserved for payouts that have not settled. */
export function getBalances(core: Core, caller: Caller): Outcome {
  const balances = core.ledger.accountsOf(`customer:${caller.customer}`).map((account) => {
    const of = keptCurrency(account.code, account.chain);
    return {
      available: wireMoney(availableMinor(account), of),
      pending: wireMoney(account.debitsPending, of),
    };
  });
  return accepted({ balances });
}

export function wireMoney(minor: bigint | string, { code, chain, decimals }: Currency): WireMoney {
  const value = String(minor);
  return chain === null ? { value, code, decimals } : { value, code, decimals, chain };
}

/** The currency of something that the service has stored. */
export function keptCurrency(code: string, chain: string | null): Currency {
  const known = currency(code, chain);
  if (!known) throw new Error(`the service has stored ${code} on ${chain}, which it does not know`);
  return known;
}
