import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** The package's version. */
export function packageVersion(): string {
  const file = new URL('../../package.json', import.meta.url);
  return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(file, 'utf8'))).version;
}
