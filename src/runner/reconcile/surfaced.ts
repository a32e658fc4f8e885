import type { Transaction } from '../../client/wire.ts';
import { type Attempt, type DeadAttempt, mayHaveCopy } from '../../domain/run/payout.ts';
import type { RunContext } from '../run-context.ts';
import { concurrently } from '../submit/concurrently.ts';
import { tokensIn } from '../submit/token.ts';
import { BEFORE_INTENT_MS } from './absence.ts';
import { listTransactions } from './listing.ts';
import { type Sight, search, sightOf } from './look.ts';
import { afterDeadlineMs, lagMs } from './patience.ts';

/** Pages of one look: as many as there are attempts, since a search for each would be the other way. */
const PAGES_MIN = 20;
const PAGES_MAX = 4_000;

/**
 * Before another attempt: whether an earlier one, held for dead, took effect after all. A network can deliver a request
 * twice, so that a refusal (429, 401) is true of the copy that it answers and of no other. True where it surfaced.
 */
export async function hasSurfaced(context: RunContext, row: number): Promise<boolean> {
  if (context.payout(row).attempts === 0) return false;
  const dead = [...context.run.dead.values()].filter(({ intent }) => intent.row === row);
  await outwait(context, dead.map(deadAttempt(context)));
  for (const attempt of dead) await lookForDead(context, attempt);
  return context.payout(row).state !== 'waiting';
}

/** Every attempt that was held for dead, once more. Finding one of a row that was paid is an alarm. */
export async function lookForSurfaced(context: RunContext): Promise<void> {
  await lookFor(context, [...context.run.dead.values()].map(deadAttempt(context)));
}

/** `mayFollow`: another copy of it can still take effect, as far as answers and promises go. */
export type Looked = { token: string; submittedAt: number; expires: number; mayFollow: boolean; look(): Promise<void> };

export function deadAttempt(context: RunContext): (attempt: DeadAttempt) => Looked {
  return (attempt) => ({
    token: attempt.intent.token,
    submittedAt: Math.min(attempt.intentAt, attempt.intent.request.created * 1_000),
    expires: attempt.intent.request.expires,
    mayFollow: mayHaveCopy(attempt),
    look: () => lookForDead(context, attempt),
  });
}

/** By pages of the listing where they are complete, else by a search for each token. */
export async function lookFor(
  context: RunContext,
  attempts: readonly Looked[],
  onPage: (page: readonly Transaction[]) => void = () => {},
): Promise<void> {
  if (attempts.length === 0) return;
  await outwait(context, attempts);
  const goOn = (): boolean => !context.stop.aborted;
  if (!goOn() || (await lookInListing(context, attempts, onPage))) return;
  const concurrency = context.run.header?.profile.concurrency ?? 1;
  await concurrently(attempts, concurrency, ({ look }) => look(), goOn);
}

/** Until no attempt can take effect or be listed any more. Whatever clocks are set to, that is one life from now at most. */
async function outwait(context: RunContext, attempts: readonly Looked[]): Promise<void> {
  const { clock, run, stop } = context;
  const lateMs = afterDeadlineMs(context) + lagMs(context);
  const mostMs = (run.header?.profile.request_lifetime_ms ?? 0) + lateMs;
  let leftMs = 0;
  for (const { expires, mayFollow } of attempts) {
    if (mayFollow) leftMs = Math.max(leftMs, Math.min(expires * 1_000 + lateMs - clock.wallMs(), mostMs));
  }
  if (leftMs > 0) await clock.sleep(leftMs, stop);
}

/** Whatever the listing shows of accepted payouts is noted by whoever reads a page. False where it is not complete. */
async function lookInListing(
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
  const options = { priority: 'settle' as const, pagesMax, untilMs: oldestMs - BEFORE_INTENT_MS, onPage };
  const { complete } = await listTransactions(context, {}, options);
  for (const [attempt, records] of shown) {
    await surfaceOrSuspect(context, attempt, await sightOf(context, attempt.intent, records));
  }
  return complete;
}

async function lookForDead(context: RunContext, attempt: DeadAttempt): Promise<void> {
  const { sight } = await search(context, attempt.intent);
  await surfaceOrSuspect(context, attempt, sight);
}

/** A row that waits is neither sent again nor given up while something carries its token. */
async function surfaceOrSuspect(context: RunContext, attempt: Attempt, sight: Sight): Promise<void> {
  const isOpen = context.payout(attempt.intent.row).state === 'waiting';
  if (sight.kind === 'mismatch' && isOpen) await suspect(context, attempt, sight);
  else await surface(context, attempt, sight);
}

async function surface(context: RunContext, { intent }: Attempt, sight: Sight): Promise<void> {
  const { row, attempt } = intent;
  // What carries the token and is not what was sent did not come from this attempt, and pays no row.
  if (sight.kind === 'none' || sight.kind === 'mismatch') return;
  for (const transaction_id of unknownOf(context, sight.kind === 'one' ? [sight.id] : sight.ids)) {
    context.log.error({ row, attempt, transaction: transaction_id }, 'an attempt that was held for dead took effect');
    await context.record({ kind: 'surfaced', row, attempt, transaction_id });
  }
}

/** What carries the token and is not what was sent is for a person, before the row is paid once more. */
async function suspect(
  context: RunContext,
  { intent }: Attempt,
  { ids, why }: { ids: string[]; why: string },
): Promise<void> {
  const { row } = intent;
  const transactions = unknownOf(context, ids);
  if (transactions.length === 0) return;
  await context.record({ kind: 'suspected', row, attempt: context.payout(row).attempts, transactions, reason: why });
}

/** Less those that are some row's, and those that a person said are none of this run's. */
function unknownOf({ owners, run }: RunContext, ids: readonly string[]): string[] {
  return ids.filter((id) => !owners.has(id) && !run.dismissed.has(id));
}
