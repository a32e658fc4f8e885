import { Recent, UnderWay, within } from '../once.ts';
import type { Dependencies } from '../parts.ts';

/** A plan is compared again with what was written since, once in so long at most. */
const FRESH_MS = 10 * 60_000;
/** Plans that are kept. */
const KNOWN_MAX = 200;

/** `entryAt`: when the last entry was written that it was compared with. */
type Known = { count: number; atMs: number; entryAt: number | null };

/** How many payouts of a plan go to another account than their payee was last paid on. */
export class ChangedAccounts {
  readonly #deps: Pick<Dependencies, 'calls' | 'reads' | 'clock' | 'log'>;
  readonly #known = new Recent<Known>(KNOWN_MAX);
  readonly #underWay = new UnderWay<number | null>();

  constructor(deps: Pick<Dependencies, 'calls' | 'reads' | 'clock' | 'log'>) {
    this.#deps = deps;
  }

  /** Null where it cannot be compared, or is still being compared after `waitMs`: it is known to a later look then. */
  async of(runId: string, waitMs: number): Promise<number | null> {
    const { clock, reads } = this.#deps;
    const known = this.#known.get(runId);
    if (known !== undefined) {
      const isFresh = clock.monotonicMs() - known.atMs < FRESH_MS;
      if (isFresh || known.entryAt === (await reads.newestEntryAt())) return known.count;
    }
    const comparing = this.#underWay.of(runId, () => this.#compare(runId));
    return within(clock, comparing, waitMs);
  }

  /** Never rejects. */
  async #compare(runId: string): Promise<number | null> {
    const { calls, clock, reads, log } = this.#deps;
    try {
      const entryAt = await reads.newestEntryAt();
      const compared = await calls.comparePlan(runId);
      if (compared === null) return null;
      const count = compared.counts.account_changed ?? 0;
      this.#known.set(runId, { count, atMs: clock.monotonicMs(), entryAt });
      return count;
    } catch (error) {
      log.warn({ error, run: runId }, 'a plan could not be compared with earlier runs');
      return null;
    }
  }
}
