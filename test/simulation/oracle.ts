import type { Entry, Intent, SignedRequest } from '../../src/domain/entry.ts';
import type { Profile } from '../../src/domain/profile.ts';
import { applyToRun, newRun, type RunState } from '../../src/domain/run.ts';
import type { Verdict } from '../../src/runner/resolve.ts';
import type { Store } from '../../src/service/store/database.ts';
import type { Departure } from './network.ts';
import type { Ordered } from './payroll.ts';
import { hashText } from './random.ts';
import type { Process, SimJournal } from './sim-journal.ts';
import { Violation, type World } from './world.ts';

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

type Attempt = { row: number; attempt: number; intent: Intent; process: string; epoch: number; dead: string | null };

const TOKEN = /PR[0-9A-HJKMNP-TV-Z]{13}/;
const CHANGES = new Set([
  'transaction.transfer',
  'account.recipient.create',
  'account.external.bank.add',
  'account.external.web3.add',
]);

/**
 * Knows the truth, from the service's books and the durable journal, and says where an invariant does not hold. It is
 * asked after every event in which one of the two changed, and whenever a request leaves.
 */
export class Oracle {
  /** The fold of the durable journal. */
  run: RunState = newRun();
  /** Every entry that is durable. */
  readonly entries: { n: number; epoch: number; entry: Entry }[] = [];
  booked: Booked[] = [];
  ordered = new Map<number, Ordered>();
  /** Transactions that somebody else made. */
  readonly foreign = new Set<string>();
  readonly #world: World;
  readonly #journal: SimJournal;
  readonly #store: Store;
  #profile: Profile | null = null;
  /** Recipients and accounts that were there before the run. */
  #madeBefore = { recipients: 0, accounts: 0 };
  /** How often a run was taken from a process that had not ended. */
  takeovers = 0;
  /** Records that are made twice are litter, and no money: where this is set, they may be. */
  isLitterAllowed = false;
  readonly #isWorking: (process: string) => boolean;
  #place = 0;
  #epoch = 0;
  #holder = '';
  #isBooksDirty = true;
  readonly #attempts = new Map<string, Attempt>();
  readonly #attemptOf = new Map<string, Attempt>();
  /** Requests for records whose intent is durable, by their nonce. */
  readonly #makings = new Map<string, { request: SignedRequest; process: string }>();
  /** By nonce: who sent it, and how often. */
  readonly #sent = new Map<string, { process: string; times: number }>();

  constructor(options: { world: World; journal: SimJournal; store: Store; isWorking: (process: string) => boolean }) {
    this.#world = options.world;
    this.#isWorking = options.isWorking;
    this.#journal = options.journal;
    this.#store = options.store;
  }

