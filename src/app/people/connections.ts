import { z } from 'zod';
import type { RefusalReason } from '../../domain/refusals/reason.ts';
import type { ConnectionClosed } from '../../domain/refusals/run-reasons.ts';
import type { AuditLog } from './audit-log.ts';
import { freeId } from './entities.ts';
import { nameKey } from './people.ts';
import type { Inside } from './store/page-store.ts';

/** What came of one signed read call. Times are in ms; `aheadMs`: by how much this host's clock is ahead, where that is known. */
const connectionTest = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    isRehearsal: z.boolean(),
    currencies: z.array(z.string()),
    aheadMs: z.number().nullable(),
    tookMs: z.number(),
  }),
  /** In English, with the facts of the refusal, by which each reader has their own words. */
  z.object({
    ok: z.literal(false),
    message: z.string(),
    remedy: z.string(),
    refusal: z.custom<RefusalReason>().optional(),
  }),
]);
export type ConnectionTest = z.output<typeof connectionTest>;

const keptTest = z.intersection(connectionTest, z.object({ at: z.number() }));

/** A connection that an administrator made. Times are Unix ms. */
export type KeptConnection = {
  id: string;
  entityId: string;
  name: string;
  /** Its profile as JSON, with references to keys and without any key. */
  profile: string;
  /** Grows with each rotation. */
  revision: number;
  addedAt: number;
  addedBy: string;
  /** The last rotation, or when it was added. */
  changedAt: number;
  changedBy: string;
  confirmedAt: number | null;
  confirmedBy: string | null;
  /** The last test of this revision; null where there was none. */
  test: z.output<typeof keptTest> | null;
  /** Whether no money moves there, by the last test that passed; null where none did. */
  isRehearsal: boolean | null;
  disabledAt: number | null;
};

type ConnectionRow = Omit<KeptConnection, 'test' | 'isRehearsal'> & { test: string | null; isRehearsal: number | null };

const CONNECTION = `SELECT id, entity_id AS "entityId", name, profile, revision, added_at AS "addedAt", added_by AS "addedBy",
    changed_at AS "changedAt", changed_by AS "changedBy", confirmed_at AS "confirmedAt", confirmed_by AS "confirmedBy", test,
    is_rehearsal AS "isRehearsal", disabled_at AS "disabledAt" FROM connection`;

/** Why no payment can be planned or started over this connection; null if it can. Runs already under way continue. */
export function whyClosed({ disabledAt, test }: Pick<KeptConnection, 'disabledAt' | 'test'>): ConnectionClosed | null {
  if (disabledAt !== null) return 'disabled';
  if (test === null) return 'untested';
  return test.ok ? null : 'failed';
}

/** What is built into each page: no connection that somebody makes has such an id. */
export const BUILT_IN = { started: 'started', rehearsal: 'rehearsal' } as const;

type Act = { person: string; audit: AuditLog };

/** The connections that administrators made. Each change is in the audit log, in the same transaction. */
export class Connections {
  readonly #inside: Inside;

  constructor(inside: Inside) {
    this.#inside = inside;
  }

  /** By name; those that are disabled too. */
  list(): Promise<KeptConnection[]> {
    return this.#find('ORDER BY name_key');
  }

