import type { Money } from '../../domain/money.ts';
import { within } from '../../platform/clock.ts';
import type { PageConnection } from '../page-connections.ts';
import type { Web } from '../web.ts';

/** What the service held, and when (Unix ms). */
export type Balances = { held: readonly Money[]; at: number };

/** An answer is used again for so long, and one that cannot be renewed for so long. */
const FRESH_MS = 60_000;
const KEPT_MS = 10 * 60_000;

type Held = () => Promise<readonly Money[] | null>;

/** The balances of one service, asked for when somebody looks: once a minute at most. */
class ServiceBalances {
  readonly #deps: Pick<Web['deps'], 'clock' | 'log'>;
  #kept: Balances | null = null;
  #askedMs = Number.NEGATIVE_INFINITY;
  #asking: Promise<void> | null = null;

  constructor(deps: Pick<Web['deps'], 'clock' | 'log'>) {
    this.#deps = deps;
  }

  /** Null where the service has not answered after `waitMs`, nor in the last ten minutes. */
  async look(held: Held, waitMs: number): Promise<Balances | null> {
    const { clock } = this.#deps;
    if (this.#asking === null && clock.monotonicMs() - this.#askedMs >= FRESH_MS) this.#asking = this.#ask(held);
    if (this.#kept === null && this.#asking !== null) await within(clock, waitMs, this.#asking);
    const kept = this.#kept;
    return kept !== null && clock.wallMs() - kept.at < KEPT_MS ? kept : null;
  }

  async #ask(balances: Held): Promise<void> {
    const { clock, log } = this.#deps;
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

/** Those of each page, by connection and by its keys. */
const OF_PAGES = new WeakMap<Web, Map<string, ServiceBalances>>();

export type ConnectionBalances = { connection: PageConnection; balances: Balances };

/**
 * What is held at each service that answers within `waitMs`, or lately did. What rehearsals are paid from is shown where there is
 * nothing else.
 */
export async function balancesOf(
  web: Web,
  connections: readonly PageConnection[],
  waitMs: number,
): Promise<ConnectionBalances[]> {
  const known = OF_PAGES.get(web) ?? new Map<string, ServiceBalances>();
  OF_PAGES.set(web, known);
  const real = connections.filter(({ kept, isRehearsal }) => kept !== null || isRehearsal !== true);
  const asked = real.length > 0 ? real : connections.slice(0, 1);
  const found = await Promise.all(
    asked.map(async (connection) => {
      const { id, kept } = connection;
      const key = `${id} ${kept?.revision ?? 0}`;
      const service = known.get(key) ?? new ServiceBalances(web.deps);
      known.set(key, service);
      const held = () => web.deps.services.balances(web.connections.over(connection));
      return { connection, balances: await service.look(held, waitMs) };
    }),
  );
  return found.flatMap(({ connection, balances }) => (balances === null ? [] : [{ connection, balances }]));
}