  begin(ordered: Map<number, Ordered>): void {
    this.ordered = ordered;
    this.#madeBefore = {
      recipients: Number(this.#store.get('SELECT count(*) AS made FROM recipient')?.made),
      accounts: Number(this.#store.get('SELECT count(*) AS made FROM external_account')?.made),
    };
  }

  booksChanged(): void {
    this.#isBooksDirty = true;
  }

  /** After every event. */
  check(): void {
    if (!this.#isBooksDirty) return;
    this.#isBooksDirty = false;
    this.booked = this.#store.all(BOOKED) as Booked[];
    this.#checkBooks();
    this.#checkRecords();
  }

  /** Entries became durable by a commit of this process: invariants 4 and 5, and that nothing untrue is written. */
  committed(process: Process): void {
    const rows = this.#journal.statement(NEW_ENTRIES).all(this.#place);
    for (const { place, n, epoch, at, data } of rows) {
      this.#place = Number(place);
      const entry = JSON.parse(String(data)) as Entry;
      this.entries.push({ n: Number(n), epoch: Number(epoch), entry });
      if (this.#world.isTraced) this.#world.trace(`${process.name} writes ${shortened(entry)}`);
      this.#world.hash = hashText(String(data), this.#world.hash);
      applyToRun(this.run, entry, Number(at));
      this.#checkEntry(process, Number(epoch), entry);
    }
  }

  /** An old copy of the journal was put back. What is true did not change by that, so that nothing is forgotten here. */
  putBack(): void {
    this.run = newRun();
    this.#place = 0;
    this.#epoch = 0;
    this.#holder = '';
    this.#attemptOf.clear();
    // What an old copy does not know was made, may be made again.
    this.isLitterAllowed = true;
    for (const { place, epoch, at, data } of this.#journal.statement(NEW_ENTRIES).all(0)) {
      this.#place = Number(place);
      this.#epoch = Number(epoch);
      const entry = JSON.parse(String(data)) as Entry;
      applyToRun(this.run, entry, Number(at));
      const attempt = entry.kind === 'intent' ? this.#attempts.get(entry.token) : undefined;
      if (attempt) this.#attemptOf.set(`${attempt.row} ${attempt.attempt}`, attempt);
    }
  }

  /** A request leaves: invariants 3 and 4, and that nothing leaves twice which may not. */
  leaves({ actor, operation, request }: Departure): void {
    if (!CHANGES.has(operation)) return;
    const nonce = /nonce="([^"]+)"/.exec(request.headers['signature-input'] ?? '')?.[1] ?? '';
    const isTransfer = operation === 'transaction.transfer';
    const token = TOKEN.exec(JSON.parse(request.body).metadata?.description ?? '')?.[0] ?? '';
    const attempt = this.#attempts.get(token);
    const making = this.#makings.get(nonce);
    const durable = isTransfer ? attempt?.intent.request : making?.request;
    const author = isTransfer ? attempt?.process : making?.process;
    const where = `${operation} of ${actor.name}`;
    if (!durable || durable.nonce !== nonce || durable.body !== request.body) {
      throw new Violation('write ahead', `${where} left before its intent was durable`);
    }
    if (author !== actor.name) throw new Violation('one writer', `${where} left, whose intent is that of ${author}`);
    const sent = this.#sent.get(nonce) ?? { process: actor.name, times: 0 };
    this.#sent.set(nonce, sent);
    sent.times++;
    if (sent.times > 1 && !this.#profile?.guarantees.replay_protection) {
      throw new Violation('no blind retry', `${where} left a second time, and nothing protects against that`);
    }
    if (attempt && isTransfer && attempt.dead !== null) {
      throw new Violation('no blind retry', `${where} left after its attempt was called ${attempt.dead}`);
    }
  }

  /**
   * What is to be said of a payout that only a person can settle. Of one in doubt: whether that attempt was sent. Another
   * attempt, of which an old copy of the journal knows nothing, is found when that is said.
   */
  truthOf(row: number): Verdict {
    const payout = this.run.payouts.get(row);
    const token = payout?.state === 'unresolved' ? payout.intent.token : null;
    const booked = this.bookedFor(row).find((one) => token === null || one.description.includes(token));
    return booked ? { kind: 'sent', transactionId: booked.id } : { kind: 'not_sent' };
  }

  /** What one transaction of the books is to the run. */
  attemptOf(transaction: Booked): Attempt | undefined {
    const token = TOKEN.exec(transaction.description)?.[0];
    return token === undefined || this.foreign.has(transaction.id) ? undefined : this.#attempts.get(token);
  }

  /** The transactions of a row that are in the books, whichever attempt made them. */
  bookedFor(row: number): Booked[] {
    return this.booked.filter((transaction) => this.attemptOf(transaction)?.row === row);
  }

  #checkEntry(process: Process, epoch: number, entry: Entry): void {
    if (entry.kind !== 'lease_taken' && entry.kind !== 'run_created') this.#checkWriter(process, epoch, entry);
    switch (entry.kind) {
      case 'run_created':
        this.#profile = entry.profile;
        return;
      case 'lease_taken':
        if (entry.epoch <= this.#epoch) throw new Violation('one writer', `epoch ${entry.epoch} after ${this.#epoch}`);
        // Nobody had ended there: another goes on in its place.
        if (this.#holder !== '' && this.#isWorking(this.#holder)) this.takeovers++;
        this.#epoch = entry.epoch;
        this.#holder = process.name;
        return;
      case 'intent':
        this.#checkIntent(process, epoch, entry);
        return;
      case 'ensure_intent':
        this.#makings.set(entry.request.nonce, { request: entry.request, process: process.name });
        return;
      case 'no_effect':
        this.#bury(entry.row, entry.attempt, 'without effect');
        return;
      case 'absent': {
        const isPromised = this.#profile?.guarantees.enforces_expiry === true;
        const by = 'by' in entry ? entry.by : 'listing';
        if (!isPromised && by === 'listing') {
          throw new Violation(
            'no blind retry',
            `row ${entry.row} is called absent at a service that promises no expiry`,
          );
        }
        this.#bury(entry.row, entry.attempt, 'absent');
        return;
      }
      case 'rejected':
        this.#bury(entry.row, entry.attempt, 'rejected');
        return;
      case 'accepted':
        this.#checkAdopted(entry.row, entry.transaction_id);
        return;
      case 'resolved':
        // The person of this story tells the truth, so that all of it must hold after that too.
        if (entry.transaction_id !== null) this.#checkAdopted(entry.row, entry.transaction_id);
        else this.#bury(entry.row, entry.attempt, 'not sent by a person');
        return;
      case 'finished':
        this.#checkFinished();
        return;
      default:
        return;
    }
  }

  #checkWriter(process: Process, epoch: number, { kind }: Entry): void {
    if (epoch === this.#epoch && process.name === this.#holder) return;
    const message = `${process.name} wrote ${kind} under epoch ${epoch} while ${this.#holder} holds epoch ${this.#epoch}`;
    throw new Violation('one writer', message);
  }

  #checkIntent(process: Process, epoch: number, intent: Intent): void {
    const { row, attempt, token } = intent;
    if (this.#attempts.has(token)) throw new Violation('never twice', `the token ${token} is used twice`);
    const before = this.#attemptOf.get(`${row} ${attempt - 1}`);
    if (attempt > 1 && (!before || before.dead === null)) {
      throw new Violation('no blind retry', `row ${row}: attempt ${attempt} without a proof about the one before`);
    }
    const made: Attempt = { row, attempt, intent, process: process.name, epoch, dead: null };
    this.#attempts.set(token, made);
    this.#attemptOf.set(`${row} ${attempt}`, made);
  }

  /** From now on this attempt must never have had an effect. */
  #bury(row: number, attempt: number, verdict: string): void {
    const buried = this.#attemptOf.get(`${row} ${attempt}`);
    if (buried) buried.dead = verdict;
    this.#isBooksDirty = true;
  }

  #checkAdopted(row: number, id: string): void {
    this.booked = this.#store.all(BOOKED) as Booked[];
    const transaction = this.booked.find((one) => one.id === id);
    if (!transaction) throw new Violation('never lost', `row ${row} was adopted as ${id}, which is not in the books`);
    if (this.attemptOf(transaction)?.row !== row) {
      throw new Violation('never lost', `row ${row} was adopted as ${id}, which is another payment`);
    }
  }

