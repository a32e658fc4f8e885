import type { Currency } from '../../domain/currencies.ts';
import { maskIdentifier } from '../../domain/mask.ts';
import type { Destination, Payee, PayoutOrder } from '../../domain/payee.ts';
import { lowerCaseAddress } from '../../domain/rails/web3.ts';
import { isPlainAscii } from '../cells/plain-cell.ts';
import type { ColumnName } from '../header/synonyms.ts';
import { nameMark } from './name-mark.ts';

/** Kinds of texts that never stand for each other. */
const PAYEE_ID = 1;
const EXISTING_ACCOUNT = 2;
const WALLET = 3;
const IBAN = 4;
const BANK_ACCOUNT = 5;
const CURRENCY = 6;
const AMOUNT = 7;

/** The shortest IBAN is Norway's, of 15 characters (ISO 13616). */
const IBAN_LIKE = /^[A-Z]{2}\d{2}.{11}/;

/** What of an order is compared with others. */
export type Comparable = Pick<PayoutOrder, 'destination' | 'amount_minor' | 'currency'> & {
  payee: Pick<Payee, 'payee_id' | 'name'>;
};

/**
 * What a payout is compared by, as hashes: of 53 bits, the name's of 32. Each text of a row is hashed once, and what is
 * looked up is combined from these. One instance serves every row of a file.
 */
export class RowMarks {
  readonly #hash = new Hash53();
  /** 0 where the row has no payee_id. */
  payee = 0;
  account = 0;
  currency = 0;
  /** Of amount and currency. */
  amount = 0;
  name = 0;

  load({ payee, destination, amount_minor, currency }: Comparable): void {
    const { payee_id } = payee;
    this.payee = payee_id === null ? 0 : this.#hash.start(PAYEE_ID).add(plain(payee_id)).value;
    this.account = this.#accountOf(destination);
    this.currency = this.#currencyOf(currency, CURRENCY).value;
    this.amount = this.#currencyOf(currency, AMOUNT).add(amount_minor).value;
    this.name = nameMark(payee.name);
  }

  #currencyOf({ code, chain }: Currency, seed: number): Hash53 {
    const hash = this.#hash.start(seed).add(code);
    return chain === null ? hash : hash.add(chain);
  }

  /**
   * An account is the same on every rail: a bank account is known by its number beside the clearing code
   * (or the BIC where there is none) and the currency of the rail, an IBAN on its own, a wallet by chain and address.
   */
  #accountOf(destination: Destination): number {
    const hash = this.#hash;
    if (destination.kind === 'existing') return hash.start(EXISTING_ACCOUNT).add(destination.external_account_id).value;
    const { rail, fields } = destination;
    if (rail === 'WEB3') return hash.start(WALLET).add(fields.chain).add(lowerCaseAddress(fields.wallet_address)).value;
    const { account_number, national_clearing_code, bic } = fields;
    if (IBAN_LIKE.test(account_number)) return hash.start(IBAN).add(account_number).value;
    hash.start(BANK_ACCOUNT).add(rail.slice(0, 3)).add(account_number);
    return hash.add(national_clearing_code === '' ? bic.replace(/XXX$/, '') : national_clearing_code).value;
  }
}

/** The column of the identifier that a payout goes to. */
export function accountColumn(destination: Destination): ColumnName {
  if (destination.kind === 'existing') return 'external_account_id';
  return destination.rail === 'WEB3' ? 'wallet_address' : 'account_number';
}

/** That identifier, masked: `••••5678`. */
export function maskedAccount(destination: Destination): string {
  if (destination.kind === 'existing') return maskIdentifier(destination.external_account_id);
  const { account_number, wallet_address } = destination.fields;
  return maskIdentifier(destination.rail === 'WEB3' ? wallet_address : account_number);
}

/** As `payeeKey` has it. */
function plain(payeeId: string): string {
  return isPlainAscii(payeeId) ? payeeId : payeeId.normalize('NFKC').trim();
}

const HIGH = 2654435761;
const LOW = 1597334677;

/** Marks where a text or a hash ends, so that `ab` and `c` are not `a` and `bc`. No UTF-16 unit is as large. */
const END = 0x1ffff;

/**
 * A hash of texts, one after another: two lanes of 32 bits, mixed as in MurmurHash3, of which 53 bits are kept, so that
 * it is a whole number. One instance serves every row of a file.
 */
export class Hash53 {
  #high = 0;
  #low = 0;

  /** Begins anew. Texts hashed under two seeds have nothing to do with each other. */
  start(seed: number): this {
    this.#high = 0xdeadbeef ^ seed;
    this.#low = 0x41c6ce57 ^ Math.imul(seed, HIGH);
    return this;
  }

  add(text: string): this {
    let high = this.#high;
    let low = this.#low;
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      high = Math.imul(high ^ unit, HIGH);
      low = Math.imul(low ^ unit, LOW);
    }
    this.#high = Math.imul(high ^ END, HIGH);
    this.#low = Math.imul(low ^ END, LOW);
    return this;
  }

  addHash(hash: number): this {
    for (const part of [hash / 2 ** 32, hash]) {
      this.#high = Math.imul(this.#high ^ (this.#high >>> 15) ^ part, HIGH);
      this.#low = Math.imul(this.#low ^ (this.#low >>> 13) ^ part, LOW);
    }
    return this;
  }

  /** Never 0, which stands for nothing. */
  get value(): number {
    const [first, second] = [this.#high, this.#low];
    const high = Math.imul(first ^ (first >>> 16), 2246822507) ^ Math.imul(second ^ (second >>> 13), 3266489909);
    const low = Math.imul(second ^ (second >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
    return 2 ** 32 * (2097151 & low) + (high >>> 0) || 1;
  }
}

const shared = new Hash53();

/** The hash of two things of which each was hashed before. */
export function combined(first: number, second: number): number {
  return shared.start(0).addHash(first).addHash(second).value;
}
