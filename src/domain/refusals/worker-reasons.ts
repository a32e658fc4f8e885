import type { StopWhy } from '../outcomes/stop-why.ts';
import type { RefusalKind } from './kinds.ts';

/** Why a run is not left to workers, or one of them leaves it. */
export type WorkerReason =
  /** The queue stands in the database of the journal; `database` without its password. `cause`: what the database says. */
  | { code: 'queue_unusable'; database: string; why: 'no_rights' | 'newer' | 'failed'; cause: string }
  /** `what`: what asked for workers. */
  | { code: 'workers_need_database'; what: 'worker' | 'detach' }
  /** The rehearsal service is inside of one process on one machine. */
  | { code: 'workers_need_service' }
  /** A worker stopped working on it, and tries again. */
  | { code: 'run_stopped'; runId: string; why: StopWhy }
  /** A bug, or a machine that failed. */
  | { code: 'worker_failed'; runId: string; cause: string }
  /** A person paused it, and a person resumes it. */
  | { code: 'run_paused'; runId: string };

export const WORKER_KINDS = {
  queue_unusable: 'usage',
  workers_need_database: 'usage',
  workers_need_service: 'usage',
  run_stopped: 'person_needed',
  worker_failed: 'person_needed',
  run_paused: 'refused',
} as const satisfies Readonly<Record<WorkerReason['code'], RefusalKind>>;
