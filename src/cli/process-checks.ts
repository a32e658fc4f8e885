import { readFileSync } from 'node:fs';
import { EXIT } from './exit.ts';
import type { RefusalOutput } from './json/outputs.ts';

/**
 * Whether the working directory still exists. In one that was removed names of files mean nothing, and packages fail as
 * they are loaded, so this is checked before any is.
 */
export function hasWorkingDirectory(argv: readonly string[]): boolean {
  try {
    process.cwd();
    return true;
  } catch {
    const message = 'The folder payrun was started in no longer exists.';
    return refused(argv, { message, remedy: 'Change to another folder.', exit: EXIT.usage });
  }
}

/** Node.js, the journal, its log, the shipped service and eight requests at once open some fifty. */
const DESCRIPTORS_MIN = 64;

/**
 * Whether this process may open as many files as a run needs. With fewer, modules, the journal and connections fail in
 * the middle of something, so this is checked before any is opened. A limit that the system does not show is enough.
 */
export function hasDescriptors(argv: readonly string[]): boolean {
  const limit = descriptorLimit();
  if (limit === null || limit >= DESCRIPTORS_MIN) return true;
  const message = `payrun may open only ${limit} files at once, and needs ${DESCRIPTORS_MIN}. Nothing was done.`;
  return refused(argv, {
    message,
    remedy: 'Allow more, then run it again: ulimit -n 1024',
    exit: EXIT.person_needed,
  });
}

function refused(argv: readonly string[], why: Pick<RefusalOutput, 'message' | 'remedy' | 'exit'>): false {
  const result: RefusalOutput = { run_id: null, state: 'refused', ...why };
  if (argv.includes('--json')) process.stdout.write(`${JSON.stringify(result)}\n`);
  process.stderr.write(`${why.message}\n\n${why.remedy}\n`);
  process.exitCode = why.exit;
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
