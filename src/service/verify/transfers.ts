import { currency } from '../../domain/currencies.ts';
import type { LedgerAccount } from '../ledger/ledger.ts';
import type { Row, Store } from '../store/database.ts';
import { currencyOf, type Find, type Flow, type Fold, label } from './postings.ts';

/**
 * Compares each transfer with what the postings and the events say of it. Finds: postings that are not those of its
 * shape, amounts and status; a reserve that is open though the transfer has ended; pending debits of a customer that are
 * not those of its open transfers; a conversion that brought more than it was worth; an event that is missing or too many.
 */
export function checkTransfers(store: Store, fold: Fold, find: Find): void {
  const numbers = new Map([...fold.accounts.values()].map((account) => [label(account), account.number]));
  const events = foldEvents(store);
  const open = new Map<string, bigint>();
  for (const row of store.iterate('SELECT * FROM transfer ORDER BY transfer')) {
    const flow = fold.flows.get(Number(row.transfer)) ?? NOTHING;
    const legs = expectedLegs(row, numbers);
    checkFlow(row, flow, legs, fold, find);
    if (row.status === 'COMPLETED' && row.asked_value !== null) checkGain(row, find);
    checkEvents(row, events.get(Number(row.transfer)) ?? '', find);
    if (row.status !== 'PENDING' || flow.open === 0) continue;
    const owner = `customer:${row.customer} ${currencyOf(row.out_code, row.out_chain)}`;
    open.set(owner, (open.get(owner) ?? 0n) + wholeMinor(row));
  }
  for (const account of fold.accounts.values()) {
    if (!account.owner.startsWith('customer:')) continue;
    const openMinor = open.get(label(account)) ?? 0n;
    if (account.debitsPending !== openMinor)
      find(
        `${label(account)} has ${account.debitsPending} pending, its open transactions and their fees make ${openMinor}`,
      );
  }
}

const NOTHING: Flow = { reserved: '', posted: 0, released: 0, open: 0, openMinor: 0n, moved: '' };

/** The legs that a transfer of this row reserves, and those that it moves when it completes. */
type Legs = { taken: string; given: string; count: number };

function expectedLegs(row: Row, numbers: ReadonlyMap<string, number>): Legs {
  const sent = currencyOf(row.out_code, row.out_chain);
  const received = currencyOf(row.in_code, row.in_chain);
  const leg = (debit: string, credit: string, of: string, amount: unknown): string =>
    `${numbers.get(`${debit} ${of}`) ?? debit}>${numbers.get(`${credit} ${of}`) ?? credit}:${amount};`;
  const customer = `customer:${row.customer}`;
  const rail = `rail:${row.rail}`;
  if (row.kind === 'deposit') return { taken: '', given: leg('world', customer, received, row.in_value), count: 0 };
  const isConversion = row.asked_value !== null;
  const takes = [leg(customer, isConversion ? 'liquidity' : rail, sent, row.out_value)];
  for (const fee of [row.conversion_fee_value, row.fee_value])
    if (fee !== '0') takes.push(leg(customer, 'fees', sent, fee));
  const gives: string[] = [];
  if (isConversion) gives.push(leg('liquidity', row.rail === 'balance' ? customer : rail, received, row.in_value));
  if (row.rail !== 'balance') gives.push(leg(rail, 'world', received, row.in_value));
  return { taken: takes.join(''), given: gives.join(''), count: takes.length };
}

function checkFlow(row: Row, flow: Flow, legs: Legs, { accounts }: Fold, find: Find): void {
  const is = `${row.id} is ${row.status}`;
  if (row.status !== 'PENDING' && flow.open !== 0) find(`${is} with ${flow.openMinor} still reserved`);
  const isDone = row.status === 'COMPLETED';
  const mayTake = isDone ? flow.reserved === legs.taken : flow.reserved === '' || flow.reserved === legs.taken;
  if (!mayTake) find(`${is}: it reserved ${spell(flow.reserved, accounts)}, not ${spell(legs.taken, accounts)}`);
  const given = isDone ? legs.given : '';
  if (flow.moved !== given) find(`${is}: it moved ${spell(flow.moved, accounts)}, not ${spell(given, accounts)}`);
  const posted = isDone ? legs.count : 0;
  if (flow.posted !== posted) find(`${is}: ${flow.posted} of its legs were posted, not ${posted}`);
  if (row.status !== 'FAILED' && flow.released > 0) find(`${is}: ${flow.released} of its legs were released`);
}

/** `customer:1 GBP to fees GBP 20, …`, for people. */
function spell(legs: string, accounts: ReadonlyMap<number, LedgerAccount>): string {
  if (legs === '') return 'nothing';
  const name = (number: string): string => {
    const account = accounts.get(Number(number));
    return account ? label(account) : number;
  };
  return legs
    .split(';')
    .filter((leg) => leg !== '')
    .map((leg) => {
      const [, debit = '', credit = '', amount] = /^(.*)>(.*):(-?\d+)$/.exec(leg) ?? [];
      return `${amount} from ${name(debit)} to ${name(credit)}`;
    })
    .join(', ');
}

/**
 * No conversion brings more than what was paid for it, its own fee included, was worth at the market rate on record:
 * then no way through currencies and back can gain. The rate was rounded down to a tick, so one tick is added.
 */
function checkGain(row: Row, find: Find): void {
  const sent = currency(String(row.out_code), row.out_chain as string | null);
  const received = currency(String(row.in_code), row.in_chain as string | null);
  const rate = /^(\d+)(?:\.(\d+))?$/.exec(String(row.market_rate));
  if (!sent || !received || !rate) {
    find(`${row.id} is a conversion without a market rate of its currencies`);
    return;
  }
  const [, whole = '', fraction = ''] = rate;
  const ticks = BigInt(whole + fraction) + 1n;
  const paid = BigInt(String(row.out_value)) + BigInt(String(row.conversion_fee_value));
  const brought = BigInt(String(row.in_value)) * 10n ** BigInt(sent.decimals + fraction.length);
  if (brought > paid * ticks * 10n ** BigInt(received.decimals))
    find(
      `${row.id} brought ${row.in_value} ${received.code} for ${paid} ${sent.code}, more than at ${row.market_rate}`,
    );
}

/** By transfer, its events in their order: `created PENDING, updated COMPLETED`. */
function foldEvents(store: Store): Map<number, string> {
  const events = new Map<number, string>();
  for (const row of store.iterate('SELECT transfer, type, status FROM event ORDER BY event')) {
    const transfer = Number(row.transfer);
    const before = events.get(transfer);
    const event = `${String(row.type).replace('transaction.', '')} ${row.status}`;
    events.set(transfer, before === undefined ? event : `${before}, ${event}`);
  }
  return events;
}

function checkEvents(row: Row, events: string, find: Find): void {
  const born = row.kind === 'deposit' ? row.status : 'PENDING';
  const expected = row.status === born ? `created ${born}` : `created ${born}, updated ${row.status}`;
  if (events !== expected) find(`${row.id} is ${row.status}: its events are ${events || 'none'}, not ${expected}`);
}

/** Amount and fees together. */
function wholeMinor(row: Row): bigint {
  const parts = [row.out_value, row.conversion_fee_value, row.fee_value];
  return parts.map((part) => BigInt(String(part))).reduce((sum, part) => sum + part);
}
