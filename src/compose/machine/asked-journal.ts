import type { Journal } from '../../journal/journal.ts';
import { openDataJournal } from '../data-dir.ts';
import type { AskedJournal } from '../health.ts';
import type { Settings } from '../settings.ts';

/** The journal as it is asked how it is: open from the first question on, and opened again after one that failed. */
export class ReopenedJournal implements AskedJournal, AsyncDisposable {
  readonly figures = { read: () => this.#ask((journal) => journal.figures.read()) };
  readonly #settings: Settings;
  #opened: Promise<Journal> | null = null;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  lastHint(): Promise<number> {
    return this.#ask((journal) => journal.lastHint());
  }

  async #ask<Result>(question: (journal: Journal) => Promise<Result>): Promise<Result> {
    this.#opened ??= openDataJournal(this.#settings);
    const opened = this.#opened;
    try {
      return await question(await opened);
    } catch (error) {
      if (this.#opened === opened) await this[Symbol.asyncDispose]();
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const opened = this.#opened;
    this.#opened = null;
    await opened?.then((journal) => journal.close()).catch(() => {});
  }
}
