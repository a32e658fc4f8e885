import type { Clock } from '../platform/clock.ts';
import { refusalIn } from './runs/known-run.ts';

/** What a process that stays reports of its database. `message`: what the database or the network says. */
export type DatabaseEvent =
  /** It cannot be used, and is tried again. */
  { event: 'database_away'; message: string } | { event: 'database_back' };

export type WaitDeps = {
  clock: Pick<Clock, 'monotonicMs' | 'sleep'>;
  report(event: DatabaseEvent): void;
  /** Aborted when the process is to end. */
  stop: AbortSignal;
};

/** `forMs`: so long it is tried. `isAway`: which errors are waited for; others are thrown at once. */
type Patience = { forMs?: number; isAway?: (error: unknown) => boolean };

/** So long a process that stays waits for its database when it starts. Then it ends, and says what to do. */
export const AT_START: Patience = { forMs: 10_000 };

/** Pauses between tries. */
const FIRST_MS = 1_000;
const MOST_MS = 30_000;

/**
 * Does work that needs the database, again for as long as the database is away; null where the process is stopped before. Throws
 * what the work throws, and what it threw last when the patience ends.
 */
export async function withDatabase<Result>(
  { clock, report, stop }: WaitDeps,
  work: () => Promise<Result>,
  { forMs = Infinity, isAway = (error) => whyAway(error) !== null }: Patience = {},
): Promise<Result | null> {
  const untilMs = clock.monotonicMs() + forMs;
  for (let pauseMs = FIRST_MS, isBack = false; ; pauseMs = Math.min(2 * pauseMs, MOST_MS), isBack = true) {
    try {
      const result = await work();
      if (isBack) report({ event: 'database_back' });
      return result;
    } catch (error) {
      const leftMs = untilMs - clock.monotonicMs();
      if (leftMs <= 0 || !isAway(error)) throw error;
      report({ event: 'database_away', message: whyAway(error) ?? messageOf(error) });
      await clock.sleep(Math.min(pauseMs, leftMs), stop);
    }
    if (stop.aborted) return null;
  }
}

/** What an error says that only means that the database does not answer now; null for one that somebody has to mend. */
function whyAway(error: unknown): string | null {
  const reason = refusalIn(error)?.reason;
  switch (reason?.code) {
    case 'database_unusable':
      return reason.fault.why === 'unreachable' ? reason.fault.cause : null;
    case 'lost': {
      const { loss } = reason;
      if (!('database' in loss) || loss.database === undefined) return null;
      return 'cause' in loss ? loss.cause : messageOf(error);
    }
    case 'page_database_away':
    case 'page_change_uncertain':
      return reason.cause;
    default:
      return null;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
