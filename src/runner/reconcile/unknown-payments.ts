import type { Transaction, TransactionWithDestination } from '../../client/wire.ts';
import type { Received } from '../../domain/entry.ts';
import { comparable, type PayoutOrder } from '../../domain/payee.ts';
import { CLAIM_KINDS, claimOf } from '../../domain/run/claims.ts';
import type { Journal } from '../../journal/journal.ts';
import { accountIdOf } from '../provision/payees.ts';
import type { Relatives } from '../retries.ts';
import type { RunContext } from '../run-context.ts';
import { hasSomeToken, tokensIn } from '../token.ts';
import { isPayment, isSide, readTransaction, timeOf } from './transactions.ts';

/** Single records that are read to see where the money went; of more it counts as not shown. */
const READS_MAX = 1_000;

/** A row that a payment may have paid. */
export type Payable = {
  row: number;
  /** What its payee receives. */
  amount: Received;
  /** Whether another currency is sent for it. */
  isConverted: boolean;
  /** From when on (Unix ms) a payment without a token may be this row's. */
  unmarkedSinceMs: number;
};

type Bucket<Row> = { rows: Row[]; unmarkedSinceMs: number };

/** An account as the service shows it, as far as it does. */
export type ShownAccount = { id: string | null; name: string | null; lastFour: string | null };

/**
 * Payments in lists of the service that no run of this journal made and that may have paid one of `rows`: another process
 * made them from another journal, or a network delivered a request twice and the service lost its token.
 */
export class UnknownPayments<Row extends Payable> {
  readonly #context: RunContext;
  readonly #sinceMs: number;
  readonly #rows: () => Iterable<Row>;
  /** Null until a list shows a payment that this run does not know: in most, none does. */
  #byAmount: Map<string, Bucket<Row>> | null = null;
  readonly #strangers = new Map<string, Transaction>();

  /** `sinceMs`: older payments (Unix ms) are none of these. `rows` is asked when they are first needed. */
  constructor(context: RunContext, rows: () => Iterable<Row>, sinceMs: number) {
    this.#context = context;
    this.#rows = rows;
    this.#sinceMs = sinceMs;
  }

  /** Keeps what may be one of them. */
  see(page: readonly Transaction[]): void {
    for (const record of page) if (this.#isStranger(record)) this.#strangers.set(record.id, record);
  }

  #bucketOf(side: { value: string; code: string }): Bucket<Row> | undefined {
    this.#byAmount ??= this.#bucketed();
    return this.#byAmount.get(amountKey(side));
  }

  #bucketed(): Map<string, Bucket<Row>> {
    const byAmount = new Map<string, Bucket<Row>>();
    for (const row of this.#rows()) {
      const key = amountKey({ ...row.amount.currency, value: row.amount.amount_minor });
      const bucket = byAmount.get(key);
      if (bucket === undefined) byAmount.set(key, { rows: [row], unmarkedSinceMs: row.unmarkedSinceMs });
      else {
        bucket.rows.push(row);
        bucket.unmarkedSinceMs = Math.min(bucket.unmarkedSinceMs, row.unmarkedSinceMs);
      }
    }
    return byAmount;
  }

  #isStranger(record: Transaction): boolean {
    const { owners, run } = this.#context;
    if (owners.has(record.id) || run.dismissed.has(record.id)) return false;
    const timeMs = timeOf(record);
    if (!isPayment(record) || timeMs < this.#sinceMs) return false;
    const buckets = [record.currency_in, record.currency_out].map((side) => this.#bucketOf(side));
    return buckets.some((bucket) => bucket && (isMarked(record) || timeMs >= bucket.unmarkedSinceMs));
  }

  /**
   * Those of which this journal knows no run, with the account that each went to: null where the service does not show it.
   * What `relatives` sent for the same rows counts as unknown: it would be paid twice.
   */
  async *found(relatives?: Relatives): AsyncGenerator<{ record: Transaction; account: ShownAccount | null }> {
    if (this.#strangers.size === 0) return;
    let reads = 0;
    for (const record of await withoutKnown(this.#context.journal, [...this.#strangers.values()], relatives)) {
      const shown = ++reads <= READS_MAX ? await readTransaction(this.#context, record.id) : null;
      yield { record, account: shown && shownAccountOf(shown) };
    }
  }

  /**
   * The rows that a payment may have paid, by amount and time. What was sent is no mark of a row that is converted: nobody
   * here knows the rate that another process sent it at.
   */
  rowsOf(record: Transaction): Row[] {
    const [received, sent] = [record.currency_in, record.currency_out];
    const rows = new Set<Row>();
    for (const row of this.#bucketOf(received)?.rows ?? []) {
      if (isSide(received, row.amount)) rows.add(row);
    }
    for (const row of this.#bucketOf(sent)?.rows ?? []) {
      if (!row.isConverted && isSide(sent, row.amount)) rows.add(row);
    }
    return [...rows].filter((row) => isMarked(record) || timeOf(record) >= row.unmarkedSinceMs);
  }
}

/** Whether some payrun sent it, as far as the service keeps descriptions. */
export function isMarked(record: Transaction): boolean {
  return hasSomeToken(record.metadata?.description);
}

/** Not every service shows the chain. */
function amountKey({ value, code }: { value: string; code: string }): string {
  return `${value} ${code}`;
}

/** Less those that any run of this journal sent: by the transaction, or by the token of any attempt. */
async function withoutKnown(
  journal: Journal,
  strangers: readonly Transaction[],
  relatives?: Relatives,
): Promise<Transaction[]> {
  const ids = new Set(strangers.map(({ id }) => id));
  const tokens = new Map<string, string>();
  for (const { id, metadata } of strangers) for (const token of tokensIn(metadata?.description)) tokens.set(token, id);
  for await (const page of journal.readKinds(CLAIM_KINDS))
    for (const { runId, entry } of page) {
      const claim = claimOf(entry);
      if (claim === null || (relatives?.runs.has(runId) && relatives.rows.has(claim.row))) continue;
      ids.delete(claim.transactionId ?? tokens.get(claim.token ?? '') ?? '');
    }
  return strangers.filter(({ id }) => ids.has(id));
}

export function shownAccountOf(record: TransactionWithDestination): ShownAccount {
  const to = record.external_account_metadata;
  return { id: to?.id ?? null, name: to?.account_name ?? null, lastFour: to?.account_number?.slice(-4) ?? null };
}

/**
 * Whether money that went to the account may have paid the row, by the ids where both are known. A name or a number is shown
 * in other forms by other services, and by the same one at another time, so that it proves no difference.
 */
export function isSameAccount({ run }: RunContext, order: PayoutOrder, account: ShownAccount | null): boolean {
  const known = accountIdOf(run, order);
  return known === null || account === null || account.id === null || known === account.id;
}

/** By what the service shows of the account too: enough to warn, and not to send. */
export function isShownAlike(context: RunContext, order: PayoutOrder, account: ShownAccount | null): boolean {
  if (!isSameAccount(context, order, account)) return false;
  const { destination } = order;
  if (account === null || destination.kind === 'existing') return true;
  if (accountIdOf(context.run, order) !== null && account.id !== null) return true;
  const number = destination.fields.wallet_address || destination.fields.account_number;
  const isSameName = account.name === null || comparable(account.name) === comparable(destination.account_name);
  const isSameEnd = account.lastFour === null || number.toUpperCase().endsWith(account.lastFour.toUpperCase());
  return isSameName && isSameEnd;
}
