import { assert } from '../../domain/refusal.ts';
import { type Journal, JournalDamaged } from '../../journal/journal.ts';
import { foldPages } from '../../journal/pages.ts';
import type { CommandLine } from '../../messages/command-line.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ReportFormat } from '../../report/formats.ts';
import { writeReports } from '../../report/write.ts';
import { readSince, retriedBy } from '../../runner/retries.ts';
import { approvalsAt } from '../approve/approvals.ts';

/** `version`: payrun's, which each report names. */
export type ReportDeps = { journal: Journal; clock: Clock; version: string };

export type ReportInput = {
  runId: string;
  /** Null for where the run puts its reports. */
  directory: string | null;
  formats: readonly ReportFormat[];
  /** How the report names what is to be done: as commands, or as what the page has. */
  command: CommandLine;
};

export type ReportWritten =
  | { outcome: 'written'; rehearsal: boolean; paths: string[] }
  | { outcome: 'unknown_run' }
  | { outcome: 'damaged'; error: JournalDamaged }
  /** A full disk, a missing permission, a file in the way: an earlier report is as it was. */
  | { outcome: 'not_writable'; directory: string; error: Error };

/** Writes the report of a run, finished or not, from its journal alone. */
export async function writeReport(
  { journal, clock, version }: ReportDeps,
  { runId, directory: given, formats, command }: ReportInput,
): Promise<ReportWritten> {
  // Before the entries: those written meanwhile may be in the report, but what the head names is in it for certain.
  const head = await journal.head(runId);
  if (head === null) return { outcome: 'unknown_run' };
  let directory = '';
  try {
    const run = await foldPages(journal.readRun(runId));
    assert(run.header !== null, 'a run without its header');
    directory = given ?? run.header.report_dir;
    const paths = await writeReports({
      run,
      head,
      directory,
      formats,
      version,
      retriedBy: await retriedBy(journal, runId),
      since: await readSince(journal, run),
      approvals: approvalsAt(run, clock.wallMs()).approvals,
      command,
    });
    return { outcome: 'written', rehearsal: run.header.rehearsal, paths };
  } catch (error) {
    if (error instanceof JournalDamaged) return { outcome: 'damaged', error };
    if (error instanceof Error && 'syscall' in error) return { outcome: 'not_writable', directory, error };
    throw error;
  }
}
