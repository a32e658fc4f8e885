import process from 'node:process';
import { assert, type Refusal } from '../../domain/refusal.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Measure, passMeasuresOn } from '../../platform/measures.ts';
import { type AnswerMessage, type AnyTask, type Limits, type OrderMessage, orderMessage } from './task.ts';

/** Does a task. `report` says how far it is. What it returns and reports has crossed as JSON when it arrives. */
export type Worker = (order: unknown, report: (progress: unknown) => void) => Promise<unknown>;

const MEMORY_LOOK_MS = 250;
const MIB = 1_048_576;

export type Serving = {
  tasks: Readonly<Record<string, AnyTask>>;
  workerOf(task: string, setup: unknown): Worker;
  /** What a person can act on of something that was thrown; null for a bug. */
  refusalOf(thrown: unknown): Refusal | null;
  clock: Pick<Clock, 'sleep' | 'monotonicMs'>;
};

/**
 * In a process that `launch` started: does the task that it is sent, answers and ends. Where the task has limits, the process
 * ends with the one that started it.
 */
export function serveTask(serving: Serving): void {
  process.once('message', async (message) => {
    const order = orderMessage.parse(message);
    const { limits } = taskOf(order, serving);
    if (limits !== null) {
      process.once('disconnect', () => process.exit());
      void watchMemory(limits, serving.clock);
    }
    const report = (progress: unknown) => void send({ kind: 'progress', progress });
    const passOn = (measures: readonly Measure[]): void => void send({ kind: 'measured', measures: [...measures] });
    const passRest = order.isMeasured ? passMeasuresOn(passOn, serving.clock.monotonicMs) : () => {};
    const answer = await answerTo(order, report, serving);
    passRest();
    await send(answer);
    if (limits !== null) process.exit();
    if (process.connected) process.disconnect?.();
  });
}

function taskOf({ task: name }: OrderMessage, { tasks }: Serving): AnyTask {
  const task = tasks[name];
  assert(task !== undefined, `there is no task ${name}`);
  return task;
}

/** Does the task in this process. Never rejects. */
export async function answerTo(
  { task, setup, order }: OrderMessage,
  report: (progress: unknown) => void,
  serving: Serving,
): Promise<AnswerMessage> {
  const { workerOf, refusalOf } = serving;
  try {
    const known = taskOf({ task, setup, order }, serving).order.parse(order);
    return { kind: 'done', value: await workerOf(task, setup)(known, report) };
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === null)
      return { kind: 'failed', error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    return { kind: 'refused', refusal: { reason: refusal.reason } };
  }
}

/** Buffers are not on V8's heap. */
async function watchMemory({ memoryMb }: Limits, clock: Pick<Clock, 'sleep'>): Promise<never> {
  const mostBytes = memoryMb * MIB * 1.5;
  while (process.memoryUsage.rss() <= mostBytes) await clock.sleep(MEMORY_LOOK_MS);
  await send({ kind: 'out_of_memory' });
  process.exit();
}

/** Resolves when it is sent, or nobody is there any more to take it. */
function send(answer: AnswerMessage): Promise<void> {
  return new Promise((resolve) => {
    if (!process.connected || process.send === undefined) return resolve();
    process.send(answer, undefined, undefined, () => resolve());
  });
}
