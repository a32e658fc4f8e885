import { assert } from '../../domain/refusal.ts';
import { HOLD_ACCOUNTS_MAX, HOLD_REASON_MAX, type HoldRecord, Holds, type PlacedHold } from '../../domain/run/holds.ts';
import type { Row } from '../../platform/sqlite.ts';
import { JournalDamaged } from '../errors.ts';
import { HOLDS_PAGE_MAX, type PayeeHolds } from '../holds.ts';
import { requireHere } from './moves.ts';
import { all, get, insert, type Steps } from './steps.ts';
import { nowOf, type Store } from './store.ts';

const COLUMNS = ['n', 'at', 'act', 'payee', 'name', 'payee_id', 'accounts', 'reason', 'recorded_by'] as const;

export class TablesHolds implements PayeeHolds {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async add(record: HoldRecord): Promise<PlacedHold> {
    const { accounts, reason } = record;
    assert(accounts.length <= HOLD_ACCOUNTS_MAX, `a hold has more than ${HOLD_ACCOUNTS_MAX} accounts`);
    assert(reason.length <= HOLD_REASON_MAX, `a reason has more than ${HOLD_REASON_MAX} characters`);
    const store = this.#store;
    return store.tables.write('starts', function* () {
      yield* requireHere();
      const placed = { ...record, n: (yield* lastHold()) + 1, at: nowOf(store) };
      yield* insertHolds([placed]);
      return placed;
    });
  }

  async after(n: number): Promise<readonly PlacedHold[]> {
    return this.#store.tables.read(() => holdsAfter(n));
  }
}

function* lastHold(): Steps<number> {
  return Number((yield* get('SELECT max(n) AS n FROM payee_hold'))?.n ?? 0);
}

function insertHolds(records: readonly PlacedHold[]): Steps<number> {
  const rows = records.map(({ n, at, act, payee, name, payee_id, accounts, reason, by }) => {
    return [n, at, act, payee, name, payee_id, JSON.stringify(accounts), reason, by];
  });
  return insert({ into: 'payee_hold', columns: COLUMNS, rows });
}

/** The records after number `n`, in order. */
export function* holdsAfter(n: number): Steps<readonly PlacedHold[]> {
  const sql = `SELECT ${COLUMNS.join(', ')} FROM payee_hold WHERE n > ? ORDER BY n LIMIT ?`;
  return (yield* all(sql, n, HOLDS_PAGE_MAX)).map(placedHold);
}

function placedHold({ n, at, act, payee, name, payee_id, accounts, reason, recorded_by: by }: Row): PlacedHold {
  if (act !== 'hold' && act !== 'release') throw new JournalDamaged({ code: 'unknown_hold', n: Number(n) });
  const texts = { payee, name, payee_id, reason, by } as Pick<
    PlacedHold,
    'payee' | 'name' | 'payee_id' | 'reason' | 'by'
  >;
  return { ...texts, n: Number(n), at: Number(at), act, accounts: JSON.parse(String(accounts)) as string[] };
}

/** Every record, in order. */
export function* allHolds(): Steps<PlacedHold[]> {
  const found: PlacedHold[] = [];
  for (;;) {
    const page = yield* holdsAfter(found.at(-1)?.n ?? 0);
    found.push(...page);
    if (page.length < HOLDS_PAGE_MAX) return found;
  }
}

/**
 * Takes over the records of another journal: all of them where there are none yet; else the holds in force that are not in
 * force here, so that nobody is released by another journal.
 */
export function* takeHolds(records: readonly PlacedHold[]): Steps<void> {
  const own = yield* allHolds();
  if (own.length === 0) {
    yield* insertHolds(records);
    return;
  }
  const here = new Holds(own);
  const missing = new Holds(records).all.filter(({ payee }) => here.ofPayee(payee) === null);
  yield* insertHolds(missing.map((hold, at) => ({ ...hold, n: here.n + at + 1 })));
}
