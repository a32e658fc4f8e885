import type { Value } from '../../platform/sqlite.ts';
import type { Statement } from '../tables/steps.ts';
import type { Lock } from '../tables/tables.ts';

/** Parameters of one statement; the protocol counts them with 16 bits. */
const PARAMETERS_MAX = 60_000;
/** What the rows of one statement hold together, about. */
const INSERT_TEXT_MAX = 4 * 1024 * 1024;

/**
 * How a transaction begins. Starts look at all runs, as they are at one moment after the one before: a table is locked before
 * that moment is taken, which the first statement that reads does. Taking a lease waits for its holder's commit.
 */
export function lockingStatements(lock: Lock): { sql: string; values?: readonly Value[] }[] {
  if (lock === 'starts')
    return [{ sql: 'BEGIN ISOLATION LEVEL REPEATABLE READ' }, { sql: 'LOCK TABLE run_start IN EXCLUSIVE MODE' }];
  if (lock === 'hints') return [{ sql: 'BEGIN' }, { sql: 'LOCK TABLE hint IN SHARE ROW EXCLUSIVE MODE' }];
  if (lock === 'runs') return [{ sql: 'BEGIN' }, { sql: 'LOCK TABLE run_start, lease IN EXCLUSIVE MODE' }];
  const sql = 'SELECT 1 FROM lease JOIN run ON run.run = lease.run WHERE run.id = $1 FOR UPDATE OF lease';
  return [{ sql: 'BEGIN' }, { sql, values: [lock.runId] }];
}

/** Statements of many rows each, as many as a statement may have. */
export function* insertions({
  into,
  columns,
  rows,
  conflict = '',
}: Extract<Statement, { kind: 'insert' }>): Iterable<{ sql: string; values: Value[] }> {
  let values: Value[] = [];
  let text = 0;
  const statement = () => {
    const places = Array.from({ length: values.length / columns.length }, (_, row) => {
      return `(${columns.map((_name, column) => `$${row * columns.length + column + 1}`).join(', ')})`;
    });
    const sql = `INSERT INTO ${into} (${columns.join(', ')}) VALUES ${places.join(', ')} ${conflict}`;
    return { sql, values };
  };
  for (const row of rows) {
    values.push(...row);
    for (const value of row) if (typeof value === 'string') text += value.length;
    if (values.length + columns.length <= PARAMETERS_MAX && text < INSERT_TEXT_MAX) continue;
    yield statement();
    values = [];
    text = 0;
  }
  if (values.length > 0) yield statement();
}
