import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** They start no process either, and try so many cases that they last. */
const MANY_CASES =
  /simulation|journal\/postgres|service\/(?:admin-fuzz|any-history|crash-points|fuzz|rail-destinations|specification|webhooks)\.|cli\/corpus-copies|runner\/(?:breaker|creation|wait)\.|against-library|input\/vectors|rate-limit-real/;

const STARTS_PROCESSES: ReadonlySet<string> = new Set(['node:child_process', 'playwright-core']);

/** The tests for while you type: those that start no process and no browser, by what they import, and last no longer than it takes to read a failure. */
export function fastTests(root: string): string[] {
  const files = globSync('test/**/*.ts', { cwd: root });
  const imports = new Map(files.map((file) => [file, importsOf(file, readFileSync(join(root, file), 'utf8'))]));
  const startsProcesses = (file: string, seen: Set<string>): boolean => {
    if (seen.has(file)) return false;
    seen.add(file);
    return (imports.get(file) ?? []).some((name) => STARTS_PROCESSES.has(name) || startsProcesses(name, seen));
  };
  return files.filter(
    (file) => file.endsWith('.test.ts') && !MANY_CASES.test(file) && !startsProcesses(file, new Set()),
  );
}

/** What they put in the place of a module must not meet the next file. */
export function replacingTests(root: string): string[] {
  const files = globSync('test/**/*.test.ts', { cwd: root });
  return files.filter((file) => readFileSync(join(root, file), 'utf8').includes('vi.mock('));
}

/** Modules by their names, files by their paths from the root. */
function importsOf(file: string, text: string): string[] {
  const names = Array.from(text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g), ([, name = '']) => name);
  return names.map((name) => (name.startsWith('.') ? normalize(join(dirname(file), name)) : name));
}