  /** Invariant 1, and that what was called dead is dead, and that money goes where it was ordered to go. */
  #checkBooks(): void {
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
      const ordered = this.ordered.get(row);
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
    for (const { order } of this.ordered.values()) {
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

  /** Invariant 2. */
  #checkFinished(): void {
    this.booked = this.#store.all(BOOKED) as Booked[];
    for (const [row, payout] of this.run.payouts) {
      const booked = this.bookedFor(row).find(({ status }) => status !== 'FAILED');
      switch (payout.state) {
        case 'completed':
          if (booked?.status === 'COMPLETED' && booked.id === payout.sent.transaction_id) break;
          throw new Violation('never lost', `row ${row} is called completed, and the books say ${booked?.status}`);
        case 'failed':
        case 'rejected':
        case 'not_submitted':
          if (!booked) break;
          throw new Violation('never lost', `row ${row} is called ${payout.state}, and ${booked.id} is in the books`);
        case 'unresolved':
          break;
        default:
          throw new Violation('never lost', `the run is called finished, and row ${row} is ${payout.state}`);
      }
    }
  }
}

/** What people need of an entry in a trace. */
function shortened(entry: Entry): string {
  const { kind, ...rest } = entry;
  const short = JSON.stringify(rest, (key, value) => (SHORTENED.has(key) ? undefined : value));
  return `${kind} ${short.slice(0, 200)}`;
}

const SHORTENED = new Set([
  'request',
  'rows',
  'input',
  'profile',
  'currency',
  'scope',
  'sent_currency',
  'received_currency',
]);

const NEW_ENTRIES = 'SELECT place, n, epoch, at, data FROM entry WHERE place > ? ORDER BY place';
const BOOKED = `SELECT t.id, t.status, coalesce(t.description, '') AS description, t.out_code AS code, t.out_chain AS chain,
  t.out_value AS value, a.fingerprint, a.id AS accountId FROM transfer t JOIN external_account a ON a.account = t.account
  WHERE t.kind = 'withdraw'`;
const MADE_RECIPIENTS = `SELECT name, json_extract(details, '$.email') AS email FROM recipient WHERE recipient > ?`;
const TWICE_ACCOUNTS = `SELECT a.id FROM external_account a JOIN external_account b
  ON b.recipient IS a.recipient AND b.fingerprint = a.fingerprint AND b.account < a.account WHERE a.account > ? LIMIT 1`;
