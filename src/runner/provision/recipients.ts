import type { Recipient } from '../../client/wire.ts';
import { promisesOf } from '../../domain/run/run.ts';
import { parseIso } from '../../domain/time.ts';
import { haltFor } from '../reconcile/listing.ts';
import type { RunContext } from '../run-context.ts';

const PAGE_SIZE = 500;
/** Half a million recipients. */
const PAGES_MAX = 1_000;
/** A service may give fewer than it is asked for and not say so: its own largest page is some multiple of this. */
const PAGE_GRAIN = 50;

export type RecipientReading = {
  /** Each once, whatever page or pages it stood on. */
  records: Map<string, Recipient>;
  /** Whether every recipient made at `sinceMs` or later is in it, as far as the service shows them yet. */
  complete: boolean;
  /** The `Date` of the first page, Unix ms. */
  serverMs: number | null;
};

/** Reads the recipients that were made at `sinceMs` (Unix) or later, and perhaps older ones. */
export type ReadRecipients = (sinceMs: number) => Promise<RecipientReading>;

/**
 * One reading at a time, shared by all who ask while another is under way: it begins after each of them has asked, so
 * that it shows what was there when they did. Ten thousand doubts cost some readings, not ten thousand.
 */
export function sharedReading(context: RunContext): ReadRecipients {
  let running: Promise<unknown> = Promise.resolve();
  let next: { sinceMs: number; reading: Promise<RecipientReading> } | null = null;
  return (sinceMs) => {
    if (next !== null) {
      next.sinceMs = Math.min(next.sinceMs, sinceMs);
      return next.reading;
    }
    const begin = (): Promise<RecipientReading> => {
      next = null;
      return readRecipients(context, joined.sinceMs);
    };
    const joined = { sinceMs, reading: running.then(begin, begin) };
    next = joined;
    running = joined.reading;
    return joined.reading;
  };
}

/**
 * Paged to the end where there is a cursor, or, where the service lists newest first, to the first that is older than
 * asked for. Without a cursor a full page is not a complete answer, and neither is one that ends at a round number.
 */
async function readRecipients(context: RunContext, sinceMs: number): Promise<RecipientReading> {
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
    oldestMs = oldestIfInOrder(recipients, oldestMs);
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

/** An empty list says only that it is empty, and a page that is neither full nor round was not cut off. */
function isShort(length: number): boolean {
  return length === 0 || (length < PAGE_SIZE && length % PAGE_GRAIN !== 0);
}

/** The time of the last record; NaN, which is less than nothing, from the first record on that is out of order. */
function oldestIfInOrder(page: Recipient[], beforeMs: number): number {
  let oldestMs = beforeMs;
  for (const { created_at } of page) {
    const ms = parseIso(created_at ?? '') ?? Number.NaN;
    if (!(ms <= oldestMs)) return Number.NaN;
    oldestMs = ms;
  }
  return oldestMs;
}
