import PQueue from 'p-queue';
import type { Clock } from '../../platform/clock.ts';
import { launch, type Program } from './launch.ts';
import { TASKS, type TaskName, type Tasks } from './tasks.ts';

/** Processes with limits at once: what many people ask for must not take the whole machine. */
const AT_ONCE = 3;

/** Each task in a process of its own; `setup` goes with each order. Those that outlive this process wait for no others. */
export function tasksApart(program: Program, setup: unknown, clock: Pick<Clock, 'sleep'>): Tasks {
  const queue = new PQueue({ concurrency: AT_ONCE });
  const names = Object.keys(TASKS) as TaskName[];
  const calls = names.map((name) => {
    const task = TASKS[name];
    const start = (order: never) => launch({ program, name, task, setup, order, clock }).ended;
    return [name, task.limits === null ? start : (order: never) => queue.add(() => start(order))] as const;
  });
  return Object.fromEntries(calls) as unknown as Tasks;
}
