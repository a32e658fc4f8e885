import type { Store } from '../../src/service/store/database.ts';
import type { Attempt, Attempts } from './attempts.ts';
import type { Ordered } from './payroll.ts';
import { Violation } from './world.ts';

/** A transaction in the service's own books. */
export type Booked = {
  id: string;
  status: 'PENDING' | 'COMPLETED' | 'FAILED';
  description: string;
  code: string;
  chain: string | null;
  value: string;
  fingerprint: string;
  accountId: string;
};

/** The service's own books, against what was ordered and what the journal says was attempted. */
export class Books {
  booked: Booked[] = [];
  /** Transactions that somebody else made. */
  readonly foreign = new Set<string>();
  /** Records that are made twice are litter, and no money: where this is set, they may be. */
  isLitterAllowed = false;
  readonly #store: Store;
  readonly #attempts: Attempts;
  #ordered = new Map<number, Ordered>();
  /** Recipients and accounts that were there before the run. */
  #madeBefore = { recipients: 0, accounts: 0 };
  #isDirty = true;

  constructor(store: Store, attempts: Attempts) {
    this.#store = store;
    this.#attempts = attempts;
  }

  begin(ordered: Map<number, Ordered>): void {
    this.#ordered = ordered;
    this.#madeBefore = {
      recipients: Number(this.#store.get('SELECT count(*) AS made FROM recipient')?.made),
      accounts: Number(this.#store.get('SELECT count(*) AS made FROM external_account')?.made),
    };
  }

  /** They, or what is known of attempts, may have changed since the last check. */
  changed(): void {
    this.#isDirty = true;
  }

  /** After every event. */
  check(): void {
    if (!this.#isDirty) return;
    this.#isDirty = false;
    this.read();
    this.#checkBooked();
    this.#checkRecords();
  }

  read(): void {
    this.booked = this.#store.all(BOOKED) as Booked[];
  }

  /** What one transaction of the books is to the run. */
  attemptOf({ id, description }: Booked): Attempt | undefined {
    return this.foreign.has(id) ? undefined : this.#attempts.quotedIn(description);
  }

  /** The transactions of a row that are in the books, whichever attempt made them. */
  bookedFor(row: number): Booked[] {
    return this.booked.filter((transaction) => this.attemptOf(transaction)?.row === row);
  }

  /** Invariant 1, and that what was called dead is dead, and that money goes where it was ordered to go. */
  #checkBooked(): void {
    const living = new Map<number, string>();
    for (const transaction of this.booked) {
      if (this.foreign.has(transaction.id)) continue;
      const attempt = this.attemptOf(transaction);
      if (!attempt) throw new Violation('write ahead', `${transaction.id} is in the books, and in no intent`);
      const { row, intent, dead } = attempt;
      // One that failed moved no money: a service that hides its description may make it look as if it never was.
      if (dead !== null && transaction.status !== 'FAILED') {
        throw new Violation(
          'no blind retry',
          `row ${row}, attempt ${attempt.attempt} was called ${dead}, and is ${transaction.id}`,
        );
      }
      const ordered = this.#ordered.get(row);
      const isAmount = transaction.value === intent.amount_minor && transaction.value === ordered?.order.amount_minor;
      const isAccount = transaction.accountId === intent.external_account_id;
      const isPlace = (ordered?.fingerprint ?? transaction.fingerprint) === transaction.fingerprint;
      if (!isAmount || !isAccount || !isPlace)
        throw new Violation('never twice', `row ${row}: ${transaction.id} is not what was ordered`);
      if (transaction.status === 'FAILED') continue;
      const other = living.get(row);
      if (other !== undefined)
        throw new Violation('never twice', `row ${row} is paid by ${other} and by ${transaction.id}`);
      living.set(row, transaction.id);
    }
  }

  /** The same for what is made for payees: one recipient for each, and one of each of its accounts. */
  #checkRecords(): void {
    if (this.isLitterAllowed) return;
    const { recipients, accounts } = this.#madeBefore;
    const payees = new Map<string, Set<string>>();
    for (const { order } of this.#ordered.values()) {
      const { payee } = order;
      const like = `${payee.name}|${payee.email ?? ''}`;
      const keys = payees.get(like) ?? new Set();
      payees.set(like, keys.add(payee.payee_id ?? 'name'));
    }
    const alike = new Map<string, number>();
    for (const made of this.#store.all(MADE_RECIPIENTS, recipients)) {
      const like = `${made.name}|${made.email ?? ''}`;
      const count = (alike.get(like) ?? 0) + 1;
      alike.set(like, count);
      const allowed = payees.get(like)?.size ?? 0;
      if (count > allowed)
        throw new Violation('never twice', `${count} recipients were made for ${allowed} payees named ${made.name}`);
    }
    const twice = this.#store.get(TWICE_ACCOUNTS, accounts);
    if (twice) throw new Violation('never twice', `the account ${twice.id} was made beside another that is the same`);
  }
}

const BOOKED = `SELECT t.id, t.status, coalesce(t.description, '') AS description, t.out_code AS code, t.out_chain AS chain,
  t.out_value AS value, a.fingerprint, a.id AS accountId FROM transfer t JOIN external_account a ON a.account = t.account
  WHERE t.kind = 'withdraw'`;
const MADE_RECIPIENTS = `SELECT name, json_extract(details, '$.email') AS email FROM recipient WHERE recipient > ?`;
const TWICE_ACCOUNTS = `SELECT a.id FROM external_account a JOIN external_account b
  ON b.recipient IS a.recipient AND b.fingerprint = a.fingerprint AND b.account < a.account WHERE a.account > ? LIMIT 1`;
