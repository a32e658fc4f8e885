import type { OperationRequest } from '../../contract/operations.ts';
import type { Caller, Core } from '../core.ts';
import { recordEvent } from '../events.ts';
import { accepted, badRequest, notFound, type Outcome } from '../gateway/answers.ts';
import { marketRate } from '../market/pairs.ts';
import { type WireFee, wireFees } from './fees.ts';
import { takingLegs } from './settlement.ts';
import { endingOf, type NewTransfer, writeTransfer } from './transfer.ts';
import { checkTransfer, type Order, type TransferRequest } from './transfer-checks.ts';

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
  const { fees, sent, rail } = checked.data;
  const charged = wireFees(fees, sent.asset.currency, rail);
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
  const { kind, account, sent, received, askedMinor, rail, pair, orderingAccount, fees } = order;
  const { externalReference, externalReferenceType } = externalReferences(core, order);
  const createdMs = core.stamps.nowMs();
  const accountName = account ? String(account.account_name) : null;
  const outcome = endingOf(accountName ?? '', (account?.recipient_name ?? null) as string | null);
  const dueMs = outcome === 'STUCK' ? null : createdMs + core.settleMsOf(rail);
  const id = core.stamps.id('txn', createdMs);
  const transfer: NewTransfer = {
    id,
    customer: caller.customer,
    kind,
    status: 'PENDING',
    createdMs,
    recipient: (account?.recipient ?? null) as number | null,
    account: (account?.account ?? null) as number | null,
    received,
    sent,
    fees,
    askedMinor,
    rail,
    rate: pair && marketRate(pair),
    proofOfPurpose: proof,
    description: request.metadata?.description ?? null,
    reference: request.reference ?? null,
    payoutReference: `PO${core.stamps.characters(12).toUpperCase()}`,
    externalReference,
    externalReferenceType,
    outcome,
    step: 'settle',
    dueMs,
    worth: core.market.usdWorth(sent.minor, sent.asset),
    orderingAccount,
  };
  const number = writeTransfer(core, transfer, accountName);
  core.ledger.reserve(number, createdMs, takingLegs(core, transfer));
  recordEvent(core, number, 'transaction.created', 'PENDING', createdMs);
  if (dueMs !== null) core.dueAt(dueMs);
  return id;
}

/** The reference of the bank's or the chain's side. Made up; a real one would come with the settlement. */
function externalReferences({ stamps }: Core, { rail, received }: Order) {
  const { chain } = received.asset.currency;
  if (rail === 'WEB3' && chain !== null)
    return { externalReference: `0x${stamps.hex(64)}`, externalReferenceType: `CRYPTO_${chain.toUpperCase()}` };
  const externalReferenceType = rail === 'balance' ? 'INTERNAL' : `BANK_${rail}`;
  return { externalReference: stamps.characters(16).toUpperCase(), externalReferenceType };
}
