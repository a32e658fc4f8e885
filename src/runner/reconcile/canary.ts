import type { CanaryFault } from '../../domain/outcomes/stop-why.ts';
import { assert } from '../../domain/refusal.ts';
import { promisesOf } from '../../domain/run/run.ts';
import { Halt, haltFor } from '../halt.ts';
import type { RunContext } from '../run-context.ts';
import { hasToken } from '../token.ts';
import { recordLag } from './absence.ts';
import { doubtTransaction } from './reconcile.ts';
import { listTransactions } from './transactions.ts';

/** How much longer than the listing lag the canary is waited for; where none is stated, a lag of this is. */
const VISIBLE_AFTER_MAX_MS = 5_000;
const UNSTATED_LAG_MS = 30_000;
const LOOK_FIRST_MS = 50;
const LOOK_LONGEST_MS = 2_000;
const PAGES_MAX = 20;

/**
 * Proves, on the first accepted payout, that doubts can be reconciled at this service: its record must come back by id and
 * by the token search, with the token whole. Otherwise the run stops with that one payout sent. Where the service does not
 * know the id that it answered with, the payout is in doubt again and is looked for by its token.
 */
export async function checkCanary(context: RunContext, row: number): Promise<void> {
  const payout = context.payout(row);
  assert('sent' in payout, `row ${row} was not accepted`);
  const { transaction_id, token, submittedAt, by } = payout.sent;
  const { clock, stop } = context;
  const startedMs = clock.monotonicMs();
  const limitMs = (promisesOf(context.run).listing_lag_ms ?? UNSTATED_LAG_MS) + VISIBLE_AFTER_MAX_MS;
  let pauseMs = LOOK_FIRST_MS;
  /** How long after it was sent a search last did not find it: another process may have waited for it before. */
  let missedAfterMs = 0;
  for (;;) {
    const lookedAtMs = clock.wallMs();
    const fault = await faultOf(context, transaction_id, token);
    const waitedMs = Math.round(clock.monotonicMs() - startedMs);
    if (fault === null) {
      const visible_after_ms = Math.max(waitedMs, missedAfterMs);
      return context.record({ kind: 'canary', row, transaction_id, visible_after_ms });
    }
    if (fault.fault === 'not_found') missedAfterMs = Math.round(lookedAtMs - submittedAt);
    // A record that is there and has no token gets none by waiting.
    const isGivenUp = !MAY_COME.has(fault.fault) || waitedMs > limitMs;
    if (missedAfterMs > 0 && (isGivenUp || stop.aborted)) {
      const { transaction_id, submittedAt } = payout.sent;
      await recordLag(context, transaction_id, clock.wallMs() - submittedAt);
    }
    if (isGivenUp) {
      if (fault.fault === 'unknown_id' && by !== 'look') return doubtTransaction(context, row, payout.sent);
      await context.record({ kind: 'canary_failed', row, transaction_id, failed: FAILED[fault.fault], fault });
      throw new Halt({ code: 'first_missing', row, fault });
    }
    if (stop.aborted) return;
    await clock.sleep(pauseMs, stop);
    pauseMs = Math.min(pauseMs * 2, LOOK_LONGEST_MS);
  }
}

const MAY_COME: ReadonlySet<CanaryFault['fault']> = new Set(['unknown_id', 'not_found']);

/** Which of the two ways to find a payout again failed. */
const FAILED: Readonly<Record<CanaryFault['fault'], 'get' | 'search'>> = {
  unknown_id: 'get',
  record_without_token: 'get',
  not_found: 'search',
  list_without_token: 'search',
};

async function faultOf(context: RunContext, transactionId: string, token: string): Promise<CanaryFault | null> {
  const got = await context.client.read('transaction.get', { id: transactionId }, 'settle');
  if (!got.ok && got.kind !== 'rejected') throw haltFor(got);
  if (!got.ok) return { fault: 'unknown_id', transactionId, cause: got.message };
  if (!hasToken(got.data.metadata?.description, token)) return { fault: 'record_without_token', transactionId, token };
  const { records } = await listTransactions(context, { search: token }, { pagesMax: PAGES_MAX });
  const found = records.find(({ id }) => id === transactionId);
  if (!found) return { fault: 'not_found', transactionId, token };
  return hasToken(found.metadata?.description, token) ? null : { fault: 'list_without_token', transactionId, token };
}
