import { createHash } from 'node:crypto';
import type { InputSource } from './file.ts';

/** SHA-256 (hex) of the input's bytes, as `InputFile.sha256` has it. */
export async function hashOf(source: InputSource): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of source.open()) hash.update(chunk);
  return hash.digest('hex');
}
