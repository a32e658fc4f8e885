import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { MUTANTS } from './mutants.ts';
import type { Catch } from './teeth.ts';

/** One process tries all mutants: to load the packages anew for each would take longer than to catch it. */
const catches = catchAll();

test.each(Object.keys(MUTANTS))(
  '%s is caught',
  async (mutant) => {
    const { output, errors, exit } = await catches;
    expect({ errors, exit }).toEqual({ errors: '', exit: 0 });
    const caught = output.find((it) => it.mutant === mutant);
    expect(caught?.message).toMatch(/^(never twice|never lost|write ahead|one writer|no blind retry|ceiling): /);
  },
  600_000,
);

async function catchAll(): Promise<{ output: Catch[]; errors: string; exit: number }> {
  const child = spawn(process.execPath, [
    '--disable-warning=ExperimentalWarning',
    join(import.meta.dirname, 'teeth.ts'),
  ]);
  const [output, errors, [exit]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { output: output.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)])), errors, exit };
}
