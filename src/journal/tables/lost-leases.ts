/** More than one process loses between two looks at its database. */
const KEPT_MAX = 1_000;

/**
 * The leases whose writers in this process are dead, because a commit had no answer. Such a writer sends nothing more, and what it
 * sent stands in the journal before: so this process may take its run again at once, as after a crash, while others wait until the
 * lease has run out.
 */
export class LostLeases {
  /** The last entry of the run that was confirmed to the writer, by the id of its lease. */
  readonly #confirmed = new Map<string, number>();

  add(leaseId: string, confirmed: number): void {
    const [oldest] = this.#confirmed.keys();
    if (this.#confirmed.size >= KEPT_MAX && oldest !== undefined) this.#confirmed.delete(oldest);
    this.#confirmed.set(leaseId, confirmed);
  }

  has(leaseId: string | null): boolean {
    return leaseId !== null && this.#confirmed.has(leaseId);
  }

  /** Whether a run that ends with this entry has lost what was confirmed: an older copy of its database was put back. */
  isBehind(leaseId: string | null, lastEntry: number): boolean {
    return leaseId !== null && lastEntry < (this.#confirmed.get(leaseId) ?? 0);
  }
}
