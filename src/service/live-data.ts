import type { SigningKey } from '../keys/ed25519.ts';
import { type AssembleOptions, assemble, type Background, type Parts } from './assemble.ts';
import { prepareRehearsal, type Rehearsal } from './first-start.ts';
import { type Nonces, openNonces } from './gateway/nonces.ts';
import { StoreFailed } from './ledger/committer.ts';
import type { Store } from './store/database.ts';
import type { OpenStore } from './store/open.ts';

/**
 * The parts that work on the data of now. Everything that outlives a restore takes them from here each time, and keeps
 * none of them while it waits for something.
 */
export class LiveData {
  /** Resolves, once, when the database has failed. */
  readonly failed: Promise<StoreFailed>;
  /** Those used before a restore stay used after it. */
  readonly nonces: Nonces;
  readonly #opened: OpenStore;
  readonly #options: AssembleOptions;
  readonly #key: SigningKey;
  readonly #failure = Promise.withResolvers<StoreFailed>();
  #parts: Parts;
  #rehearsal: Rehearsal;
  #background: Background;
  #isStopped = false;

  /** `key`: of the rehearsal customer. */
  constructor(opened: OpenStore, options: AssembleOptions, key: SigningKey) {
    this.#opened = opened;
    this.#options = options;
    this.#key = key;
    this.nonces = openNonces(opened.store);
    this.failed = this.#failure.promise;
    this.#parts = assemble(opened.store, options);
    this.#watch(this.#parts);
    this.#rehearsal = prepareRehearsal(this.#parts, key);
    this.#background = this.#parts.begin();
  }

  get parts(): Parts {
    return this.#parts;
  }

  get rehearsal(): Rehearsal {
    return this.#rehearsal;
  }

  get background(): Background {
    return this.#background;
  }

  /** Whether everything can be read from a database that is to be put in the place of this one. */
  canRead(store: Store): boolean {
    try {
      assemble(store, this.#options, this.#parts);
      return true;
    } catch (error) {
      this.#parts.core.log.warn({ error }, 'a snapshot cannot be read');
      return false;
    }
  }

  /**
   * Puts the database at `path` in the place of the one that is open. `finish` writes into it, as the last thing before,
   * what it has to know of the present. Requests are answered from the old data until the moment of the change, and from
   * the new data after it: what waits to be committed is committed first, and then no turn of the event loop is left to
   * anybody until everything is read again. Rejects with what `finish` throws, and then nothing was changed.
   */
  async replace(path: string, finish: (parts: Parts) => void): Promise<void> {
    await this.#background.stop();
    if (this.#isStopped) throw new Error('the service stopped before its data was replaced');
    const before = this.#parts;
    try {
      before.core.committer.drain();
      finish(before);
      this.#opened.emptyLog();
    } catch (error) {
      this.#background = before.begin();
      throw error;
    }
    before.core.committer.close();
    try {
      this.#opened.replaceBy(path);
      this.#parts = assemble(this.#opened.store, this.#options, before);
      this.nonces.moveTo(this.#opened.store);
      this.#watch(this.#parts);
      this.#rehearsal = prepareRehearsal(this.#parts, this.#key);
      this.#background = this.#parts.begin();
    } catch (error) {
      // There is no data to go on with: a restart finds either state whole.
      before.core.log.error({ error }, 'the restored data could not be opened: the service stops');
      this.#failure.resolve(new StoreFailed(error));
      throw error;
    }
  }

  /** Resolves when nothing goes on by itself any more. */
  stop(): Promise<void> {
    this.#isStopped = true;
    return this.#background.stop();
  }

  #watch({ core }: Parts): void {
    void core.committer.failed.then((failure) => this.#failure.resolve(failure));
  }
}
