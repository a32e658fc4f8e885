import type { RefusalReason } from '../../domain/refusals/reason.ts';
import type { RunEnding } from '../../domain/run/ending.ts';
import type { DatabaseEvent } from '../database-wait.ts';

/** What happens in a worker. */
export type WorkerEvent =
  | DatabaseEvent
  | { event: 'ready' }
  | { event: 'taken'; runId: string }
  /** `report`: the files of its report; none where it could not be written. */
  | { event: 'ended'; runId: string; ending: RunEnding; report: readonly string[] }
  /** It goes to another worker. */
  | { event: 'handed_over'; runId: string }
  /** Another process took it, or the journal confirmed nothing to this one any more: a worker finds it there and goes on. */
  | { event: 'lost'; runId: string; why: RefusalReason }
  /** `isTriedAgain`: by this worker or another one. */
  | { event: 'left'; runId: string; why: RefusalReason; isTriedAgain: boolean }
  | { event: 'stopping' };
