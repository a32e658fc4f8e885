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
