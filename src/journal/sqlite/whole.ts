import type { Database } from '../../platform/sqlite.ts';
import { JournalDamaged } from '../errors.ts';
import type { Verification } from '../journal.ts';
import type { RunHead, WholeJournal, Witness } from '../whole-journal.ts';
import type { Tables } from './tables.ts';
import { verifyRun } from './verify.ts';

/** SQLite's own findings that are named. */
const FINDINGS_MAX = 5;

export class SqliteWhole implements WholeJournal {
  readonly #database: Database;
  readonly #tables: Tables;

  constructor(database: Database, tables: Tables) {
    this.#database = database;
    this.#tables = tables;
  }

  async heads(): Promise<RunHead[]> {
    return this.#tables.runs.heads().map(({ id, head }) => ({ runId: id, ...head }));
  }

  async hashAt(runId: string, n: number): Promise<string | null> {
    const { runs, entries } = this.#tables;
    const record = runs.find(runId);
    return record && entries.hashAt(record.run, n);
  }

  async faults(): Promise<string[]> {
    return this.#faults();
  }

  /** Whether nothing is wrong with any run, nor beside them. In one turn: the journal is opened in one. */
  isSound(): boolean {
    const { runs } = this.#tables;
    return runs.heads().every(({ id }) => this.verifyRun(id, null).ok) && this.#faults().length === 0;
  }

  verifyRun(runId: string, witness: Witness | null): Verification {
    return this.#tables.transactions.snapshot(() => verifyRun(this.#tables, runId, witness));
  }

  #faults(): string[] {
    return this.#tables.transactions.snapshot(() => [...this.#deletions(), ...this.#damage()]);
  }

  #deletions(): string[] {
    try {
      this.#tables.runs.requireWhole();
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
