import type { Counts, Entry, RunRow } from '../../src/domain/entry.ts';
import type { PlanFacts } from '../../src/domain/plan.ts';
import type { Journal, RunWriter } from '../../src/journal/journal.ts';
import { sampleHeader, sampleIntent, samplePlan, sampleRow } from '../journal/samples.ts';

/** Rows of one `rows` entry, and of one commit. */
const ROWS_OF_AN_ENTRY = 256;
const ROWS_OF_A_COMMIT = 8_192;

const FAILED_EACH = 50;
const REJECTED_EACH = 211;
const UNRESOLVED_EACH = 9_973;

type LargeRun = {
  runId: string;
  rows: number;
  isPlan?: boolean;
  until?: number;
  areMade?: boolean;
  amountMinor?: string;
  plan?: Partial<PlanFacts>;
};

/**
 * Writes a started run with this many rows to the journal: paid, with some failures, refusals and doubts. `until`: how
 * many rows are dealt with; if all, the run is finished. `areMade`: payees and accounts were created for it. `isPlan`:
 * not started. Payouts are 12.34 by default. `plan` overrides facts of the plan. The caller continues with the writer,
 * and releases it.
 */
export async function writeLargeRun(
  journal: Journal,
  { runId, rows, isPlan = false, until = isPlan ? 0 : rows, areMade = false, amountMinor, plan = {} }: LargeRun,
): Promise<RunWriter> {
  const header = { ...sampleHeader(runId, runId.padStart(64, '0')), payouts: rows };
  const created = await journal.createRun({
    header,
    rows: [
      ...rowsEntries(rows, amountMinor),
      { kind: 'planned', plan: { ...samplePlan(header), ...plan } },
      ...(isPlan ? [] : [{ kind: 'started', by: 'anna@desk-7' } as const]),
    ],
    refuseRepeat: false,
  });
  if (created.outcome !== 'created') throw new Error(`${runId} was not created`);
  const { writer } = created;
  const counts: Counts = { completed: 0, failed: 0, rejected: 0, unresolved: 0, not_submitted: 0 };
  for (let from = 0; from < until; from += ROWS_OF_A_COMMIT) {
    const entries: Entry[] = [];
    for (let at = from; at < Math.min(from + ROWS_OF_A_COMMIT, until); at++) {
      const [status, ofRow] = outcomeOf(at);
      counts[status]++;
      if (areMade) entries.push(ensured('recipient', at), ensured('account', at));
      entries.push(...ofRow);
    }
    await writer.append(entries);
  }
  if (until === rows) await writer.append([{ kind: 'finished', counts }]);
  return writer;
}

/** The row in this place of the input, from 0. The first stands under the header, in row 2. */
export function largeRow(at: number, amountMinor = '1234'): RunRow {
  const { order, ...row } = sampleRow(at + 2);
  const name = `Zoë Näme ${at}`;
  if (order?.destination.kind !== 'account') throw new Error('a row without an account');
  const fields = { ...order.destination.fields, account_number: String(20_000_000 + at) };
  const destination = { ...order.destination, fields };
  const payee = { ...order.payee, name };
  return {
    ...row,
    cells: [name, (Number(amountMinor) / 100).toFixed(2), 'R&D'],
    order: { ...order, amount_minor: amountMinor, payee, destination },
  };
}

function* rowsEntries(rows: number, amountMinor?: string): Generator<Entry> {
  for (let from = 0; from < rows; from += ROWS_OF_AN_ENTRY)
    yield {
      kind: 'rows',
      rows: Array.from({ length: Math.min(ROWS_OF_AN_ENTRY, rows - from) }, (_, at) =>
        largeRow(from + at, amountMinor),
      ),
    };
}

/** How the row in this place ends, and what is written of it. */
export function outcomeOf(at: number): [keyof Counts, Entry[]] {
  const row = at + 2;
  const intent = sampleIntent(row);
  if (at % UNRESOLVED_EACH === UNRESOLVED_EACH - 1) {
    const reason = 'the list was not complete';
    const parked: Entry = { kind: 'unresolved', row, attempt: 1, about: 'incomplete', reason, transactions: [] };
    return ['unresolved', [intent, { kind: 'doubt', row, attempt: 1, reason: 'lost' }, parked]];
  }
  if (at % REJECTED_EACH === REJECTED_EACH - 1)
    return [
      'rejected',
      [intent, { kind: 'rejected', row, attempt: 1, code: 'bad_request', message: 'no such bank', spent: true }],
    ];
  const isFailed = at % FAILED_EACH === FAILED_EACH - 1;
  const accepted: Entry = { kind: 'accepted', row, attempt: 1, transaction_id: `tx_${row}`, by: 'answer' };
  return [isFailed ? 'failed' : 'completed', [intent, accepted, final(row, isFailed)]];
}

function ensured(target: 'recipient' | 'account', at: number): Entry {
  return { kind: 'ensured', target, key: `E${at}`, id: `${target}_${at}`, by: 'created', scope: 'shipped service' };
}

function final(row: number, isFailed: boolean): Entry {
  const currency = { code: 'AUD', chain: null, decimals: 2 };
  return {
    kind: 'final',
    row,
    transaction_id: `tx_${row}`,
    status: isFailed ? 'FAILED' : 'COMPLETED',
    code: isFailed ? 'ACCOUNT_CLOSED' : null,
    message: isFailed ? 'The account is closed.' : null,
    sent_minor: '1234',
    sent_currency: currency,
    received_minor: '1234',
    received_currency: currency,
    fees_minor: '0',
  };
}
