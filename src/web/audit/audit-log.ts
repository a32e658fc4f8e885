import { hash } from 'node:crypto';
import type { Clock } from '../../domain/clock.ts';
import type { Row } from '../../platform/sqlite.ts';
import type { WebStore } from '../store/open.ts';

/** What somebody did on the page. `act` is a word such as `signed_in`, `approved`; `details` is JSON-safe. */
export type AuditEntry = {
  n: number;
  /** Unix ms. */
  at: number;
  /** Who did it: a person's id; null where it was nobody who had signed in. */
  person: string | null;
  act: string;
  runId: string | null;
  details: Record<string, unknown>;
  hash: string;
};

type AuditAct = { person: string | null; act: string; runId?: string | null; details?: Record<string, unknown> };

export type AuditVerification = { ok: true; entries: number; hash: string } | { ok: false; n: number; message: string };

/** The hash before the first entry. */
const GENESIS = hash('sha256', 'payrun web audit 1', 'hex');

const READ_MAX = 1_000;

/** The acts by which a person was given a key. */
const CAME_IN = "'first_person_came_in', 'came_in', 'password_reset'";

/** Every act of everybody on the page: only appended to, each entry chained to the one before by SHA-256. */
export class AuditLog {
  readonly #store: WebStore;
  readonly #clock: Clock;

