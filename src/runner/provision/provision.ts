import type { Recipient } from '../../client/wire.ts';
import { type EnsureState, ensureKey } from '../../domain/ensure.ts';
import type { EnsureTarget, Entry } from '../../domain/entry.ts';
import { assert } from '../../domain/refusal.ts';
import { oneAtATime } from '../concurrently.ts';
import type { RunContext } from '../run-context.ts';
import { looksOf } from './account-match.ts';
import { countByLooks, fingerprintIn, type NeededAccount } from './payees.ts';
import { type RecipientList, readRecipients } from './recipients.ts';

type Ensured = Extract<Entry, { kind: 'ensured' }>;

/** What the service shows of a record that a payee needs. */
export type Look =
  | { result: 'found'; id: string }
  /** These could be it, and nothing shows which. */
  | { result: 'ambiguous'; ids: string[] }
  /** `serverMs`: the service's own time (Unix), null where it does not give it. */
  | { result: 'missing'; complete: boolean; serverMs: number | null };

/**
 * The recipients and accounts of one run, and which records of the service are whose, as every run of this journal found or
 * made them: a record that is one payee's is no other's, and an account that is known to be one is no other, however alike
 * the service shows them.
 */
export class Provision {
  readonly context: RunContext;
  /** Payees that cannot be told apart, and accounts of one recipient, are worked on one after the other. */
  readonly inTurn = oneAtATime();
  /** Accounts that this process made, by recipient and fingerprint. */
  readonly accounts = new Map<string, string>();
  /** Creations that were left for the next time, one after the other. */
  givenUp = 0;
  readonly #claimed = new Set<string>();
  /** The fingerprint of each account that this run knows. */
  readonly #own = new Map<string, string>();
  /** Of each account that any run knew before: read when it is first needed, which a service with fingerprints spares. */
  #known: Promise<ReadonlyMap<string, string>> | null = null;
  #looks: ReadonlyMap<string, number> | null = null;
  #reading: Promise<unknown> = Promise.resolve();
  #nextReading: { sinceMs: number; list: Promise<RecipientList> } | null = null;

  constructor(context: RunContext) {
    this.context = context;
    for (const [key, ensure] of context.run.ensures) {
      if (ensure.state === 'ensured' && key.startsWith('account:')) this.#own.set(ensure.id, fingerprintIn(key));
    }
  }

  get #scope(): string {
    assert(this.context.run.header, 'a run without its header');
    return this.context.run.header.scope;
  }

  ensure(target: EnsureTarget, key: string): EnsureState | undefined {
    return this.context.run.ensures.get(ensureKey(target, key));
  }

  /** Records which of the service's records it is. It is claimed before another payee can look. */
  async ensured(target: EnsureTarget, key: string, id: string, by: 'created' | 'found'): Promise<void> {
    this.claim({ target, key, id });
    await this.context.record({ kind: 'ensured', target, key, id, by, scope: this.#scope });
  }

  /** Whether a look ends the search: recorded then. */
  async recordLook(target: EnsureTarget, key: string, look: Look): Promise<boolean> {
    if (look.result === 'found') await this.ensured(target, key, look.id, 'found');
    if (look.result === 'ambiguous') await this.recordAmbiguous(target, key, look.ids);
    return look.result !== 'missing';
  }

  /** Parks it for a person, unless it is parked for the same records. */
  async recordAmbiguous(target: EnsureTarget, key: string, ids: string[]): Promise<void> {
    const before = this.ensure(target, key);
    if (before?.state === 'ambiguous' && before.ids.join() === ids.join()) return;
    this.context.log.warn({ target, ids }, 'several records could be the one');
    await this.context.record({ kind: 'ensure_ambiguous', target, key, ids });
  }

  claim({ target, key, id }: Pick<Ensured, 'target' | 'key' | 'id'>): void {
    if (target === 'recipient') this.#claimed.add(id);
    else this.#own.set(id, fingerprintIn(key));
  }

  /** Claims a recipient for a payee before that is recorded. */
  claimRecipient(id: string): void {
    this.#claimed.add(id);
  }

  /** Whether no payee of any run has claimed the recipient. */
  isFree({ id }: Pick<Recipient, 'id'>): boolean {
    return !this.#claimed.has(id);
  }

  /** Everything that any run ensured in this run's scope, oldest first. */
  async *earlier(): AsyncIterable<Ensured> {
    for await (const page of this.context.journal.readKinds(['ensured']))
      for (const { entry } of page) if (entry.kind === 'ensured' && entry.scope === this.#scope) yield entry;
  }

  /** The fingerprints of accounts that are known, by id. What this process has added counts at once. */
  async fingerprints(): Promise<(id: string) => string | null> {
    this.#known ??= this.#readKnown();
    const known = await this.#known;
    return (id) => this.#own.get(id) ?? known.get(id) ?? null;
  }

  async #readKnown(): Promise<ReadonlyMap<string, string>> {
    const known = new Map<string, string>();
    for await (const { target, key, id } of this.earlier()) if (target === 'account') known.set(id, fingerprintIn(key));
    return known;
  }

  /** Whether this run knows the account as another one: an answer that names it must not be believed, or it would be paid. */
  isAnothers(target: EnsureTarget, key: string, id: string): boolean {
    const own = target === 'account' ? this.#own.get(id) : undefined;
    return own !== undefined && own !== fingerprintIn(key);
  }

  /** Whether no other account of the run looks like this one. */
  isDistinct(account: NeededAccount): boolean {
    this.#looks ??= countByLooks(this.context.run, looksOf);
    return (this.#looks.get(looksOf(account)) ?? 0) <= 1;
  }

  /**
   * Reads the recipients that were made at `sinceMs` (Unix) or later, and perhaps older ones. One reading at a time, shared
   * by all that ask while another is under way: it begins after each of them has asked, so that it shows what was there when
   * they did. Ten thousand doubts cost some readings, not ten thousand.
   */
  recipientsSince(sinceMs: number): Promise<RecipientList> {
    const waiting = this.#nextReading;
    if (waiting !== null) {
      waiting.sinceMs = Math.min(waiting.sinceMs, sinceMs);
      return waiting.list;
    }
    const begin = (): Promise<RecipientList> => {
      this.#nextReading = null;
      return readRecipients(this.context, next.sinceMs);
    };
    const next = { sinceMs, list: this.#reading.then(begin, begin) };
    this.#nextReading = next;
    this.#reading = next.list;
    return next.list;
  }
}
