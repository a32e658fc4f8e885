import { assert } from '../../../domain/refusal.ts';
import type { Database, Row, Statement } from '../../../platform/sqlite.ts';
import { HINTS_KEPT_MAX, type Hint, JournalDamaged, type PlacedHint } from '../../journal.ts';

/** Hints of one list. */
const HINTS_LIST_MAX = 10_000;

/** Hints stand beside the runs: no chain covers them, because nothing is ever concluded from one. */
export class HintTable {
  readonly #known: Statement;
  readonly #insert: Statement;
  readonly #forget: Statement;
  readonly #after: Statement;
  readonly #last: Statement;

  constructor(database: Database) {
    this.#known = database.prepare('SELECT n FROM hint WHERE webhook_id = ?');
    this.#insert = database.prepare(
      'INSERT INTO hint (webhook_id, transaction_id, type, received_at) VALUES (?, ?, ?, ?)',
    );
    this.#forget = database.prepare('DELETE FROM hint WHERE n <= (SELECT max(n) FROM hint) - ?');
    this.#after = database.prepare(
      'SELECT n, webhook_id, transaction_id, type, received_at FROM hint WHERE n > ? ORDER BY n LIMIT ?',
    );
    this.#last = database.prepare('SELECT max(n) AS n FROM hint');
  }

  /** Adds, inside the open transaction, those whose webhook id is not known, and returns how many that were. */
  add(hints: readonly Hint[]): number {
    let added = 0;
    for (const { webhook_id, transaction_id, type, received_at } of hints) {
      // Looked up first: an insert that a conflict stops still writes the table's sequence, and a repeat is to write nothing.
      if (this.#known.get(webhook_id) !== undefined) continue;
      this.#insert.run(webhook_id, transaction_id, type, received_at);
      added++;
    }
    if (added > 0) this.#forget.run(HINTS_KEPT_MAX);
    return added;
  }

  after(n: number, limit: number): PlacedHint[] {
    const isInRange = Number.isSafeInteger(limit) && limit > 0 && limit <= HINTS_LIST_MAX;
    assert(isInRange, `a list has 1 to ${HINTS_LIST_MAX} hints`);
    return this.#after.all(n, limit).map(placedHint);
  }

  last(): number {
    const n = this.#last.get()?.n ?? 0;
    return n as number;
  }
}

function placedHint(row: Row): PlacedHint {
  const { type } = row;
  if (type !== 'transaction.created' && type !== 'transaction.updated')
    throw new JournalDamaged(`hint ${row.n} is of a kind that no payrun writes`);
  return {
    n: row.n as number,
    webhook_id: row.webhook_id as string,
    transaction_id: row.transaction_id as string,
    type,
    received_at: row.received_at as number,
  };
}
