import type { Transaction } from '../client/wire.ts';
import type { Entry, Intent } from '../domain/entry.ts';
import type { PayoutState, Sent } from '../domain/payout.ts';
import type { RunState } from '../domain/run.ts';
import { timeOf } from './listing.ts';
import { isAmountOf, isReturn, sightOf } from './look.ts';
import { afterDeadlineMs, isExpiryEnforced } from './patience.ts';
import type { RunContext } from './recorder.ts';
import { tokensIn } from './token.ts';

/** Which row each token of the run is. Read from the run when the first token is met whose transaction is not known. */
export class TokenRows {
  readonly #run: RunState;
  #rows: Map<string, number> | null = null;

  constructor(run: RunState) {
    this.#run = run;
  }

  add({ token, row }: Intent): void {
    this.#rows?.set(token, row);
  }

  rowOf(token: string): number | undefined {
    this.#rows ??= this.#read();
    return this.#rows.get(token);
  }

  #read(): Map<string, number> {
    const rows = new Map<string, number>();
    for (const [row, payout] of this.#run.payouts) {
      if ('sent' in payout) rows.set(payout.sent.token, row);
      else if ('intent' in payout) rows.set(payout.intent.token, row);
    }
    for (const [token, { intent }] of this.#run.dead) rows.set(token, intent.row);
    return rows;
  }
}

/**
 * What a page of any listing shows against the run, on disk: a second transaction with the token of an accepted payout, one
 * of an attempt that was held for dead, and one that was made after the deadline of its request. Whoever settles a doubt,
 * or sends a row that waits, looks for its attempts alone.
 */
export async function noteEvidence(
  context: RunContext,
  tokens: TokenRows,
  page: readonly Transaction[],
): Promise<void> {
  const entries: Entry[] = [];
  for (const record of page) {
    if (isReturn(record)) continue;
    const owner = context.owners.get(record.id);
    const entry =
      owner === undefined
        ? (secondOf(context, tokens, record) ?? (await deadOf(context, record)))
        : lateOf(context, record, owner);
    if (entry !== null) entries.push(entry);
  }
  if (entries.length > 0) await context.record(...entries);
}

/** One that failed moved no money. What carries the token with another amount did not come from us. */
function secondOf(context: RunContext, tokens: TokenRows, record: Transaction): Entry | null {
  if (record.status === 'FAILED' || context.run.dismissed.has(record.id)) return null;
  for (const token of tokensIn(record.metadata?.description)) {
    const row = tokens.rowOf(token);
    const payout = row === undefined ? undefined : context.payout(row);
    if (row === undefined || payout === undefined || !('sent' in payout)) continue;
    if (payout.sent.token !== token || !isAmountOf(record, payout.sent)) continue;
    const { attempt } = payout.sent;
    context.log.error(
      { row, attempt, transaction: record.id },
      'the service holds a second transaction of this payout',
    );
    // Known from now on, also to a page that is read meanwhile.
    context.owners.set(record.id, row);
    return { kind: 'surfaced', row, attempt, transaction_id: record.id };
  }
  return null;
}

/** The states in which a row's own steps look for its dead attempts, before they do anything else. */
const LOOKED_FOR: ReadonlySet<PayoutState['state']> = new Set(['waiting', 'suspected']);

/** An attempt that was held for dead took effect. */
async function deadOf(context: RunContext, record: Transaction): Promise<Entry | null> {
  const token = tokensIn(record.metadata?.description).find((one) => context.run.dead.has(one));
  const dead = token === undefined ? undefined : context.run.dead.get(token);
  if (dead === undefined || record.status === 'FAILED' || context.run.dismissed.has(record.id)) return null;
  const { row, attempt } = dead.intent;
  if (LOOKED_FOR.has(context.payout(row).state)) return null;
  const sight = await sightOf(context, dead.intent, [record]);
  if (sight.kind !== 'one' || context.owners.has(record.id) || LOOKED_FOR.has(context.payout(row).state)) return null;
  context.log.error({ row, attempt, transaction: record.id }, 'an attempt that was held for dead took effect');
  context.owners.set(record.id, row);
  return { kind: 'surfaced', row, attempt, transaction_id: record.id };
}

/** The service promised to refuse it by then: it is not believed any more. */
function lateOf(context: RunContext, record: Transaction, row: number): Entry | null {
  if (context.run.expiryBroken !== null || !isExpiryEnforced(context)) return null;
  const payout = context.payout(row);
  if (!('sent' in payout) || !isOwnRequest(payout.sent, record)) return null;
  const lateMs = timeOf(record) - payout.sent.expires * 1_000;
  if (!(lateMs > afterDeadlineMs(context)) || lateMs === Number.POSITIVE_INFINITY) return null;
  context.log.error({ row, transaction: record.id, lateMs }, 'the service made a payment after its deadline');
  return { kind: 'expiry_broken', row, transaction_id: record.id, late_ms: Math.round(lateMs) };
}

/** What a person named need not come from a request of ours. */
function isOwnRequest({ transaction_id, by }: Sent, { id }: Transaction): boolean {
  return by !== 'person' && transaction_id === id;
}
