import { setTimeout as sleep } from 'node:timers/promises';
import { statements } from '../../support/postgres.ts';

/** A run of a payroll, as the journal has it. */
export type KnownRun = {
  id: string;
  /** SHA-256 of its input. */
  input: string;
  isStarted: boolean;
  isEnded: boolean;
  /** Whether workers are to execute it, or one does. */
  isInHand: boolean;
};

const LOOK_AGAIN_MS = 1_000;
/** A database that is away for longer does not come back. */
const AWAY_MAX_MS = 240_000;

/** What the journal knows, asked as the superuser straight from the server; asked again while that is away. */
export class JournalLook {
  readonly #url: () => string;

  /** `url`: of the server that has it now. */
  constructor(url: () => string) {
    this.#url = url;
  }

  async runs(): Promise<KnownRun[]> {
    // The end stands among the last entries.
    const rows = await this.#rows(
      `SELECT id, input_sha256 AS input, is_planned = 0 AS started,
        (SELECT true FROM payrun.entry WHERE entry.run = run.run AND kind = 'finished' ORDER BY n DESC LIMIT 1) AS ended,
        EXISTS (SELECT FROM payrun.queued_run WHERE queued_run.run = run.run AND due_at IS NOT NULL)
          OR EXISTS (SELECT FROM payrun.lease WHERE lease.run = run.run AND holder IS NOT NULL AND expires_at > payrun.clock_ms())
          AS in_hand
      FROM payrun.run`,
    );
    return rows.map(({ id, input, started, ended, in_hand }) => ({
      id: String(id),
      input: String(input),
      isStarted: started === true,
      isEnded: ended === true,
      isInHand: in_hand === true,
    }));
  }

  /** Of an input, the run that was started, else one that was planned. */
  async runOf(input: string): Promise<KnownRun | null> {
    const runs = (await this.runs()).filter((run) => run.input === input);
    return runs.find(({ isStarted }) => isStarted) ?? runs[0] ?? null;
  }

  /** How many runs wait for a worker, or are with one. */
  async waiting(): Promise<number> {
    const [row] = await this.#rows('SELECT count(*)::int AS waiting FROM payrun.queued_run');
    return Number(row?.waiting ?? 0);
  }

  async #rows(sql: string): Promise<Record<string, unknown>[]> {
    const untilMs = performance.now() + AWAY_MAX_MS;
    for (;;) {
      try {
        return await statements(this.#url(), sql);
      } catch (error) {
        if (performance.now() > untilMs) throw error;
        await sleep(LOOK_AGAIN_MS);
      }
    }
  }
}
