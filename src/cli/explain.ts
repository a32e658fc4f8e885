import { refusalIn } from '../app/runs/known-run.ts';
import { refusalText } from '../messages/refusals/refusal.ts';
import type { Place } from '../messages/refusals/refusal-words.ts';
import { EXIT, exitOfRefusal } from './exit.ts';
import { jsonLine } from './json/line.ts';
import type { RefusalOutput } from './json/refusal.ts';

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

/**
 * Says on standard error what went wrong and what to do, and gives the exit code. With `json` the one object that a
 * program waits for on standard output says it too.
 */
export function explain(thrown: unknown, json: boolean, place: Place): number {
  const { message, remedy, exit, runId, rows, isStopped } = explanationOf(thrown, place);
  const text = `${message}\n${remedy}`;
  if (json) {
    const [first = '', ...more] = text.split('\n');
    const known = { run_id: runId, state: isStopped ? 'stopped' : 'refused', message: first } as const;
    const ofRows = rows === null ? {} : { rows: [...rows] };
    process.stdout.write(jsonLine<RefusalOutput>({ ...known, remedy: more.join('\n'), ...ofRows, exit }));
  }
  process.stderr.write(`${text}\n`);
  return exit;
}

export function explanationOf(thrown: unknown, place: Place): Explanation {
  const refusal = refusalIn(thrown);
  if (refusal === null) return bugExplained(thrown);
  const { kind, message, remedy, details } = refusalText(refusal, place);
  const { run_id: runId, rows, stopped } = details;
  const exit = exitOfRefusal(kind);
  return {
    message,
    remedy,
    exit,
    runId: typeof runId === 'string' ? runId : null,
    rows: Array.isArray(rows) ? rows : null,
    isStopped: stopped === true || exit === EXIT.person_needed,
    details,
  };
}

function bugExplained(thrown: unknown): Explanation {
  const stack = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  const message = 'payrun met a bug. What was sent is in the journal; nothing is lost.';
  return { message, remedy: stack, exit: EXIT.bug, runId: null, rows: null, isStopped: true, details: {} };
}
