import { open, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { z } from 'zod';
import type { RunHead, Witness } from '../journal/journal.ts';
import { openArchive } from '../platform/xlsx/archive.ts';
import { parseHeads } from './heads.ts';
import { DOUBTS_KEY } from './json.ts';
import { reportDirectory } from './write.ts';

/** What stands before the doubts and the rows is under a kilobyte, but the input's name is the user's. */
const PREAMBLE_BYTES_MAX = 65_536;

const PART_BYTES_MAX = 1_048_576;

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
  const head = headInJson(start);
  if (head === null) return { outcome: 'unreadable', path, message: 'it is not a report of payrun' };
  const { runId: of, ...witness } = head;
  if (of !== runId) return { outcome: 'unreadable', path, message: `it is the report of the run ${of}` };
  return { outcome: 'witness', witness, path };
}

/** What a file says of how far runs went: a report in any format but CSV, or a file of heads. Null where it is neither. */
export async function readWitnessFile(path: string): Promise<RunHead[] | null> {
  const bytes = await readFile(path);
  const isWorkbook = extname(path).toLowerCase() === '.xlsx';
  const text = isWorkbook ? await workbookText(bytes) : bytes.toString('utf8');
  const head = headInJson(text) ?? headInText(text);
  return head === null ? parseHeads(text) : [head];
}

function headInJson(text: string): RunHead | null {
  const endsAt = text.indexOf(DOUBTS_KEY);
  const parsed = preamble.safeParse(parsedJson(endsAt === -1 ? text : `${text.slice(0, endsAt)}}`));
  if (!parsed.success) return null;
  const { run_id: runId, journal } = parsed.data;
  return { runId, n: journal.entries, hash: journal.head };
}

/** Of a page or a workbook, whose marks are taken away. */
function headInText(marked: string): RunHead | null {
  const text = marked.replace(/<[^>]*>/g, '\n').replace(/\n\s+/g, '\n');
  const runId = /\nRun\n([A-Za-z0-9][A-Za-z0-9_-]{0,63})\n/.exec(text)?.[1];
  const n = /journal up to entry ([\d,]+)\.|\nJournal entries\n(\d+)\n/.exec(text);
  const hash = /\nJournal head\n([0-9a-f]{64})\n/.exec(text)?.[1];
  if (runId === undefined || n === null || hash === undefined) return null;
  return { runId, n: Number((n[1] ?? n[2] ?? '').replaceAll(',', '')), hash };
}

/** The parts that are small: the summary is one of them, and the rows are not needed. */
async function workbookText(bytes: Buffer): Promise<string> {
  const opened = await openArchive(bytes);
  if (!opened.ok) return '';
  const { archive } = opened;
  const parts: string[] = [];
  for (const name of archive.names) {
    if (!name.endsWith('.xml') || archive.bytesOf(name) > PART_BYTES_MAX) continue;
    const chunks: Uint8Array[] = [];
    for await (const chunk of archive.chunks(name)) chunks.push(chunk);
    parts.push(Buffer.concat(chunks).toString('utf8'));
  }
  return parts.join('\n');
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
