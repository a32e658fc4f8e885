import type { StopReason } from '../../domain/entry.ts';

/**
 * Why a run stops before its end, to be resumed. Thrown through the steps and caught in `run.ts`, which writes it to the
 * journal; it is no error of the program.
 */
export class Halt extends Error {
  readonly reason: StopReason;
  /** The service refused our credentials, rather than being away. */
  readonly refusedCredentials: boolean;
  constructor(reason: StopReason, message: string, refusedCredentials = false) {
    super(message);
    this.name = 'Halt';
    this.reason = reason;
    this.refusedCredentials = refusedCredentials;
  }
}
