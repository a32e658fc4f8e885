import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Witness } from '../journal/journal.ts';
import { DOUBTS_KEY } from './json.ts';
import { reportDirectory } from './write.ts';

/** What stands before the doubts and the rows is under a kilobyte, but the input's name is the user's. */
const PREAMBLE_BYTES_MAX = 65_536;

const preamble = z.object({
  run_id: z.string(),
  journal: z.object({ entries: z.int().min(1), head: z.string().regex(/^[0-9a-f]{64}$/) }),
});

export type ReportWitness =
  | { outcome: 'witness'; witness: Witness; path: string }
  | { outcome: 'absent'; path: string }
  /** Something is there that is not this run's report. */
  | { outcome: 'unreadable'; path: string; message: string };

/**
 * The journal's head as the run's `report.json` notes it, if there is one. A journal that was rewritten with all its
 * hashes is still found out by this, because the report lies elsewhere. Reads the file's first 64 KiB and no more.
 */
export async function readWitness(directory: string, runId: string): Promise<ReportWitness> {
  const path = join(reportDirectory(directory, runId), 'report.json');
  let start: string;
  try {
    start = await readStart(path);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const isAbsent = 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
    return isAbsent ? { outcome: 'absent', path } : { outcome: 'unreadable', path, message: error.message };
  }
  const endsAt = start.indexOf(DOUBTS_KEY);
  const parsed = preamble.safeParse(parsedJson(endsAt === -1 ? start : `${start.slice(0, endsAt)}}`));
  if (!parsed.success) return { outcome: 'unreadable', path, message: 'it is not a report of payrun' };
  const { run_id, journal } = parsed.data;
  if (run_id !== runId) return { outcome: 'unreadable', path, message: `it is the report of the run ${run_id}` };
  return { outcome: 'witness', witness: { n: journal.entries, hash: journal.head }, path };
}

async function readStart(path: string): Promise<string> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(PREAMBLE_BYTES_MAX), position: 0 });
    return buffer.subarray(0, bytesRead).toString('utf8');
  } finally {
    await file.close();
  }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
