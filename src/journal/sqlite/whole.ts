import type { Database } from '../../platform/sqlite.ts';
import { JournalDamaged } from '../errors.ts';
import type { RunHead, WholeJournal } from '../whole-journal.ts';
import type { EntryTable } from './tables/entry-table.ts';
import type { RunTable } from './tables/run-table.ts';
import type { Transactions } from './transactions.ts';

/** SQLite's own findings that are named. */
const FINDINGS_MAX = 5;

export class SqliteWhole implements WholeJournal {
  readonly #database: Database;
  readonly #transactions: Transactions;
  readonly #entries: EntryTable;
  readonly #runs: RunTable;

  constructor(database: Database, transactions: Transactions, tables: { entries: EntryTable; runs: RunTable }) {
    this.#database = database;
    this.#transactions = transactions;
    this.#entries = tables.entries;
    this.#runs = tables.runs;
  }

  heads(): RunHead[] {
    return this.#runs.heads().map(({ id, head }) => ({ runId: id, ...head }));
  }

  hashAt(runId: string, n: number): string | null {
    const record = this.#runs.find(runId);
    return record && this.#entries.hashAt(record.run, n);
  }

  faults(): string[] {
    return this.#transactions.snapshot(() => [...this.#deletions(), ...this.#damage()]);
  }

  #deletions(): string[] {
    try {
      this.#runs.requireWhole();
      return [];
    } catch (error) {
      if (!(error instanceof JournalDamaged)) throw error;
      return [error.message];
    }
  }

  /** Pages and indexes that are not as SQLite wrote them. */
  #damage(): string[] {
    const findings = this.#database.prepare(`PRAGMA integrity_check(${FINDINGS_MAX})`).all();
    return findings.map((row) => String(row.integrity_check)).filter((finding) => finding !== 'ok');
  }
}
