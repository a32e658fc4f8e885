import type { FirstCopy } from '../../contract/operations.ts';
import type { Row, Store } from '../store/database.ts';

/**
 * The nonces that were used, so that no signed request takes effect twice. Those of requests that were carried through
 * the committer are written in the transaction of their effect; so are those of changes that came too fast, which had none.
 * Those of reads, and of requests that were refused for what they are, are kept in memory only: a read that is repeated
 * after a restart has no effect, and the others are refused again.
 *
 * All of them are in memory while they live, so that looking costs nothing; one process has the data open.
 */
export type Nonces = {
  isUsed(apiKey: number, nonce: string): boolean;
  /**
   * Remembers until a minute after `expires`, a Unix second. False where too many are alive: those that have died by
   * `nowSeconds` are forgotten first, so that a service which is only read from does not fill up.
   */
  keep(apiKey: number, nonce: string, expires: number, nowSeconds: number): boolean;
  /** What became of the request that used it; null where it is under way, or is of an older version's time. */
  firstCopy(apiKey: number, nonce: string): FirstCopy | null;
  /** Remembers, of one that is kept, what became of its request. */
  settle(apiKey: number, nonce: string, first: FirstCopy): void;
  /** Writes one that is kept, and what becomes of its request: inside the transaction of its effect. */
  record(apiKey: number, nonce: string, expires: number, first: FirstCopy): void;
  /** Deletes those that have died from the database, inside a transaction. */
  clear(nowSeconds: number): void;
  /** Goes on with another database, whose nonces are used too from now on. */
  moveTo(store: Store): void;
};

/** 300 s is the longest life, and the shipped limit is 10 requests a second; this is for rehearsals without a limit. */
const NONCES_MAX = 1_000_000;

/** Kept this long after their expiry, in case that the machine's clock is set back a little. */
const MARGIN_SECONDS = 60;

export function openNonces(first: Store, { max = NONCES_MAX }: { max?: number } = {}): Nonces {
  let store = first;
  const alive = new Map<string, FirstCopy | null>();
  /** The same by their second of expiry, for forgetting. */
  const byExpiry = new Map<number, string[]>();
  /** Those that expired before this Unix second are gone: from memory, from the database. */
  let forgottenUntil = 0;
  let clearedUntil = 0;
  /** Of the newest row. */
  let place = 0;

  const add = (apiKey: number, nonce: string, expires: number, first: FirstCopy | null): void => {
    const key = `${apiKey} ${nonce}`;
    alive.set(key, first);
    const bucket = byExpiry.get(expires);
    if (bucket) bucket.push(key);
    else byExpiry.set(expires, [key]);
  };
  const forget = (nowSeconds: number): void => {
    const until = deadBefore(nowSeconds);
    if (until <= forgottenUntil) return;
    forgottenUntil = until;
    for (const [expires, keys] of byExpiry) {
      if (expires >= until) continue;
      for (const key of keys) alive.delete(key);
      byExpiry.delete(expires);
    }
  };
  const load = (): void => {
    for (const row of store.iterate('SELECT expires, place, api_key, nonce, status, transaction_id FROM nonce')) {
      add(Number(row.api_key), String(row.nonce), Number(row.expires), firstCopyIn(row));
      place = Math.max(place, Number(row.place));
    }
  };
  load();

  return {
    isUsed: (apiKey, nonce) => alive.has(`${apiKey} ${nonce}`),
    keep(apiKey, nonce, expires, nowSeconds) {
      forget(nowSeconds);
      if (alive.size >= max) return false;
      add(apiKey, nonce, expires, null);
      return true;
    },
    firstCopy: (apiKey, nonce) => alive.get(`${apiKey} ${nonce}`) ?? null,
    settle(apiKey, nonce, first) {
      const key = `${apiKey} ${nonce}`;
      if (alive.has(key)) alive.set(key, first);
    },
    record(apiKey, nonce, expires, { status, transaction_id }) {
      place += 1;
      store.run(WRITE, expires, place, apiKey, nonce, status, transaction_id ?? null);
    },
    clear(nowSeconds) {
      const until = deadBefore(nowSeconds);
      if (until <= clearedUntil) return;
      clearedUntil = until;
      store.run('DELETE FROM nonce WHERE expires < ?', until);
    },
    moveTo(other) {
      store = other;
      clearedUntil = 0;
      load();
    },
  };
}

const WRITE = 'INSERT INTO nonce (expires, place, api_key, nonce, status, transaction_id) VALUES (?, ?, ?, ?, ?, ?)';

/** Null of what was written before this was kept. */
function firstCopyIn({ status, transaction_id }: Row): FirstCopy | null {
  if (status === null) return null;
  return { status: Number(status), ...(transaction_id === null ? {} : { transaction_id: String(transaction_id) }) };
}

/** The first second of expiry that is remembered. */
function deadBefore(nowSeconds: number): number {
  return Math.floor(nowSeconds) - MARGIN_SECONDS;
}
