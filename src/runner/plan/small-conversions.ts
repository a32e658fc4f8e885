import type { Client } from '../../client/client.ts';
import { isConverted, pairKey, plannedToSend } from '../../domain/conversion.ts';
import { type Currency, currencyLabel, fiat } from '../../domain/currencies.ts';
import type { Entry } from '../../domain/entry.ts';
import type { PlannedConversions, PlannedPair } from '../../domain/plan.ts';
import { fault, type Problem, problemAt } from '../../domain/problem.ts';
import { rowsOf } from './plan-digest.ts';
import { askForQuote } from './quote.ts';

/** Worth a US dollar by itself, in whatever place it is held. */
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
