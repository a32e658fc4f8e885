import type { Transaction } from '../../client/wire.ts';
import type { Entry } from '../../domain/entry.ts';
import { type DeadAttempt, mayHaveCopy, type PayoutState, type Sent } from '../../domain/run/payout.ts';
import { promisesOf } from '../../domain/run/run.ts';
import { concurrently } from '../concurrently.ts';
import type { RunContext } from '../run-context.ts';
import { tokensIn } from '../token.ts';
import { afterDeadlineMs, BEFORE_INTENT_MS, CLOCK_ALLOWANCE_MS, lagMs } from './deadlines.ts';
import { type AmountSent, isReceiptOf, listTransactions, type Match, matchOf, search } from './transactions.ts';
import { isMarked, type Payable, type ShownAccount, UnknownPayments } from './unknown-payments.ts';

/** Pages of a search for one token. */
const SEARCH_PAGES_MAX = 20;

/**
 * Before the run is finished: one complete look at all that it sent, when none of it can take effect or be listed any more.
 * What it shows is recorded: two transactions of one payout, one of a payout that was refused, one like a payout with
 * a token that this journal does not know, as an older copy of it would have forgotten one, and one like a payout without a token.
 * `isSearchBlind`: the list is incomplete, and a search by token does not find what is there.
 */
export async function lastLook(context: RunContext): Promise<{ isSearchBlind: boolean }> {
  const { run } = context;
  const seen = { isSearchBlind: false };
  const attempts = [...run.dead.values()].map(lookedFor(context));
  const mayFollow = !promisesOf(run).guarantees.replay_protection;
  for (const payout of run.payouts.values()) {
    // What a person named may be older than anything that we sent.
    if ('sent' in payout && payout.sent.by !== 'person')
      attempts.push({ ...searched(context, payout.sent, seen), mayFollow });
  }
  // As of now: what the look records changes what was made.
  const rows = [...madeRows(context, mayFollow)];
  // What was there when the run was created was looked at before anything was sent.
  const unknown = new UnknownPayments(context, () => rows, run.createdAt);
  await lookFor(context, attempts, (page) => unknown.see(page));
  await recordUnknown(context, unknown);
  return seen;
}

function searched(
  context: RunContext,
  { token, transaction_id, submittedAt, expires }: Sent,
  seen: { isSearchBlind: boolean },
): Omit<Looked, 'mayFollow'> {
  const look = async (): Promise<void> => {
    const { records } = await listTransactions(context, { search: token }, { pagesMax: SEARCH_PAGES_MAX });
    if (!records.some(({ id }) => id === transaction_id)) seen.isSearchBlind = true;
  };
  return { submittedAt, expires, look };
}

/**
 * What pays a row, or was refused. A service that loses or changes descriptions shows another copy of it without its token.
 * `isDoubted`: an answer was lost, or refused one copy, so that a payment to an account which the service does not show
 * counts too.
 */
type Made = Payable & { accountId: string; isDoubted: boolean };

function* madeRows({ run, payout }: RunContext, mayFollow: boolean): Generator<Made> {
  const absentSinceMs = new Map<number, number>();
  for (const { by, intent } of run.dead.values()) {
    const { row } = intent;
    const sinceMs = intent.request.created * 1_000 - BEFORE_INTENT_MS;
    if (by === 'absent') absentSinceMs.set(row, Math.min(absentSinceMs.get(row) ?? sinceMs, sinceMs));
    if (by === 'rejected' && payout(row).state === 'rejected') yield made(row, intent, sinceMs, true);
  }
  for (const [row, state] of run.payouts) {
    if (!('sent' in state) || state.state === 'failed') continue;
    const { sent } = state;
    const isDoubted = sent.by !== 'answer' || absentSinceMs.has(row);
    const sinceMs = isDoubted || mayFollow ? sent.submittedAt - CLOCK_ALLOWANCE_MS : Number.POSITIVE_INFINITY;
    yield made(row, sent, Math.min(sinceMs, absentSinceMs.get(row) ?? sinceMs), isDoubted);
  }
}

