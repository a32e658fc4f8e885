import { assert } from '../../../domain/refusal.ts';
import type { Database, Statement } from '../../../platform/sqlite.ts';

/** The runs whose cancelling was asked for. The first to ask is the one that is kept. */
export class CancelTable {
  readonly #insert: Statement;
  readonly #select: Statement;

  constructor(database: Database) {
    this.#insert = database.prepare(
      'INSERT INTO cancel_asked (run, asked_by, asked_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
    );
    this.#select = database.prepare(
      'SELECT asked_by FROM cancel_asked JOIN run ON run.run = cancel_asked.run WHERE run.id = ?',
    );
  }

  /** Inside the open transaction. */
  ask(run: number, by: string, at: number): void {
    this.#insert.run(run, by, at);
  }

  askedBy(runId: string): string | null {
    const by = this.#select.get(runId)?.asked_by;
    assert(by === undefined || typeof by === 'string', 'somebody without a name asked to cancel a run');
    return by ?? null;
  }
}
