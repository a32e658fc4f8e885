import type { Entry, Intent, SignedRequest } from '../../src/domain/entry.ts';
import type { Profile } from '../../src/domain/profile.ts';
import { applyToRun, newRun, type RunState } from '../../src/domain/run.ts';
import type { Verdict } from '../../src/runner/resolve.ts';
import type { Store } from '../../src/service/store/database.ts';
import { Attempts } from './attempts.ts';
import { Books } from './books.ts';
import type { Departure } from './network.ts';
import { hashText } from './random.ts';
import type { Process, SimJournal } from './sim-journal.ts';
import { Violation, type World } from './world.ts';

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
  readonly books: Books;
  /** How often a run was taken from a process that had not ended. */
  takeovers = 0;
  readonly #world: World;
  readonly #journal: SimJournal;
  #profile: Profile | null = null;
  readonly #isWorking: (process: string) => boolean;
  #place = 0;
  #epoch = 0;
  #holder = '';
  readonly #attempts = new Attempts();
  /** Requests for records whose intent is durable, by their nonce. */
  readonly #makings = new Map<string, { request: SignedRequest; process: string }>();
  /** By nonce: who sent it, and how often. */
  readonly #sent = new Map<string, { process: string; times: number }>();

  constructor(options: { world: World; journal: SimJournal; store: Store; isWorking: (process: string) => boolean }) {
    this.#world = options.world;
    this.#isWorking = options.isWorking;
    this.#journal = options.journal;
    this.books = new Books(options.store, this.#attempts);
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
    // What an old copy does not know was made, may be made again.
    this.books.isLitterAllowed = true;
    this.books.isCopy = true;
    const intents: Intent[] = [];
    for (const { place, epoch, at, data } of this.#journal.statement(NEW_ENTRIES).all(0)) {
      this.#place = Number(place);
      this.#epoch = Number(epoch);
      const entry = JSON.parse(String(data)) as Entry;
      applyToRun(this.run, entry, Number(at));
      if (entry.kind === 'intent') intents.push(entry);
    }
    this.#attempts.putBack(intents);
  }

  /** A request leaves: invariants 3 and 4, and that nothing leaves twice which may not. */
  leaves({ actor, operation, request }: Departure): void {
    if (!CHANGES.has(operation)) return;
    const nonce = /nonce="([^"]+)"/.exec(request.headers['signature-input'] ?? '')?.[1] ?? '';
    const isTransfer = operation === 'transaction.transfer';
    const attempt = this.#attempts.quotedIn(JSON.parse(request.body).metadata?.description ?? '');
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
    if (attempt && isTransfer && (attempt.dead !== null || attempt.isRefused)) {
      throw new Violation('no blind retry', `${where} left after its attempt was called ${attempt.dead ?? 'refused'}`);
    }
  }

  /**
   * What is to be said of a payout that only a person can settle. Of one in doubt: whether that attempt was sent. Another
   * attempt, of which an old copy of the journal knows nothing, is found when that is said.
   */
  truthOf(row: number): Verdict {
    const payout = this.run.payouts.get(row);
    const token = payout?.state === 'unresolved' ? payout.intent.token : null;
    const booked = this.books.bookedFor(row).find((one) => token === null || one.description.includes(token));
    return booked ? { kind: 'sent', transactionId: booked.id } : { kind: 'not_sent' };
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
      case 'planned':
        this.books.conversions = entry.plan.conversions;
        return;
      case 'intent':
        this.#attempts.add(entry, process.name);
        this.books.changed();
        return;
      case 'ensure_intent':
        this.#makings.set(entry.request.nonce, { request: entry.request, process: process.name });
        return;
      case 'no_effect':
        if (entry.answered && entry.spent !== true) this.#attempts.refuse(entry.row, entry.attempt);
        else this.#bury(entry.row, entry.attempt, 'without effect');
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

  /** From now on this attempt must never have had an effect. */
  #bury(row: number, attempt: number, verdict: string): void {
    this.#attempts.bury(row, attempt, verdict);
    this.books.changed();
  }

  #checkAdopted(row: number, id: string): void {
    this.books.read();
    const transaction = this.books.booked.find((one) => one.id === id);
    if (!transaction) throw new Violation('never lost', `row ${row} was adopted as ${id}, which is not in the books`);
    if (this.books.attemptOf(transaction)?.row !== row) {
      throw new Violation('never lost', `row ${row} was adopted as ${id}, which is another payment`);
    }
  }

  /** Invariant 2. */
  #checkFinished(): void {
    this.books.read();
    for (const [row, payout] of this.run.payouts) {
      const booked = this.books.bookedFor(row).find(({ status }) => status !== 'FAILED');
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
