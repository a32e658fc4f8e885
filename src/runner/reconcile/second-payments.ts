import type { Transaction } from '../../client/wire.ts';
import type { Entry, Intent } from '../../domain/entry.ts';
import type { PayoutState } from '../../domain/run/payout.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import type { RunContext } from '../run-context.ts';
import { tokensIn } from '../submit/token.ts';
import { timeOf } from './listing.ts';
import { type AmountSent, isAmountOf, isReturn, sightOf } from './look.ts';
import { afterDeadlineMs, isExpiryEnforced } from './patience.ts';

/** What was sent with a token. `expires`: the deadline of its request, Unix seconds. */
type SentWithToken = AmountSent & { row: number; expires: number };

/** What each token of the run was sent with. Read from the run when the first token is met whose transaction is not known. */
export class SentTokens {
  readonly #run: RunState;
  #sent: Map<string, SentWithToken> | null = null;

  constructor(run: RunState) {
    this.#run = run;
  }

  add(intent: Intent): void {
    this.#sent?.set(intent.token, { ...intent, expires: intent.request.expires });
  }

  get(token: string): SentWithToken | undefined {
    if (this.#sent === null) {
      this.#sent = new Map();
      for (const [row, payout] of this.#run.payouts) {
        if ('sent' in payout) this.#sent.set(payout.sent.token, { ...payout.sent, row });
        else if ('intent' in payout) this.add(payout.intent);
      }
      for (const { intent } of this.#run.dead.values()) this.add(intent);
    }
    return this.#sent.get(token);
  }
}

/**
 * What a page of any listing shows against the run, on disk: a second transaction with the token of an accepted payout, one
 * of an attempt that was held for dead, and one that was made after the deadline of its request. Whoever settles a doubt,
 * or sends a row that waits, looks for its attempts alone.
 */
export async function noteEvidence(
  context: RunContext,
  tokens: SentTokens,
  page: readonly Transaction[],
): Promise<void> {
  const entries: Entry[] = [];
  for (const record of page) {
    if (isReturn(record)) continue;
    const late = lateOf(context, tokens, record);
    if (late !== null) entries.push(late);
    if (context.owners.has(record.id)) continue;
    const entry = secondOf(context, tokens, record) ?? (await deadOf(context, record));
    if (entry !== null) entries.push(entry);
  }
  if (entries.length > 0) await context.record(...entries);
}

/** One that failed moved no money. What carries the token with another amount did not come from us. */
function secondOf(context: RunContext, tokens: SentTokens, record: Transaction): Entry | null {
  if (record.status === 'FAILED' || context.run.dismissed.has(record.id)) return null;
  for (const token of tokensIn(record.metadata?.description)) {
    const row = tokens.get(token)?.row;
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
function lateOf(context: RunContext, tokens: SentTokens, record: Transaction): Entry | null {
  if (context.run.expiryBroken !== null || !isExpiryEnforced(context)) return null;
  const sent = requestOf(context, tokens, record);
  if (sent === null) return null;
  const { row, expires } = sent;
  const lateMs = timeOf(record) - expires * 1_000;
  if (!(lateMs > afterDeadlineMs(context)) || lateMs === Number.POSITIVE_INFINITY) return null;
  context.log.error({ row, transaction: record.id, lateMs }, 'the service made a payment after its deadline');
  return { kind: 'expiry_broken', row, transaction_id: record.id, late_ms: Math.round(lateMs) };
}

/** The request that made the record: by its id, or by its token. What a person named need not come from a request of ours. */
function requestOf(
  { owners, payout }: RunContext,
  tokens: SentTokens,
  record: Transaction,
): Pick<SentWithToken, 'row' | 'expires'> | null {
  const row = owners.get(record.id);
  const owned = row === undefined ? null : payout(row);
  if (row !== undefined && owned !== null && 'sent' in owned && owned.sent.transaction_id === record.id)
    return owned.sent.by === 'person' ? null : { row, expires: owned.sent.expires };
  for (const token of tokensIn(record.metadata?.description)) {
    const sent = tokens.get(token);
    if (sent !== undefined && isAmountOf(record, sent)) return sent;
  }
  return null;
}
