import type { Client, ReadFailure } from '../../client/client.ts';
import { type ConvertedOrder, isConverted, pairKey, plannedToSend, shareUp } from '../../domain/conversion.ts';
import { type Currency, currencyLabel, fiat } from '../../domain/currencies.ts';
import type { Entry } from '../../domain/entry.ts';
import { sumOf } from '../../domain/money.ts';
import type { Ceilings, PlannedConversions, PlannedPair } from '../../domain/plan.ts';
import { fault, type Problem, problemAt } from '../../domain/problem.ts';
import { Refusal } from '../../domain/refusal.ts';
import { rowsOf } from './plan.ts';
import { askForQuote, kindOf, type Quote, type QuotedFor } from './quote.ts';

/** Accounts of the service's own, of one pair, for each of which a quote is asked for. */
const ACCOUNTS_MAX = 200;

/** Payouts of one pair that are quoted together: they go by one rail, or to one account whose rail the service knows. */
type Kind = { to: QuotedFor; count: bigint; minor: bigint; smallest: ConvertedOrder; quote?: Quote };

type Pair = Pick<ConvertedOrder, 'source' | 'currency'> & { payouts: number; minor: bigint; kinds: Map<string, Kind> };

/**
 * What is sent from other currencies for the rows of a run, by the service's own quotes of their sums. Null where nothing
 * is converted. Throws a `Refusal`: `input` where the service does not convert some rows, which are named, `refused` where
 * its quotes are of no use, and `unreachable`.
 */
export async function plannedConversions(
  client: Client,
  entries: readonly Entry[],
  ceilings: Ceilings,
): Promise<PlannedConversions | null> {
  const pairs = gather(entries);
  if (pairs.size === 0) return null;
  const planned: PlannedPair[] = [];
  for (const pair of pairs.values()) planned.push(await planPair(client, pair, entries));
  return { pairs: planned, ceilings };
}

/** The rate of a pair is that of all its quotes together; by it, each payout is what it is on its own. */
async function planPair(client: Client, pair: Pair, entries: readonly Entry[]): Promise<PlannedPair> {
  let quotedMinor = 0n;
  for (const kind of pair.kinds.values()) {
    kind.quote = await quoteOf(client, pair, kind, entries);
    quotedMinor += kind.quote.sentMinor;
  }
  const { source, currency, payouts } = pair;
  const rate = { planned_minor: String(pair.minor), quoted_minor: String(quotedMinor) };
  let sentMinor = 0n;
  let feesMinor: bigint | null = 0n;
  for (const order of ordersOf(pair, entries)) {
    const minor = plannedToSend(BigInt(order.amount_minor), rate);
    sentMinor += minor;
    const { name } = placeOf(order, pair);
    // Without a rail the quote has no fee of one.
    const fees = name === ELSEWHERE ? null : feesOfOne(minor, pair.kinds.get(name)?.quote);
    feesMinor = feesMinor === null || fees === null ? null : feesMinor + fees;
  }
  const fees_minor = feesMinor === null ? null : String(feesMinor);
  return { source, currency, payouts, ...rate, sent_minor: String(sentMinor), fees_minor };
}

function feesOfOne(minor: bigint, quote: Quote | undefined): bigint | null {
  if (!quote?.fees) return null;
  return quote.fees.eachMinor + shareUp(minor, quote.fees.sharedMinor, quote.sentMinor);
}

function gather(entries: readonly Entry[]): Map<string, Pair> {
  const pairs = new Map<string, Pair>();
  for (const order of convertedOf(entries)) {
    const { source, currency } = order;
    const pair = pairs.get(pairKey(order)) ?? { source, currency, payouts: 0, minor: 0n, kinds: new Map() };
    const minor = BigInt(order.amount_minor);
    pair.payouts++;
    pair.minor += minor;
    const { name, to } = placeOf(order, pair);
    const kind = pair.kinds.get(name) ?? { to, count: 0n, minor: 0n, smallest: order };
    kind.count++;
    kind.minor += minor;
    if (minor < BigInt(kind.smallest.amount_minor)) kind.smallest = order;
    pair.kinds.set(name, kind);
    pairs.set(pairKey(order), pair);
  }
  return pairs;
}

function* ordersOf(pair: Pair, entries: readonly Entry[]): Generator<ConvertedOrder> {
  for (const order of convertedOf(entries)) if (pairKey(order) === pairKey(pair)) yield order;
}

function* convertedOf(entries: readonly Entry[]): Generator<ConvertedOrder> {
  for (const { order } of rowsOf(entries)) if (order !== null && isConverted(order)) yield order;
}

/** Where the quote of a payout goes, and its name. Accounts beyond the bound are quoted together, to nowhere. */
function placeOf(order: ConvertedOrder, { kinds }: Pair): { name: string; to: QuotedFor } {
  const kind = kindOf(order);
  const hasPlace = order.destination.kind === 'account' || kinds.has(kind.name) || kinds.size < ACCOUNTS_MAX;
  return hasPlace ? kind : { name: ELSEWHERE, to: {} };
}

