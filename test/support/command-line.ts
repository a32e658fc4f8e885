import process from 'node:process';
import { type MockInstance, vi } from 'vitest';
import type { Argv } from 'yargs';
import { payrun } from '../../src/cli/payrun.ts';
import { parsed } from './parse-only.ts';

/** What is wrong with a command line by the real parser; null where it would be run. yargs has to be `parseOnly`. */
export async function faultOf(words: readonly string[]): Promise<string | null> {
  const { exitCode } = process;
  const { stdout, stderr } = process;
  const written = [vi.spyOn(stdout, 'write'), vi.spyOn(stderr, 'write'), vi.spyOn(console, 'log')] as MockInstance[];
  for (const stream of written) stream.mockReturnValue(true);
  const before = parsed.reached;
  process.exitCode = 0;
  try {
    await payrun([...words]);
    const said = written.flatMap(({ mock }) => mock.calls.map(([text]) => String(text))).join('');
    const isTaken = parsed.reached > before || words.includes('--help');
    return process.exitCode === 0 && isTaken ? null : said || 'it is no command';
  } finally {
    process.exitCode = exitCode;
    for (const stream of written) stream.mockRestore();
  }
}

/** The name of every option of every command. Those below others are known once one of them was parsed. */
export function knownOptions(make: () => Argv): Set<string> {
  const names = new Set<string>();
  for (const { builder } of [...parsed.declared]) {
    if (typeof builder !== 'function') continue;
    const built = builder(make()) as unknown as { getOptions(): { key: Record<string, unknown> } };
    for (const name of Object.keys(built.getOptions().key)) names.add(name);
  }
  return names;
}
