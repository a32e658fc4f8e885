import { mkdir, mkdtemp, open, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { onFirstUse } from '../domain/lazy/on-first-use.ts';
import { NOTHING_SINCE } from '../domain/run/since.ts';
import { plainCommand } from '../messages/command-line.ts';
import { headerOf, type Report } from './model/report.ts';
import { reportRows } from './model/rows.ts';
import { sumsOf } from './model/totals.ts';
import { type DraftFile, openTextFile, type ReportFormat, type ReportText, reportFileName } from './report-text.ts';

/** Characters of each format that are held before they are written, about. */
const CHUNK_CHARACTERS = 262_144;

/** The run and its journal's head, where the reports go, and in which formats. The rest has a default. */
export type WriteReports = Pick<Report, 'run' | 'head' | 'version'> &
  Partial<Report> & {
    /** The report directory; the files go into `<run id>/` under it. */
    directory: string;
    formats: readonly ReportFormat[];
  };

/**
 * Writes the reports of a run, one file for each format, and returns their paths. Everything is on disk under other names before
 * the first file takes its own, so a full disk or a crash leaves the earlier report, never half of a new one. The
 * directory (0700) and files (0600) are for their owner only: they hold names and salaries. Throws the file system's
 * error, and then nothing of the new report is left behind.
 */
export async function writeReports(options: WriteReports): Promise<string[]> {
  const shown = reportDirectory(options.directory, headerOf(options.run).run_id);
  // In full: Node's mkdir of a relative path never ends where the working directory was removed meanwhile.
  const directory = resolve(shown);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const drafts = await mkdtemp(join(directory, '.draft-'));
  try {
    const report = { ...DEFAULTS, sums: onFirstUse(() => sumsOf(options.run)), ...options };
    const names = await writeDrafts(drafts, report, options.formats);
    for (const name of names) await rename(join(drafts, name), join(directory, name));
    await syncDirectory(directory);
    return names.map((name) => join(shown, name));
  } finally {
    await rm(drafts, { recursive: true, force: true });
  }
}

const DEFAULTS = {
  retriedBy: [],
  since: NOTHING_SINCE,
  approvals: [],
  command: plainCommand,
} satisfies Partial<Report>;

/** Where a run's reports are, under the report directory. */
export function reportDirectory(directory: string, runId: string): string {
  return join(directory, runId);
}

/** Writes every format in one pass over the rows, durably, and returns the files' names. */
async function writeDrafts(drafts: string, report: Report, formats: readonly ReportFormat[]): Promise<string[]> {
  const { run, command } = report;
  const files: Draft[] = [];
  try {
    for (const format of new Set(formats)) files.push(await openDraft(drafts, format, report));
    for (const file of files) for (const piece of file.text.start()) if (isFull(file, piece)) await flush(file);
    for (const row of reportRows(run, command))
      for (const file of files) if (isFull(file, file.text.row(row))) await flush(file);
    for (const file of files) {
      file.pending += file.text.end;
      await flush(file);
      await file.file.finish();
    }
    return files.map(({ name }) => name);
  } finally {
    for (const { file } of files) await file.close();
  }
}

type Draft = { name: string; file: DraftFile; text: ReportText; pending: string };

/** Formats are loaded when they are written: a run begins without them. */
async function openDraft(drafts: string, format: ReportFormat, report: Report): Promise<Draft> {
  const name = reportFileName(format);
  const path = join(drafts, name);
  const asText = async (text: ReportText) => ({ name, file: await openTextFile(path), text, pending: '' });
  switch (format) {
    case 'csv':
      return asText((await import('./csv.ts')).csvText(report));
    case 'html':
      return asText((await import('./html/html.ts')).htmlReport(report));
    case 'json':
      return asText((await import('./json.ts')).jsonText(report));
    case 'pain002':
      return asText((await import('./iso20022/pain002.ts')).pain002Text(report));
    case 'camt054':
      return asText((await import('./iso20022/camt054.ts')).camt054Text(report));
    case 'xlsx': {
      const { openWorkbookFile, xlsxText } = await import('./workbook/xlsx.ts');
      const text = xlsxText(report);
      return { name, file: await openWorkbookFile(path, text), text, pending: '' };
    }
  }
}

/** Adds the text, and says whether so much waits that it is to be written. */
function isFull(draft: Draft, text: string): boolean {
  draft.pending += text;
  return draft.pending.length >= CHUNK_CHARACTERS;
}

/** The event loop turns while the disk writes, so a lease is kept while a large report is written. */
async function flush(draft: Draft): Promise<void> {
  const chunk = draft.pending;
  draft.pending = '';
  await draft.file.write(chunk);
}

/** Makes the new names durable. Windows cannot open a directory; there a rename needs no such thing. */
async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
