import type { OperationRequest } from '../contract/operations.ts';
import { type Currency, chainsOf, currencyLabel, isCrypto } from '../domain/currencies.ts';
import type { RailName } from '../domain/rails/rail.ts';
import { railOf } from '../domain/rails/registry.ts';
import { accepted, badRequest, notFound, type Outcome, type Refused, refused } from './answers.ts';
import { type Asset, assetOf } from './assets.ts';
import type { Caller, Core } from './core.ts';
import type { Leg } from './ledger.ts';
import { recordEvent } from './outbox.ts';
import { directFeeMinor } from './rail-terms.ts';
import { endingOf } from './rehearsal.ts';
import { searchText } from './search-text.ts';
import type { Row } from './store/database.ts';
import { addToTotals } from './totals.ts';

type TransferRequest = OperationRequest<'transaction.transfer'>;
type WireAmount = TransferRequest['currency_out'];

/**
 * `transaction.transfer` (specification, 4.3) as a payout of the currency that is held. Everything is checked before
 * anything is written. A balance that is short is no reason to refuse: the payout then ends FAILED (section 3).
 */
export function transfer(core: Core, caller: Caller, request: TransferRequest): Outcome {
  const checked = checkTransfer(core, caller, request);
  return checked.ok ? accepted(accept(core, caller, request, checked.data)) : checked;
}

type Payout = { asset: Asset; amountMinor: bigint; account: Row; rail: RailName };

function checkTransfer(core: Core, caller: Caller, request: TransferRequest): Outcome<Payout> {
  const { currency_out, currency_in, external_accounts, reference = '' } = request;
  const sent = checkAmount(currency_out, 'out');
  if (!sent.ok) return sent;
  const isConverting = currency_in !== undefined;
  if (isConverting) {
    const received = checkAmount(currency_in, 'in');
    if (!received.ok) return received;
    const isSame = currency_in.code === currency_out.code && currency_in.chain === currency_out.chain;
    if (isSame) return badRequest('SAME_CURRENCY', `currency_in and currency_out are both ${label(sent.data)}`);
  }
  if (external_accounts.from !== null)
    return badRequest('INVALID', 'external_accounts.from: must be null, money is sent from the balance');
  if (external_accounts.to === null && !isConverting)
    return badRequest('INVALID', 'currency_in: a swap needs it; a payout needs external_accounts.to');
  if (isConverting || external_accounts.to === null) return refused('NOT_FOUND', NO_CONVERSION);
  const account = core.store.get(ACCOUNT, external_accounts.to.id, caller.customer);
  if (!account) return notFound('external account');
  const rail = String(account.type) as RailName;
  const wrong = checkDestination(rail, account, sent.data) ?? checkReference(rail, reference);
  return wrong ?? accepted({ asset: sent.data, amountMinor: BigInt(currency_out.value), account, rail });
}

/** What is wrong with one side's amount in itself, or its asset. */
function checkAmount(amount: WireAmount, side: 'in' | 'out'): Outcome<Asset> {
  const { code, chain, decimals, value } = amount;
  const field = `currency_${side}`;
  if (BigInt(value) === 0n) return badRequest('INVALID', `${field}.value: must be more than zero`);
  if (isCrypto(code) && chain === undefined)
    return badRequest('INVALID', `${field}.chain: ${code} needs one of ${chainsOf(code).join(', ')}`);
  const asset = assetOf(code, chain ?? null);
  if (!asset) {
    if (chain !== undefined && assetOf(code, null))
      return badRequest('INVALID', `${field}.chain: ${code} has no chain`);
    const named = chain === undefined ? code : `${code} on ${chain}`;
    return side === 'out'
      ? badRequest('NOT_PAYABLE', `${named} is not a payable currency`)
      : badRequest('NOT_RECEIVABLE', `${named} is not a receivable currency`);
  }
  if (decimals !== asset.currency.decimals)
    return badRequest('INVALID', `${field}.decimals: ${code} has ${asset.currency.decimals}`);
  return accepted(asset);
}

function checkDestination(rail: RailName, account: Row, { currency }: Asset): Refused | null {
  const pays = railOf(rail)?.currency ?? null;
  const fits = pays === null ? currency.chain !== null && currency.chain === account.chain : currency.code === pays;
  if (fits) return null;
  const what = pays ?? `assets on ${account.chain}`;
  return badRequest('RAIL_CURRENCY_MISMATCH', `${rail} pays ${what}, so it cannot receive ${currencyLabel(currency)}`);
}

