import { context, createContextKey, ROOT_CONTEXT } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { expect, onTestFinished, test } from 'vitest';
import { requestQueue, type Turn } from '../../src/client/rate-limit.ts';
import { virtualClock } from './virtual-clock.ts';

test('a turn has the context of who asked for it, and not of the request that left it waiting', async () => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  onTestFinished(() => context.disable());
  const key = createContextKey('who asks');
  const clock = virtualClock();
  const queue = requestQueue({ rate: { requests: 1, window_ms: 1_000 }, concurrency: 4, clock });
  const ask = (who: string) =>
    context.with(ROOT_CONTEXT.setValue(key, who), () =>
      queue.run('submit', async (turn: Turn) => {
        await turn.gate();
        turn.leaves();
        return context.active().getValue(key);
      }),
    );
  expect(await clock.until(Promise.all(['first', 'second', 'third'].map(ask)))).toEqual(['first', 'second', 'third']);
});
