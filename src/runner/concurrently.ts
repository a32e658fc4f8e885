/**
 * Works through `items` with at most `limit` at once and no queue of promises: a worker takes the next item when it is
 * free. The first rejection stops the taking, waits for what has begun, and is thrown. `goOn` is asked before each item.
 */
export async function concurrently<T>(
  items: Iterable<T>,
  limit: number,
  work: (item: T) => Promise<void>,
  goOn: () => boolean = () => true,
): Promise<void> {
  const iterator = items[Symbol.iterator]();
  let failure: { error: unknown } | null = null;
  const worker = async (): Promise<void> => {
    while (failure === null && goOn()) {
      const next = iterator.next();
      if (next.done) return;
      try {
        await work(next.value);
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: limit }, worker));
  if (failure !== null) throw (failure as { error: unknown }).error;
}

/** Runs work under the same key one after the other, in the order of the calls, and other keys beside it. */
export type OneAtATime = <T>(key: string, work: () => Promise<T>) => Promise<T>;

export function oneAtATime(): OneAtATime {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const before = last.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (last.get(key) === mine) last.delete(key);
    }
  };
}
