/**
 * Any number works at once, or one alone. One that wants to be alone waits for those that work and keeps new ones waiting,
 * so none waits for ever. Those that wait are the connections of one port, which has a maximum of them.
 */
export class ReaderWriterLock {
  #working = 0;
  #alone: Promise<void> | null = null;
  #quiet: (() => void) | null = null;

  async together<Result>(work: () => Result | Promise<Result>): Promise<Result> {
    while (this.#alone !== null) await this.#alone;
    this.#working += 1;
    try {
      return await work();
    } finally {
      this.#working -= 1;
      if (this.#working === 0) this.#quiet?.();
    }
  }

  async alone<Result>(work: () => Result | Promise<Result>): Promise<Result> {
    while (this.#alone !== null) await this.#alone;
    const done = Promise.withResolvers<void>();
    this.#alone = done.promise;
    try {
      if (this.#working > 0) await new Promise<void>((resolve) => (this.#quiet = resolve));
      return await work();
    } finally {
      this.#quiet = null;
      this.#alone = null;
      done.resolve();
    }
  }
}
