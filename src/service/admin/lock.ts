/**
 * Any number of operations run together, or one runs alone. One that wants to be alone waits for those that run and keeps
 * new ones waiting, so none waits for ever. Those that wait are the connections of one port, which has a maximum of them.
 */
export class ReaderWriterLock {
  readonly #running = new Set<Promise<unknown>>();
  #alone: Promise<unknown> | null = null;

  async together<Result>(work: () => Promise<Result>): Promise<Result> {
    while (this.#alone !== null) await this.#alone;
    const running = work();
    this.#running.add(running);
    return running.finally(() => this.#running.delete(running));
  }

  async alone<Result>(work: () => Promise<Result>): Promise<Result> {
    while (this.#alone !== null) await this.#alone;
    const running = Promise.allSettled(this.#running).then(work);
    this.#alone = running.catch(() => {});
    return running.finally(() => {
      this.#alone = null;
    });
  }
}