function made(
  row: number,
  sent: AmountSent & { external_account_id: string },
  unmarkedSinceMs: number,
  isDoubted: boolean,
): Made {
  const amount = sent.received ?? sent;
  const isConverted = sent.received !== null;
  return { row, amount, isConverted, unmarkedSinceMs, accountId: sent.external_account_id, isDoubted };
}

/** Each that may have gone to the account of a payout of its amount: perhaps that payout was made twice. */
async function recordUnknown(context: RunContext, unknown: UnknownPayments<Made>): Promise<void> {
  const entries: Entry[] = [];
  const refused = new Map<number, string[]>();
  const parked = [...context.run.payouts.values()].filter(isParked);
  for await (const { record, account } of unknown.found()) {
    const like = unknown.rowsOf(record).find((one) => mayHaveGoneTo(one, account, isMarked(record)));
    if (like === undefined) continue;
    const { row } = like;
    const payout = context.payout(row);
    // It may be the payout of a row that a person has yet to decide: then it pays no other row twice.
    if ('sent' in payout && parked.some((one) => mayBeOf(one, record))) continue;
    const about = { unknown_transaction: record.id };
    context.logOf(row).error(about, 'the service holds a payment like this one that this journal does not know');
    if ('sent' in payout) {
      entries.push({ kind: 'surfaced', row, attempt: payout.sent.attempt, transaction_id: record.id });
    } else if (payout.state === 'rejected') refused.set(row, [...(refused.get(row) ?? []), record.id]);
  }
  for (const [row, transactions] of refused) {
    const reason = { code: 'refused_and_unknown_payment' as const };
    entries.push({ kind: 'suspected', row, attempt: context.payout(row).attempts, transactions, reason });
  }
  if (entries.length > 0) await context.record(...entries);
}

type Parked = Extract<PayoutState, { state: 'unresolved' | 'suspected' }>;

function isParked(payout: PayoutState): payout is Parked {
  return payout.state === 'unresolved' || payout.state === 'suspected';
}

function mayBeOf(payout: Parked, record: Transaction): boolean {
  if (payout.transactions.includes(record.id)) return true;
  return payout.state === 'unresolved' && isReceiptOf(record, payout.intent);
}

function mayHaveGoneTo({ accountId, isDoubted }: Made, account: ShownAccount | null, hasToken: boolean): boolean {
  const id = account?.id ?? null;
  return id === null ? hasToken || isDoubted : id === accountId;
}

/** Pages of one look: as many as there are attempts, since a search for each would be the other way. */
const PAGES_MIN = 20;
const PAGES_MAX = 4_000;

/**
 * Before another attempt: whether an earlier one, which counts as dead, took effect after all. A network can deliver a
 * request twice, so that a refusal (429, 401) is true of the copy that it answers and of no other.
 */
export async function isStoppedByDeadAttempt(context: RunContext, row: number): Promise<boolean> {
  if (context.payout(row).attempts === 0) return false;
  const dead = [...context.run.dead.values()].filter(({ intent }) => intent.row === row);
  await outwait(context, dead.map(lookedFor(context)));
  for (const attempt of dead) await searchDead(context, attempt);
  return context.payout(row).state !== 'waiting';
}

/** Looks once more for every attempt that counts as dead. Finding one of a row that was paid is an alarm. */
export async function lookForDeadAttempts(context: RunContext): Promise<void> {
  await lookFor(context, [...context.run.dead.values()].map(lookedFor(context)));
}

/** `mayFollow`: another copy of it can still take effect, as far as answers and promises show. */
type Looked = { submittedAt: number; expires: number; mayFollow: boolean; look(): Promise<void> };

function lookedFor(context: RunContext): (attempt: DeadAttempt) => Looked {
  return (attempt) => ({
    submittedAt: Math.min(attempt.intentAt, attempt.intent.request.created * 1_000),
    expires: attempt.intent.request.expires,
    mayFollow: mayHaveCopy(attempt),
    look: () => searchDead(context, attempt),
  });
}

