import type { Core } from '../core.ts';
import { nextDueMs, takeDueSteps } from '../transfers/settlement.ts';

/**
 * Settlements that come due within this time of each other share a transaction, and so a sync of the disk: at thousands
 * of payouts a second, one each millisecond would cost more than the payouts.
 */
const TICK_MS = 20;

/** Longest sleep: a machine's clock may be set forward while we wait. */
const SLEEP_MAX_MS = 60_000;

export type Scheduler = {
  /** Something is due at this moment of the service's clock. */
  dueAt(ms: number): void;
  /** The clock was moved. */
  wake(): void;
  /** Resolves when the settlement that is under way is done. */
  stop(): Promise<void>;
};

/**
 * Takes the steps of payouts when they are due by the service's clock. What is due is read from the database, so a
 * restart goes on where the process before it was.
 */
export function startScheduler(core: Core): Scheduler {
  let stopped = false;
  let sleepingUntilMs = 0;
  let alarm = new AbortController();
  const done = run();
  return {
    dueAt(ms) {
      if (ms < sleepingUntilMs) alarm.abort();
    },
    wake: () => alarm.abort(),
    stop() {
      stopped = true;
      alarm.abort();
      return done;
    },
  };

  async function run(): Promise<void> {
    while (!stopped) {
      const nowMs = core.clock.wallMs();
      const dueMs = nextDueMs(core);
      if (dueMs !== null && dueMs <= nowMs) {
        if (!(await settle())) return;
      } else {
        await sleep(nowMs, dueMs === null ? SLEEP_MAX_MS : Math.min(dueMs - nowMs, SLEEP_MAX_MS));
      }
    }
  }

  async function sleep(nowMs: number, restMs: number): Promise<void> {
    const ms = Math.max(restMs, TICK_MS);
    alarm = new AbortController();
    sleepingUntilMs = nowMs + ms;
    await core.clock.sleep(ms, alarm.signal);
    sleepingUntilMs = 0;
  }

  /** False where the database has failed: then there is nothing left to do. */
  async function settle(): Promise<boolean> {
    try {
      await core.committer.submit(() => takeDueSteps(core), {
        // Books that cannot be settled are no books to go on with: the service stops.
        crashed: (error) => {
          throw error;
        },
      });
      return true;
    } catch (error) {
      core.log.error({ error }, 'the settlement stopped');
      return false;
    }
  }
}
