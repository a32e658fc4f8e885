import { readFileSync } from 'node:fs';
import { EXIT } from './exit.ts';
import type { RefusalOutput } from './json/refusal.ts';

/**
 * Whether the working directory still exists. In one that was removed names of files mean nothing, and packages fail as
 * they are loaded: so it is asked, and said, before any is.
 */
export function hasWorkingDirectory(argv: readonly string[]): boolean {
  try {
    process.cwd();
    return true;
  } catch {
    const message = 'The folder in which payrun was started is not there any more.';
    const remedy = 'Change to another folder.';
    const result: RefusalOutput = { run_id: null, state: 'refused', message, remedy, exit: EXIT.usage };
    if (argv.includes('--json')) process.stdout.write(`${JSON.stringify(result)}\n`);
    process.stderr.write(`${message}\n\n${remedy}\n`);
    process.exitCode = EXIT.usage;
    return false;
  }
}

/** Node.js, the journal, its log, the shipped service and eight requests at once open some fifty. */
const DESCRIPTORS_MIN = 64;

/**
 * Whether this process may open as many files as a run needs. With fewer, modules, the journal and connections fail in
 * the middle of something, so it is asked, and said, before any is opened. What the system does not show is not asked.
 */
export function hasDescriptors(argv: readonly string[]): boolean {
  const limit = descriptorLimit();
  if (limit === null || limit >= DESCRIPTORS_MIN) return true;
  const message = `payrun may open only ${limit} files at once, and needs ${DESCRIPTORS_MIN}. Nothing was done.`;
  const remedy = 'Allow more, then run it again: ulimit -n 1024';
  const result: RefusalOutput = { run_id: null, state: 'refused', message, remedy, exit: EXIT.person_needed };
  if (argv.includes('--json')) process.stdout.write(`${JSON.stringify(result)}\n`);
  process.stderr.write(`${message}\n\n${remedy}\n`);
  process.exitCode = EXIT.person_needed;
  return false;
}

/** The soft limit; null where it is unlimited or not shown. */
function descriptorLimit(): number | null {
  try {
    const limit = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return limit === undefined ? null : Number(limit);
  } catch {
    return null;
  }
}
