import type { StopReason } from '../../domain/entry.ts';
import type { StopWhy } from '../../domain/outcomes/stop-why.ts';

/** `why`: the code of the message, where its words depend on who reads them. `refusedCredentials`: rather than being away. */
type HaltDetails = { why?: StopWhy; refusedCredentials?: boolean };

/**
 * Why a run stops before its end, to be resumed. Thrown through the steps and caught in `run.ts`, which writes it to the
 * journal; it is no error of the program.
 */
export class Halt extends Error {
  readonly reason: StopReason;
  readonly why: StopWhy | null;
  /** The service refused our credentials, rather than being away. */
  readonly refusedCredentials: boolean;
  constructor(reason: StopReason, message: string, { why, refusedCredentials = false }: HaltDetails = {}) {
    super(message);
    this.name = 'Halt';
    this.reason = reason;
    this.why = why ?? null;
    this.refusedCredentials = refusedCredentials;
  }
}