/** By pages of the list where they are complete, else by a search for each. `onPage` sees the pages. */
async function lookFor(
  context: RunContext,
  attempts: readonly Looked[],
  onPage: (page: readonly Transaction[]) => void = () => {},
): Promise<void> {
  if (attempts.length === 0) return;
  await outwait(context, attempts);
  const goOn = (): boolean => !context.stop.aborted;
  if (!goOn() || (await lookInList(context, attempts, onPage))) return;
  await concurrently(attempts, context.profile.concurrency, ({ look }) => look(), goOn);
}

/** Until no attempt can take effect or be listed any more. Whatever clocks are set to, that is one life from now at most. */
async function outwait(context: RunContext, attempts: readonly Looked[]): Promise<void> {
  const { clock, run, stop, profile, awaiting } = context;
  const lateMs = afterDeadlineMs(run) + lagMs(run);
  const mostMs = profile.request_lifetime_ms + lateMs;
  let leftMs = 0;
  for (const { expires, mayFollow } of attempts) {
    if (mayFollow) leftMs = Math.max(leftMs, Math.min(expires * 1_000 + lateMs - clock.wallMs(), mostMs));
  }
  if (leftMs <= 0) return;
  const sinceMs = clock.monotonicMs();
  awaiting.current = { code: 'late_requests', sinceMs, untilMs: sinceMs + leftMs, nextMs: null };
  await clock.sleep(leftMs, stop);
  awaiting.current = null;
}

/** What the list shows of accepted payouts is recorded when each page is read. False where the list is not complete. */
async function lookInList(
  context: RunContext,
  attempts: readonly Looked[],
  onEach: (page: readonly Transaction[]) => void,
): Promise<boolean> {
  const oldestMs = attempts.reduce((least, { submittedAt }) => Math.min(least, submittedAt), Infinity);
  const shown = new Map<DeadAttempt, Transaction[]>();
  const onPage = (page: Transaction[]): true => {
    onEach(page);
    if (context.run.dead.size === 0) return true;
    for (const record of page) {
      for (const token of tokensIn(record.metadata?.description)) {
        const attempt = context.run.dead.get(token);
        if (attempt) shown.set(attempt, [...(shown.get(attempt) ?? []), record]);
      }
    }
    return true;
  };
  const pagesMax = Math.min(Math.max(attempts.length, PAGES_MIN), PAGES_MAX);
  const { complete } = await listTransactions(context, {}, { pagesMax, untilMs: oldestMs - BEFORE_INTENT_MS, onPage });
  for (const [attempt, records] of shown) {
    await recordMatch(context, attempt, await matchOf(context, attempt.intent, records));
  }
  return complete;
}

async function searchDead(context: RunContext, attempt: DeadAttempt): Promise<void> {
  await recordMatch(context, attempt, (await search(context, attempt.intent)).match);
}

/**
 * What was found took effect after all. What carries the token and is not what was sent did not come from the attempt, and
 * pays no row; but a row that waits is neither sent again nor ended before a person has looked at it.
 */
async function recordMatch(context: RunContext, { intent }: DeadAttempt, match: Match): Promise<void> {
  if (match.kind === 'none') return;
  const { owners, run } = context;
  const { row, attempt, token } = intent;
  const ids = match.kind === 'one' ? [match.id] : match.ids;
  const unknown = ids.filter((id) => !owners.has(id) && !run.dismissed.has(id));
  if (unknown.length === 0) return;
  const { state, attempts } = context.payout(row);
  if (match.kind === 'mismatch') {
    if (state !== 'waiting') return;
    await context.record({
      kind: 'suspected',
      row,
      attempt: attempts,
      transactions: unknown,
      reason: match.why,
    });
    return;
  }
  for (const transaction_id of unknown) {
    context
      .logOf(row)
      .error({ attempt, token, transaction: transaction_id }, 'an attempt that counted as dead took effect');
    await context.record({ kind: 'surfaced', row, attempt, transaction_id });
  }
}
