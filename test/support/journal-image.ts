import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Entry } from '../../src/domain/entry.ts';
import { entriesIn } from '../../src/journal/pages.ts';
import { identifyProcess } from '../../src/journal/process-identity.ts';
import { openJournal } from '../../src/journal/sqlite/open.ts';
import { machineClock, machineRandomness } from '../../src/platform/machine.ts';

/** The two files that make a journal; the third, `-shm`, is an index that is made anew. */
const FILES = ['journal.db', 'journal.db-wal'];

export type JournalImage = {
  /** The newest run, or null where the journal holds none. */
  runId: string | null;
  /** The token of every intent of every run. */
  tokens: Set<string>;
};

/** Copies a journal's files. Only of a journal that nobody writes to at the moment: one that is closed, killed or stopped. */
export function copyJournal(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const name of FILES) {
    if (existsSync(join(from, name))) copyFileSync(join(from, name), join(to, name));
  }
}

/** What a new process would find in the journal of this directory, proven by its chain. The directory stays as it is. */
export async function readImage(directory: string): Promise<JournalImage> {
  const place = mkdtempSync(join(tmpdir(), 'payrun-image-'));
  try {
    copyJournal(directory, place);
    return await readJournal(place);
  } finally {
    rmSync(place, { recursive: true });
  }
}

/** The entries of the newest run in the journal of this directory, to which nobody writes at the moment. */
export async function entriesOf(directory: string): Promise<Entry[]> {
  const place = mkdtempSync(join(tmpdir(), 'payrun-image-'));
  copyJournal(directory, place);
  const journal = openCopy(place);
  try {
    const [newest] = await journal.listRuns(1);
    return newest === undefined ? [] : (await entriesIn(journal.readRun(newest.run_id))).map(({ entry }) => entry);
  } finally {
    await journal.close();
    rmSync(place, { recursive: true });
  }
}

function openCopy(directory: string): ReturnType<typeof openJournal> {
  const path = join(directory, 'journal.db');
  const parts = { clock: machineClock, randomness: machineRandomness, process: identifyProcess() };
  return openJournal({ path, ...parts, isAlive: () => true });
}

async function readJournal(directory: string): Promise<JournalImage> {
  const journal = openCopy(directory);
  try {
    const runs = await journal.listRuns(1_000);
    const tokens = new Set<string>();
    for (const { run_id } of runs) {
      for await (const page of journal.readRun(run_id))
        for (const { entry } of page) if (entry.kind === 'intent') tokens.add(entry.token);
    }
    return { runId: runs[0]?.run_id ?? null, tokens };
  } finally {
    await journal.close();
  }
}

/** The token at the end of a transaction's description. */
export function tokenOf(transaction: {
  metadata?: { description?: string | null | undefined } | null | undefined;
}): string {
  return transaction.metadata?.description?.split(' ').at(-1) ?? '';
}
