import type { Clock } from '../../domain/clock.ts';
import type { Row } from '../../platform/sqlite.ts';
import type { WebStore } from '../store/open.ts';

export type Passkey = {
  /** The credential's id, base64url. */
  id: string;
  /** What its owner calls it. */
  label: string;
  /** The host that it belongs to. */
  rpId: string;
  /** COSE, base64url. */
  publicKey: string;
  /** How often it signed, by its own count; 0 where it does not count. */
  counter: number;
  transports: readonly string[];
  createdAt: number;
  usedAt: number | null;
};

/** Whose passkeys there are. */
export class Passkeys {
  readonly #store: WebStore;
  readonly #clock: Clock;

  constructor(store: WebStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Oldest first; of one host where it is named. */
  of(personId: string, rpId: string | null = null): Passkey[] {
    const rows = this.#store.all('SELECT * FROM passkey WHERE person_id = ? ORDER BY created_at, id', personId);
    return rows.map(passkeyOf).filter((passkey) => rpId === null || passkey.rpId === rpId);
  }

  /** Throws where the id is known: no two people have one passkey. */
  add(personId: string, passkey: Omit<Passkey, 'createdAt' | 'usedAt'>): Passkey {
    const { id, label, rpId, publicKey, counter, transports } = passkey;
    const now = this.#clock.wallMs();
    this.#store.run(
      'INSERT INTO passkey (id, person_id, label, rp_id, public_key, counter, transports, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      id,
      personId,
      label,
      rpId,
      publicKey,
      counter,
      transports.join(' '),
      now,
    );
    return { ...passkey, createdAt: now, usedAt: null };
  }

  used(id: string, counter: number): void {
    this.#store.run('UPDATE passkey SET counter = ?, used_at = ? WHERE id = ?', counter, this.#clock.wallMs(), id);
  }

  /** False where the person has no such passkey. */
  remove(personId: string, id: string): boolean {
    return this.#store.run('DELETE FROM passkey WHERE person_id = ? AND id = ?', personId, id) === 1;
  }

  /** How many there were. */
  removeAll(personId: string): number {
    return this.#store.run('DELETE FROM passkey WHERE person_id = ?', personId);
  }
}

function passkeyOf(row: Row): Passkey {
  return {
    id: String(row.id),
    label: String(row.label),
    rpId: String(row.rp_id),
    publicKey: String(row.public_key),
    counter: Number(row.counter),
    transports: String(row.transports).split(' ').filter(Boolean),
    createdAt: Number(row.created_at),
    usedAt: row.used_at === null ? null : Number(row.used_at),
  };
}
