import { existsSync } from 'node:fs';
import type { SigningKey } from '../keys/ed25519.ts';
import { createKeyFile, readKeyFile } from '../keys/key-file.ts';
import type { Randomness } from '../platform/clock.ts';
import type { ApiKeys } from './accounts/api-keys.ts';
import { ASSETS } from './accounts/assets.ts';
import type { Caller, Core } from './core.ts';

export type Rehearsal = { customer: Caller; apiKey: string };

/** The private key of the rehearsal customer, made where there is no file of one. */
export function prepareSigningKey(file: string, randomness: Randomness): SigningKey {
  return existsSync(file) ? readKeyFile(file) : createKeyFile(file, randomness);
}

/**
 * The rehearsal customer with its signing key, made where there is none: opening balances in every currency, a key file
 * of mode 0600 beside the database, its public half registered. The file comes first, so a start that was interrupted
 * finds a file without a registration and registers it; a file that was lost is replaced and its key revoked.
 */
export function prepareRehearsal({ core, keys }: { core: Core; keys: ApiKeys }, { publicKey }: SigningKey): Rehearsal {
  return core.committer.now(() => {
    const customer = findCustomer(core) ?? createCustomer(core);
    const active = keys.activeOf(customer.customer);
    const known = active.find(({ key }) => Buffer.from(key.publicKey).equals(publicKey));
    if (known) return { customer, apiKey: known.id };
    for (const lost of active) keys.revoke(lost.id);
    const added = keys.add(customer, publicKey, core.stamps.id('key', core.stamps.nowMs()));
    if (typeof added === 'string')
      throw new Error(`the signing key of the rehearsal customer cannot be used: ${added}`);
    return { customer, apiKey: added.id };
  });
}

function findCustomer(core: Core): Caller | null {
  const row = core.store.get('SELECT customer, id FROM customer ORDER BY customer LIMIT 1');
  return row ? { customer: Number(row.customer), customerId: String(row.id) } : null;
}

function createCustomer(core: Core): Caller {
  const atMs = core.stamps.nowMs();
  const customerId = core.stamps.id('cus', atMs);
  const { lastId } = core.store.run(INSERT, customerId, atMs, 'Rehearsal customer');
  for (const { currency, openingMajor } of ASSETS) {
    const amountMinor = openingMajor * 10n ** BigInt(currency.decimals);
    const credit = core.ledger.account(`customer:${lastId}`, currency);
    core.ledger.move(null, atMs, [{ debit: core.ledger.account('world', currency), credit, amountMinor }]);
  }
  return { customer: lastId, customerId };
}

const INSERT = 'INSERT INTO customer (id, created_at, name) VALUES (?, ?, ?)';
