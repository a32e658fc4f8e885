/**
 * Lets any number work at once, or one alone. Whoever wants to be alone waits for those that work, and keeps new ones
 * waiting; so nobody waits for ever. The waiting are the connections of one port, which has a maximum of them.
 */
export class Turns {
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
