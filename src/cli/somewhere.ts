import { EXIT } from './exit.ts';

/**
 * Whether the working directory still exists. In one that was removed names of files mean nothing, and packages fail as
 * they are loaded: so it is asked, and said, before any is.
 */
export function isSomewhere(argv: readonly string[]): boolean {
  try {
    process.cwd();
    return true;
  } catch {
    const message = 'The folder in which payrun was started is not there any more.';
    const remedy = 'Change to another folder.';
    const result = { run_id: null, state: 'refused', message, remedy, exit: EXIT.usage };
    if (argv.includes('--json')) process.stdout.write(`${JSON.stringify(result)}\n`);
    process.stderr.write(`${message}\n\n${remedy}\n`);
    process.exitCode = EXIT.usage;
    return false;
  }
}
