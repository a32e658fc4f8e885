import { expect } from 'vitest';
import { gbpPayout, settled, type TestService } from '../harness.ts';
import { gbp, of, type Wire } from './amounts.ts';
import { aMinuteLater, type Given, type Row } from './row.ts';

export const NO_ACCOUNTS = { from: null, to: null };

/** A swap with the amount that is expected, or without it. */
export const swap = (currency_out: object, currency_in?: object, more: object = {}) => ({
  currency_out,
  ...(currency_in ? { currency_in } : {}),
  external_accounts: NO_ACCOUNTS,
  ...more,
});

/** A payout to an account, converting where `currency_in` is given. */
export const payTo = (id: string, currency_out: object, currency_in?: object, more: object = {}) => ({
  currency_out,
  ...(currency_in ? { currency_in } : {}),
  external_accounts: { from: null, to: { id } },
  ...more,
});

/** A payout to somebody of that name, by the account or by the recipient. */
export const payTheOne =
  (accountName: string, recipientName = accountName): Row['body'] =>
  async ({ service, kept }) => {
    const recipient = await service.data('account.recipient.create', { metadata: { name: recipientName } });
    const account = await service.data('account.external.bank.add', {
      type: 'GBP_FPS',
      account_name: accountName,
      account_number: '12345678',
      national_clearing_code: '200000',
      recipient_id: recipient.id,
    });
    kept.purse = await purse(service);
    return payTo(account.id, gbp(50_00));
  };

/** A payout of pounds to the recipient's account. */
export const payout =
  (more: object = {}, pence = '100') =>
  ({ accountId }: Given) =>
    gbpPayout(accountId, pence, more);

export const toWallet = (currency_out: object) => (given: Given) => payTo(given.walletId, currency_out);

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into
type Any = any;

/** What `quote.get` gives now for sending `out` and receiving the currency of `received`: the amount that applies. */
export async function received(service: TestService, out: Wire, receivedCurrency: Wire): Promise<bigint> {
  const request = { currency_out: out, currency_in: of(receivedCurrency, 0) };
  return BigInt((await service.data('quote.get', request)).bid.value);
}

/** A swap at the rate of a quote that was taken just now. */
export async function freshSwap(service: TestService, out: Wire, receivedCurrency: Wire, more: object = {}) {
  return swap(out, of(receivedCurrency, await received(service, out, receivedCurrency)), more);
}

/** A converting payout at the rate of a quote that was taken just now. */
export async function freshPayout(service: TestService, id: string, out: Wire, receivedCurrency: Wire, more = {}) {
  return payTo(id, out, of(receivedCurrency, await received(service, out, receivedCurrency)), more);
}

/** Lets a transaction come to its end. */
export async function ended(service: TestService, id: string): Promise<Any> {
  await aMinuteLater(service);
  return settled(service, id);
}

/** Every balance by currency, `available` and `pending` as numbers of minor units. */
export async function purse(service: TestService): Promise<Record<string, { available: bigint; pending: bigint }>> {
  const { balances } = await service.data('account.balance.getMany', {});
  return Object.fromEntries(
    balances.map(({ available, pending }: { available: Wire; pending: Wire }) => [
      available.chain ? `${available.code} ${available.chain}` : available.code,
      { available: BigInt(available.value), pending: BigInt(pending.value) },
    ]),
  );
}

/** What changed between two looks at the balances; what did not is left out. */
export async function moved(service: TestService, before: Awaited<ReturnType<typeof purse>>) {
  const after = await purse(service);
  const changes = Object.entries(after).flatMap(([name, { available, pending }]) => {
    const change = {
      available: available - (before[name]?.available ?? 0n),
      pending: pending - (before[name]?.pending ?? 0n),
    };
    return change.available === 0n && change.pending === 0n ? [] : [[name, change]];
  });
  return Object.fromEntries(changes);
}

/** The total of the fees, all of which are in the currency that is sent. */
export function feesOf(record: Any): bigint {
  const { code, chain } = record.currency_out ?? record.fees[0]?.value ?? {};
  for (const fee of record.fees) expect([fee.value.code, fee.value.chain]).toEqual([code, chain]);
  return record.fees.reduce((sum: bigint, fee: Any) => sum + BigInt(fee.value.value), 0n);
}

/** Sets what one unit of a currency is worth in dollars, as decimal text. */
export async function setPrice(service: TestService, { code, chain }: Wire, dollars: string): Promise<void> {
  const reply = await service.admin('price.set', { code, ...(chain ? { chain } : {}), usd: dollars });
  expect(reply.status, reply.text).toBe(200);
}