const ELSEWHERE = 'to other accounts';

/** Of the sum, once it is known that the service converts the smallest payout too. */
async function quoteOf(client: Client, pair: Pair, kind: Kind, entries: readonly Entry[]): Promise<Quote> {
  const { to, smallest, minor } = kind;
  const ask = (receivedMinor: bigint) => askForQuote(client, { ...pair, receivedMinor, to }, 'submit');
  const ofKind = (): ConvertedOrder[] =>
    [...ordersOf(pair, entries)].filter((order) => kind === pair.kinds.get(placeOf(order, pair).name));
  const least = await ask(BigInt(smallest.amount_minor));
  if (!least.ok) throw await refusalOf(least, pair, () => tooSmall(ask, ofKind()));
  if (kind.count === 1n) return least.quote;
  const all = await ask(minor);
  if (!all.ok) throw await refusalOf(all, pair, async () => ofKind());
  return all.quote;
}

/** The payouts of a kind that the service does not convert, given that it refuses the smallest: by halves of their amounts. */
async function tooSmall(
  ask: (minor: bigint) => ReturnType<typeof askForQuote>,
  orders: ConvertedOrder[],
): Promise<ConvertedOrder[]> {
  const amounts = [...new Set(orders.map(({ amount_minor }) => BigInt(amount_minor)))].sort((a, b) => (a < b ? -1 : 1));
  // The first that is converted is above `low`, and at `high` at most.
  let [low, high] = [0, amounts.length];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    const result = await ask(amounts[middle] ?? 0n);
    if (result.ok) high = middle;
    else low = middle;
  }
  const largest = amounts[low] ?? 0n;
  return orders.filter(({ amount_minor }) => BigInt(amount_minor) <= largest);
}

async function refusalOf(
  failure: ReadFailure,
  pair: Pair,
  rowsOfIt: () => Promise<ConvertedOrder[]>,
): Promise<Refusal> {
  const of = { from: currencyLabel(pair.source), to: currencyLabel(pair.currency) };
  switch (failure.kind) {
    case 'unreachable':
      return new Refusal({ code: 'no_quote', why: { trouble: failure.trouble }, ...of });
    case 'refused_credentials':
      return new Refusal({ code: 'no_quote', why: { message: failure.message }, ...of });
    case 'unreadable':
      return new Refusal({ code: 'quote_unusable', cause: failure.message, ...of });
    case 'rejected': {
      const payouts = (await rowsOfIt()).map(({ row, amount_minor, currency }) => {
        return { row, amount: sumOf({ minor: BigInt(amount_minor), currency }) };
      });
      const why = failure.reason ?? failure.code;
      return new Refusal({ code: 'not_converted', payouts, why, cause: failure.message, ...of });
    }
  }
}

/** Worth a US dollar on its own, in whatever place it is held. */
const DOLLARS = new Set(['USD', 'USDC', 'USDT']);
/** Rows that are named in one sentence. */
const NAMED_MAX = 20;

/**
 * A warning for each pair of which some payouts send less than about a US dollar and a half. Services refuse to convert
 * dust, from about a dollar on, and what exactly is dust they say only when a payout is submitted.
 */
export async function smallConversions(
  client: Client,
  entries: readonly Entry[],
  conversions: PlannedConversions | null,
): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const pair of conversions?.pairs ?? []) {
    const dollarMinor = await dollarIn(client, pair.source);
    if (dollarMinor === null) continue;
    const rows = smallRows(pair, entries, dollarMinor);
    const [first] = rows;
    if (first !== undefined) problems.push(problemOf(pair, first, rows));
  }
  return problems;
}

/** What a US dollar costs, in minor units of the source; null where the service does not say. */
async function dollarIn(client: Client, source: Currency): Promise<bigint | null> {
  if (DOLLARS.has(source.code)) return 10n ** BigInt(source.decimals);
  const dollar = fiat('USD');
  if (dollar === null) return null;
  const asked = { source, currency: dollar, receivedMinor: 100n, to: {} };
  const result = await askForQuote(client, asked, 'submit');
  return result.ok ? result.quote.sentMinor : null;
}

function smallRows(pair: PlannedPair, entries: readonly Entry[], dollarMinor: bigint): number[] {
  const rows: number[] = [];
  for (const { order } of rowsOf(entries)) {
    if (order === null || !isConverted(order) || pairKey(order) !== pairKey(pair)) continue;
    if (plannedToSend(BigInt(order.amount_minor), pair) * 2n < dollarMinor * 3n) rows.push(order.row);
  }
  return rows;
}

function problemOf({ source, currency }: PlannedPair, row: number, rows: readonly number[]): Problem {
  const named = rows.slice(0, NAMED_MAX);
  const params = {
    from: currencyLabel(source),
    to: currencyLabel(currency),
    rows: named,
    more: rows.length - named.length,
  };
  return problemAt('warning', fault('may_be_below_minimum', params), { row, column: 'amount' });
}
