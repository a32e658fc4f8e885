import { type MessagePort, parentPort, Worker } from 'node:worker_threads';
import type { Calls } from './calls.ts';

type Name = keyof Calls;
type Asked = { id: number; name: Name; input: unknown };
type Answered = { id: number } & ({ value: unknown } | { error: { message: string; stack: string | undefined } });

type Waiting = { resolve(value: unknown): void; reject(error: Error): void };

/** Heap of the thread in MiB: a run of 100,000 payouts is read and reported in a quarter of it. */
const HEAP_MAX_MB = 2_048;

const NAMES: { readonly [K in Name]: true } = {
  verifyRun: true,
  writeReport: true,
  comparePlan: true,
  correctionSheet: true,
  template: true,
};

/**
 * Calls in one thread beside this one, started with the first call and again after one that ended it. `file` is a module
 * that calls `serveCalls`. Rejects where the use case threw, or the thread ended.
 */
export function callsInThread(file: string, dataDir: string): { calls: Calls; close(): Promise<void> } {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | null = null;
  let asked = 0;
  const start = (): Worker => {
    const started = new Worker(file, {
      workerData: { dataDir },
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MAX_MB },
    });
    let cause = new Error('the background thread ended');
    started.unref();
    started.on('message', (answer: Answered) => {
      const one = waiting.get(answer.id);
      waiting.delete(answer.id);
      if ('value' in answer) one?.resolve(answer.value);
      else one?.reject(Object.assign(new Error(answer.error.message), { stack: answer.error.stack }));
    });
    started.on('error', (error) => {
      cause = error instanceof Error ? error : new Error(String(error));
    });
    started.on('exit', () => {
      if (worker === started) worker = null;
      for (const one of waiting.values()) one.reject(cause);
      waiting.clear();
    });
    return started;
  };
  const call = (name: Name, input: unknown): Promise<unknown> =>
    new Promise((resolve, reject) => {
      worker ??= start();
      const id = ++asked;
      waiting.set(id, { resolve, reject });
      worker.postMessage({ id, name, input } satisfies Asked);
    });
  const entries = (Object.keys(NAMES) as Name[]).map((name) => [name, (input: unknown) => call(name, input)]);
  return {
    calls: Object.fromEntries(entries) as Calls,
    close: async () => {
      await worker?.terminate();
    },
  };
}

/** Answers what `callsInThread` asks, one after another. To be called in the thread. */
export function serveCalls(calls: Calls, port: MessagePort | null = parentPort): void {
  let last = Promise.resolve();
  port?.on('message', ({ id, name, input }: Asked) => {
    last = last.then(async () => {
      try {
        const value = await (calls[name] as (input: unknown) => Promise<unknown>)(input);
        port.postMessage({ id, value } satisfies Answered);
      } catch (error) {
        const { message, stack } = error instanceof Error ? error : new Error(String(error));
        port.postMessage({ id, error: { message, stack } } satisfies Answered);
      }
    });
  });
}
