import type { Transaction } from '../client/wire.ts';
import type { Attempt, DeadAttempt } from '../domain/payout.ts';
import { promisesOf } from '../domain/run.ts';
import { BEFORE_INTENT_MS } from './absence.ts';
import { concurrently } from './concurrently.ts';
import { listTransactions } from './listing.ts';
import { type Sight, search, sightOf } from './look.ts';
import { CLOCK_ALLOWANCE_MS, lagMs } from './patience.ts';
import type { RunContext } from './recorder.ts';
import { tokensIn } from './token.ts';

/** From this many attempts on, pages of the listing are cheaper than a search for each. */
const SEARCHES_MAX = 50;
const PAGES_MAX = 4_000;

/**
 * Before another attempt: whether an earlier one, held for dead, took effect after all. A network can deliver a request
 * twice, so that a refusal (429, 401) is true of the copy that it answers and of no other. True where it surfaced.
 */
export async function hasSurfaced(context: RunContext, row: number): Promise<boolean> {
  if (context.payout(row).attempts === 0) return false;
  const dead = [...context.run.dead.values()].filter(({ intent }) => intent.row === row);
  if (dead.length > 0) await letListingCatchUp(context, dead);
  for (const attempt of dead) {
    const { sight } = await search(context, attempt.intent);
    await surfaceOrSuspect(context, attempt, sight);
  }
  return context.payout(row).state !== 'waiting';
}

/** At the end: every attempt that was held for dead, once more. Finding one of a row that was paid is an alarm. */
export async function lookForSurfaced(context: RunContext): Promise<void> {
  const dead = [...context.run.dead.values()];
  if (dead.length === 0) return;
  await letListingCatchUp(context, dead);
  if (dead.length > SEARCHES_MAX && (await lookInListing(context, dead))) return;
  const concurrency = context.run.header?.profile.concurrency ?? 1;
  const goOn = (): boolean => !context.stop.aborted;
  const lookFor = async (attempt: Attempt): Promise<void> => {
    const { sight } = await search(context, attempt.intent);
    await surfaceOrSuspect(context, attempt, sight);
  };
  await concurrently(dead, concurrency, lookFor, goOn);
}

/** By the pages of the listing. False where it is not complete: then what it does not show may be there. */
async function lookInListing(context: RunContext, dead: Attempt[]): Promise<boolean> {
  const oldestMs = dead.reduce((least, { intent }) => Math.min(least, intent.request.created * 1_000), Infinity);
  const byToken = new Map(dead.map((attempt) => [attempt.intent.token, attempt]));
  const shown = new Map<Attempt, Transaction[]>();
  const onPage = (page: Transaction[]): true => {
    for (const record of page) {
      for (const token of tokensIn(record.metadata?.description)) {
        const attempt = byToken.get(token);
        if (attempt) shown.set(attempt, [...(shown.get(attempt) ?? []), record]);
      }
    }
    return true;
  };
  const options = { priority: 'settle' as const, pagesMax: PAGES_MAX, untilMs: oldestMs - BEFORE_INTENT_MS, onPage };
  const { complete } = await listTransactions(context, {}, options);
  for (const [attempt, records] of shown) {
    await surfaceOrSuspect(context, attempt, await sightOf(context, attempt.intent, records));
  }
  return complete;
}

/**
 * What the other copy of a refused request did is listed as late as everything else. Until the deadline of some it may
 * not even have arrived.
 */
async function letListingCatchUp(context: RunContext, dead: readonly DeadAttempt[]): Promise<void> {
  const lifetimeMs = context.run.header?.profile.request_lifetime_ms ?? 0;
  const aliveMs = lifetimeMs + CLOCK_ALLOWANCE_MS;
  const lateMs = lagMs(context);
  const nowMs = context.clock.wallMs();
  let leftMs = 0;
  for (const attempt of dead) {
    const listedInMs = attempt.intentAt + aliveMs + lateMs - nowMs;
    const mostMs = lateMs + (mayFollow(context, attempt) ? aliveMs : 0);
    leftMs = Math.max(leftMs, Math.min(listedInMs, mostMs));
  }
  if (leftMs > 0) await context.clock.sleep(leftMs, context.stop);
}

/** A row that waits is neither sent again nor given up while something carries its token. */
async function surfaceOrSuspect(context: RunContext, attempt: Attempt, sight: Sight): Promise<void> {
  const isOpen = context.payout(attempt.intent.row).state === 'waiting';
  if (sight.kind === 'mismatch' && isOpen) await suspect(context, attempt, sight);
  else await surface(context, attempt, sight);
}

/** Whether another copy of it can take effect after the refusal came. */
function mayFollow({ run }: RunContext, { by }: DeadAttempt): boolean {
  switch (by) {
    case 'proof':
      return false;
    case 'refused':
      return true;
    case 'rejected':
      // What the service looked at is used up, where it promises to take no bytes twice.
      return !promisesOf(run).guarantees.replay_protection;
  }
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
