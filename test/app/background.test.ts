import { MessageChannel } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import type { Calls } from '../../src/app/background/calls.ts';
import { serveCalls } from '../../src/app/background/thread.ts';
import type { Loss } from '../../src/domain/outcomes/run-outcome.ts';
import { Refusal } from '../../src/domain/refusal.ts';

type Answer = { id: number; value?: unknown; error?: { message: string } };

/** The calls behind a port, as in the thread; what was answered so far, in order. */
function serving(calls: Partial<Calls>) {
  const { port1, port2 } = new MessageChannel();
  onTestFinished(() => port1.close());
  const answers: Answer[] = [];
  const ended = { count: 0 };
  port1.on('message', (answer: Answer) => answers.push(answer));
  serveCalls(calls as Calls, { answered: () => {}, end: () => void ended.count++ }, port2);
  const ask = (id: number, name: keyof Calls) => port1.postMessage({ id, name, input: {} });
  return { ask, answers, ended };
}

test('who waits for the service keeps nobody else waiting; what calculates goes one after another', async () => {
  const waits: (() => void)[] = [];
  const begun: string[] = [];
  const long = (name: string) => async () => {
    begun.push(name);
    await new Promise<void>((resolve) => waits.push(resolve));
    return null as never;
  };
  const { ask, answers } = serving({
    cancel: long('cancel'),
    resolve: long('resolve'),
    approve: async () => {},
    verifyRun: long('verifyRun'),
    comparePlan: async () => null,
  });
  ask(1, 'cancel');
  ask(2, 'resolve');
  ask(3, 'verifyRun');
  ask(4, 'comparePlan');
  ask(5, 'approve');
  await expect.poll(() => answers.map(({ id }) => id)).toEqual([5]);
  expect(begun).toEqual(['cancel', 'resolve', 'verifyRun']);
  for (const go of waits) go();
  await expect.poll(() => answers.map(({ id }) => id).sort()).toEqual([1, 2, 3, 4, 5]);
});

test.each<[Loss, number]>([
  [{ why: 'commit_uncertain', cause: 'the disk' }, 1],
  [{ why: 'replaced' }, 1],
  // Another process has one run: the journal is as good as before.
  [{ why: 'taken' }, 0],
])('where the journal was lost the thread ends after its answer: %j', async (loss, ends) => {
  const lost = { code: 'lost' as const, runId: 'R1', loss };
  const { ask, answers, ended } = serving({ cancel: () => Promise.reject(new Refusal(lost)) });
  ask(1, 'cancel');
  await expect.poll(() => answers).toEqual([{ id: 1, refused: lost }]);
  expect(ended.count).toBe(ends);
});

test('a call that throws is answered with what it threw', async () => {
  const { ask, answers } = serving({ approve: () => Promise.reject(new Error('a bug')) });
  ask(1, 'approve');
  await expect.poll(() => answers).toMatchObject([{ id: 1, error: { message: 'a bug' } }]);
});
