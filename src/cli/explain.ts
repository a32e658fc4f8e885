import { Refusal } from '../domain/refusal.ts';
import { JournalDamaged } from '../journal/journal.ts';
import { KeyFileError } from '../keys/key-file.ts';
import { plainCommand } from '../report/command-line.ts';
import { wrongSetting } from './connection/wrong-setting.ts';
import { EXIT, exitOfRefusal } from './exit.ts';
import { jsonLine } from './json/line.ts';
import type { RefusalOutput } from './json/refusal.ts';
import { lossOf } from './runs/lost-run.ts';

/**
 * Says on standard error what went wrong and what to do, and gives the exit code. With `json` the one object that a
 * program waits for on standard output says it too.
 */
export function explain(thrown: unknown, json: boolean): number {
  const error = lossOf(thrown, null, plainCommand) ?? thrown;
  const { text, exit } = explanationOf(error);
  if (json) {
    const [message = '', ...remedy] = text.split('\n');
    const { run_id: runId, rows } = error instanceof Refusal ? error.details : {};
    const ofRows = Array.isArray(rows) ? { rows } : {};
    const isLost = error instanceof Refusal && error.details.stopped === true;
    const isStopped = exit === EXIT.bug || exit === EXIT.person_needed || isLost;
    const state = isStopped ? 'stopped' : 'refused';
    const known = { run_id: typeof runId === 'string' ? runId : null, state, message } as const;
    process.stdout.write(jsonLine<RefusalOutput>({ ...known, remedy: remedy.join('\n'), ...ofRows, exit }));
  }
  process.stderr.write(`${text}\n`);
  return exit;
}

/** What a person can act on of what was thrown; null for a bug. */
export function refusalIn(thrown: unknown): Refusal | null {
  const error = lossOf(thrown, null, plainCommand) ?? thrown;
  if (error instanceof Refusal) return error;
  if (error instanceof KeyFileError) return wrongSetting('key_file', error.message, error.remedy);
  if (!(error instanceof JournalDamaged)) return null;
  return new Refusal('person_needed', `The journal is damaged: ${error.message}.`, 'Restore it from a backup.');
}

/** What is said of it, the remedy in the lines after the first, and the exit code. */
export function explanationOf(error: unknown): { text: string; exit: number } {
  if (error instanceof Refusal) {
    return { text: `${error.message}\n${error.remedy}`, exit: exitOfRefusal(error.kind) };
  }
  if (error instanceof KeyFileError) return { text: `${error.message}\n${error.remedy}`, exit: EXIT.usage };
  if (error instanceof JournalDamaged) {
    return { text: `The journal is damaged: ${error.message}. Restore it from a backup.`, exit: EXIT.person_needed };
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { text: `payrun met a bug. What was sent is in the journal; nothing is lost.\n${stack}`, exit: EXIT.bug };
}
