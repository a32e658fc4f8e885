import { expect, test } from 'vitest';
import type { Entry } from '../../src/domain/entry.ts';
import { RunState } from '../../src/domain/run/run-state.ts';
import type { Journal } from '../../src/journal/journal.ts';
import { obeyRequests } from '../../src/runner/halt.ts';
import type { RunContext } from '../../src/runner/run-context.ts';

/** A journal that answers when it is let, who asked for what, and what is written of it. */
function slowly({ canceller, pauser }: { canceller: string | null; pauser: string | null }) {
  const answered = Promise.withResolvers<string | null>();
  const journal = {
    cancelAsked: () => answered.promise,
    pauseAsked: async () => pauser,
  } as unknown as Journal;
  const run = new RunState();
  const written: Entry['kind'][] = [];
  const record = async ({ kind }: Entry) => {
    written.push(kind);
    run.cancelled ||= kind === 'cancelled';
    run.paused ||= kind === 'paused';
  };
  const context = { run, journal, record, clock: { sleep: async () => {} } } as unknown as RunContext;
  const ended = new AbortController();
  const watching = obeyRequests(context, ended.signal);
  const answer = async () => {
    answered.resolve(canceller);
    await new Promise((resolve) => setImmediate(resolve));
    return written;
  };
  return { run, ended, watching, answer };
}

test.each([
  { canceller: 'ana', pauser: null },
  { canceller: null, pauser: 'ana' },
])('a request that the journal tells of after the run has ended is not written to it: %o', async (asked) => {
  const { ended, answer } = slowly(asked);
  ended.abort();
  expect(await answer()).toEqual([]);
});

test('a run that was cancelled while the journal was asked is not paused too', async () => {
  const { run, answer } = slowly({ canceller: null, pauser: 'ana' });
  run.cancelled = true;
  expect(await answer()).toEqual([]);
});

test('a request that is told of while the run goes on is written once', async () => {
  const { watching, answer } = slowly({ canceller: 'ana', pauser: 'ben' });
  expect(await answer()).toEqual(['cancelled']);
  await watching;
});
