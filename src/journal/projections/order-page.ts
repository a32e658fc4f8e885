import type { Currency } from '../../domain/currencies.ts';
import type { RunRow } from '../../domain/entry.ts';
import type { Destination, PayoutOrder } from '../../domain/payee.ts';
import type { RailName } from '../../domain/rails/rail.ts';
import type { PastOrder } from './run-payouts.ts';

/**
 * The accounts themselves are kept and no fingerprints of them: which two accounts are the same is a rule of the comparison,
 * and where it becomes stricter it has to be true of what was paid before.
 */
type PackedAccount = [
  rail: RailName,
  /** Null where it is the payee's name. */
  accountName: string | null,
  accountNumber: string,
  clearingCode: string,
  bic: string,
  accountType: string,
  walletAddress: string,
  chain: string,
];

type PackedOrder = [
  row: number,
  payeeId: string | null,
  name: string,
  email: string | null,
  amountMinor: string,
  /** Places among the page's currencies. */
  currency: number,
  source: number | null,
  /** The id of an account that the service had. */
  destination: string | PackedAccount,
];

type PackedPage = { currencies: Currency[]; orders: PackedOrder[] };

/** The payable rows of one entry as one text. */
export function packOrders(rows: readonly RunRow[]): string {
  const currencies: Currency[] = [];
  const orders: PackedOrder[] = [];
  for (const { row, order } of rows) if (order !== null) orders.push(pack(row, order, currencies));
  return JSON.stringify({ currencies, orders } satisfies PackedPage);
}

/** The rows of a text that `packOrders` made: the caller has compared its hash. */
export function unpackOrders(text: string): PastOrder[] {
  const { currencies, orders } = JSON.parse(text) as PackedPage;
  return orders.map((packed) => unpack(packed, currencies));
}

function pack(row: number, order: PayoutOrder, currencies: Currency[]): PackedOrder {
  const { payee, amount_minor, currency, source, destination } = order;
  const { payee_id, name, email } = payee;
  return [
    row,
    payee_id,
    name,
    email,
    amount_minor,
    placeOf(currency, currencies),
    source && placeOf(source, currencies),
    packDestination(destination, name),
  ];
}

function unpack(packed: PackedOrder, currencies: readonly Currency[]): PastOrder {
  const [row, payee_id, name, email, amount_minor, currency, source, destination] = packed;
  return {
    row,
    payee: { payee_id, name, email },
    destination: unpackDestination(destination, name),
    amount_minor,
    currency: currencies[currency] as Currency,
    source: source === null ? null : (currencies[source] as Currency),
  };
}

function packDestination(destination: Destination, name: string): string | PackedAccount {
  if (destination.kind === 'existing') return destination.external_account_id;
  const { rail, account_name, fields } = destination;
  return [
    rail,
    account_name === name ? null : account_name,
    fields.account_number,
    fields.national_clearing_code,
    fields.bic,
    fields.account_type,
    fields.wallet_address,
    fields.chain,
  ];
}

function unpackDestination(packed: string | PackedAccount, name: string): Destination {
  if (typeof packed === 'string') return { kind: 'existing', external_account_id: packed };
  const [rail, account_name, account_number, national_clearing_code, bic, account_type, wallet_address, chain] = packed;
  return {
    kind: 'account',
    rail,
    account_name: account_name ?? name,
    fields: { account_number, national_clearing_code, bic, account_type, wallet_address, chain },
  };
}

/** A file has few currencies. */
function placeOf(currency: Currency, currencies: Currency[]): number {
  const { code, chain, decimals } = currency;
  const at = currencies.findIndex((one) => one.code === code && one.chain === chain && one.decimals === decimals);
  return at === -1 ? currencies.push(currency) - 1 : at;
}
