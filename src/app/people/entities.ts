import type { RunCreated } from '../../domain/entry.ts';
import { entityOfRun, MAIN_ENTITY, PAYER_ID } from '../../domain/run/entity.ts';
import { nameKey } from './people.ts';
import type { Inside } from './store/page-store.ts';

/** A company that pays. Times are Unix ms. */
export type Entity = { id: string; name: string; createdAt: number };

const ID_MAX = 36;
/** Names that differ in signs alone get numbers; more of them than that are refused. */
const SAME_ID_MAX = 100;

/** The companies that pay through this page: one at first, `main`. */
export class Entities {
  readonly #inside: Inside;

  constructor(inside: Inside) {
    this.#inside = inside;
  }

  /** The one that was there first, then by name. */
  list(): Promise<Entity[]> {
    return this.#inside.store.all<Entity>(
      `${ENTITY} ORDER BY CASE WHEN id = ? THEN 0 ELSE 1 END, name_key`,
      MAIN_ENTITY,
    );
  }

  async get(id: string): Promise<Entity | null> {
    return (await this.#inside.store.get<Entity>(`${ENTITY} WHERE id = ?`, id)) ?? null;
  }

  /** Adds one. Null where one of that name is there. */
  async add(name: string): Promise<Entity | null> {
    const { store, clock } = this.#inside;
    return store.transaction(async () => {
      if (await this.#isTaken(name, '')) return null;
      const id = await freeId(name, async (one) => (await this.get(one)) !== null);
      const created_at = clock.wallMs();
      await store.insert('entity', { id, name: name.trim(), name_key: nameKey(name), created_at });
      return this.get(id);
    });
  }

  /** The one that pays over a connection, or for which it is rehearsed; nothing names the one of what the page was started with. */
  async ofConnection(id: string | null): Promise<string | undefined> {
    const sql = 'SELECT entity_id AS "entityId" FROM connection WHERE id = ?';
    const [, rehearsed] = /^rehearsal\.(.+)$/.exec(id ?? '') ?? [];
    if (rehearsed !== undefined) return rehearsed;
    return id === null ? undefined : (await this.#inside.store.get<{ entityId: string }>(sql, id))?.entityId;
  }

  /** False where another one has that name. Its id stays: jobs and runs name it by that. */
  async rename(id: string, name: string): Promise<boolean> {
    const { store } = this.#inside;
    return store.transaction(async () => {
      if (await this.#isTaken(name, id)) return false;
      const sql = 'UPDATE entity SET name = ?, name_key = ? WHERE id = ?';
      return (await store.run(sql, name.trim(), nameKey(name), id)) === 1;
    });
  }

  /** The id of the entity that a run belongs to: see `entityOfRun`. */
  entityOfRun(header: Pick<RunCreated, 'entity'>): string {
    return entityOfRun(header);
  }

  async #isTaken(name: string, byOtherThan: string): Promise<boolean> {
    const sql = 'SELECT 1 FROM entity WHERE name_key = ? AND id <> ?';
    return (await this.#inside.store.get(sql, nameKey(name), byOtherThan)) !== undefined;
  }
}

const ENTITY = 'SELECT id, name, created_at AS "createdAt" FROM entity';

/** An id that says the name, such as `northwind-gmbh`, and that nothing has yet. */
export async function freeId(name: string, isTaken: (id: string) => Promise<boolean>): Promise<string> {
  const letters = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const words = letters.replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '');
  const stem = words.slice(0, ID_MAX).replace(/-+$/, '');
  for (let n = 1; n <= SAME_ID_MAX; n++) {
    const id = [stem === '' ? 'entity' : stem, ...(n === 1 ? [] : [n])].join('-');
    if (PAYER_ID.test(id) && !(await isTaken(id))) return id;
  }
  throw new RangeError(`more than ${SAME_ID_MAX} names that are written like ${stem}`);
}
