import { assert } from '../../domain/refusal.ts';
import type { Head } from '../chain.ts';
import { genesis } from '../chain.ts';
import type { Database, Row, Statement } from './database.ts';
import { hex, reading } from './entry-table.ts';

/** A run's own row. `header` is the text of its first entry, or null where that entry is gone. */
export type RunRecord = {
  run: number;
  id: string;
  createdAt: number;
  inputSha256: string;
  head: Head;
  header: string | null;
};

/** The runs of one input that are listed: a file that was run more often has worse problems. */
const RUNS_OF_INPUT_MAX = 1_000;

const SELECT = `SELECT run.run, run.id, run.created_at, run.input_sha256, run.head_n, run.head_hash, entry.data AS header
  FROM run LEFT JOIN entry ON entry.run = run.run AND entry.n = 1`;

export class RunTable {
  readonly #insert: Statement;
  readonly #advance: Statement;
  readonly #find: Statement;
  readonly #newest: Statement;
  readonly #ofInput: Statement;
  readonly #lastOfInput: Statement;

  constructor(database: Database) {
    this.#insert = database.prepare(
      'INSERT INTO run (id, created_at, input_sha256, head_n, head_hash) VALUES (?, ?, ?, ?, ?)',
    );
    this.#advance = database.prepare(
      'UPDATE run SET head_n = ?, head_hash = ? WHERE run = ? AND head_n = ? AND head_hash = ?',
    );
    this.#find = database.prepare(`${SELECT} WHERE run.id = ?`);
    this.#newest = database.prepare(`${SELECT} ORDER BY run.run DESC LIMIT ?`);
    this.#ofInput = database.prepare(
      `${SELECT} WHERE run.input_sha256 = ? ORDER BY run.run LIMIT ${RUNS_OF_INPUT_MAX}`,
    );
    this.#lastOfInput = database.prepare('SELECT id FROM run WHERE input_sha256 = ? ORDER BY run DESC LIMIT 1');
  }

  /** Adds a run without entries and returns its number. */
  insert(create: { id: string; createdAt: number; inputSha256: string }): number {
    const { n, hash } = genesis(create.id);
    const { lastInsertRowid } = this.#insert.run(
      create.id,
      create.createdAt,
      create.inputSha256,
      n,
      Buffer.from(hash, 'hex'),
    );
    return Number(lastInsertRowid);
  }

  /** Moves a run's head on. False, and nothing changed, where the head is not `from`. */
  advance(run: number, from: Head, to: Head): boolean {
    const { changes } = this.#advance.run(
      to.n,
      Buffer.from(to.hash, 'hex'),
      run,
      from.n,
      Buffer.from(from.hash, 'hex'),
    );
    return changes === 1;
  }

  find(runId: string): RunRecord | null {
    const row = reading(() => this.#find.get(runId));
    return row ? runRecord(row) : null;
  }

  /** Newest first. */
  newest(limit: number): RunRecord[] {
    return reading(() => this.#newest.all(limit)).map(runRecord);
  }

  /** Oldest first. */
  ofInput(sha256: string): RunRecord[] {
    return reading(() => this.#ofInput.all(sha256)).map(runRecord);
  }

  lastIdOfInput(sha256: string): string | null {
    const id = reading(() => this.#lastOfInput.get(sha256))?.id;
    assert(id === undefined || typeof id === 'string', 'a run has an id that is no text');
    return id ?? null;
  }
}

function runRecord(row: Row): RunRecord {
  return {
    run: row.run as number,
    id: row.id as string,
    createdAt: row.created_at as number,
    inputSha256: row.input_sha256 as string,
    head: { n: row.head_n as number, hash: hex(row.head_hash) },
    header: row.header as string | null,
  };
}
