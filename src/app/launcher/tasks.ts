import PQueue from 'p-queue';
import { z } from 'zod';
import type { Awaited } from '../../domain/outcomes/awaited.ts';
import { LANGUAGE_NAMES, type Language } from '../../messages/viewer.ts';
import type { Clock } from '../../platform/clock.ts';
import { mappedResult } from '../check/check-result.ts';
import { fileOrder } from '../check/reading.ts';
import { planResult } from '../plan/plan-result.ts';
import { wantedStart } from '../schedule/plan-start.ts';
import { over } from '../service/over.ts';
import { type Ended, launch, type Program } from './launch.ts';
import type { AnyTask } from './task.ts';

const MINUTE_MS = 60_000;

/** The largest file that the page takes is checked in a fifth of each. */
const OF_A_FILE = { memoryMb: 2_048, timeMs: 10 * MINUTE_MS };

/** The language of the reader. */
const language = z.enum(Object.keys(LANGUAGE_NAMES) as Language[]);

const people = z.array(z.object({ name: z.string(), public_key: z.string() }));

/** Who makes plans and who approves them, written as `approval:` of a job is. */
const pagePolicy = z.object({
  preparers: people,
  approvers: people,
  required: z.string(),
  valid_for: z.string().optional(),
});

export type PagePolicy = z.output<typeof pagePolicy>;

/** Who makes a plan: their key, what opens it, and their name on the page. */
const maker = z.object({ keyFile: z.string(), passphrase: z.string(), person: z.string() });

/** A plan waits for the service, which may quote each payout of thousands at ten requests a second. */
const OF_A_PLAN = { memoryMb: 4_096, timeMs: 120 * MINUTE_MS };

/** The exit code of a process that worked on a run, and why it stopped early. The journal holds what came of the run. */
const executed = z.object({ exit: z.number().int(), halted: z.string().nullable() });

export type Executed = z.output<typeof executed>;

/** What a run is waiting for; null when it is not waiting. */
const awaited = z.custom<Awaited | null>();

/** What runs apart. */
export const TASKS = {
  /** Parses and validates a file; `copy` writes a copy of it to `path`, where there is something to write. */
  check: {
    order: fileOrder.extend({
      /** The company that pays it, by its id. */
      entity: z.string(),
      forgetColumns: z.boolean(),
      copy: z
        .discriminatedUnion('kind', [
          /** `namesRuns`: whether its reader may see every run. */
          z.object({ kind: z.literal('annotated'), path: z.string(), language, namesRuns: z.boolean() }),
          z.object({ kind: z.literal('cells'), path: z.string() }),
        ])
        .nullable(),
    }),
    progress: z.never(),
    value: mappedResult,
    limits: OF_A_FILE,
  },
  /** Plans a file, or the rows of a run that it corrects. */
  plan: {
    order: fileOrder.extend({
      maker,
      over: over.optional(),
      /** Who approves it, where neither its job says that nor the run that it corrects. */
      policy: pagePolicy.nullable(),
      onlyValid: z.boolean(),
      period: z.string().nullable(),
      /** The earlier run that is knowingly paid again. */
      allowRepeat: z.string().nullable(),
      /** When it is to be started on its own, in the name of its maker. */
      start: wantedStart.nullable(),
    }),
    progress: z.never(),
    value: z.discriminatedUnion('outcome', [
      z.object({ outcome: z.literal('planned'), plan: planResult }),
      z.object({ outcome: z.literal('has_problems') }),
    ]),
    limits: OF_A_PLAN,
  },
  /** Plans the rows of a run that were not paid, as they were, but those that are left out. `policy` as of `plan`. */
  retry: {
    order: z.object({
      runId: z.string(),
      maker,
      over: over.optional(),
      policy: pagePolicy.nullable(),
      leaveOut: z.array(z.number()).default([]),
      start: wantedStart.nullable(),
    }),
    progress: z.never(),
    value: z.object({ planned: z.string() }),
    limits: OF_A_PLAN,
  },
  /** Starts a plan, and pays it. `allowRepeat`: the runs that are knowingly paid again. */
  run: {
    order: z.object({
      runId: z.string(),
      person: z.string().nullable(),
      over: over.optional(),
      onlyValid: z.boolean(),
      allowRepeat: z.array(z.string()),
    }),
    progress: awaited,
    value: executed,
    limits: null,
  },
  /** Goes on with a run that stopped. */
  resume: {
    order: z.object({ runId: z.string(), person: z.string().nullable(), over: over.optional() }),
    progress: awaited,
    value: executed,
    limits: null,
  },
} as const satisfies Readonly<Record<string, AnyTask>>;

export type TaskName = keyof typeof TASKS;
export type OrderOf<Name extends TaskName> = z.output<(typeof TASKS)[Name]['order']>;
export type ValueOf<Name extends TaskName> = z.output<(typeof TASKS)[Name]['value']>;
type ProgressOf<Name extends TaskName> = z.output<(typeof TASKS)[Name]['progress']>;
type OnProgress<Name extends TaskName> = (progress: ProgressOf<Name>) => void;

/** Each task as its caller sees it. Never rejects. */
export type Tasks = {
  readonly [Name in TaskName]: (order: OrderOf<Name>, onProgress?: OnProgress<Name>) => Promise<Ended<ValueOf<Name>>>;
};

/** Each task as the process that does it carries it out. */
export type TaskWork = {
  readonly [Name in TaskName]: (order: OrderOf<Name>, report: OnProgress<Name>) => Promise<ValueOf<Name>>;
};

/** Processes with limits at once: what many people ask for must not take the whole machine. */
const AT_ONCE = 3;

/** Each task in a process of its own; `setup` goes with each order. Those that outlive this process wait for no others. */
export function tasksApart(program: Program, setup: unknown, clock: Pick<Clock, 'sleep'>): Tasks {
  const queue = new PQueue({ concurrency: AT_ONCE });
  const names = Object.keys(TASKS) as TaskName[];
  const calls = names.map((name) => {
    const task = TASKS[name];
    const start = (order: never, onProgress?: (progress: unknown) => void) =>
      launch({ program, name, task, setup, order, clock, onProgress }).ended;
    return [name, task.limits === null ? start : (order: never) => queue.add(() => start(order))] as const;
  });
  return Object.fromEntries(calls) as unknown as Tasks;
}
