import type { ReadFailure } from '../client/client.ts';
import type { Priority } from '../client/rate-limit.ts';
import type { RequestBody, Transaction } from '../client/wire.ts';
import { parseIso } from '../domain/time.ts';
import { Halt } from './halt.ts';
import type { RunContext } from './recorder.ts';

/** Transactions on a page: the most that the contract allows. */
const PAGE_SIZE = 500;

export type Listing = {
  records: Transaction[];
  /** Whether the listing holds everything that it was asked for: no page was cut off. */
  complete: boolean;
  /** The `Date` of the oldest answer in it, Unix ms. */
  serverMs: number | null;
};

/**
 * Reads `transaction.getMany` newest first. With a cursor it pages to the end; without one a full page is not a complete
 * answer. `untilMs`: stops where the records become older than this (Unix ms), complete for all that is younger.
 */
export async function listTransactions(
  context: RunContext,
  filter: Pick<RequestBody<'transaction.getMany'>, 'search'>,
  options: { priority: Priority; pagesMax: number; untilMs?: number; goOn?: (page: Transaction[]) => boolean },
): Promise<Listing> {
  const hasCursor = context.run.header?.profile.cursor === true;
  const records: Transaction[] = [];
  let cursor: string | undefined;
  let serverMs: number | null = null;
  for (let page = 0; page < options.pagesMax; page++) {
    const request = { ...filter, limit: PAGE_SIZE, ...(cursor === undefined ? {} : { cursor }) };
    const result = await context.client.read('transaction.getMany', request, options.priority);
    if (!result.ok) throw haltFor(result);
    serverMs ??= result.serverMs;
    const { transactions, next_cursor } = result.data;
    records.push(...transactions);
    if (transactions.length < PAGE_SIZE && !next_cursor) return { records, complete: true, serverMs };
    const oldest = transactions.at(-1);
    if (oldest && options.untilMs !== undefined && timeOf(oldest) < options.untilMs) {
      return { records, complete: true, serverMs };
    }
    if (options.goOn && !options.goOn(transactions)) return { records, complete: false, serverMs };
    if (!hasCursor || !next_cursor) return { records, complete: hasCursor, serverMs };
    cursor = next_cursor;
  }
  return { records, complete: false, serverMs };
}

/** Unix ms of a record's `created_at`; the far future where it is no ISO 8601 time, so that nothing is thought older. */
export function timeOf(record: Transaction): number {
  return parseIso(record.created_at) ?? Number.POSITIVE_INFINITY;
}

/** What a read that gave nothing means for the run: it stops, and goes on with `resume`. */
export function haltFor(failure: ReadFailure): Halt {
  switch (failure.kind) {
    case 'unreachable':
      return new Halt('outage', `the service does not answer (${failure.message})`);
    case 'refused_credentials':
      return new Halt('outage', `the service refuses our credentials: ${failure.message}`, true);
    case 'rejected':
      return new Halt('outage', `the service refuses to list: ${failure.code}: ${failure.message}`);
    case 'unreadable':
      return new Halt('outage', failure.message);
  }
}
