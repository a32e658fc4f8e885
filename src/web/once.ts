import { viewer } from '../messages/viewer.ts';
import type { Clock } from '../platform/clock.ts';

/** Work under way, by key: everybody who asks for it meanwhile waits for the same. */
export class UnderWay<Value> {
  readonly #works = new Map<string, Promise<Value>>();

  /** What `work` gives; it begins only where it is not under way already. */
  of(key: string, work: () => Promise<Value>): Promise<Value> {
    const known = this.#works.get(key);
    if (known !== undefined) return known;
    const begun = work().finally(() => this.#works.delete(key));
    this.#works.set(key, begun);
    return begun;
  }
}

/** Values by key, at most `max` of them: the one that was kept first is forgotten first. */
export class Recent<Value> {
  readonly #max: number;
  readonly #values = new Map<string, Value>();

  constructor(max: number) {
    this.#max = max;
  }

  get(key: string): Value | undefined {
    return this.#values.get(key);
  }

  set(key: string, value: Value): void {
    this.#values.delete(key);
    const [oldest] = this.#values.keys();
    if (this.#values.size >= this.#max && oldest !== undefined) this.#values.delete(oldest);
    this.#values.set(key, value);
  }

  delete(key: string): void {
    this.#values.delete(key);
  }
}

/** What is worked out of an object once for all who look, until its version is another: facts, and no words. */
export class WorkedOut<Of extends object, Value> {
  readonly #known = new WeakMap<Of, { version: string | number; value: Value }>();

  of(object: Of, version: string | number, work: () => Value): Value {
    const known = this.#known.get(object);
    if (known?.version === version) return known.value;
    const value = work();
    this.#known.set(object, { version, value });
    return value;
  }

  forget(object: Of): void {
    this.#known.delete(object);
  }
}

/** The same, with one value per question; the newest are kept. */
export class Answers<Of extends object, Value> {
  readonly #max: number;
  readonly #known = new WeakMap<Of, Recent<Value>>();

  constructor(max: number) {
    this.#max = max;
  }

  of(object: Of, question: string, work: () => Value): Value {
    const answers = this.#known.get(object) ?? new Recent<Value>(this.#max);
    this.#known.set(object, answers);
    const known = answers.get(question);
    if (known !== undefined) return known;
    const value = work();
    answers.set(question, value);
    return value;
  }
}

/** The same of what has words and times in it: once for each language and time zone in which somebody looks. */
export class Worded<Of extends object, Value> {
  readonly #known = new WeakMap<Of, Map<string, WorkedOut<Of, Value>>>();

  of(object: Of, version: string | number, work: () => Value): Value {
    const { language, timeZone, sees } = viewer();
    // Readers who may not see every run get their own text, which is not cached.
    if (sees !== undefined) return work();
    const known = this.#known.get(object) ?? new Map<string, WorkedOut<Of, Value>>();
    this.#known.set(object, known);
    const key = `${language} ${timeZone}`;
    const mine = known.get(key) ?? new WorkedOut<Of, Value>();
    known.set(key, mine);
    return mine.of(object, version, work);
  }
}

/** What `work` gives, or null where it takes longer. It goes on then. */
export async function within<Value>(
  clock: Pick<Clock, 'sleep'>,
  work: Promise<Value>,
  waitMs: number,
): Promise<Value | null> {
  const isOver = new AbortController();
  try {
    return await Promise.race([work, clock.sleep(waitMs, isOver.signal).then(() => null)]);
  } finally {
    isOver.abort();
  }
}

/** Places that people take at once: so many of one person, and so many of all. */
export class Places {
  readonly #ofOneMax: number;
  readonly #ofAllMax: number;
  readonly #taken = new Map<string, number>();

  constructor(ofOneMax: number, ofAllMax = Number.POSITIVE_INFINITY) {
    this.#ofOneMax = ofOneMax;
    this.#ofAllMax = ofAllMax;
  }

  /** Takes a place: the function gives it back. Null where none is free. */
  enter(personId: string): (() => void) | null {
    const own = this.#taken.get(personId) ?? 0;
    const all = this.#taken.values().reduce((sum, taken) => sum + taken, 0);
    if (own >= this.#ofOneMax || all >= this.#ofAllMax) return null;
    this.#taken.set(personId, own + 1);
    return () => {
      const left = (this.#taken.get(personId) ?? 1) - 1;
      if (left > 0) this.#taken.set(personId, left);
      else this.#taken.delete(personId);
    };
  }
}
