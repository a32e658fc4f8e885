import PQueue from 'p-queue';
import type { Clock } from '../../domain/clock.ts';
import { launch, type Program } from './launch.ts';
import { TASKS, type TaskName, type Tasks } from './tasks.ts';

/** Processes at once: what many people ask for must not take the whole machine. */
const AT_ONCE = 3;

/** The tasks with limits, each in a process of its own; `setup` goes with each order. */
export function tasksApart(program: Program, setup: unknown, clock: Pick<Clock, 'sleep'>): Tasks {
  const queue = new PQueue({ concurrency: AT_ONCE });
  const names = Object.keys(TASKS) as TaskName[];
  const calls = names.map((name) => {
    const call = (order: never) =>
      queue.add(() => launch({ program, name, task: TASKS[name], setup, order, clock }).ended);
    return [name, call] as const;
  });
  return Object.fromEntries(calls) as unknown as Tasks;
}
