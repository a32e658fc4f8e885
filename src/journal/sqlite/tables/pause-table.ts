import type { Clock } from '../../../domain/clock.ts';
import { assert } from '../../../domain/refusal.ts';
import type { Database, Statement } from '../../../platform/sqlite.ts';
import type { PauseRequests } from '../../pause-requests.ts';
import type { Transactions } from '../transactions.ts';

/** The runs whose holders were asked to pause. Of one holder the first to ask is the one that is kept. */
export class PauseTable implements PauseRequests {
  readonly #transactions: Transactions;
  readonly #clock: Clock;
  readonly #insert: Statement;
  readonly #select: Statement;

  constructor(database: Database, transactions: Transactions, clock: Clock) {
    this.#transactions = transactions;
    this.#clock = clock;
    this.#insert = database.prepare(
      `INSERT INTO pause_asked (run, epoch, asked_by, asked_at)
       SELECT lease.run, lease.epoch, ?, ? FROM lease JOIN run ON run.run = lease.run WHERE run.id = ?
       ON CONFLICT (run) DO UPDATE SET epoch = excluded.epoch, asked_by = excluded.asked_by, asked_at = excluded.asked_at`,
    );
    this.#select = database.prepare(
      `SELECT pause_asked.asked_by FROM pause_asked JOIN run ON run.run = pause_asked.run
       JOIN lease ON lease.run = pause_asked.run AND lease.epoch = pause_asked.epoch WHERE run.id = ?`,
    );
  }

  async ask(runId: string, by: string): Promise<void> {
    if (this.#askedBy(runId) !== null) return;
    this.#transactions.immediate(() => {
      if (this.#askedBy(runId) !== null) return;
      const { changes } = this.#insert.run(by, Math.trunc(this.#clock.wallMs()), runId);
      assert(Number(changes) === 1, `there is no run ${runId} to pause`);
    });
  }

  async askedBy(runId: string): Promise<string | null> {
    return this.#askedBy(runId);
  }

  #askedBy(runId: string): string | null {
    const by = this.#select.get(runId)?.asked_by;
    assert(by === undefined || typeof by === 'string', 'somebody without a name asked to pause a run');
    return by ?? null;
  }
}
