import { promisesOf } from '../../domain/run/run.ts';
import type { RunContext } from '../run-context.ts';
import { Halt } from '../submit/halt.ts';
import { hasToken } from '../submit/token.ts';
import { recordLag } from './absence.ts';
import { haltFor, listTransactions } from './listing.ts';
import { doubtTransaction } from './settle.ts';

/** How much longer than the listing lag the canary is waited for; where none is stated, a lag of this is. */
const VISIBLE_AFTER_MAX_MS = 5_000;
const UNSTATED_LAG_MS = 30_000;
const LOOK_FIRST_MS = 50;
const LOOK_LONGEST_MS = 2_000;

/**
 * Proves, on the first accepted payout, that doubts can be settled at this service: its record must come back by id and
 * by the token search, with the token whole. Otherwise the run stops with that one payout sent. Where the service does not
 * know the id that it answered with, the payout is in doubt again and is looked for by its token.
 */
export async function checkCanary(context: RunContext, row: number): Promise<void> {
  const payout = context.payout(row);
  if (!('sent' in payout)) throw new Error(`row ${row} was not accepted`);
  const { transaction_id, token } = payout.sent;
  const { clock } = context;
  const startedMs = clock.monotonicMs();
  const limitMs = promisesOf(context.run).listing_lag_ms ?? UNSTATED_LAG_MS;
  let pauseMs = LOOK_FIRST_MS;
  /** How long after it was sent a search last did not find it: another process may have waited for it before. */
  let missedAfterMs = 0;
  for (;;) {
    const lookedAtMs = clock.wallMs();
    const failed = await lookForCanary(context, transaction_id, token);
    const waitedMs = Math.round(clock.monotonicMs() - startedMs);
    if (failed === null) {
      const visible_after_ms = Math.max(waitedMs, missedAfterMs);
      await context.record({ kind: 'canary', row, transaction_id, visible_after_ms });
      return;
    }
    const { isDefinite, isUnknown, ...failure } = failed;
    if (failed.failed === 'search' && !isDefinite) {
      missedAfterMs = Math.round(lookedAtMs - payout.sent.submittedAt);
    }
    const isGivenUp = isDefinite || waitedMs > limitMs + VISIBLE_AFTER_MAX_MS;
    if (missedAfterMs > 0 && (isGivenUp || context.stop.aborted)) await recordLag(context, payout.sent);
    if (isGivenUp) {
      if (isUnknown && payout.sent.by !== 'look') return doubtTransaction(context, row, payout.sent);
      await context.record({ kind: 'canary_failed', row, transaction_id, ...failure });
      throw new Halt('person_needed', `the first payout (row ${row}) did not come back: ${failed.message}`);
    }
    if (context.stop.aborted) return;
    await clock.sleep(pauseMs, context.stop);
    pauseMs = Math.min(pauseMs * 2, LOOK_LONGEST_MS);
  }
}

/** `isDefinite`: the record is there and its token is not, which no waiting mends. `isUnknown`: no record has the id. */
type CanaryFault = { failed: 'get' | 'search'; message: string; isDefinite: boolean; isUnknown?: true };

async function lookForCanary(context: RunContext, id: string, token: string): Promise<CanaryFault | null> {
  const got = await context.client.read('transaction.get', { id }, 'settle');
  if (!got.ok && got.kind !== 'rejected') throw haltFor(got);
  if (!got.ok)
    return {
      failed: 'get',
      message: `the service does not know ${id}, which it accepted (${got.message})`,
      isDefinite: false,
      isUnknown: true,
    };
  if (!hasToken(got.data.metadata?.description, token)) {
    const message = `the service shows ${id} without the token ${token} that its description was sent with`;
    return { failed: 'get', message, isDefinite: true };
  }
  const { records } = await listTransactions(context, { search: token }, { priority: 'settle', pagesMax: 20 });
  const found = records.find((record) => record.id === id);
  if (!found) {
    const message = `the service’s search does not find ${id} by its token ${token}; if it lists late, say so by listing_lag in the profile`;
    return { failed: 'search', message, isDefinite: false };
  }
  if (!hasToken(found.metadata?.description, token)) {
    const message = `the service’s list shows ${id} without the token ${token} that its description was sent with`;
    return { failed: 'search', message, isDefinite: true };
  }
  return null;
}
