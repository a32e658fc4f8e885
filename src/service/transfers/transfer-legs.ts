import type { Currency } from '../../domain/currencies.ts';
import type { Core } from '../core.ts';
import type { Leg } from '../ledger/ledger.ts';

/** What a transfer takes from the customer. */
export type Taking = {
  customer: number;
  rail: string;
  currency: Currency;
  outMinor: bigint;
  conversionFeeMinor: bigint;
  directFeeMinor: bigint;
  isConversion: boolean;
};

/** The amount, to the liquidity where it is converted and else on its way out, and each fee as a leg of its own. */
export function takingLegs({ ledger }: Core, taking: Taking): Leg[] {
  const { currency, isConversion, rail } = taking;
  const debit = ledger.account(`customer:${taking.customer}`, currency);
  const credit = ledger.account(isConversion ? 'liquidity' : `rail:${rail}`, currency);
  const legs: Leg[] = [{ debit, credit, amountMinor: taking.outMinor }];
  for (const amountMinor of [taking.conversionFeeMinor, taking.directFeeMinor])
    if (amountMinor > 0n) legs.push({ debit, credit: ledger.account('fees', currency), amountMinor });
  return legs;
}

/** What arrives, and where. */
export type Giving = { customer: number; rail: string; currency: Currency; inMinor: bigint; isConversion: boolean };

/** From the liquidity, where it is converted: to the customer in a swap, else by the rail to the world. */
export function givingLegs({ ledger }: Core, { customer, rail, currency, inMinor, isConversion }: Giving): Leg[] {
  if (rail === 'balance') {
    const [debit, credit] = [ledger.account('liquidity', currency), ledger.account(`customer:${customer}`, currency)];
    return [{ debit, credit, amountMinor: inMinor }];
  }
  const way = ledger.account(`rail:${rail}`, currency);
  const out: Leg = { debit: way, credit: ledger.account('world', currency), amountMinor: inMinor };
  if (!isConversion) return [out];
  return [{ debit: ledger.account('liquidity', currency), credit: way, amountMinor: inMinor }, out];
}
