import type { Sent } from '../../src/client/transport.ts';
import type { Entry, Intent, SignedRequest } from '../../src/domain/entry.ts';
import type { Decision } from '../../src/domain/outcomes/resolve-outcome.ts';
import { applyToRun } from '../../src/domain/run/run.ts';
import { RunState } from '../../src/domain/run/run-state.ts';
import { type Attempt, Attempts } from './attempts.ts';
import { type Booked, Books } from './books.ts';
import { lagOf } from './disguise.ts';
import { Evidence } from './evidence.ts';
import { Judge } from './judge.ts';
import type { Departure } from './network.ts';
import { hashText, type Random } from './random.ts';
import type { Scenario } from './scenario.ts';
import type { Process, SimJournal } from './sim-journal.ts';
import type { SimService } from './sim-service.ts';
import { isNameless } from './variant.ts';
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
  run = new RunState();
  /** Every entry that is durable. */
  readonly entries: { n: number; epoch: number; entry: Entry }[] = [];
  readonly books: Books;
  /** How often a run was taken from a process that had not ended. */
  takeovers = 0;
  readonly #world: World;
  readonly #journal: SimJournal;
  readonly #service: SimService;
  readonly #scenario: Scenario;
  readonly #dice: Random;
  readonly #isWorking: (process: string) => boolean;
  #place = 0;
  #epoch = 0;
  #holder = '';
  /** When a person was told, or decided, something last. */
  #decidedAtMs = 0;
  readonly #attempts = new Attempts();
  readonly #evidence = new Evidence(this.#attempts);
  readonly #judge: Judge;
  /** Ids that were answered in the place of a payout's own. */
  readonly #wrongIds = new Set<string>();
  /** What the run was called finished with. */
  readonly #finished = new Map<number, string>();
  /** Requests for records whose intent is durable, by their nonce. */
  readonly #makings = new Map<string, { request: SignedRequest; process: string }>();
  /** By nonce: who sent it, and how often. */
  readonly #sent = new Map<string, { process: string; times: number }>();

  constructor(options: {
    world: World;
    journal: SimJournal;
    service: SimService;
    scenario: Scenario;
    dice: Random;
    isWorking: (process: string) => boolean;
  }) {
    const { world, journal, service, scenario, dice } = options;
    this.#world = world;
    this.#isWorking = options.isWorking;
    this.#journal = journal;
    this.#service = service;
    this.#scenario = scenario;
    this.#dice = dice;
    const { variant, promised, broken, profile, weather, turnMs } = scenario;
    const nowMs = (): number => world.nowMs;
    const { store } = service;
    const lagOfId = (id: string): number => lagOf({ id }, { variant, store });
    this.books = new Books({ store, attempts: this.#attempts, nowMs, lagOf: lagOfId });
    this.#judge = new Judge({
      evidence: this.#evidence,
      variant,
      promised,
      broken,
      lifetimeMs: profile.request_lifetime_ms,
      slackMs: 5_000 + 4 * weather.travelMs + 10 * turnMs,
      listedForMs: (transaction) => this.#listedForMs(transaction),
      nowMs,
    });
    this.books.judge = this.#judge;
    // A creation that the network doubles is litter, and so is what is made on a promise that is broken.
    if (!variant.replayProtection || broken !== null) this.books.isLitterAllowed = true;
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
      this.#evidence.committed(process.name, this.#world.nowMs);
      this.#checkEntry(process, Number(epoch), entry);
    }
  }

  /** An old copy of the journal was put back. What is true did not change by that, so that nothing is forgotten here. */
  putBack(): void {
    this.run = new RunState();
    this.#finished.clear();
    this.#judge.forget();
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
    if (sent.times > 1 && !this.#scenario.promised.replayProtection) {
      throw new Violation('no blind retry', `${where} left a second time, and nothing protects against that`);
    }
    if (attempt && isTransfer && (attempt.dead !== null || attempt.isRefused)) {
      throw new Violation('no blind retry', `${where} left after its attempt was called ${attempt.dead ?? 'refused'}`);
    }
  }

  /** A process reads an answer. */
  hears(departure: Departure, sent: Sent): void {
    const { run } = this;
    const { nowMs } = this.#world;
    const { commitsWithinMs } = this.#scenario.promised;
    const madeAtMs = (id: string): number | undefined => this.books.madeAtMs(id);
    const isForeign = (id: string): boolean => this.books.foreign.has(id);
    const { variant } = this.#scenario;
    const world = { nowMs, run, madeAtMs, commitsWithinMs: commitsWithinMs ?? 0, isForeign, variant };
    this.#evidence.hears(departure, sent, world);
  }

  /** The id that somebody on the way answers with: another row's, or one that nobody knows. */
  wrongId(body: string, kind: 'answer_other_id' | 'answer_invented_id'): string {
    const own = this.#attempts.quotedIn(JSON.parse(body).metadata?.description ?? '')?.row;
    const others: string[] = [];
    for (const [row, payout] of this.run.payouts)
      if (row !== own && 'sent' in payout) others.push(payout.sent.transaction_id);
    const isOther = kind === 'answer_other_id' && others.length > 0;
    const id = isOther ? this.#dice.pick(others) : `txn_${Buffer.from(this.#dice.bytes(10)).toString('hex')}`;
    this.#wrongIds.add(id);
    return id;
  }

  /** After every event. */
  check(): void {
    this.books.check();
    for (const [row, state] of this.#finished) {
      for (const paid of this.books.livingFor(row)) this.#checkNotPaid(row, state, paid);
    }
  }

  /** Nothing more is done with the run: what it was shown to have paid twice, it names. */
  checkNamed(): void {
    this.books.read();
    for (const row of this.#judge.doubles.keys()) this.#judge.named(row, this.books.livingFor(row), this.run);
  }

  /**
   * What is true of a payout that only a person can settle. Of one in doubt: the transaction of that attempt, or one of the
   * row that the run has named as a candidate. Another attempt, of which an old copy of the journal knows nothing, is found
   * when that is said.
   */
  truthOf(row: number): Decision {
    const payout = this.run.payouts.get(row);
    const token = payout?.state === 'unresolved' ? payout.intent.token : null;
    const named = new Set(payout !== undefined && 'transactions' in payout ? payout.transactions : []);
    const booked =
      this.books.bookedFor(row).find((one) => token === null || one.description.includes(token)) ??
      // Which attempt it was nobody sees where no token is shown: it pays the row.
      this.books.livingFor(row).find(({ id }) => named.has(id));
    return booked ? { kind: 'sent', transactionId: booked.id } : { kind: 'not_sent' };
  }

  #checkEntry(process: Process, epoch: number, entry: Entry): void {
    if (entry.kind !== 'lease_taken' && entry.kind !== 'run_created') this.#checkWriter(process, epoch, entry);
    switch (entry.kind) {
      case 'lease_taken':
        if (entry.epoch <= this.#epoch) throw new Violation('one writer', `epoch ${entry.epoch} after ${this.#epoch}`);
        // Nobody had ended there: another goes on in its place.
        if (this.#holder !== '' && this.#isWorking(this.#holder)) this.takeovers++;
        this.#epoch = entry.epoch;
        this.#holder = process.name;
        this.#finished.clear();
        return;
      case 'planned':
        this.books.conversions = entry.plan.conversions;
        return;
      case 'intent':
        this.#attempts.add(entry, process.name, this.#world.nowMs);
        this.books.read();
        this.#judge.retried(entry.row, this.books.livingFor(entry.row), process.name);
        this.#judge.goesOn(process.name, this.#decidedAtMs);
        this.books.changed();
        return;
      case 'ensure_intent':
        this.#makings.set(entry.request.nonce, { request: entry.request, process: process.name });
        return;
      case 'no_effect':
      case 'rejected':
        // True of one copy: another may be taken, which the last look before the end shows.
        if (entry.kind === 'rejected' || entry.answered) this.#attempts.refuse(entry.row, entry.attempt);
        if (entry.spent === true || (entry.kind === 'no_effect' && !entry.answered)) {
          this.#bury(entry, 'without effect');
        }
        return;
      case 'absent':
        this.#checkAbsent(process, entry);
        this.#bury(entry, `absent (${entry.by})`);
        return;
      case 'accepted': {
        this.#checkOwnersOf(entry.row, entry.transaction_id);
        const isSaidSo = entry.by === 'answer' || entry.by === 'resend';
        if (!isSaidSo || !this.#wrongIds.has(entry.transaction_id)) this.#checkAdopted(entry.row, entry.transaction_id);
        return;
      }
      case 'resolved':
        this.#decidedAtMs = this.#world.nowMs;
        // The person of this story tells the truth, so that all of it must hold after that too.
        if (entry.transaction_id !== null) this.#checkAdopted(entry.row, entry.transaction_id);
        else this.#bury(entry, 'not sent by a person');
        return;
      case 'final':
        this.#checkAdopted(entry.row, entry.transaction_id);
        return;
      case 'stopped':
        // Whoever starts it again was told.
        if (entry.reason === 'person_needed') this.#decidedAtMs = this.#world.nowMs;
        return;
      case 'finished':
        this.#checkFinished(process);
        return;
      default:
        return;
    }
  }

  /** Where the profile promises nothing that a deadline is held against, only a person can say so, or a nonce that is used up. */
  #checkAbsent(process: Process, { row, attempt, by }: Extract<Entry, { kind: 'absent' }>): void {
    const called = this.#attempts.of(row, attempt);
    if (by !== 'listing' || !called) return;
    this.#judge.absent(called, process.name, this.run.canary !== null);
    const { expiry, commitsWithinMs, replayProtection } = this.#scenario.promised;
    const isPromised = expiry === 'at_commit' || (expiry === 'at_arrival' && commitsWithinMs !== null);
    // Another process may have heard it: then it stands in the journal.
    const isUsedUp = this.entries.some(
      ({ entry }) => entry.kind === 'replayed' && entry.row === row && entry.attempt === attempt,
    );
    if (isPromised || (replayProtection && isUsedUp)) return;
    throw new Violation('no blind retry', `row ${row} is called absent at a service that promises no expiry`);
  }

  #checkWriter(process: Process, epoch: number, { kind }: Entry): void {
    if (epoch === this.#epoch && process.name === this.#holder) return;
    const message = `${process.name} wrote ${kind} under epoch ${epoch} while ${this.#holder} holds epoch ${this.#epoch}`;
    throw new Violation('one writer', message);
  }

  /** From now on this attempt must never have had an effect. */
  #bury({ row, attempt }: { row: number; attempt: number }, verdict: string): void {
    this.#attempts.bury(row, attempt, verdict);
    this.books.changed();
  }

  /** Whatever the service answers, what is another row's already is not this one's. */
  #checkOwnersOf(row: number, id: string): void {
    for (const [other, payout] of this.run.payouts) {
      if (other !== row && 'sent' in payout && payout.sent.transaction_id === id)
        throw new Violation('never lost', `row ${row} is called accepted as ${id}, which is row ${other}'s`);
    }
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
  #checkFinished(process: Process): void {
    this.books.read();
    for (const [row, payout] of this.run.payouts) {
      const living = this.books.livingFor(row);
      if (living.length > 1) this.#judge.finished(row, living, this.run, process.name);
      switch (payout.state) {
        case 'completed':
          if (living.some(({ id, status }) => status === 'COMPLETED' && id === payout.sent.transaction_id)) break;
          throw new Violation('never lost', `row ${row} is called completed, and the books say ${living[0]?.status}`);
        case 'failed':
        case 'rejected':
        case 'not_submitted':
          this.#finished.set(row, payout.state);
          break;
        case 'unresolved':
          break;
        default:
          throw new Violation('never lost', `the run is called finished, and row ${row} is ${payout.state}`);
      }
    }
    this.check();
  }

  /** A row that is reported as not paid is not paid, or is named as perhaps paid, or nobody could have known. */
  #checkNotPaid(row: number, state: string, paid: Booked): void {
    if (this.run.surfaced.some(({ transaction_id }) => transaction_id === paid.id)) return;
    const attempt = this.books.attemptOf(paid);
    // A record that was shown without the attempt's token was not shown to be the attempt's.
    const isHidden = isNameless(this.#scenario.variant) || this.#evidence.knownSince(paid.id, this.#holder) === null;
    if (attempt && isHidden && this.#judge.isExplained(attempt as Attempt, paid)) return;
    // A service that takes a request twice against its promise can do so after the last look.
    const copies = this.books.bookedFor(row).filter((one) => this.books.attemptOf(one) === attempt);
    if (isHidden && this.#scenario.broken === 'replay' && copies.length > 1) return;
    throw new Violation('never lost', `row ${row} is called ${state}, and ${paid.id} is in the books`);
  }

  #listedForMs(transaction: Booked): number | null {
    const { descriptions, cursor } = this.#scenario.variant;
    if (descriptions !== 'whole' || cursor !== 'always' || !this.#service.lists(transaction)) return null;
    return this.#world.nowMs - transaction.madeAtMs - transaction.lagMs;
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
