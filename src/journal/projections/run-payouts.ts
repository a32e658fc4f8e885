import type { Currency } from '../../domain/currencies.ts';
import type { RunRow } from '../../domain/entry.ts';
import type { Destination, Payee, PayoutOrder } from '../../domain/payee.ts';
import type { PlannedConversions } from '../../domain/plan.ts';
import { NO_FIELDS, type RailName } from '../../domain/rails/rail.ts';
import type { PaidBeside, PaidStanding } from '../../domain/run/paid-standing.ts';
import type { PayoutState } from '../../domain/run/payout.ts';

/** What a row orders, as far as later payments are compared with it. */
export type PastOrder = Pick<PayoutOrder, 'row' | 'destination' | 'amount_minor' | 'currency' | 'source'> & {
  payee: Pick<Payee, 'payee_id' | 'name' | 'email'>;
};

/** A payable row of a run, and what became of it. */
export type PastPayout = { order: PastOrder; state: PayoutState['state']; standing: PaidStanding };

/** What a run paid, perhaps paid, or is about to pay. */
export type RunPayouts = {
  /** It ended, and no process has taken it up since. */
  isFinished: boolean;
  /** What is sent in other currencies than payees receive, by its plan. */
  conversions: PlannedConversions | null;
  /** How many were completed. */
  completed: number;
  /** In the order of the rows, some hundred at a time: those of one `rows` entry. */
  pages(): AsyncIterable<readonly PastPayout[]>;
};

type State = PayoutState['state'];

/** A payout's state takes one letter of its page's text: small where nothing beside it may have paid it. */
const LETTERS: Readonly<Record<State, Readonly<Record<PaidBeside, string>>>> = {
  waiting: { nothing: 'w', copy: '0', surfaced: 'W' },
  sending: { nothing: 's', copy: '1', surfaced: 'S' },
  in_doubt: { nothing: 'd', copy: '2', surfaced: 'D' },
  accepted: { nothing: 'a', copy: '3', surfaced: 'A' },
  completed: { nothing: 'c', copy: '4', surfaced: 'C' },
  failed: { nothing: 'f', copy: '5', surfaced: 'F' },
  rejected: { nothing: 'r', copy: '6', surfaced: 'R' },
  unresolved: { nothing: 'u', copy: '7', surfaced: 'U' },
  suspected: { nothing: 'q', copy: '8', surfaced: 'Q' },
  not_submitted: { nothing: 'n', copy: '9', surfaced: 'N' },
};

const MEANINGS = new Map(
  Object.entries(LETTERS).flatMap(([state, letters]) =>
    Object.entries(letters).map(([beside, letter]) => {
      return [letter, { state: state as State, beside: beside as PaidBeside }] as const;
    }),
  ),
);

export function letterOf(state: State, beside: PaidBeside): string {
  return LETTERS[state][beside];
}

/** Undefined for a letter that has no meaning. */
export function meaningOf(letter: string): { state: State; beside: PaidBeside } | undefined {
  return MEANINGS.get(letter);
}

/** The members of an account in the order in which they are packed. */
const FIELDS = ['account_number', 'national_clearing_code', 'bic', 'account_type', 'wallet_address', 'chain'] as const;

/**
 * The accounts themselves are kept and no fingerprints of them: which two accounts are the same is a rule of the comparison,
 * and where it becomes stricter it has to be true of what was paid before. The name is null where it is the payee's; `FIELDS` follow.
 */
type PackedAccount = [rail: RailName, accountName: string | null, ...fields: string[]];

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
  for (const { row, order } of rows) {
    if (order === null) continue;
    const { payee, amount_minor, currency, source, destination } = order;
    const { payee_id, name, email } = payee;
    const places = [placeOf(currency, currencies), source && placeOf(source, currencies)] as const;
    orders.push([row, payee_id, name, email, amount_minor, ...places, packDestination(destination, name)]);
  }
  return JSON.stringify({ currencies, orders } satisfies PackedPage);
}

/** The rows of a text that `packOrders` made: the caller has compared its hash. */
export function unpackOrders(text: string): PastOrder[] {
  const { currencies, orders } = JSON.parse(text) as PackedPage;
  return orders.map(([row, payee_id, name, email, amount_minor, currency, source, destination]) => ({
    row,
    payee: { payee_id, name, email },
    destination: unpackDestination(destination, name),
    amount_minor,
    currency: currencies[currency] as Currency,
    source: source === null ? null : (currencies[source] as Currency),
  }));
}

function packDestination(destination: Destination, name: string): string | PackedAccount {
  if (destination.kind === 'existing') return destination.external_account_id;
  const { rail, account_name, fields } = destination;
  return [rail, account_name === name ? null : account_name, ...FIELDS.map((field) => fields[field])];
}

function unpackDestination(packed: string | PackedAccount, name: string): Destination {
  if (typeof packed === 'string') return { kind: 'existing', external_account_id: packed };
  const [rail, account_name, ...values] = packed;
  const fields = { ...NO_FIELDS };
  for (const [at, field] of FIELDS.entries()) fields[field] = values[at] ?? '';
  return { kind: 'account', rail, account_name: account_name ?? name, fields };
}

/** A file has few currencies. */
function placeOf(currency: Currency, currencies: Currency[]): number {
  const { code, chain, decimals } = currency;
  const at = currencies.findIndex((one) => one.code === code && one.chain === chain && one.decimals === decimals);
  return at === -1 ? currencies.push(currency) - 1 : at;
}
