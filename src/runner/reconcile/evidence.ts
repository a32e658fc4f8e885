import type { Transaction } from '../../client/wire.ts';
import type { Entry, Intent } from '../../domain/entry.ts';
import type { PayoutState } from '../../domain/run/payout.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import type { RunContext } from '../run-context.ts';
import { tokensIn } from '../token.ts';
import { afterDeadlineMs, isExpiryEnforced } from './deadlines.ts';
import { type AmountSent, isAmountOf, isPayment, isReturn, matchOf, timeOf } from './transactions.ts';

/** What was sent with a token. `expires`: the deadline of its request, Unix seconds. */
type SentWithToken = AmountSent & { row: number; expires: number };

/** What each token of the run was sent with. Read from the run when it is first needed. */
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
 * Records what a page of any list shows against the run: a second transaction with the token of an accepted payout, one of
 * an attempt that counted as dead, and one that was made after the deadline of its request. The steps that reconcile a
 * doubt, or send a row that waits, look for that row's attempts alone.
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
    if (!isUnknownPayment(context, record)) continue;
    const second = secondOf(context, tokens, record) ?? (await deadOf(context, record));
    if (second !== null) entries.push(second);
  }
  if (entries.length > 0) await context.record(...entries);
}

/** A second transaction of an accepted payout. What carries its token with another amount did not come from us. */
function secondOf(context: RunContext, tokens: SentTokens, record: Transaction): Entry | null {
  for (const token of tokensIn(record.metadata?.description)) {
    const row = tokens.get(token)?.row;
    const payout = row === undefined ? undefined : context.payout(row);
    if (row === undefined || payout === undefined || !('sent' in payout)) continue;
    if (payout.sent.token !== token || !isAmountOf(record, payout.sent)) continue;
    return surfaced(context, { row, attempt: payout.sent.attempt, token }, record.id);
  }
  return null;
}

/** The states in which a row's own steps look for its dead attempts, before they do anything else. */
const LOOKED_FOR: ReadonlySet<PayoutState['state']> = new Set(['waiting', 'suspected']);

/** An attempt that counted as dead and took effect. */
async function deadOf(context: RunContext, record: Transaction): Promise<Entry | null> {
  const token = tokensIn(record.metadata?.description).find((one) => context.run.dead.has(one));
  const dead = token === undefined ? undefined : context.run.dead.get(token);
  if (dead === undefined) return null;
  const { row } = dead.intent;
  const isLookedFor = (): boolean => LOOKED_FOR.has(context.payout(row).state);
  if (isLookedFor()) return null;
  const match = await matchOf(context, dead.intent, [record]);
  if (match.kind !== 'one' || context.owners.has(record.id) || isLookedFor()) return null;
  return surfaced(context, dead.intent, record.id);
}

/** One that failed moved no money. */
function isUnknownPayment({ owners, run }: RunContext, record: Transaction): boolean {
  return isPayment(record) && !owners.has(record.id) && !run.dismissed.has(record.id);
}

function surfaced(
  context: RunContext,
  { row, attempt, token }: Pick<Intent, 'row' | 'attempt' | 'token'>,
  transaction_id: string,
): Entry {
  const about = { attempt, token, transaction: transaction_id };
  context.logOf(row).error(about, 'the service holds one more transaction of this payout than was recorded');
  // Known from now on, also to a page that is read meanwhile.
  context.owners.set(transaction_id, row);
  return { kind: 'surfaced', row, attempt, transaction_id };
}

/** The service promised to refuse it by then: that promise counts no more. */
function lateOf(context: RunContext, tokens: SentTokens, record: Transaction): Entry | null {
  const { run } = context;
  if (run.expiryBroken !== null || !isExpiryEnforced(run)) return null;
  const sent = requestOf(context, tokens, record);
  const lateMs = timeOf(record) - (sent?.expires ?? 0) * 1_000;
  if (sent === null || !(lateMs > afterDeadlineMs(run)) || lateMs === Number.POSITIVE_INFINITY) return null;
  const { row } = sent;
  context.logOf(row).error({ transaction: record.id, lateMs }, 'the service made a payment after its deadline');
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
