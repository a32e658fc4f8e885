import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { z } from 'zod';

/** Where a service listens that has the data open. `instance` is of this one start, and of no other. */
export type ListeningFile = { pid: number; instance: string; base_url: string; admin_url: string; api_key: string };

/** The header by which a caller of the admin port says which start it means, and by which the service says which it is. */
export const INSTANCE_HEADER = 'x-payrun-instance';

const shape = z.object({
  pid: z.int(),
  instance: z.string().min(1).max(100),
  base_url: z.url().max(200),
  admin_url: z.url().max(200),
  api_key: z.string().min(1).max(200),
});

/** Written when the ports are open, whole or not at all. The one before it, of a service that was killed, is replaced. */
export function writeListeningFile(path: string, where: Omit<ListeningFile, 'pid'>): void {
  const unfinished = `${path}.making`;
  rmSync(unfinished, { force: true });
  writeFileSync(unfinished, `${JSON.stringify({ pid: process.pid, ...where })}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(unfinished, path);
}

/** Removed at the stop. */
export function removeListeningFile(path: string): void {
  rmSync(path, { force: true });
}

/** Null where there is none that can be read. One that was left by a kill names ports where nobody listens any more. */
export function readListeningFile(path: string): ListeningFile | null {
  try {
    return shape.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return null;
  }
}
