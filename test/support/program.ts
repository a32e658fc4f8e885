import { basename, join } from 'node:path';
import process from 'node:process';

/** Programs of tests that start them, often or several at once: `compiled-payrun.ts` makes one file of each. */
export const PROGRAMS = [
  'test/service/service-process.ts',
  'test/journal/child.ts',
  'test/journal/open-postgres.ts',
  'test/journal/open-sqlite.ts',
  'test/journal/sqlite/killed-opener.ts',
  'test/report/write-child.ts',
] as const;

/** What is to be started: as it was compiled for the tests, and outside of them from source. */
export function programOf(source: (typeof PROGRAMS)[number]): string {
  const folder = process.env.COMPILED_PROGRAMS;
  return folder === undefined ? join(import.meta.dirname, '../..', source) : join(folder, `${nameOf(source)}.js`);
}

export function nameOf(source: string): string {
  return basename(source, '.ts');
}
