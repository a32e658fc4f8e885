import type { Inside } from '../../app/people/store/page-store.ts';
import { t } from '../../messages/translate.ts';

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

type PasskeyRow = Omit<Passkey, 'transports'> & { transports: string };

/** What a passkey is called that its owner gave no name, as it is kept. */
export const UNNAMED = 'Passkey';

/** What a passkey is called, as its reader reads it. */
export function passkeyLabel(label: string): string {
  return label === UNNAMED ? t`Passkey` : label;
}

const PASSKEY = `SELECT id, label, rp_id AS "rpId", public_key AS "publicKey", counter, transports,
    created_at AS "createdAt", used_at AS "usedAt" FROM passkey`;

/** The passkeys of each person. */
export class Passkeys {
  readonly #inside: Inside;

  constructor(inside: Inside) {
    this.#inside = inside;
  }

  /** Oldest first; of one host where it is named. */
  async of(personId: string, rpId: string | null = null): Promise<Passkey[]> {
    const sql = `${PASSKEY} WHERE person_id = ? ORDER BY created_at, id`;
    return (await this.#inside.store.all<PasskeyRow>(sql, personId))
      .filter((row) => rpId === null || row.rpId === rpId)
      .map((row) => ({ ...row, transports: row.transports.split(' ').filter(Boolean) }));
  }

  /** Throws where the id is known: no two people have one passkey. */
  async add(personId: string, passkey: Omit<Passkey, 'createdAt' | 'usedAt'>): Promise<Passkey> {
    const { store, clock } = this.#inside;
    const { id, label, rpId, publicKey, counter, transports } = passkey;
    const createdAt = clock.wallMs();
    const kept = { id, label, rp_id: rpId, public_key: publicKey, counter, transports: transports.join(' ') };
    await store.insert('passkey', { ...kept, person_id: personId, created_at: createdAt });
    return { ...passkey, createdAt, usedAt: null };
  }

  async used(id: string, counter: number): Promise<void> {
    const { store, clock } = this.#inside;
    await store.run('UPDATE passkey SET counter = ?, used_at = ? WHERE id = ?', counter, clock.wallMs(), id);
  }

  /** False where the person has no such passkey. */
  async remove(personId: string, id: string): Promise<boolean> {
    return (await this.#inside.store.run('DELETE FROM passkey WHERE person_id = ? AND id = ?', personId, id)) === 1;
  }

  /** How many there were. */
  removeAll(personId: string): Promise<number> {
    return this.#inside.store.run('DELETE FROM passkey WHERE person_id = ?', personId);
  }
}
