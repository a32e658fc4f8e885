import { assert, Refusal } from '../../domain/refusal.ts';
import type { Journal } from '../../journal/journal.ts';
import type { CommandLine } from '../../report/command-line.ts';
import type { ReportFormat } from '../../report/formats.ts';
import { REHEARSAL_BAND } from '../../report/outcome.ts';
import { writeReports } from '../../report/write.ts';
import { retriedBy } from '../../runner/retries.ts';
import { readSince } from '../../runner/since.ts';
import { approvalsOf } from '../approvals.ts';
import { EXIT } from '../exit.ts';
import { readKnownRun } from '../known-run.ts';
import { packageVersion } from '../version.ts';

type Io = { stdout(text: string): void; stderr(text: string): void };

export type ReportOptions = {
  /** Where reports go; undefined or null for where the run put it. */
  reportDir?: string | null | undefined;
  formats: readonly ReportFormat[];
  json: boolean;
  command?: CommandLine;
};

/**
 * `payrun report RUN`: writes the report of a run again, finished or not, from its journal alone. Returns the exit code.
 * Throws a Refusal for an unknown run, a damaged journal, or a directory that cannot be written.
 */
export async function reportCommand(journal: Journal, io: Io, runId: string, options: ReportOptions): Promise<number> {
  // Before the entries: those written meanwhile may be in the report, but what the head names is in it for certain.
  const head = journal.head(runId);
  const { formats, command } = options;
  const run = readKnownRun(journal, runId, command);
  assert(head !== null && run.header !== null, 'a run without its header');
  const directory = options.reportDir ?? run.header.report_dir;
  const report = await writable(directory, () =>
    writeReports({
      run,
      head,
      directory,
      formats,
      version: packageVersion(),
      retriedBy: retriedBy(journal, runId),
      since: readSince(journal, run),
      approvals: approvalsOf(run).approvals,
      ...(command && { command }),
    }),
  );
  if (options.json) io.stdout(`${JSON.stringify({ run_id: runId, report, exit: EXIT.ok })}\n`);
  else io.stdout(`${run.header.rehearsal ? `${REHEARSAL_BAND}\n` : ''}${report.map((path) => `${path}\n`).join('')}`);
  return EXIT.ok;
}

/** What `write` returns; a full disk, a missing right, a file in the way are the user's to mend. */
async function writable<Result>(directory: string, write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof Error) || !('syscall' in error)) throw error;
    throw new Refusal(
      'usage',
      `The report cannot be written under ${directory}: ${error.message}.`,
      'Name another directory with --report-dir. An earlier report is as it was.',
    );
  }
}
