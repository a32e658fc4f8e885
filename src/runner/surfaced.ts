import type { Attempt } from '../domain/payout.ts';
import { promisesOf } from '../domain/run.ts';
import { BEFORE_INTENT_MS } from './absence.ts';
import { listTransactions } from './listing.ts';
import { search, sightOf } from './look.ts';
import { CLOCK_ALLOWANCE_MS } from './patience.ts';
import type { RunContext } from './recorder.ts';

/** From this many attempts on, pages of the listing are cheaper than a search for each. */
const SEARCHES_MAX = 50;
const PAGES_MAX = 4_000;

/**
 * Before another attempt: whether an earlier one, held for dead, took effect after all. A network can deliver a request
 * twice, so that a refusal (429, 401) is true of the copy that it answers and of no other. True where it surfaced.
 */
export async function hasSurfaced(context: RunContext, row: number): Promise<boolean> {
  for (const attempt of [...context.run.dead.values()]) {
    if (attempt.intent.row !== row) continue;
    const { sight } = await search(context, attempt.intent);
    if (sight.kind === 'one') await surface(context, attempt, sight.id);
  }
  return context.payout(row).state !== 'waiting';
}

/** At the end: every attempt that was held for dead, once more. Finding one of a row that was paid is an alarm. */
export async function lookForSurfaced(context: RunContext): Promise<void> {
  const dead = [...context.run.dead.values()];
  if (dead.length === 0) return;
  await letListingCatchUp(context);
  if (dead.length <= SEARCHES_MAX) {
    for (const attempt of dead) {
      const { sight } = await search(context, attempt.intent);
      if (sight.kind === 'one') await surface(context, attempt, sight.id);
    }
    return;
  }
  const untilMs = Math.min(...dead.map(({ intent }) => intent.request.created * 1_000)) - BEFORE_INTENT_MS;
  const byToken = new Map(dead.map((attempt) => [attempt.intent.token, attempt]));
  const found: { attempt: Attempt; id: string }[] = [];
  const { records } = await listTransactions(context, {}, { priority: 'settle', pagesMax: PAGES_MAX, untilMs });
  for (const record of records) {
    for (const word of record.metadata?.description?.split(/\s+/u) ?? []) {
      const attempt = byToken.get(word);
      if (attempt) found.push({ attempt, id: record.id });
    }
  }
  for (const { attempt, id } of found) {
    const sight = await sightOf(
      context,
      attempt.intent,
      records.filter((record) => record.id === id),
    );
    if (sight.kind === 'one') await surface(context, attempt, id);
  }
}

/** What a refused copy's twin did is listed as late as everything else. */
async function letListingCatchUp(context: RunContext): Promise<void> {
  const lagMs = Math.max(promisesOf(context.run).listing_lag_ms, context.run.canary?.visible_after_ms ?? 0);
  const newestMs = Math.max(...[...context.run.dead.values()].map(({ intentAt }) => intentAt));
  const leftMs = newestMs + lagMs + CLOCK_ALLOWANCE_MS - context.clock.wallMs();
  if (promisesOf(context.run).listing_lag_ms > 0 && leftMs > 0) await context.clock.sleep(leftMs, context.stop);
}

async function surface(context: RunContext, { intent }: Attempt, id: string): Promise<void> {
  const { row, attempt } = intent;
  context.log.error({ row, attempt, transaction: id }, 'an attempt that was held for dead took effect');
  await context.record({ kind: 'surfaced', row, attempt, transaction_id: id });
}
