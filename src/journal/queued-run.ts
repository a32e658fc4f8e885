import { z } from 'zod';
import type { RefusalReason } from '../domain/refusals/reason.ts';

/** How a worker goes on with a run. `person`: of the page, who wants it; null where it was wanted elsewhere. */
export const queuedTask = z.object({ person: z.string().nullable(), resubmitAbsent: z.boolean() });
export type QueuedTask = z.output<typeof queuedTask>;

/** A run that is left to workers. Times are Unix ms, by the clock of the database. */
export type QueuedRun = {
  runId: string;
  task: QueuedTask;
  queuedAt: number;
  /** How often a worker tried it and had to leave it. */
  tries: number;
  /** No worker takes it before then; null where none does any more, until it is left to workers again. */
  dueAt: number | null;
  /** Whether that time has come. */
  isDue: boolean;
  /** Why the last worker left it; null where none has. */
  why: RefusalReason | null;
};

/**
 * The runs that are left to workers: each stays among them until a worker is done with it. They are no part of any chain, and
 * nothing about a payout is ever concluded from them: who may work on a run, its lease alone decides.
 */
export type QueuedRuns = {
  /** Leaves a run to workers, from now on and anew where it is among them. A run that is not there is a bug. */
  add(runId: string, task: QueuedTask): Promise<void>;
  find(runId: string): Promise<QueuedRun | null>;
  /** All of them, oldest first; at most 10,000. */
  list(): Promise<QueuedRun[]>;
  /** Those that a worker may take now: they are due, and no process that may still run holds them. Oldest first; at most 10,000. */
  due(): Promise<QueuedRun[]>;
  /** Notes why a worker leaves it, which counts as a try. It is due again after `pauseMs`; where that is null, never. */
  leave(runId: string, why: RefusalReason, pauseMs: number | null): Promise<void>;
  /** No worker takes it any more: the run is over, or waits for a person. */
  remove(runId: string): Promise<void>;
};
