import { hash } from 'node:crypto';
import type { Inside } from './store/page-store.ts';

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
const CAME_IN = ['first_person_came_in', 'came_in', 'password_reset'] as const;

/** Those of them by a link that an administrator made. */
const ENTERED: ReadonlySet<string> = new Set(['came_in', 'password_reset']);

/** The acts after which a person was in. */
const SIGNED_IN = ['signed_in', ...CAME_IN] as const;

/** Every act of everybody on the page: only appended to, each entry chained to the one before by SHA-256. */
export class AuditLog {
  readonly #inside: Inside;

  constructor(inside: Inside) {
    this.#inside = inside;
  }

  /** On disk when it returns, together with the transaction that it stands in. */
  async append({ person, act, runId = null, details = {} }: AuditAct): Promise<number> {
    const { store, clock } = this.#inside;
    return store.transaction(async () => {
      const head = await this.#head();
      const at = clock.wallMs();
      const entry = { n: head.n + 1, at, person, act, run_id: runId, details: JSON.stringify(details) };
      const linked = linkHash(head.hash, entry);
      await store.insert('audit', { ...entry, previous_hash: head.hash, hash: linked });
      const moved = 'ON CONFLICT ("only") DO UPDATE SET n = excluded.n, hash = excluded.hash';
      await store.run(`INSERT INTO audit_head ("only", n, hash) VALUES (1, ?, ?) ${moved}`, entry.n, linked);
      return entry.n;
    });
  }

  /** Who came in, now or before, and was given this key (base64url); null where nobody was. */
  async ownerOf(publicKey: string): Promise<string | null> {
    const entries = await this.#allOf(CAME_IN);
    return entries.find(({ details }) => details.public_key === publicKey)?.person ?? null;
  }

  /** When each person signed in last (Unix ms), by their id. */
  async lastSignIns(): Promise<Map<string, number>> {
    const sql = `SELECT person, max(at) AS at FROM audit WHERE person IS NOT NULL AND act IN (${placesOf(SIGNED_IN)}) GROUP BY person`;
    const rows = await this.#inside.store.all<{ person: string; at: number }>(sql, ...SIGNED_IN);
    return new Map(rows.map(({ person, at }) => [person, at]));
  }

  /** Whether somebody else than this person is an administrator, or ever was. */
  async hadAdministratorBeside(personId: string): Promise<boolean> {
    const isAdministrator = (roles: unknown) => Array.isArray(roles) && roles.includes('administrator');
    const entries = await this.#allOf([...CAME_IN, 'roles_changed', 'access_changed']);
    return entries.some(({ act, person, details: { roles, whom, to } }) => {
      if (act === 'roles_changed') return whom !== personId && isAdministrator(to);
      return (act === 'access_changed' ? whom : person) !== personId && isAdministrator(roles);
    });
  }

  /** What was done to these runs, of these kinds, oldest first. */
  async ofRuns(runIds: readonly string[], acts: readonly string[]): Promise<AuditEntry[]> {
    const sql = `SELECT * FROM audit WHERE run_id IN (${placesOf(runIds)}) AND act IN (${placesOf(acts)}) ORDER BY n`;
    return (await this.#inside.store.all<AuditRow>(sql, ...runIds, ...acts)).map(entryOf);
  }

  /** Newest first, those before number `before`; of one run where it is named. `limit` is 1 to 1,000. */
  async list({ before = null, runId = null, limit = 100 }: AuditQuery = {}): Promise<AuditEntry[]> {
    const [ofRun, values] = runId === null ? ['', []] : ['run_id = ? AND ', [runId]];
    const sql = `SELECT * FROM audit WHERE ${ofRun}n < ? ORDER BY n DESC LIMIT ?`;
    const from = before ?? Number.MAX_SAFE_INTEGER;
    const rows = await this.#inside.store.all<AuditRow>(sql, ...values, from, Math.min(limit, READ_MAX));
    return rows.map(entryOf);
  }

  /** The making of the link by which a person came in last, or was let in anew; null where there was none. */
  async linkOf(personId: string): Promise<AuditEntry | null> {
    const entries = await this.#allOf(['invited', 'link_made', 'came_in', 'password_reset']);
    const last = entries.findLast(({ act, person }) => person === personId && ENTERED.has(act))?.n ?? 0;
    const isLink = ({ n, act, details }: AuditEntry) => n < last && !ENTERED.has(act) && details.whom === personId;
    return entries.findLast(isLink) ?? null;
  }

  /**
   * Proves that the entries are those that were written: none edited, removed, reordered, or cut off the end. Somebody who
   * rewrites the whole file with all its hashes is not detected, unless the newest hash was kept elsewhere.
   */
  async verify(): Promise<AuditVerification> {
    let previous = GENESIS;
    for (;;) {
      const sql = 'SELECT * FROM audit WHERE n > ? ORDER BY n LIMIT ?';
      const rows = await this.#inside.store.all<AuditRow>(sql, previous.n, READ_MAX);
      for (const row of rows) {
        const n = previous.n + 1;
        if (row.n !== n) return { ok: false, n, fault: { code: 'gap', next: row.n } };
        if (row.previous_hash !== previous.hash || row.hash !== linkHash(previous.hash, row))
          return { ok: false, n, fault: { code: 'altered', act: row.act } };
        previous = row;
      }
      if (rows.length < READ_MAX) break;
    }
    const head = await this.#head();
    if (head.n === previous.n && head.hash === previous.hash)
      return { ok: true, entries: previous.n, hash: previous.hash };
    return { ok: false, n: previous.n + 1, fault: { code: 'cut_off', written: head.n } };
  }

  async #head(): Promise<Head> {
    return (await this.#inside.store.get<Head>('SELECT n, hash FROM audit_head')) ?? GENESIS;
  }

  /** All entries of some kinds of which there are few: those about people. Oldest first. */
  async #allOf(acts: readonly string[]): Promise<AuditEntry[]> {
    const sql = `SELECT * FROM audit WHERE act IN (${placesOf(acts)}) ORDER BY n`;
    return (await this.#inside.store.all<AuditRow>(sql, ...acts)).map(entryOf);
  }
}

function placesOf(values: readonly unknown[]): string {
  return values.length === 0 ? 'NULL' : values.map(() => '?').join(', ');
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