  constructor(store: WebStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** On disk when it returns, together with the transaction that it stands in. */
  append({ person, act, runId = null, details = {} }: AuditAct): number {
    return this.#store.transaction(() => {
      const head = this.#head();
      const entry = {
        n: head.n + 1,
        at: this.#clock.wallMs(),
        person,
        act,
        run_id: runId,
        details: JSON.stringify(details),
      };
      const linked = linkHash(head.hash, entry);
      this.#store.run(
        'INSERT INTO audit (n, at, person, act, run_id, details, previous_hash, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
        entry.n,
        entry.at,
        entry.person,
        entry.act,
        entry.run_id,
        entry.details,
        head.hash,
        linked,
      );
      this.#store.run(
        'INSERT INTO audit_head (only, n, hash) VALUES (1, ?, ?) ON CONFLICT DO UPDATE SET n = excluded.n, hash = excluded.hash',
        entry.n,
        linked,
      );
      return entry.n;
    });
  }

  /** Who came in, now or before, and was given this key (base64url); null where nobody was. */
  ownerOf(publicKey: string): string | null {
    const sql = `SELECT person FROM audit WHERE act IN (${CAME_IN}) AND json_extract(details, '$.public_key') = ? LIMIT 1`;
    return textOrNull(this.#store.get(sql, publicKey)?.person);
  }

  /** Whether somebody else than this person is an administrator, or ever was. */
  hadAdministratorBeside(personId: string): boolean {
    const administers = (path: string) =>
      `EXISTS (SELECT 1 FROM json_each(details, '${path}') WHERE value = 'administrator')`;
    const row = this.#store.get(
      `SELECT 1 FROM audit WHERE CASE WHEN NOT json_valid(details) THEN false
         WHEN act IN (${CAME_IN}) THEN person <> ? AND ${administers('$.roles')}
         WHEN act = 'roles_changed' THEN json_extract(details, '$.whom') <> ? AND ${administers('$.to')} END LIMIT 1`,
      personId,
      personId,
    );
    return row !== undefined;
  }

  /** Whether this person did that to the run, and to the row where one is named. */
  has(person: string, { runId, act, row }: { runId: string | null; act: string; row?: number }): boolean {
    const rows = this.#store.all(
      'SELECT details FROM audit WHERE run_id = ? AND act = ? AND person = ?',
      runId,
      act,
      person,
    );
    return rows.some(({ details }) => row === undefined || detailsOf(String(details)).row === row);
  }

  /** Newest first, those before number `before`; of one run where it is named. `limit` is 1 to 1,000. */
  list({
    before = null,
    runId = null,
    limit = 100,
  }: {
    before?: number | null;
    runId?: string | null;
    limit?: number;
  } = {}): AuditEntry[] {
    const most = Math.min(limit, READ_MAX);
    const from = before ?? Number.MAX_SAFE_INTEGER;
    const rows =
      runId === null
        ? this.#store.all('SELECT * FROM audit WHERE n < ? ORDER BY n DESC LIMIT ?', from, most)
        : this.#store.all('SELECT * FROM audit WHERE run_id = ? AND n < ? ORDER BY n DESC LIMIT ?', runId, from, most);
    return rows.map(entryOf);
  }

  /** One entry, or null. */
  get(n: number): AuditEntry | null {
    const row = this.#store.get('SELECT * FROM audit WHERE n = ?', n);
    return row === undefined ? null : entryOf(row);
  }

  /** The making of the link by which a person came in last, or was let in anew; null where there was none. */
  linkOf(personId: string): AuditEntry | null {
    const row = this.#store.get(
      `SELECT * FROM audit WHERE act IN ('invited', 'link_made')
         AND CASE WHEN json_valid(details) THEN json_extract(details, '$.whom') END = ?
         AND n < (SELECT max(n) FROM audit WHERE person = ? AND act IN ('came_in', 'password_reset'))
       ORDER BY n DESC LIMIT 1`,
      personId,
      personId,
    );
    return row === undefined ? null : entryOf(row);
  }

  /**
   * Proves that the entries are those that were written: none edited, removed, reordered, or cut off the end. Whoever
   * rewrites the whole file with all its hashes goes unseen, unless the newest hash was kept elsewhere.
   */
  verify(): AuditVerification {
    let previous = { n: 0, hash: GENESIS };
    for (;;) {
      const rows = this.#store.all('SELECT * FROM audit WHERE n > ? ORDER BY n LIMIT ?', previous.n, READ_MAX);
      for (const row of rows) {
        const n = previous.n + 1;
        if (Number(row.n) !== n)
          return { ok: false, n, message: `entry ${n} is missing: after ${previous.n} comes ${row.n}` };
        const linked = linkHash(previous.hash, chained(row));
        if (row.previous_hash !== previous.hash || row.hash !== linked)
          return {
            ok: false,
            n,
            message: `entry ${n} (${String(row.act)}) is not the one that was written: its hash differs`,
          };
        previous = { n, hash: linked };
      }
      if (rows.length < READ_MAX) break;
    }
    const head = this.#head();
    if (head.n === previous.n && head.hash === previous.hash)
      return { ok: true, entries: previous.n, hash: previous.hash };
    return { ok: false, n: previous.n + 1, message: `entry ${previous.n + 1} is missing: ${head.n} were written` };
  }

  #head(): { n: number; hash: string } {
    const row = this.#store.get('SELECT n, hash FROM audit_head');
    return row === undefined ? { n: 0, hash: GENESIS } : { n: Number(row.n), hash: String(row.hash) };
  }
}

type Chained = { n: number; at: number; person: string | null; act: string; run_id: string | null; details: string };

/** Each text but the last is preceded by its length, so that two different entries never give one input. */
function linkHash(previous: string, { n, at, person, act, run_id, details }: Chained): string {
  const texts = [person, act, run_id].map((text) => (text === null ? '-' : `${text.length}:${text}`));
  return hash('sha256', `${previous} ${n} ${at} ${texts.join(' ')} ${details}`, 'hex');
}

function chained(row: Row): Chained {
  return {
    n: Number(row.n),
    at: Number(row.at),
    person: textOrNull(row.person),
    act: String(row.act),
    run_id: textOrNull(row.run_id),
    details: String(row.details),
  };
}

function entryOf(row: Row): AuditEntry {
  const { n, at, person, act, run_id, details } = chained(row);
  return { n, at, person, act, runId: run_id, details: detailsOf(details), hash: String(row.hash) };
}

/** What was tampered with is shown too, and told by `verify`. */
function detailsOf(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return { unreadable: true };
  }
}

function textOrNull(value: unknown): string | null {
  return value === null || value === undefined ? null : String(value);
}
