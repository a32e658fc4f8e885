import type { Entry } from '../../domain/entry.ts';
import { assert } from '../../domain/refusal.ts';
import type { Journal } from '../../journal/journal.ts';
import { fingerprintIn } from '../provision/payees.ts';
import { scopeOf } from '../recorder.ts';
import type { RunContext } from '../run-context.ts';

type Ensured = Extract<Entry, { kind: 'ensured' }>;

/**
 * Which records of the service are whose, as every run of this journal found or made them: a record that is one payee's
 * is no other's, and an account that is known to be one is no other, however alike the service shows them.
 */
export class Claims {
  /** Recipients that belong to a payee. */
  readonly recipients = new Set<string>();
  readonly #context: RunContext;
  readonly #journal: Journal;
  /** The fingerprint of each account that this run knows. */
  readonly #own = new Map<string, string>();
  /** Of each account that any run knew before: read when it is first needed, which a service with fingerprints spares. */
  #all: ReadonlyMap<string, string> | null = null;
  #reading: Promise<ReadonlyMap<string, string>> | null = null;

  constructor(context: RunContext, journal: Journal) {
    this.#context = context;
    this.#journal = journal;
    for (const [key, ensure] of context.run.ensures) {
      if (ensure.state === 'ensured' && key.startsWith('account:')) this.#own.set(ensure.id, fingerprintIn(key));
    }
  }

  /** Everything that was ensured in the run's scope, oldest first. */
  async *ensured(): AsyncIterable<Ensured> {
    const scope = scopeOf(this.#context);
    for await (const page of this.#journal.readKinds(['ensured']))
      for (const { entry } of page) if (entry.kind === 'ensured' && entry.scope === scope) yield entry;
  }

  /** To be called before another payee can look. */
  add({ target, key, id }: Pick<Ensured, 'target' | 'key' | 'id'>): void {
    if (target === 'recipient') this.recipients.add(id);
    else this.#own.set(id, fingerprintIn(key));
  }

  /** Reads, once, the accounts that any run knew before: what is to be done before `fingerprintOf` is asked. */
  async readKnown(): Promise<void> {
    this.#reading ??= this.#readKnown();
    this.#all = await this.#reading;
  }

  /** The fingerprint of an account that is known, or null. What this process has added counts at once. */
  fingerprintOf(id: string): string | null {
    assert(this.#all !== null, 'accounts that are known were asked for before they were read');
    return this.#own.get(id) ?? this.#all.get(id) ?? null;
  }

  /** Whether this run knows that the account is another than the one of this fingerprint. */
  isAnother(id: string, fingerprint: string): boolean {
    const own = this.#own.get(id);
    return own !== undefined && own !== fingerprint;
  }

  async #readKnown(): Promise<ReadonlyMap<string, string>> {
    const all = new Map<string, string>();
    for await (const { target, key, id } of this.ensured()) if (target === 'account') all.set(id, fingerprintIn(key));
    return all;
  }
}
