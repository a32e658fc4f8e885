import type { OperationRequest } from '../../contract/operations.ts';
import type { Caller, Core } from '../core.ts';
import { recordEvent } from '../events.ts';
import { accepted, badRequest, notFound, type Outcome } from '../gateway/answers.ts';
import { marketRate } from '../market/pairs.ts';
import { searchText } from '../search-text.ts';
import { type WireFee, wireFees } from './fees.ts';
import { endingOf } from './rehearsal.ts';
import { addToTotals } from './totals.ts';
import { checkTransfer, type Order, type TransferRequest } from './transfer-checks.ts';
import { takingLegs } from './transfer-legs.ts';

/**
 * `transaction.transfer` (specification, 4.3): a swap, a withdrawal to an account of one's own, or a payout to a
 * recipient's, each of what is held or converted first. Answers with the transaction's id.
 */
export function transfer(core: Core, caller: Caller, request: TransferRequest): Outcome {
  const checked = checkTransfer(core, caller, request);
  return checked.ok ? accepted(accept(core, caller, request, checked.data, null)) : checked;
}

type WithdrawRequest = OperationRequest<'transaction.submitWithdraw'>;

/**
 * `transaction.submitWithdraw` (specification, 4.1): a transfer in another shape, to any external account of the caller.
 * Fees that are given have to be those that are charged.
 */
export function submitWithdraw(core: Core, caller: Caller, request: WithdrawRequest): Outcome {
  const { description, proof_of_purpose } = request.metadata ?? {};
  const asTransfer: TransferRequest = {
    currency_out: request.currency_out,
    currency_in: request.currency_in ?? undefined,
    external_accounts: { from: null, to: { id: request.external_account_id } },
    metadata: { description },
    reference: request.reference,
  };
  const checked = checkTransfer(core, caller, asTransfer, notFound('external account'));
  if (!checked.ok) return checked;
  const { fees, from, rail } = checked.data;
  const charged = wireFees(fees, from.currency, rail);
  if (request.fees && !isCharged(request.fees, charged))
    return badRequest('INVALID', `fees: not what is charged, which is ${JSON.stringify(charged)}`);
  const proof = proof_of_purpose ? JSON.stringify(proof_of_purpose) : null;
  return accepted(accept(core, caller, asTransfer, checked.data, proof));
}

/** Whether the fees are the charged ones, in any order. Labels are for people; a rate that is given has to be right. */
function isCharged(
  given: readonly NonNullable<WithdrawRequest['fees']>[number][],
  charged: readonly WireFee[],
): boolean {
  if (given.length !== charged.length) return false;
  return charged.every(({ type, value, rate }) => {
    const found = given.find((fee) => fee.type === type);
    if (!found || (found.rate ?? rate) !== rate) return false;
    const { code, chain, decimals } = found.value;
    return (
      found.value.value === value.value && code === value.code && chain === value.chain && decimals === value.decimals
    );
  });
}

/** Writes the transfer, reserves its amount and fees where the balance covers all, and says when it is due. */
function accept(core: Core, caller: Caller, request: TransferRequest, order: Order, proof: string | null): string {
  const { kind, from, outMinor, conversion, rail, account, fees } = order;
  const atMs = core.stamps.nowMs();
  const id = core.stamps.id('txn', atMs);
  const accountName = account ? String(account.account_name) : null;
  const ending = endingOf(accountName ?? '', (account?.recipient_name ?? null) as string | null);
  const dueMs = ending === 'STUCK' ? null : atMs + core.settleMsOf(rail);
  const worth = core.market.usdWorth(outMinor, from);
  const payoutReference = `PO${core.stamps.characters(12).toUpperCase()}`;
  const external = externalReference(core, order);
  const texts = [request.metadata?.description ?? null, request.reference ?? null, payoutReference, external.reference];
  const received = conversion?.to.currency ?? from.currency;
  const inText = String(conversion?.askedMinor ?? outMinor);
  const rate = conversion && marketRate(conversion.pair);
  const { lastId } = core.store.run(
    INSERT,
    ...[id, caller.customer, kind, atMs, atMs],
    ...[(account?.recipient ?? null) as number | null, (account?.account ?? null) as number | null],
    ...[received.code, received.chain, inText, from.currency.code, from.currency.chain, String(outMinor)],
    ...[String(fees.directMinor), String(fees.conversionMinor), fees.conversionBps],
    ...[conversion && inText, rate?.rate ?? null, rate?.tickSize ?? null, proof],
    ...[rail, ...texts, external.type, ending, dueMs, worth.cents, worth.rest, order.orderingAccount],
  );
  core.store.run(INSERT_SEARCH, caller.customer, lastId, searchText([id, ...texts, accountName]));
  addToTotals(core, caller.customer, kind, worth);
  const taking = {
    customer: caller.customer,
    rail,
    currency: from.currency,
    outMinor,
    conversionFeeMinor: fees.conversionMinor,
    directFeeMinor: fees.directMinor,
    isConversion: conversion !== null,
  };
  core.ledger.reserve(lastId, atMs, takingLegs(core, taking));
  recordEvent(core, lastId, 'transaction.created', 'PENDING', atMs);
  if (dueMs !== null) core.dueAt(dueMs);
  return id;
}

/** The reference of the bank's or the chain's side. Made up; a real one would come with the settlement. */
function externalReference(core: Core, { rail, from, conversion }: Order): { reference: string; type: string } {
  const { chain } = (conversion?.to ?? from).currency;
  if (rail === 'WEB3' && chain !== null)
    return { reference: `0x${core.stamps.hex(64)}`, type: `CRYPTO_${chain.toUpperCase()}` };
  const type = rail === 'balance' ? 'INTERNAL' : `BANK_${rail}`;
  return { reference: core.stamps.characters(16).toUpperCase(), type };
}

const INSERT = `INSERT INTO transfer (id, customer, kind, status, created_at, updated_at, recipient, account,
  in_code, in_chain, in_value, out_code, out_chain, out_value, fee_value, conversion_fee_value, conversion_fee_bps,
  asked_value, market_rate, tick_size, proof_of_purpose, rail, description, reference, payout_reference,
  external_reference, external_reference_type, outcome, step, due_at, usd_cents, usd_rest,
  ordering_account)
  VALUES (?, ?, ?, 'PENDING', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'settle', ?, ?, ?, ?)`;
const INSERT_SEARCH = 'INSERT INTO transfer_search (customer, transfer, text) VALUES (?, ?, ?)';
