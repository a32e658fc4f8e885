import type { Transaction } from '../../client/wire.ts';
import { type DeadAttempt, mayHaveCopy } from '../../domain/run/payout.ts';
import { concurrently } from '../concurrently.ts';
import type { RunContext } from '../run-context.ts';
import { tokensIn } from '../token.ts';
import { afterDeadlineMs, BEFORE_INTENT_MS, lagMs } from './deadlines.ts';
import { type Match, matchOf, search } from './match.ts';
import { listTransactions } from './transactions.ts';

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
export type Looked = { submittedAt: number; expires: number; mayFollow: boolean; look(): Promise<void> };

export function lookedFor(context: RunContext): (attempt: DeadAttempt) => Looked {
  return (attempt) => ({
    submittedAt: Math.min(attempt.intentAt, attempt.intent.request.created * 1_000),
    expires: attempt.intent.request.expires,
    mayFollow: mayHaveCopy(attempt),
    look: () => searchDead(context, attempt),
  });
}

/** By pages of the list where they are complete, else by a search for each. `onPage` sees the pages. */
export async function lookFor(
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
async function outwait({ clock, run, stop, profile }: RunContext, attempts: readonly Looked[]): Promise<void> {
  const lateMs = afterDeadlineMs(run) + lagMs(run);
  const mostMs = profile.request_lifetime_ms + lateMs;
  let leftMs = 0;
  for (const { expires, mayFollow } of attempts) {
    if (mayFollow) leftMs = Math.max(leftMs, Math.min(expires * 1_000 + lateMs - clock.wallMs(), mostMs));
  }
  if (leftMs > 0) await clock.sleep(leftMs, stop);
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
  const { owners, run, log } = context;
  const { row, attempt } = intent;
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
    log.error({ row, attempt, transaction: transaction_id }, 'an attempt that counted as dead took effect');
    await context.record({ kind: 'surfaced', row, attempt, transaction_id });
  }
}
