import { Refusal } from '../../domain/refusal.ts';
import { Deposed, type Journal } from '../../journal/journal.ts';
import type { Clock } from '../../platform/clock.ts';

/** So often the database is asked for. */
const LOOK_EVERY_MS = 5_000;

/**
 * Resolves with null when the page is to stop, and with a `Refusal` where another database, such as a promoted standby, stands in place of
 * the one that was opened: nothing that this process knows holds for it, so its supervisor has to start it anew.
 */
export async function untilReplaced(
  journal: Pick<Journal, 'lastHint'>,
  clock: Clock,
  stop: AbortSignal,
): Promise<Refusal | null> {
  while (!stop.aborted) {
    try {
      await journal.lastHint();
    } catch (error) {
      // One that is away may come back.
      const loss = error instanceof Deposed ? error.loss : null;
      if (loss?.why === 'replaced' && loss.database !== undefined)
        return new Refusal({ code: 'database_unusable', database: loss.database, fault: { why: 'replaced' } });
    }
    await clock.sleep(LOOK_EVERY_MS, stop);
  }
  return null;
}
