import { refusalIn } from '../../app/runs/known-run.ts';
import { REFUSAL_EXIT } from '../../domain/refusals/kinds.ts';
import { messages } from '../../messages/messages.ts';
import type { Place } from '../../messages/refusals/refusal-words.ts';

/** The exit code of a bug in payrun. */
export const BUG_EXIT = 1;

/** Why a command did not do its work, in words; `exit` is its exit code. */
export type Explanation = {
  message: string;
  remedy: string;
  exit: number;
  runId: string | null;
  rows: readonly number[] | null;
  /** A run that was under way has stopped, or may have. */
  isStopped: boolean;
  details: Record<string, unknown>;
};

export function explanationOf(thrown: unknown, place: Place): Explanation {
  const refusal = refusalIn(thrown);
  if (refusal === null) {
    const stack = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
    const { message } = messages.process.BUG;
    return { message, remedy: stack, exit: BUG_EXIT, runId: null, rows: null, isStopped: true, details: {} };
  }
  const { kind, message, remedy, details } = messages.refusals.refusalText(refusal, place);
  const { run_id: runId, rows, stopped } = details;
  return {
    message,
    remedy,
    exit: REFUSAL_EXIT[kind],
    runId: typeof runId === 'string' ? runId : null,
    rows: Array.isArray(rows) ? rows : null,
    isStopped: stopped === true || kind === 'person_needed',
    details,
  };
}
