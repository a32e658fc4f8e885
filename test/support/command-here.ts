import process from 'node:process';
import { vi } from 'vitest';
import { payrun } from '../../src/cli/payrun.ts';

/** `payrun WORDS` in this process: what it printed. */
export async function commandHere(words: readonly string[]): Promise<string> {
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const exitCode = process.exitCode;
  try {
    await payrun([...words]);
    return written.mock.calls.map(([text]) => String(text)).join('');
  } finally {
    process.exitCode = exitCode;
    written.mockRestore();
  }
}
