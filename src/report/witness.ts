import { mkdir, open, readdir, readFile, rename } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';
import { z } from 'zod';
import type { Journal, RunHead, Witness } from '../journal/journal.ts';
import { openArchive } from '../platform/xlsx/archive.ts';
import { DOUBTS_KEY } from './json.ts';
import { HEAD_NAME } from './model/report.ts';
import { reportDirectory } from './write.ts';

/** What stands before the doubts and the rows is under a kilobyte, but the input's name is the user's. */
const PREAMBLE_BYTES_MAX = 65_536;

const PART_BYTES_MAX = 1_048_576;

const preamble = z.object({
  run_id: z.string(),
  journal: z.object({ entries: z.int().min(1), head: z.string().regex(/^[0-9a-f]{64}$/) }),
});

/** Why a file cannot be compared with the journal. `cause`: what the system says. */
export type WitnessFault =
  | { why: 'no_report' }
  | { why: 'of_another_run'; runId: string }
  | { why: 'unreadable'; cause: string };

export type ReportWitness =
  | { outcome: 'witness'; witness: Witness; path: string }
  | { outcome: 'absent'; path: string }
  /** Something is there that is not this run's report. */
  | { outcome: 'unreadable'; path: string; fault: WitnessFault };

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
    return isAbsent
      ? { outcome: 'absent', path }
      : { outcome: 'unreadable', path, fault: { why: 'unreadable', cause: error.message } };
  }
  const head = headInJson(start);
  if (head === null) return { outcome: 'unreadable', path, fault: { why: 'no_report' } };
  const { runId: of, ...witness } = head;
  if (of !== runId) return { outcome: 'unreadable', path, fault: { why: 'of_another_run', runId: of } };
  return { outcome: 'witness', witness, path };
}

/** What a file says of how far runs went: a report in any format but CSV, or a file of heads. Null where it is neither. */
export async function readWitnessFile(path: string): Promise<RunHead[] | null> {
  const bytes = await readFile(path);
  const isWorkbook = extname(path).toLowerCase() === '.xlsx';
  const text = isWorkbook ? await workbookText(bytes) : bytes.toString('utf8');
  const head = headInJson(text) ?? headInMark(text) ?? headInWords(text);
  return head === null ? parseHeads(text) : [head];
}

function headInJson(text: string): RunHead | null {
  const endsAt = text.indexOf(DOUBTS_KEY);
  const parsed = preamble.safeParse(parsedJson(endsAt === -1 ? text : `${text.slice(0, endsAt)}}`));
  if (!parsed.success) return null;
  const { run_id: runId, journal } = parsed.data;
  return { runId, n: journal.entries, hash: journal.head };
}

/** Of a page or a workbook: its `meta`, or its hidden name, whichever program saved it last. */
function headInMark(text: string): RunHead | null {
  const [, line = ''] = MARK.exec(text) ?? [];
  return headOf(line);
}

const MARK = new RegExp(`<(?:meta|definedName)\\b[^>]*\\bname="${HEAD_NAME}"[^<]*?(\\w[\\w-]* \\d+ [0-9a-f]{64})`);

/** Of one that an earlier payrun wrote, which has the head in English words alone. */
function headInWords(marked: string): RunHead | null {
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
    const head = headOf(line);
    if (head === null) return null;
    heads.push(head);
  }
  return heads;
}

function headOf(line: string): RunHead | null {
  const [, runId, n, hash] = LINE.exec(line) ?? [];
  return runId === undefined || hash === undefined ? null : { runId, n: Number(n), hash };
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