function checkReference(rail: RailName, reference: string): Refused | null {
  const found = railOf(rail)?.checkReference(reference) ?? [];
  const error = found.find(({ severity }) => severity === 'error');
  if (!error) return null;
  return badRequest(
    error.code === 'reference_too_long' ? 'REFERENCE_TOO_LONG' : 'INVALID',
    `reference: ${error.message}`,
  );
}

/** Writes the payout, reserves its amount and fee where the balance covers both, and says when it is due. */
function accept(core: Core, caller: Caller, request: TransferRequest, payout: Payout): string {
  const { asset, amountMinor, account, rail } = payout;
  const feeMinor = directFeeMinor(rail, asset);
  const atMs = core.stamps.nowMs();
  const id = core.stamps.id('txn', atMs);
  const ending = endingOf(String(account.account_name), account.recipient_name as string | null);
  const dueMs = ending === 'STUCK' ? null : atMs + core.settleMsOf(rail);
  const cents = core.market.usdCents(amountMinor, asset);
  const payoutReference = `PO${core.stamps.characters(12).toUpperCase()}`;
  const external = externalReference(core, rail, asset.currency);
  const description = request.metadata?.description ?? null;
  const reference = request.reference ?? null;
  const { code, chain } = asset.currency;
  const money = [code, chain, String(amountMinor)] as const;
  const destination = [account.recipient as number | null, account.account as number] as const;
  const texts = [description, reference, payoutReference, external.reference] as const;
  const row = [id, caller.customer, atMs, atMs, ...destination, ...money, ...money, String(feeMinor), rail, ...texts];
  const { lastId } = core.store.run(INSERT, ...row, external.type, ending, dueMs, cents);
  const text = searchText([id, ...texts, String(account.account_name)]);
  core.store.run(INSERT_SEARCH, caller.customer, lastId, text);
  addToTotals(core, caller.customer, 'withdraw', 1, cents);
  core.ledger.reserve(lastId, atMs, payoutLegs(core, caller.customer, rail, asset.currency, amountMinor, feeMinor));
  recordEvent(core, lastId, 'transaction.created', 'PENDING', atMs);
  if (dueMs !== null) core.dueAt(dueMs);
  return id;
}

/** What a payout takes from the customer: the amount, which is on its way, and the fee as a leg of its own. */
export function payoutLegs(
  core: Core,
  customer: number,
  rail: string,
  currency: Currency,
  amountMinor: bigint,
  feeMinor: bigint,
): Leg[] {
  const debit = core.ledger.account(`customer:${customer}`, currency);
  const legs: Leg[] = [{ debit, credit: core.ledger.account(`rail:${rail}`, currency), amountMinor }];
  if (feeMinor > 0n) legs.push({ debit, credit: core.ledger.account('fees', currency), amountMinor: feeMinor });
  return legs;
}

/** The reference of the bank's or the chain's side. Made up; a real one would come with the settlement. */
function externalReference(core: Core, rail: RailName, { chain }: Currency): { reference: string; type: string } {
  if (chain !== null) return { reference: `0x${core.stamps.hex(64)}`, type: `CRYPTO_${chain.toUpperCase()}` };
  return { reference: core.stamps.characters(16).toUpperCase(), type: `BANK_${rail}` };
}

function label(asset: Asset): string {
  return currencyLabel(asset.currency);
}

const NO_CONVERSION =
  'swaps and converting payouts are not there yet: leave currency_in out and send the currency that the rail pays';
const ACCOUNT = `SELECT external_account.*, recipient.name AS recipient_name FROM external_account
  LEFT JOIN recipient ON recipient.recipient = external_account.recipient
  WHERE external_account.id = ? AND external_account.customer = ?`;
const INSERT = `INSERT INTO transfer (id, customer, kind, status, created_at, updated_at, recipient, account,
  in_code, in_chain, in_value, out_code, out_chain, out_value, fee_value, rail, description, reference,
  payout_reference, external_reference, external_reference_type, outcome, step, due_at, usd_cents)
  VALUES (?, ?, 'withdraw', 'PENDING', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'settle', ?, ?)`;
const INSERT_SEARCH = 'INSERT INTO transfer_search (customer, transfer, text) VALUES (?, ?, ?)';
