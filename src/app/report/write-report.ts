import { assert } from '../../domain/refusal.ts';
import { type Journal, JournalDamaged } from '../../journal/journal.ts';
import { foldPages } from '../../journal/pages.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ReportFormat } from '../../report/report-text.ts';
import { readSince, retriedBy } from '../../runner/retries.ts';
import { approvalsAt } from '../approve/approvals.ts';
import type { Report } from '../run/run-deps.ts';

/** `report` writes the files, in the words of their readers. */
export type ReportDeps = { journal: Journal; clock: Clock; report: Report };

export type ReportInput = {
  runId: string;
  /** Null for where the run puts its reports. */
  directory: string | null;
  formats: readonly ReportFormat[];
};

export type ReportWritten =
  | { outcome: 'written'; rehearsal: boolean; paths: string[] }
  | { outcome: 'unknown_run' }
  | { outcome: 'damaged'; error: JournalDamaged }
  /** A full disk, a missing permission, a file in the way: an earlier report is as it was. */
  | { outcome: 'not_writable'; directory: string; error: Error };

/** Writes the report of a run, finished or not, from its journal alone. */
export async function writeReport(
  { journal, clock, report }: ReportDeps,
  { runId, directory: given, formats }: ReportInput,
): Promise<ReportWritten> {
  // Before the entries: those written meanwhile may be in the report, but what the head names is in it for certain.
  const head = await journal.head(runId);
  if (head === null) return { outcome: 'unknown_run' };
  let directory = '';
  try {
    const run = await foldPages(journal.readRun(runId));
    assert(run.header !== null, 'a run without its header');
    directory = given ?? run.header.report_dir;
    const paths = await report({
      run,
      head,
      directory,
      formats,
      retriedBy: await retriedBy(journal, runId),
      since: await readSince(journal, run),
      approvals: approvalsAt(run, clock.wallMs()).approvals,
    });
    return { outcome: 'written', rehearsal: run.header.rehearsal, paths };
  } catch (error) {
    if (error instanceof JournalDamaged) return { outcome: 'damaged', error };
    if (error instanceof Error && 'syscall' in error) return { outcome: 'not_writable', directory, error };
    throw error;
  }
}
