import { type MessagePort, parentPort, type Worker } from 'node:worker_threads';
import PQueue from 'p-queue';
import { Refusal } from '../../domain/refusal.ts';
import type { RefusalReason } from '../../domain/refusals/reason.ts';
import { ANYBODY, asViewer, type Viewer, viewer } from '../../messages/viewer.ts';
import { startThread } from '../../platform/own-program.ts';
import { refusalIn } from '../runs/known-run.ts';
import type { Calls } from './calls.ts';

type Name = keyof Calls;
type Asked = { id: number; name: Name; input: unknown; viewer: Viewer };
type Answered = { id: number } & (
  | { value: unknown }
  | { refused: RefusalReason }
  | { error: { message: string; stack: string | undefined } }
);

type Waiting = { resolve(value: unknown): void; reject(error: Error): void };

/** Heap of the thread in MiB: a run of 100,000 payouts is read and reported in a quarter of it. */
const HEAP_MAX_MB = 2_048;

/**
 * What is called at once, at most, of each kind: what only calculates goes one after another, and who waits for the service
 * keeps nobody else waiting.
 */
const AT_ONCE = { calculates: 1, signs: 4, asksService: 16 } as const;

/** What calculates is for who asks, in their language; what is written to the journal is for everybody. */
const KINDS: { readonly [K in Name]: keyof typeof AT_ONCE } = {
  verifyRun: 'calculates',
  writeReport: 'calculates',
  comparePlan: 'calculates',
  correctionSheet: 'calculates',
  paidElsewhere: 'calculates',
  template: 'calculates',
  approve: 'signs',
  endWaiting: 'signs',
  schedulePlan: 'signs',
  resolve: 'asksService',
  cancel: 'asksService',
  pause: 'signs',
};

/**
 * Calls in one thread beside this one, started with the first call and again after one that ended it. `file` is a module
 * that calls `serveCalls`, and `workerData` what it is given. Rejects where the use case threw, or the thread ended.
 */
export function callsInThread(file: string, workerData: unknown): { calls: Calls; close(): Promise<void> } {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | null = null;
  let asked = 0;
  const start = (): Worker => {
    const started = startThread(file, {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MAX_MB },
    });
    let cause = new Error('the background thread ended');
    started.unref();
    started.on('message', (answer: Answered) => {
      const one = waiting.get(answer.id);
      waiting.delete(answer.id);
      if ('value' in answer) one?.resolve(answer.value);
      else if ('refused' in answer) one?.reject(new Refusal(answer.refused));
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
      const { sees: _, ...whole } = viewer();
      const reader = KINDS[name] === 'calculates' ? whole : ANYBODY;
      worker.postMessage({ id, name, input, viewer: reader } satisfies Asked);
    });
  const entries = (Object.keys(KINDS) as Name[]).map((name) => [name, (input: unknown) => call(name, input)]);
  return {
    calls: Object.fromEntries(entries) as Calls,
    close: async () => {
      await worker?.terminate();
    },
  };
}

/**
 * Answers what `callsInThread` asks, and calls `answered` after each. To be called in the thread. Where the journal was lost,
 * the thread has to end, and the next one reads what is on the disk: `end` is called then.
 */
export function serveCalls(
  calls: Calls,
  { answered, end }: { answered(): void; end(): void },
  port: MessagePort | null = parentPort,
): void {
  const queues = {
    calculates: new PQueue({ concurrency: AT_ONCE.calculates }),
    signs: new PQueue({ concurrency: AT_ONCE.signs }),
    asksService: new PQueue({ concurrency: AT_ONCE.asksService }),
  };
  const answer = async ({ id, name, input, viewer }: Asked): Promise<void> => {
    try {
      const value = await asViewer(viewer, () => (calls[name] as (input: unknown) => Promise<unknown>)(input));
      port?.postMessage({ id, value } satisfies Answered);
    } catch (error) {
      const refusal = refusalIn(error);
      if (refusal !== null) {
        port?.postMessage({ id, refused: refusal.reason } satisfies Answered);
        if (isJournalLost(refusal.reason)) end();
        return answered();
      }
      const { message, stack } = error instanceof Error ? error : new Error(String(error));
      port?.postMessage({ id, error: { message, stack } } satisfies Answered);
    }
    answered();
  };
  port?.on('message', (asked: Asked) => void queues[KINDS[asked.name]].add(() => answer(asked)));
}

/** Whether the journal takes nothing more from this thread. Who lost one run to another process has lost no more. */
function isJournalLost(reason: RefusalReason): boolean {
  return reason.code === 'lost' && reason.loss.why !== 'taken';
}
