import type { Person } from '../app/people/people.ts';
import { randomId } from '../app/people/store/page-store.ts';
import type { Claim } from './shared-work.ts';
import type { Web } from './web.ts';

/** How long the viewers reported by other hosts are cached. */
const ELSEWHERE_MS = 2_000;

type RunViewer = { name: string; at: number; streams: number; claim: Promise<Claim | null> };
type Elsewhere = { askedAt: number; people: Promise<ReadonlyMap<string, string>> };

/**
 * Who has a run's page open, on this host and on others. Only people who may see the run have its stream. Each host
 * registers its viewers under claims it renews, so those of a crashed host disappear within seconds.
 */
export class RunViewers {
  readonly #byRun = new Map<string, Map<string, RunViewer>>();
  readonly #elsewhere = new Map<string, Elsewhere>();
  #host: string | null = null;
  #entered = 0;

  /** Call the returned function when the stream ends. */
  enter(web: Web, runId: string, { id, name }: Pick<Person, 'id' | 'name'>): () => void {
    const people = this.#byRun.get(runId) ?? new Map<string, RunViewer>();
    this.#byRun.set(runId, people);
    const viewer = people.get(id) ?? {
      name,
      at: web.deps.clock.wallMs(),
      streams: 0,
      claim: this.#claim(web, runId, { id, name }),
    };
    people.set(id, viewer);
    viewer.streams++;
    return () => {
      viewer.streams--;
      if (viewer.streams > 0) return;
      people.delete(id);
      if (people.size === 0 && this.#byRun.get(runId) === people) {
        this.#byRun.delete(runId);
        this.#elsewhere.delete(runId);
      }
      void viewer.claim.then((claim) => claim?.release());
    };
  }

  /** Who else on this host has the page open, and since when (Unix ms). */
  openedByOthers(runId: string, ownId: string): { name: string; at: number }[] {
    const others = [...(this.#byRun.get(runId) ?? [])].filter(([id]) => id !== ownId);
    return others.map(([, { name, at }]) => ({ name, at }));
  }

  /** The names of everyone else viewing the run. */
  async others(web: Web, runId: string, ownId: string): Promise<string[]> {
    const here = Array.from(this.#byRun.get(runId) ?? [], ([id, { name }]) => [id, name] as const);
    const people = new Map([...(web.store.isShared ? await this.#onOthers(web, runId) : []), ...here]);
    people.delete(ownId);
    return [...people.values()].sort();
  }

  async #claim(web: Web, runId: string, { id, name }: Pick<Person, 'id' | 'name'>): Promise<Claim | null> {
    const { store, work, deps } = web;
    if (!store.isShared) return null;
    this.#host ??= randomId(deps.randomness);
    return work.take(`${keyOf(runId)}${id} ${++this.#entered} ${this.#host}`, name).catch((error: unknown) => {
      deps.log.warn({ error, run: runId }, 'who is viewing a run could not be noted for other hosts');
      return null;
    });
  }

  /** One query serves every viewer on this host. */
  #onOthers({ work, deps }: Web, runId: string): Promise<ReadonlyMap<string, string>> {
    const now = deps.clock.monotonicMs();
    const known = this.#elsewhere.get(runId);
    if (known !== undefined && now - known.askedAt < ELSEWHERE_MS) return known.people;
    const people = work.allUnderWay(keyOf(runId)).then((found) => {
      const end = ` ${this.#host}`;
      return new Map(
        found.flatMap(({ key, what }) => (key.endsWith(end) ? [] : [[key.split(' ')[2] ?? '', what] as const])),
      );
    });
    this.#elsewhere.set(runId, { askedAt: now, people });
    return people;
  }
}

function keyOf(runId: string): string {
  return `looks ${runId} `;
}
