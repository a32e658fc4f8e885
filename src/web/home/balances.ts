import type { Money } from '../../domain/money.ts';
import type { Dependencies } from '../parts.ts';
import type { Web } from '../web.ts';

/** What the service held, and when (Unix ms). */
export type Balances = { held: readonly Money[]; at: number };

/** An answer is used again for so long, and one that cannot be renewed for so long. */
const FRESH_MS = 60_000;
const KEPT_MS = 10 * 60_000;

/** The balances of the service, asked for when somebody looks: once a minute at most. */
export class ServiceBalances {
  readonly #deps: Pick<Dependencies, 'balances' | 'clock' | 'log'>;
  #kept: Balances | null = null;
  #askedMs = Number.NEGATIVE_INFINITY;
  #asking: Promise<void> | null = null;

  constructor(deps: Pick<Dependencies, 'balances' | 'clock' | 'log'>) {
    this.#deps = deps;
  }

  /** Null where the service has not answered after `waitMs`, nor in the last ten minutes. */
  async look(waitMs: number): Promise<Balances | null> {
    const { clock } = this.#deps;
    if (this.#asking === null && clock.monotonicMs() - this.#askedMs >= FRESH_MS) this.#asking = this.#ask();
    if (this.#kept === null && this.#asking !== null) await Promise.race([this.#asking, clock.sleep(waitMs)]);
    const kept = this.#kept;
    return kept !== null && clock.wallMs() - kept.at < KEPT_MS ? kept : null;
  }

  async #ask(): Promise<void> {
    const { clock, log, balances } = this.#deps;
    this.#askedMs = clock.monotonicMs();
    try {
      const held = await balances();
      if (held !== null) this.#kept = { held, at: clock.wallMs() };
    } catch (error) {
      log.warn({ error }, 'the balances could not be read');
    } finally {
      this.#asking = null;
    }
  }
}

const OF_PAGES = new WeakMap<Web, ServiceBalances>();

/** Those of a page: each page has one. */
export function balancesOf(web: Web): ServiceBalances {
  const balances = OF_PAGES.get(web) ?? new ServiceBalances(web.deps);
  OF_PAGES.set(web, balances);
  return balances;
}
