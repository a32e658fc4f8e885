import { Refusal } from '../domain/refusal.ts';
import { CommitUncertain, Deposed, JournalDamaged } from '../journal/journal.ts';
import { KeyFileError } from '../keys/key-file.ts';
import { EXIT, exitOfRefusal } from './exit.ts';

/**
 * Says on standard error what went wrong and what to do, and gives the exit code. With `json` the one object that a
 * program waits for on standard output says it too.
 */
export function explain(error: unknown, json: boolean): number {
  const { text, exit } = explanation(error);
  if (json) {
    const [message = '', ...remedy] = text.split('\n');
    const runId = error instanceof Refusal ? (error.details.run_id ?? null) : null;
    const isStopped = exit === EXIT.bug || exit === EXIT.person_needed || error instanceof Deposed;
    const state = isStopped ? 'stopped' : 'refused';
    process.stdout.write(`${JSON.stringify({ run_id: runId, state, message, remedy: remedy.join('\n'), exit })}\n`);
  }
  process.stderr.write(`${text}\n`);
  return exit;
}

const AFTER_DEPOSED = {
  taken: 'This process has stopped; the other goes on.',
  replaced: `This process has stopped and sends nothing more. What it wrote is not in the file that is there now, if any:
put the newest copy back, with the -wal file beside it, and then \`payrun resume\`.`,
};

function explanation(error: unknown): { text: string; exit: number } {
  if (error instanceof Refusal) {
    return { text: `${error.message}\n${error.remedy}`, exit: exitOfRefusal(error.kind) };
  }
  if (error instanceof KeyFileError) return { text: `${error.message}\n${error.remedy}`, exit: EXIT.usage };
  if (error instanceof Deposed) {
    return { text: `${error.message}. ${AFTER_DEPOSED[error.why]}`, exit: EXIT.held };
  }
  if (error instanceof CommitUncertain) {
    return {
      text: `${error.message}. Nothing is lost: mend the disk, then \`payrun resume\`. (${String(error.cause)})`,
      exit: EXIT.person_needed,
    };
  }
  if (error instanceof JournalDamaged) {
    return { text: `The journal is damaged: ${error.message}. Restore it from a backup.`, exit: EXIT.person_needed };
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { text: `payrun met a bug. What was sent is in the journal; nothing is lost.\n${stack}`, exit: EXIT.bug };
}