  async get(id: string): Promise<KeptConnection | null> {
    return (await this.#find('WHERE id = ?', id))[0] ?? null;
  }

  /** Adds one that was not tested yet. Null where one of that name is there. */
  async add(
    { name, entityId, profile }: Pick<KeptConnection, 'name' | 'entityId' | 'profile'>,
    { person, audit }: Act,
  ): Promise<KeptConnection | null> {
    const { store, clock } = this.#inside;
    return store.transaction(async () => {
      const same = 'SELECT 1 FROM connection WHERE name_key = ?';
      if ((await store.get(same, nameKey(name))) !== undefined) return null;
      const isTaken = async (one: string) => one in BUILT_IN || (await this.get(one)) !== null;
      const id = await freeId(name, isTaken);
      const at = clock.wallMs();
      const by = { added_at: at, added_by: person, changed_at: at, changed_by: person };
      const named = { id, entity_id: entityId, name: name.trim(), name_key: nameKey(name) };
      await store.insert('connection', { ...named, profile, revision: 1, ...by });
      const details = { connection: id, name: name.trim(), entity: entityId, profile: JSON.parse(profile) };
      await audit.append({ person, act: 'connection_added', details });
      return this.get(id);
    });
  }

  /** Keeps what came of a test, unless the connection was rotated meanwhile. */
  async tested(
    { id, revision }: Pick<KeptConnection, 'id' | 'revision'>,
    test: ConnectionTest,
    by: Act,
  ): Promise<void> {
    const { store, clock } = this.#inside;
    await store.transaction(async () => {
      const mode = test.ok ? ', is_rehearsal = ?' : '';
      const values = test.ok ? [Number(test.isRehearsal)] : [];
      const sql = `UPDATE connection SET test = ?${mode} WHERE id = ? AND revision = ?`;
      const kept = JSON.stringify({ ...test, at: clock.wallMs() });
      if ((await store.run(sql, kept, ...values, id, revision)) !== 1) return;
      const came = test.ok
        ? { ok: true, rehearsal: test.isRehearsal }
        : { ok: false, why: test.message, refusal: test.refusal };
      await by.audit.append({ person: by.person, act: 'connection_tested', details: { connection: id, ...came } });
    });
  }

  /** Puts keys that were tested in the place of those of `revision`. False where somebody else was faster. */
  async rotate(
    { id, revision }: Pick<KeptConnection, 'id' | 'revision'>,
    { profile, test }: { profile: string; test: Extract<ConnectionTest, { ok: true }> },
    { person, audit }: Act,
  ): Promise<boolean> {
    const { store, clock } = this.#inside;
    return store.transaction(async () => {
      const sql = `UPDATE connection SET profile = ?, revision = revision + 1, changed_at = ?, changed_by = ?, confirmed_at = NULL,
        confirmed_by = NULL, test = ?, is_rehearsal = ? WHERE id = ? AND revision = ?`;
      const at = clock.wallMs();
      const kept = JSON.stringify({ ...test, at });
      const changed = await store.run(sql, profile, at, person, kept, Number(test.isRehearsal), id, revision);
      if (changed !== 1) return false;
      const details = { connection: id, profile: JSON.parse(profile) };
      await audit.append({ person, act: 'connection_rotated', details });
      return true;
    });
  }

  /** Another administrator has looked at what was changed last. */
  async confirm({ id, revision }: Pick<KeptConnection, 'id' | 'revision'>, { person, audit }: Act): Promise<boolean> {
    const { store, clock } = this.#inside;
    return store.transaction(async () => {
      const sql = `UPDATE connection SET confirmed_at = ?, confirmed_by = ?
        WHERE id = ? AND revision = ? AND changed_by <> ? AND confirmed_at IS NULL`;
      if ((await store.run(sql, clock.wallMs(), person, id, revision, person)) !== 1) return false;
      await audit.append({ person, act: 'connection_confirmed', details: { connection: id } });
      return true;
    });
  }

  /** Nothing new is begun over it from now on, or again something. */
  async setDisabled(id: string, isDisabled: boolean, { person, audit }: Act): Promise<void> {
    const { store, clock } = this.#inside;
    await store.transaction(async () => {
      const sql = `UPDATE connection SET disabled_at = ? WHERE id = ? AND disabled_at IS ${isDisabled ? '' : 'NOT '}NULL`;
      if ((await store.run(sql, isDisabled ? clock.wallMs() : null, id)) !== 1) return;
      const act = isDisabled ? 'connection_disabled' : 'connection_enabled';
      await audit.append({ person, act, details: { connection: id } });
    });
  }

  async #find(where: string, ...values: string[]): Promise<KeptConnection[]> {
    const rows = await this.#inside.store.all<ConnectionRow>(`${CONNECTION} ${where}`, ...values);
    return rows.map((row) => ({
      ...row,
      test: row.test === null ? null : keptTest.parse(JSON.parse(row.test)),
      isRehearsal: row.isRehearsal === null ? null : row.isRehearsal === 1,
    }));
  }
}
