import type { Randomness } from '../../platform/clock.ts';
import { chance } from '../identifiers.ts';

/** What a rehearsal wants done with one try. `hold`: it goes out later, in another order. */
export type Treatment = 'send' | 'twice' | 'drop' | 'hold';

export type DeliveryFault =
  | { kind: 'twice' | 'drop'; left: number }
  | { kind: 'drop'; probability: number }
  | { kind: 'hold'; left: number };

/** Faults that wait at once. */
const FAULTS_MAX = 100;

/**
 * Faults of deliveries: the nth try from now is sent twice or not at all, the next few go out in reverse. Kept in memory
 * only. Every try counts, to whichever endpoint, repeated ones too.
 */
export class DeliveryFaults {
  readonly #randomness: Randomness;
  #faults: DeliveryFault[] = [];

  constructor(randomness: Randomness) {
    this.#randomness = randomness;
  }

  /** False where there are too many. */
  add(fault: DeliveryFault): boolean {
    if (this.#faults.length >= FAULTS_MAX) return false;
    this.#faults.push({ ...fault });
    return true;
  }

  clear(): void {
    this.#faults = [];
  }

  /** Of the next try. Every count goes down; of several that come true the first added is taken. */
  next(): Treatment {
    let treatment: Treatment = 'send';
    for (const fault of this.#faults) {
      const found = this.#meet(fault);
      if (treatment === 'send') treatment = found;
    }
    if (this.#faults.length > 0)
      this.#faults = this.#faults.filter((fault) => 'probability' in fault || fault.left > 0);
    return treatment;
  }

  /** Whether more tries are to be held before those that are held go out. */
  isHolding(): boolean {
    return this.#faults.some(({ kind }) => kind === 'hold');
  }

  #meet(fault: DeliveryFault): Treatment {
    if ('probability' in fault) return chance(this.#randomness) < fault.probability ? 'drop' : 'send';
    fault.left -= 1;
    if (fault.kind === 'hold') return 'hold';
    return fault.left === 0 ? fault.kind : 'send';
  }
}
