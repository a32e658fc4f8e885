import { maskIdentifier } from '../domain/mask.ts';
import { currencyKey } from '../domain/money.ts';
import type { Destination, PayoutOrder } from '../domain/payee.ts';
import type { RowCells } from './row-cells.ts';

/**
 * Warns of rows that repeat what an earlier row has: the same amount to the same account, or the same payee id with
 * another name. Rows are remembered by hashes of 53 bits, which takes 40 megabytes for a million rows. The chance that
 * any two of a million share one by accident is one in eighteen thousand, and all that follows is a warning too many.
 */
export class Repeats {
  readonly #accounts: FirstRows;
  readonly #payees: FirstRows;

  constructor(rowsExpected: number) {
    this.#accounts = new FirstRows(rowsExpected);
    this.#payees = new FirstRows(rowsExpected);
  }

  check(cells: RowCells, order: PayoutOrder): void {
    this.#checkAmount(cells, order);
    if (order.payee.payee_id !== null) this.#checkPayee(cells, order.payee.payee_id, order.payee.name);
  }

  #checkAmount(cells: RowCells, order: PayoutOrder): void {
    const { destination } = order;
    const hash = new Hash53();
    addAccount(hash, destination);
    hash.add(order.amount_minor);
    hash.add(currencyKey(order.currency));
    const earlier = this.#accounts.claim(hash.value, cells.row, 0);
    if (earlier === null) return;
    const column =
      destination.kind === 'existing'
        ? 'external_account_id'
        : destination.rail === 'WEB3'
          ? 'wallet_address'
          : 'account_number';
    cells.warn(
      column,
      {
        code: 'possible_duplicate',
        message: `Row ${earlier.row} pays the same amount to the same account.`,
        remedy: 'Remove one of the two rows, unless the payee is to be paid twice.',
      },
      maskIdentifier(cells.text(column)),
    );
  }

  #checkPayee(cells: RowCells, payeeId: string, name: string): void {
    const id = new Hash53();
    id.add(payeeId);
    const words = new Hash53();
    words.add(name);
    const nameHash = words.value >>> 0;
    const earlier = this.#payees.claim(id.value, cells.row, nameHash);
    if (earlier === null || earlier.mark === nameHash) return;
    cells.warn('name', {
      code: 'payee_name_differs',
      message: `Row ${earlier.row} has the same payee_id with another name, or the name written in another way.`,
      remedy: 'Make sure that the payee_id belongs to one payee, and write the name in one way.',
    });
  }
}

/** Adds what `fingerprint` is made of, without the text in between: the fields are normalised, but for a wallet's case. */
function addAccount(hash: Hash53, destination: Destination): void {
  if (destination.kind === 'existing') {
    hash.add(destination.external_account_id);
    return;
  }
  const { fields } = destination;
  hash.add(destination.rail);
  if (destination.rail === 'WEB3') {
    hash.add(fields.chain);
    hash.add(fields.wallet_address.toUpperCase());
    return;
  }
  hash.add(fields.national_clearing_code);
  hash.add(fields.account_number);
  hash.add(fields.bic);
}

/** Rows beyond this many are not remembered. A million rows are one sheet of a spreadsheet program. */
const ROWS_REMEMBERED = 12_000_000;

const ROWS_AT_LEAST = 1_000;

/** Slots per row: at most four fifths of them are used, so that a row is found within a few. */
const SLOTS_PER_ROW = 1.25;

/** An open-addressing table from a hash to the row that had it first, and a number that this row leaves beside it. */
class FirstRows {
  #capacity: number;
  /** Sixteen bytes a slot: the hash, the row, the mark. They lie side by side because memory is read by the line. */
  #hashes: Float64Array;
  #numbers: Uint32Array;
  #used = 0;

  constructor(rowsExpected: number) {
    this.#capacity = Math.min(Math.max(rowsExpected, ROWS_AT_LEAST), ROWS_REMEMBERED);
    const slots = Math.ceil(this.#capacity * SLOTS_PER_ROW);
    this.#hashes = new Float64Array(2 * slots);
    this.#numbers = new Uint32Array(this.#hashes.buffer);
  }

  /** What an earlier row left under `hash`, or null where `row` is the first. */
  claim(hash: number, row: number, mark: number): { row: number; mark: number } | null {
    const slot = slotOf(this.#hashes, hash);
    if (this.#hashes[2 * slot] === hash) return this.#at(slot);
    if (this.#used < this.#capacity) {
      this.#put(slot, hash, row, mark);
    } else if (this.#capacity < ROWS_REMEMBERED) {
      this.#grow();
      this.#put(slotOf(this.#hashes, hash), hash, row, mark);
    }
    return null;
  }

  #put(slot: number, hash: number, row: number, mark: number): void {
    this.#hashes[2 * slot] = hash;
    this.#numbers[4 * slot + 2] = row;
    this.#numbers[4 * slot + 3] = mark;
    this.#used++;
  }

  #at(slot: number): { row: number; mark: number } {
    return { row: this.#numbers[4 * slot + 2] ?? 0, mark: this.#numbers[4 * slot + 3] ?? 0 };
  }

  #grow(): void {
    const larger = new FirstRows(this.#capacity * 2);
    for (let slot = 0; 2 * slot < this.#hashes.length; slot++) {
      const hash = this.#hashes[2 * slot] ?? 0;
      if (hash === 0) continue;
      const { row, mark } = this.#at(slot);
      larger.#put(slotOf(larger.#hashes, hash), hash, row, mark);
    }
    this.#capacity = larger.#capacity;
    this.#hashes = larger.#hashes;
    this.#numbers = larger.#numbers;
  }
}

/** Where `hash` is, or the empty slot where it belongs. A table is never full, so there is one. */
function slotOf(hashes: Float64Array, hash: number): number {
  const slots = hashes.length / 2;
  let slot = Math.floor(((hash >>> 0) / 4294967296) * slots);
  while (hashes[2 * slot] !== 0 && hashes[2 * slot] !== hash) slot = slot + 1 === slots ? 0 : slot + 1;
  return slot;
}

/** A hash of texts: two lanes of 32 bits, mixed as in MurmurHash3, of which 53 bits are kept. */
class Hash53 {
  #high = 0xdeadbeef;
  #low = 0x41c6ce57;

  /** Adds a text and its end, so that `ab` and `c` are not `a` and `bc`. */
  add(text: string): void {
    let high = this.#high;
    let low = this.#low;
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      high = Math.imul(high ^ unit, 2654435761);
      low = Math.imul(low ^ unit, 1597334677);
    }
    this.#high = Math.imul(high ^ 0x1ffff, 2654435761);
    this.#low = Math.imul(low ^ 0x1ffff, 1597334677);
  }

  /** Never 0, which marks an empty slot. */
  get value(): number {
    let high = this.#high;
    let low = this.#low;
    high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
    low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
    return 4294967296 * (2097151 & low) + (high >>> 0) || 1;
  }
}
