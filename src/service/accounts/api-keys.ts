import { type VerifyingKey, verifyingKey } from '../../keys/ed25519.ts';
import type { Caller, Core } from '../core.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Store } from '../store/database.ts';

/** Keys of one customer that may be used at once: the old and the new one while rotating (`decisions.md`). */
export const ACTIVE_KEYS_MAX = 2;

/** A registered key. Making its `VerifyingKey` takes a millisecond, so it is made once. */
export type ApiKey = { number: number; id: string; caller: Caller; key: VerifyingKey; revoked: boolean };

export type ApiKeys = {
  find(id: string): ApiKey | undefined;
  /** Registers 32 bytes of public key, inside a transaction, or says what is wrong with them. */
  add(caller: Caller, publicKey: Uint8Array, id: string): ApiKey | 'NOT_A_KEY' | 'TOO_MANY';
  /** False for an id that is not there. */
  revoke(id: string): boolean;
  activeOf(customer: number): ApiKey[];
};

/**
 * `before` are those of the data that this replaces: a key that is the same stays the same object. What is undone with a
 * transaction is undone here too, because it may be run again, and a key that is not in the database opens nothing.
 */
export function openApiKeys(
  { store, ledger, stamps }: { store: Store; ledger: Pick<Ledger, 'whenUndone'>; stamps: Core['stamps'] },
  before?: ApiKeys,
): ApiKeys {
  const keys = new Map<string, ApiKey>();
  for (const row of store.iterate(ALL)) {
    const id = String(row.id);
    const caller = { customer: Number(row.customer), customerId: String(row.customer_id) };
    const key = keptKey(id, row.public_key as Uint8Array, before);
    keys.set(id, { number: Number(row.api_key), id, caller, key, revoked: row.revoked_at !== null });
  }
  const activeOf = (customer: number): ApiKey[] =>
    [...keys.values()].filter((key) => key.caller.customer === customer && !key.revoked);
  return {
    find: (id) => keys.get(id),
    add(caller, publicKey, id) {
      const made = verifyingKey(publicKey);
      if (!made.ok) return 'NOT_A_KEY';
      if (activeOf(caller.customer).length >= ACTIVE_KEYS_MAX) return 'TOO_MANY';
      const { lastId } = store.run(INSERT, id, caller.customer, publicKey, stamps.nowMs());
      const added = { number: lastId, id, caller, key: made.key, revoked: false };
      keys.set(id, added);
      ledger.whenUndone(() => keys.delete(id));
      return added;
    },
    revoke(id) {
      const found = keys.get(id);
      if (!found) return false;
      store.run('UPDATE api_key SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL', stamps.nowMs(), id);
      const { revoked } = found;
      found.revoked = true;
      ledger.whenUndone(() => {
        found.revoked = revoked;
      });
      return true;
    },
    activeOf,
  };
}

function keptKey(id: string, publicKey: Uint8Array, before?: ApiKeys): VerifyingKey {
  const known = before?.find(id)?.key;
  if (known && Buffer.from(known.publicKey).equals(publicKey)) return known;
  const made = verifyingKey(publicKey);
  if (!made.ok) throw new Error(`the public key of ${id} is damaged: ${made.problem}`);
  return made.key;
}

const ALL = 'SELECT api_key.*, customer.id AS customer_id FROM api_key JOIN customer USING (customer)';
const INSERT = 'INSERT INTO api_key (id, customer, public_key, created_at) VALUES (?, ?, ?, ?)';
