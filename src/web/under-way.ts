/** Whoever asks for what is under way already waits for the same. */
export class UnderWay<Value> {
  readonly #under = new Map<string, Promise<Value>>();

  /** What `work` gives; it is begun only where nobody waits for that key. */
  of(key: string, work: () => Promise<Value>): Promise<Value> {
    const known = this.#under.get(key);
    if (known !== undefined) return known;
    const under = work().finally(() => this.#under.delete(key));
    this.#under.set(key, under);
    return under;
  }
}
