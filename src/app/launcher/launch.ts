import { type ChildProcess, fork } from 'node:child_process';
import { z } from 'zod';
import { type Clock, within } from '../../platform/clock.ts';
import { isMeasured, measure } from '../../platform/measures.ts';
import { withNodeOptions } from '../../platform/own-program.ts';
import { type AnyTask, answerMessage, type OrderMessage, type Refused, WORKER } from './task.ts';

/** How this program was started. `file` calls `serveTask` where it is started with `WORKER`. */
export type Program = { file: string; execArgv: readonly string[]; cwd: string; env: NodeJS.ProcessEnv };

/** How a task ended. */
export type Ended<Value> =
  | { outcome: 'done'; value: Value }
  | { outcome: 'refused'; refusal: Refused }
  /** It met a bug, and `error` has the stack; or it could not be started. */
  | { outcome: 'failed'; error: string }
  | { outcome: 'out_of_memory' }
  | { outcome: 'out_of_time' }
  /** `stderr` is the end of what the process wrote there, for the log only. */
  | { outcome: 'died'; exit: number | null; signal: string | null; stderr: string };

export type Launched<Value> = { pid: number | null; ended: Promise<Ended<Value>> };

type Launch<Task extends AnyTask> = {
  program: Program;
  name: string;
  task: Task;
  setup: unknown;
  order: z.input<Task['order']>;
  clock: Pick<Clock, 'sleep'>;
  onProgress?: ((progress: z.output<Task['progress']>) => void) | undefined;
};

/** How a task ended, without its result: that may hold what is in no log. */
export function endForLog(ended: Ended<unknown>): Record<string, unknown> {
  if (ended.outcome !== 'refused') return { ...ended, value: undefined };
  const { reason } = ended.refusal;
  return { outcome: ended.outcome, reason };
}

const STDERR_CHARACTERS_MAX = 8_192;

/** Starts a task in a process of its own. `ended` never rejects, and resolves whatever becomes of the process. */
export function launch<Task extends AnyTask>(given: Launch<Task>): Launched<z.output<Task['value']>> {
  const { program, name, task, setup, order } = given;
  const { limits } = task;
  const limit = limits === null ? [] : [`--max-old-space-size=${limits.memoryMb}`];
  const child = fork(program.file, [WORKER], {
    ...withNodeOptions([...program.execArgv, ...limit], program.env),
    cwd: program.cwd,
    // What outlives this process is in a group of its own, so that Ctrl-C here is none there.
    detached: limits === null,
    stdio: ['ignore', 'ignore', limits === null ? 'ignore' : 'pipe', 'ipc'],
  });
  const ended = endOf(child, given);
  if (limits === null) {
    child.unref();
    child.channel?.unref();
  }
  // A process that could not be started takes no order; `ended` says why.
  child.send({ task: name, setup, order, isMeasured: isMeasured() } satisfies OrderMessage, () => {});
  return { pid: child.pid ?? null, ended };
}

async function endOf<Task extends AnyTask>(
  child: ChildProcess,
  { task, clock, onProgress }: Launch<Task>,
): Promise<Ended<z.output<Task['value']>>> {
  const stderr = collected(child);
  const answered = new Promise<Ended<z.output<Task['value']>>>((resolve) => {
    child.on('message', (message) => {
      const answer = answerOf(task, message, onProgress);
      if (answer !== null) resolve(answer);
    });
    child.on('error', (error) => resolve({ outcome: 'failed', error: error.message }));
    child.on('close', (exit, signal) => resolve(deathOf(exit, signal, stderr())));
  });
  if (task.limits === null) return answered;
  const ended = (await within(clock, task.limits.timeMs, answered)) ?? ({ outcome: 'out_of_time' } as const);
  // One that has answered ends on its own; one that has not, or hangs, ends now.
  if (ended.outcome === 'out_of_time' || ended.outcome === 'failed') child.kill('SIGKILL');
  return ended;
}

/** How a message says that the task ended; null while it goes on. What is no answer by the task's schemas fails the task. */
export function answerOf<Task extends AnyTask>(
  task: Task,
  message: unknown,
  onProgress?: Launch<Task>['onProgress'],
): Ended<z.output<Task['value']>> | null {
  try {
    const answer = answerMessage.parse(message);
    switch (answer.kind) {
      case 'progress':
        onProgress?.(task.progress.parse(answer.progress) as z.output<Task['progress']>);
        return null;
      case 'measured':
        for (const one of answer.measures) measure(one);
        return null;
      case 'done':
        return { outcome: 'done', value: task.value.parse(answer.value) as z.output<Task['value']> };
      case 'refused':
        return { outcome: 'refused', refusal: answer.refusal };
      case 'failed':
        return { outcome: 'failed', error: answer.error };
      case 'out_of_memory':
        return { outcome: 'out_of_memory' };
    }
  } catch (error) {
    return { outcome: 'failed', error: error instanceof z.ZodError ? z.prettifyError(error) : String(error) };
  }
}

/** V8 aborts where the heap is full. */
function deathOf(exit: number | null, signal: NodeJS.Signals | null, stderr: string): Ended<never> {
  return signal === 'SIGABRT' ? { outcome: 'out_of_memory' } : { outcome: 'died', exit, signal, stderr };
}

/** The end of what it writes on standard error. */
function collected({ stderr }: ChildProcess): () => string {
  let text = '';
  stderr?.setEncoding('utf8').on('data', (more: string) => {
    text = `${text}${more}`.slice(-STDERR_CHARACTERS_MAX);
  });
  return () => text;
}
