import { Recent, UnderWay, within } from '../once.ts';
import type { Dependencies } from '../parts.ts';

/** A plan is compared again with what was written since, once in so long at most. */
const FRESH_MS = 10 * 60_000;
/** Plans that are kept. */
const KNOWN_MAX = 200;

/** Payouts for an approver to check: to a changed account, to a new payee or account, or paid before. */
export type ToCheck = { changed: number; added: number; repeated: number };

/** `entryAt`: when the last entry was written that it was compared with. */
type Known = { toCheck: ToCheck; atMs: number; entryAt: number | null };

/** What approvers should check in each plan. */
export class PlansToCheck {
  readonly #deps: Pick<Dependencies, 'calls' | 'reads' | 'clock' | 'log'>;
  readonly #known = new Recent<Known>(KNOWN_MAX);
  readonly #underWay = new UnderWay<ToCheck | null>();

  constructor(deps: Pick<Dependencies, 'calls' | 'reads' | 'clock' | 'log'>) {
    this.#deps = deps;
  }

  /** Null where it cannot be compared, or is still being compared after `waitMs`: it is known to a later look then. */
  async of(runId: string, waitMs: number): Promise<ToCheck | null> {
    const { clock, reads } = this.#deps;
    const known = this.#known.get(runId);
    if (known !== undefined) {
      const isFresh = clock.monotonicMs() - known.atMs < FRESH_MS;
      if (isFresh || known.entryAt === (await reads.newestEntryAt())) return known.toCheck;
    }
    const comparing = this.#underWay.of(runId, () => this.#compare(runId));
    return within(clock, comparing, waitMs);
  }

  /** Never rejects. */
  async #compare(runId: string): Promise<ToCheck | null> {
    const { calls, clock, reads, log } = this.#deps;
    try {
      const entryAt = await reads.newestEntryAt();
      const compared = await calls.comparePlan(runId);
      if (compared === null) return null;
      const {
        account_changed: changed = 0,
        payee_first_time: payees = 0,
        account_first_time: accounts = 0,
      } = compared.counts;
      const toCheck = { changed, added: payees + accounts, repeated: compared.counts.paid_before ?? 0 };
      this.#known.set(runId, { toCheck, atMs: clock.monotonicMs(), entryAt });
      return toCheck;
    } catch (error) {
      log.warn({ error, run: runId }, 'a plan could not be compared with earlier runs');
      return null;
    }
  }
}
