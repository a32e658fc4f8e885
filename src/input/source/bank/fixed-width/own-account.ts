import type { FixedRecord } from './records.ts';

type Side<Field extends string> = { credits: bigint; debits: { record: FixedRecord<Field>; minor: bigint }[] };

/**
 * Debits of the account that a file pays from. Files of some banks balance the credits with one such record, which is no
 * collection if it is exactly their sum.
 */
export class OwnAccountDebits<Field extends string> {
  readonly #byAccount = new Map<string, Side<Field>>();

  credit(account: string, minor: bigint): void {
    this.#of(account).credits += minor;
  }

  debit(account: string, minor: bigint, record: FixedRecord<Field>): void {
    this.#of(account).debits.push({ record, minor });
  }

  /** The records that balance, and those that collect money. */
  settle(): { balancing: FixedRecord<Field>[]; collecting: FixedRecord<Field>[] } {
    const balancing: FixedRecord<Field>[] = [];
    const collecting: FixedRecord<Field>[] = [];
    for (const { credits, debits } of this.#byAccount.values()) {
      const sum = debits.reduce((total, { minor }) => total + minor, 0n);
      const kind = sum === credits ? balancing : collecting;
      kind.push(...debits.map(({ record }) => record));
    }
    this.#byAccount.clear();
    return { balancing, collecting };
  }

  #of(account: string): Side<Field> {
    const known = this.#byAccount.get(account) ?? { credits: 0n, debits: [] };
    this.#byAccount.set(account, known);
    return known;
  }
}
