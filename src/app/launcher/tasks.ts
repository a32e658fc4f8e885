import { z } from 'zod';
import { checkResult } from '../check/check-result.ts';
import { fileOrder } from '../check/reading.ts';
import type { Ended } from './launch.ts';
import type { AnyTask } from './task.ts';

const MINUTE_MS = 60_000;

/** The largest file that the page takes is checked in a fifth of each. */
const OF_A_FILE = { memoryMb: 2_048, timeMs: 10 * MINUTE_MS };

/** What runs apart. */
export const TASKS = {
  /** Parses and validates a file; `copy` writes a copy of it to `path`, where there is something to write. */
  check: {
    order: fileOrder.extend({
      forgetColumns: z.boolean(),
      copy: z.object({ kind: z.enum(['annotated', 'cells']), path: z.string() }).nullable(),
    }),
    progress: z.never(),
    value: checkResult,
    limits: OF_A_FILE,
  },
} as const satisfies Readonly<Record<string, AnyTask>>;

export type TaskName = keyof typeof TASKS;
export type OrderOf<Name extends TaskName> = z.output<(typeof TASKS)[Name]['order']>;
export type ValueOf<Name extends TaskName> = z.output<(typeof TASKS)[Name]['value']>;

/** Each task as whoever has it done calls it. Never rejects. */
export type Tasks = { readonly [Name in TaskName]: (order: OrderOf<Name>) => Promise<Ended<ValueOf<Name>>> };

/** Each task as the process that does it carries it out. */
export type TaskWork = { readonly [Name in TaskName]: (order: OrderOf<Name>) => Promise<ValueOf<Name>> };
