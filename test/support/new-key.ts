import { randomBytes } from 'node:crypto';
import { createKeyFile } from '../../src/keys/key-file.ts';

/** What `payrun keys new PATH` makes, for tests that only need a key. */
export function newKey(path: string): void {
  createKeyFile(path, { bytes: randomBytes });
}
