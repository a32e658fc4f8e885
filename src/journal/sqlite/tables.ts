import type { Database } from '../../platform/sqlite.ts';
import { Projections } from './projections.ts';
import { ProvenRuns } from './proven-runs.ts';
import { SCHEMA_VERSION } from './schema.ts';
import { CancelTable } from './tables/cancel-table.ts';
import { EntryTable } from './tables/entry-table.ts';
import { HintTable } from './tables/hint-table.ts';
import { type LeaseParts, Leases } from './tables/lease.ts';
import { ProjectionTable } from './tables/projection-table.ts';
import { RunTable } from './tables/run-table.ts';
import { Transactions } from './transactions.ts';

/** What a journal's database is read and written through. */
export type Tables = {
  transactions: Transactions;
  entries: EntryTable;
  runs: RunTable;
  proven: ProvenRuns;
  leases: Leases;
  hints: HintTable;
  cancels: CancelTable;
  projections: Projections;
};

export function tablesOf(database: Database, parts: LeaseParts): Tables {
  const transactions = new Transactions(database, parts.files);
  const entries = new EntryTable(database);
  const runs = new RunTable(database, SCHEMA_VERSION);
  const proven = new ProvenRuns(entries, runs);
  const table = new ProjectionTable(database);
  const snapshot = <Result>(work: () => Result): Result => transactions.snapshot(work);
  return {
    transactions,
    entries,
    runs,
    proven,
    leases: new Leases(database, parts),
    hints: new HintTable(database),
    cancels: new CancelTable(database),
    projections: new Projections({ entries, proven, table, snapshot }),
  };
}
