import { sha256 } from '../hashing.ts';
import { type Destination, type Payee, payeeKey } from '../payee.ts';
import { lowerCaseAddress } from '../rails/web3.ts';

/** That a payee must not be paid, or may be again. Only added to: what was recorded last counts. */
export type HoldRecord = {
  act: 'hold' | 'release';
  /** As `payeeHash` has it. */
  payee: string;
  /** For people who read it; no key, and with no more of an account than its last four characters. */
  name: string;
  payee_id: string | null;
  /** Accounts that are held with the payee, as `accountHash` has them: at most `HOLD_ACCOUNTS_MAX`. */
  accounts: readonly string[];
  /** At most `HOLD_REASON_MAX` characters. */
  reason: string;
  /** Who recorded it. */
  by: string;
};

/** `n` counts all records of a journal from 1; `at` is Unix ms. */
export type PlacedHold = HoldRecord & { n: number; at: number };

export const HOLD_ACCOUNTS_MAX = 100;
export const HOLD_REASON_MAX = 500;

/** A hold that stops a payout, and what of the payout it matches. */
export type Held = { hold: PlacedHold; matched: 'payee' | 'account' };

/** Who a payee is between runs, as a hash: 96 bits, in hex. */
export function payeeHash(payee: Pick<Payee, 'payee_id' | 'name' | 'email'>): string {
  return sha256(payeeKey(payee)).slice(0, 24);
}

/** The shortest IBAN is Norway's, of 15 characters (ISO 13616). */
const IBAN_LIKE = /^[A-Z]{2}\d{2}.{11}/;

/**
 * An account as a hash of 96 bits, in hex. It is the same on every rail: a bank account is known by its number beside the
 * clearing code (or the BIC where there is none) and the currency of the rail, an IBAN on its own, a wallet by chain and address.
 */
export function accountHash(destination: Destination): string {
  return sha256(JSON.stringify(namedBy(destination))).slice(0, 24);
}

function namedBy(destination: Destination): string[] {
  if (destination.kind === 'existing') return ['existing', destination.external_account_id];
  const { rail, fields } = destination;
  if (rail === 'WEB3') return ['wallet', fields.chain, lowerCaseAddress(fields.wallet_address)];
  const { account_number, national_clearing_code, bic } = fields;
  if (IBAN_LIKE.test(account_number)) return ['iban', account_number];
  const bank = national_clearing_code === '' ? bic.replace(/XXX$/, '') : national_clearing_code;
  return ['account', rail.slice(0, 3), account_number, bank];
}

/** Who must not be paid, by the records of a journal in their order. */
export class Holds {
  /** By payee. */
  readonly #held = new Map<string, PlacedHold>();
  /** By account; null once the holds changed, until somebody asks. */
  #accounts: Map<string, PlacedHold> | null = null;
  #n = 0;

  constructor(records: Iterable<PlacedHold> = []) {
    for (const record of records) this.add(record);
  }

  /** The number of the last record that was added. */
  get n(): number {
    return this.#n;
  }

  /** Those in force, in the order in which they were recorded. */
  get all(): PlacedHold[] {
    return [...this.#held.values()];
  }

  /** A hold again keeps the accounts of the one before. */
  add(record: PlacedHold): void {
    this.#n = record.n;
    this.#accounts = null;
    const before = this.#held.get(record.payee);
    this.#held.delete(record.payee);
    if (record.act === 'release') return;
    const accounts = [...new Set([...record.accounts, ...(before?.accounts ?? [])])];
    this.#held.set(record.payee, { ...record, accounts });
  }

  /** The hold of a payee, by its hash; null where there is none. */
  ofPayee(payee: string): PlacedHold | null {
    return this.#held.get(payee) ?? null;
  }

  /** The hold by which an account, by its hash, is held; null where there is none. */
  ofAccount(account: string): PlacedHold | null {
    this.#accounts ??= new Map(this.all.flatMap((hold) => hold.accounts.map((one) => [one, hold] as const)));
    return this.#accounts.get(account) ?? null;
  }

  /** Why a payout must not be made: its payee is on hold, or somebody who is was paid on its account. Null where it may. */
  of({
    payee,
    destination,
  }: {
    payee: Pick<Payee, 'payee_id' | 'name' | 'email'>;
    destination: Destination;
  }): Held | null {
    if (this.#held.size === 0) return null;
    const own = this.#held.get(payeeHash(payee));
    if (own !== undefined) return { hold: own, matched: 'payee' };
    const other = this.ofAccount(accountHash(destination));
    return other === null ? null : { hold: other, matched: 'account' };
  }
}
