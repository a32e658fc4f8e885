import type { Recipient } from '../../client/wire.ts';
import { promisesOf } from '../../domain/run/run.ts';
import { parseIso } from '../../domain/time.ts';
import { haltFor } from '../halt.ts';
import { oldestIfInOrder } from '../reconcile/transactions.ts';
import type { RunContext } from '../run-context.ts';

const PAGE_SIZE = 500;
/** Half a million recipients. */
const PAGES_MAX = 1_000;
/** A service may give fewer than it is asked for without a sign of it: its own largest page is some multiple of this. */
const PAGE_GRAIN = 50;

export type RecipientList = {
  /** Each once, whatever page or pages it stood on. */
  records: Map<string, Recipient>;
  /** Whether every recipient that was asked for is in it, as far as the service shows them yet. */
  complete: boolean;
  /** The `Date` of the first page, Unix ms. */
  serverMs: number | null;
};

/**
 * Paged to the end where there is a cursor, or, where the service lists newest first, to the first that is older than
 * `sinceMs` (Unix). Without a cursor a full page is not a complete answer, and neither is one that ends at a round number.
 */
export async function readRecipients(context: RunContext, sinceMs: number): Promise<RecipientList> {
  const hasCursor = promisesOf(context.run).cursor;
  const records = new Map<string, Recipient>();
  let cursor: string | undefined;
  let serverMs: number | null = null;
  let oldestMs = Number.POSITIVE_INFINITY;
  for (let page = 0; page < PAGES_MAX; page++) {
    const request = { limit: PAGE_SIZE, ...(cursor === undefined ? {} : { cursor }) };
    const result = await context.client.read('account.recipient.getMany', request, 'settle');
    if (!result.ok) throw haltFor(result);
    if (page === 0) serverMs = result.serverMs;
    const { recipients, next_cursor } = result.data;
    for (const record of recipients) records.set(record.id, record);
    const timesMs = recipients.map(({ created_at }) => parseIso(created_at ?? '') ?? Number.NaN);
    oldestMs = oldestIfInOrder(timesMs, oldestMs);
    if (oldestMs < sinceMs) return { records, complete: true, serverMs };
    if (!next_cursor) {
      const isLast = (hasCursor && next_cursor === null) || isShort(recipients.length);
      return { records, complete: isLast, serverMs };
    }
    if (next_cursor === cursor) break;
    cursor = next_cursor;
  }
  return { records, complete: false, serverMs };
}

/** An empty list shows only that it is empty, and a page that is neither full nor round was not cut off. */
function isShort(length: number): boolean {
  return length === 0 || (length < PAGE_SIZE && length % PAGE_GRAIN !== 0);
}
