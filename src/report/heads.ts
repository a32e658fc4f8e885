import { mkdir, open, readdir, readFile, rename } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Journal, RunHead } from '../journal/journal.ts';

const FIRST_LINE = 'payrun heads 1';
const LINE = /^([A-Za-z0-9][A-Za-z0-9_-]{0,63}) ([1-9]\d{0,14}) ([0-9a-f]{64})$/;

/** A journal is known by its first run, so that several can have their heads in one directory. */
const NAME = /^heads-[A-Za-z0-9_-]+\.txt$/;

type Heads = Pick<Journal, 'heads' | 'hashAt'>;

/**
 * Writes how far each run of the journal goes, one line for each, beside the reports: with it `verify` finds out later
 * that a run was deleted, cut, rewritten, or put back to an older copy. A line that the journal does not go on from stays,
 * and is returned: it is evidence against the journal. Null where nothing was written, since something else is there.
 */
export async function writeHeads(
  journal: Heads,
  directory: string,
): Promise<{ path: string; against: RunHead[] } | null> {
  const heads = await journal.heads();
  const [first] = heads;
  if (first === undefined) return null;
  const folder = resolve(directory);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const name = `heads-${first.runId}.txt`;
  const path = join(folder, name);
  const noted = await readHeads(path);
  if (noted === 'unreadable') return null;
  const against = await notContained(journal, noted ?? []);
  const lines = [...heads, ...against].map(({ runId, n, hash }) => `${runId} ${n} ${hash}`);
  const draft = `${path}.draft`;
  const file = await open(draft, 'w', 0o600);
  try {
    await file.writeFile(`${[FIRST_LINE, ...lines].join('\n')}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
  return { path: join(directory, name), against };
}

/** Those from which the journal's run does not go on. */
export async function notContained<Noted extends RunHead>(journal: Heads, noted: readonly Noted[]): Promise<Noted[]> {
  const against: Noted[] = [];
  for (const head of noted) if ((await journal.hashAt(head.runId, head.n)) !== head.hash) against.push(head);
  return against;
}

/** The lines of a file of heads; null where there is none. */
export async function readHeads(path: string): Promise<RunHead[] | 'unreadable' | null> {
  try {
    return parseHeads(await readFile(path, 'utf8')) ?? 'unreadable';
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    return 'unreadable';
  }
}

/** Null for another text. */
export function parseHeads(text: string): RunHead[] | null {
  const [first, ...lines] = text.trimEnd().split(/\r?\n/);
  if (first !== FIRST_LINE) return null;
  const heads: RunHead[] = [];
  for (const line of lines) {
    const [, runId, n, hash] = LINE.exec(line) ?? [];
    if (runId === undefined || hash === undefined) return null;
    heads.push({ runId, n: Number(n), hash });
  }
  return heads;
}

/** The files of heads in a directory. */
export async function headsFilesIn(directory: string): Promise<string[]> {
  try {
    const names = await readdir(directory);
    return names.filter((name) => NAME.test(name)).map((name) => join(directory, name));
  } catch {
    return [];
  }
}
