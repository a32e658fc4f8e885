import { expect, test } from 'vitest';
import { concurrently } from '../../src/runner/concurrently.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('works through everything with at most the limit at once', async () => {
  let running = 0;
  let most = 0;
  const done: number[] = [];
  await concurrently([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
    most = Math.max(most, ++running);
    await turn();
    running--;
    done.push(item);
  });
  expect(most).toBe(3);
  expect(done.sort()).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

test('a failure stops the taking, waits for what has begun, and is thrown', async () => {
  const begun: number[] = [];
  const ended: number[] = [];
  const work = concurrently([1, 2, 3, 4, 5, 6], 2, async (item) => {
    begun.push(item);
    await turn();
    if (item === 2) throw new Error('two');
    await turn();
    ended.push(item);
  });
  await expect(work).rejects.toThrow('two');
  expect(begun).toEqual([1, 2]);
  expect(ended).toEqual([1]);
});

test('goOn is asked before each item', async () => {
  const done: number[] = [];
  await concurrently(
    [1, 2, 3],
    1,
    async (item) => void done.push(item),
    () => done.length < 2,
  );
  expect(done).toEqual([1, 2]);
});
