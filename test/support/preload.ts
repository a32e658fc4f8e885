import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

/**
 * Compiles `test/support/NAME.c` to a library for LD_PRELOAD, in a temporary folder that goes with this process. Null, and
 * a loud word, where that cannot be: another system than Linux, or no C compiler.
 */
export function compilePreload(name: string): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'payrun-preload-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const library = join(folder, `${name}.so`);
  const source = join(import.meta.dirname, `${name}.c`);
  const flags = ['-O1', '-Wall', '-Werror', '-shared', '-fPIC', '-pthread'];
  const made =
    process.platform === 'linux'
      ? spawnSync('cc', [...flags, '-o', library, source, '-ldl'], { encoding: 'utf8' })
      : null;
  if (made?.status === 0) return library;
  // A compiler that is there and refuses is a mistake of ours, not a machine without one.
  if (made?.stderr) throw new Error(made.stderr);
  process.stderr.write(`\nSKIPPED: what needs ${name}.c (Linux and a C compiler: apt-get install gcc libc6-dev)\n\n`);
  return null;
}
