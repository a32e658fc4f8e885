import type { Client } from '../../client/client.ts';
import type { Transaction } from '../../client/wire.ts';
import type { Currency } from '../../domain/currencies.ts';
import type { Entry, Returned } from '../../domain/entry.ts';
import { isSameAddress } from '../../domain/kind-of-payment.ts';
import { Refusal } from '../../domain/refusal.ts';
import { RunState } from '../../domain/run/run-state.ts';
import { parseIso } from '../../domain/time.ts';
import type { Journal } from '../../journal/journal.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { countsOf } from '../../report/model/outcome.ts';
import { isReturn, PAGE_SIZE } from '../../runner/reconcile/transactions.ts';
import { holdingRun, readKnownRun } from '../runs/known-run.ts';
import type { Connection, ServiceDeps } from '../service/at-service.ts';

/** A completed payout that a bank sent back. `at`: Unix ms by the service; null where it shows no time that can be read. */
export type ReturnedPayout = {
  runId: string;
  row: number;
  transactionId: string;
  returnId: string;
  minor: bigint;
  currency: Currency;
  at: number | null;
};

/** Deposits that are listed: a hundred thousand. */
const PAGES_MAX = 200;
/** A return of no payout that the journal knows is looked for so often: its payout may become final only later. */
const LOOKS_MAX = 3;

type Deps = { journal: Journal; clock: Clock; log: Log };

/**
 * Completed payouts that came back. A bank's return is a deposit that names the transaction (`external_reference_type` is
 * `RETURN`); the transaction stays COMPLETED. A service that lists no such deposits shows no returns, and nothing is concluded.
 */
export class Returns {
  readonly #deps: Deps;
  /** How often returns were looked for whose payouts no run of the journal made, by their ids. */
  readonly #strange = new Map<string, number>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Records in their runs the returns that the service lists and the journal does not know. Those of a run that is not finished, or
   * that somebody works on, are left to a later look. Throws a `Refusal` where the service does not answer.
   */
  async look({ client, scope }: Pick<Connection, 'client' | 'scope'>): Promise<ReturnedPayout[]> {
    const listed = await listReturns(client);
    if (listed.size === 0) return [];
    const { journal } = this.#deps;
    for await (const page of journal.readKinds(['returned']))
      for (const { entry } of page) if (entry.kind === 'returned') listed.delete(entry.return_id);
    for (const id of listed.keys()) if ((this.#strange.get(id) ?? 0) >= LOOKS_MAX) listed.delete(id);
    if (listed.size === 0) return [];
    const byRun = await this.#placesOf(listed);
    const recorded: ReturnedPayout[] = [];
    for (const [runId, returns] of byRun) recorded.push(...(await this.#record(runId, returns, scope)));
    return recorded;
  }

  /** The runs and rows whose transactions were returned. */
  async #placesOf(listed: ReadonlyMap<string, Transaction>): Promise<Map<string, Returned[]>> {
    const byTransaction = new Map(Array.from(listed.values(), (one) => [one.external_reference, one]));
    const byRun = new Map<string, Returned[]>();
    const found = new Set<string>();
    for await (const page of this.#deps.journal.readKinds(['final']))
      for (const { runId, entry } of page) {
        if (entry.kind !== 'final' || entry.status !== 'COMPLETED') continue;
        const deposit = byTransaction.get(entry.transaction_id);
        if (deposit === undefined) continue;
        found.add(deposit.id);
        byRun.set(runId, [...(byRun.get(runId) ?? []), entryOf(entry, deposit)]);
      }
    for (const id of listed.keys()) if (!found.has(id)) this.#strange.set(id, (this.#strange.get(id) ?? 0) + 1);
    return byRun;
  }

  async #record(runId: string, returns: readonly Returned[], scope: string): Promise<ReturnedPayout[]> {
    const { journal, log } = this.#deps;
    const before = await readKnownRun(journal, runId);
    const isHere = before.header !== null && isSameAddress(before.header.scope, scope);
    if (before.finished === null || !isHere || unknownTo(before, returns).length === 0) return [];
    try {
      return await holdingRun(journal, { runId, person: {} }, async (writer) => {
        const run = await readKnownRun(journal, runId);
        // Another process may have gone on with it, or have recorded them.
        if (run.finishedBefore === null) return [];
        const fresh = unknownTo(run, returns);
        // Taking the run up has ended its end.
        const end: Entry = { kind: 'finished', counts: countsOf(run) };
        await writer.append([...fresh, end]);
        for (const { row, transaction_id, return_id } of fresh)
          log.info({ run: runId, row, transaction: transaction_id, return: return_id }, 'a payout was returned');
        return fresh.map((entry) => returnedPayout(runId, entry));
      });
    } catch (error) {
      if (error instanceof Refusal && error.kind === 'held') return [];
      throw error;
    }
  }
}

/** The returns that the service of the newest started run lists and the journal does not know, recorded. Throws a `Refusal`. */
export async function newReturns(deps: ServiceDeps): Promise<ReturnedPayout[]> {
  const [newest] = await deps.journal.listStartedRuns(1);
  if (newest === undefined) return [];
  const run = new RunState();
  run.header = newest.header;
  const connection = await (await deps.wayOf(run)).connect();
  try {
    return await new Returns(deps).look(connection);
  } finally {
    await connection.close();
  }
}

/** By their ids, the deposits that return a payout. */
async function listReturns(client: Client): Promise<Map<string, Transaction>> {
  const returns = new Map<string, Transaction>();
  let cursor: string | undefined;
  for (let page = 0; page < PAGES_MAX; page++) {
    const asked = { type: 'deposit', limit: PAGE_SIZE, ...(cursor !== undefined && { cursor }) } as const;
    const result = await client.read('transaction.getMany', asked);
    if (!result.ok) {
      if (result.kind === 'refused_credentials')
        throw new Refusal({ code: 'credentials_refused', cause: result.message });
      const [trouble, cause] = result.kind === 'unreachable' ? [result.trouble, ''] : [null, result.message];
      throw new Refusal({ code: 'service_unreachable', trouble, cause });
    }
    for (const record of result.data.transactions)
      if (isReturn(record) && record.status === 'COMPLETED' && record.external_reference)
        returns.set(record.id, record);
    if (!result.data.next_cursor) break;
    cursor = result.data.next_cursor;
  }
  return returns;
}

function entryOf({ row, transaction_id }: { row: number; transaction_id: string }, deposit: Transaction): Returned {
  const { value, code, chain, decimals } = deposit.currency_in;
  return {
    kind: 'returned',
    row,
    transaction_id,
    return_id: deposit.id,
    amount_minor: value,
    currency: { code, chain: chain ?? null, decimals },
    returned_at: parseIso(deposit.created_at),
  };
}

/** Those that the run does not know, and that are of payouts which it has as completed. */
function unknownTo({ returned, payouts }: RunState, returns: readonly Returned[]): Returned[] {
  return returns.filter(({ row }) => !returned.has(row) && payouts.get(row)?.state === 'completed');
}

function returnedPayout(
  runId: string,
  { row, transaction_id, return_id, amount_minor, currency, returned_at }: Returned,
): ReturnedPayout {
  const ids = { transactionId: transaction_id, returnId: return_id };
  return { runId, row, ...ids, minor: BigInt(amount_minor), currency, at: returned_at };
}
