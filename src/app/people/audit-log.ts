import { hash } from 'node:crypto';
import type { Inside } from './page-store.ts';

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

export type AuditVerification =
  | { ok: true; entries: number; hash: string }
  /** What is wrong at entry `n`. */
  | { ok: false; n: number; fault: AuditFault };

export type AuditFault =
  /** It is missing: `next` comes in its place. */
  | { code: 'gap'; next: number }
  /** It is not the one that was written. */
  | { code: 'altered'; act: string }
  /** It is missing at the end: so many were written. */
  | { code: 'cut_off'; written: number };

/** An entry as it is kept. */
type AuditRow = {
  n: number;
  at: number;
  person: string | null;
  act: string;
  run_id: string | null;
  details: string;
  previous_hash: string;
  hash: string;
};

type Head = { n: number; hash: string };

/** Before the first entry. */
const GENESIS: Head = { n: 0, hash: hash('sha256', 'payrun web audit 1', 'hex') };

const READ_MAX = 1_000;

/** The acts by which a person was given a key. */
const CAME_IN = "'first_person_came_in', 'came_in', 'password_reset'";

/** Every act of everybody on the page: only appended to, each entry chained to the one before by SHA-256. */
export class AuditLog {
  readonly #inside: Inside;

  constructor(inside: Inside) {
    this.#inside = inside;
  }

  /** On disk when it returns, together with the transaction that it stands in. */
  append({ person, act, runId = null, details = {} }: AuditAct): number {
    const { store, clock } = this.#inside;
    return store.transaction(() => {
      const head = this.#head();
      const at = clock.wallMs();
      const entry = { n: head.n + 1, at, person, act, run_id: runId, details: JSON.stringify(details) };
      const linked = linkHash(head.hash, entry);
      store.insert('audit', { ...entry, previous_hash: head.hash, hash: linked });
      store.run('INSERT OR REPLACE INTO audit_head (only, n, hash) VALUES (1, ?, ?)', entry.n, linked);
      return entry.n;
    });
  }

  /** Who came in, now or before, and was given this key (base64url); null where nobody was. */
  ownerOf(publicKey: string): string | null {
    const sql = `SELECT person FROM audit WHERE act IN (${CAME_IN}) AND json_extract(details, '$.public_key') = ? LIMIT 1`;
    return this.#inside.store.get<Pick<AuditRow, 'person'>>(sql, publicKey)?.person ?? null;
  }

  /** Whether somebody else than this person is an administrator, or ever was. */
  hadAdministratorBeside(personId: string): boolean {
    const administers = (path: string) =>
      `EXISTS (SELECT 1 FROM json_each(details, '${path}') WHERE value = 'administrator')`;
    const sql = `SELECT 1 FROM audit WHERE CASE WHEN NOT json_valid(details) THEN false
         WHEN act IN (${CAME_IN}) THEN person <> ? AND ${administers('$.roles')}
         WHEN act = 'roles_changed' THEN json_extract(details, '$.whom') <> ? AND ${administers('$.to')} END LIMIT 1`;
    return this.#inside.store.get(sql, personId, personId) !== undefined;
  }

  /** Whether this person did that to the run, and to the row where one is named. */
  has(person: string, { runId, act, row }: { runId: string | null; act: string; row?: number }): boolean {
    const sql = 'SELECT details FROM audit WHERE run_id = ? AND act = ? AND person = ?';
    const rows = this.#inside.store.all<Pick<AuditRow, 'details'>>(sql, runId, act, person);
    return rows.some(({ details }) => row === undefined || detailsOf(details).row === row);
  }

  /** Newest first, those before number `before`; of one run where it is named. `limit` is 1 to 1,000. */
  list({ before = null, runId = null, limit = 100 }: AuditQuery = {}): AuditEntry[] {
    const sql = `SELECT * FROM audit WHERE ${runId === null ? '? IS NULL' : 'run_id = ?'} AND n < ? ORDER BY n DESC LIMIT ?`;
    const from = before ?? Number.MAX_SAFE_INTEGER;
    return this.#inside.store.all<AuditRow>(sql, runId, from, Math.min(limit, READ_MAX)).map(entryOf);
  }

  /** The making of the link by which a person came in last, or was let in anew; null where there was none. */
  linkOf(personId: string): AuditEntry | null {
    const sql = `SELECT * FROM audit WHERE act IN ('invited', 'link_made')
         AND CASE WHEN json_valid(details) THEN json_extract(details, '$.whom') END = ?
         AND n < (SELECT max(n) FROM audit WHERE person = ? AND act IN ('came_in', 'password_reset'))
       ORDER BY n DESC LIMIT 1`;
    const row = this.#inside.store.get<AuditRow>(sql, personId, personId);
    return row === undefined ? null : entryOf(row);
  }

  /**
   * Proves that the entries are those that were written: none edited, removed, reordered, or cut off the end. Somebody who
   * rewrites the whole file with all its hashes is not detected, unless the newest hash was kept elsewhere.
   */
  verify(): AuditVerification {
    let previous = GENESIS;
    for (;;) {
      const sql = 'SELECT * FROM audit WHERE n > ? ORDER BY n LIMIT ?';
      const rows = this.#inside.store.all<AuditRow>(sql, previous.n, READ_MAX);
      for (const row of rows) {
        const n = previous.n + 1;
        if (row.n !== n) return { ok: false, n, fault: { code: 'gap', next: row.n } };
        if (row.previous_hash !== previous.hash || row.hash !== linkHash(previous.hash, row))
          return { ok: false, n, fault: { code: 'altered', act: row.act } };
        previous = row;
      }
      if (rows.length < READ_MAX) break;
    }
    const head = this.#head();
    if (head.n === previous.n && head.hash === previous.hash)
      return { ok: true, entries: previous.n, hash: previous.hash };
    return { ok: false, n: previous.n + 1, fault: { code: 'cut_off', written: head.n } };
  }

  #head(): Head {
    return this.#inside.store.get<Head>('SELECT n, hash FROM audit_head') ?? GENESIS;
  }
}

type AuditQuery = { before?: number | null; runId?: string | null; limit?: number };

/** Each text but the last is preceded by its length, so that two different entries never give one input. */
function linkHash(
  previous: string,
  { n, at, person, act, run_id, details }: Omit<AuditRow, 'hash' | 'previous_hash'>,
): string {
  const texts = [person, act, run_id].map((text) => (text === null ? '-' : `${text.length}:${text}`));
  return hash('sha256', `${previous} ${n} ${at} ${texts.join(' ')} ${details}`, 'hex');
}

function entryOf({ run_id: runId, details, previous_hash: _, ...entry }: AuditRow): AuditEntry {
  return { ...entry, runId, details: detailsOf(details) };
}

/** What was tampered with is shown too, and reported by `verify`. */
function detailsOf(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return { unreadable: true };
  }
}
