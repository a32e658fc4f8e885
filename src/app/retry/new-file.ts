import { Refusal } from '../../domain/refusal.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import type { Journal } from '../../journal/journal.ts';
import type { CommandLine } from '../../report/command-line.ts';
import { runNamed, runsOfFile } from '../plan/repeats.ts';

/**
 * Throws a `Refusal` (`refused`) where a file of corrected rows was run itself, or another retry took rows from it. The file
 * of the run that is retried is none of its corrections, but may be named.
 */
export function requireNewFile(
  journal: Journal,
  { header }: RunState,
  { name, sha256 }: { name: string; sha256: string },
  command: CommandLine,
): void {
  const kind = header ?? { rehearsal: null, scope: null };
  const earlier = runsOfFile(journal, { sha256, kind }).findLast(({ isPlanned }) => !isPlanned);
  if (earlier === undefined || earlier.run_id === header?.run_id) return;
  throw new Refusal(
    'refused',
    `${name} was run before, as ${runNamed(journal, earlier.run_id)}. Nothing was sent.`,
    `See \`${command('show', earlier.run_id)}\`, and correct a copy of the file.`,
    { run_id: earlier.run_id },
  );
}
