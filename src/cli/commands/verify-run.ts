import { type Journal, JournalDamaged, type Verification } from '../../journal/journal.ts';
import { type ReportWitness, readWitness } from '../../report/witness.ts';
import { EXIT } from '../exit.ts';
import { assertKnown } from '../known-run.ts';
import { printable } from '../tables.ts';

type Io = { stdout(text: string): void; stderr(text: string): void };

export type VerifyOptions = {
  json: boolean;
  /** Where the run's report is looked for; undefined or null for where the run put it. */
  reportDir?: string | null | undefined;
};

/**
 * `payrun verify RUN`: proves that the run's journal is as it was written, against the head that the run's `report.json`
 * notes too, where there is one. Returns 0, or 5 where it was altered. Throws a Refusal for an unknown run.
 */
export async function verifyCommand(journal: Journal, io: Io, runId: string, options: VerifyOptions): Promise<number> {
  assertKnown(journal, runId);
  const directory = options.reportDir ?? reportDirectoryOf(journal, runId);
  const report = directory === null ? null : await readWitness(directory, runId);
  const witness = report?.outcome === 'witness' ? report.witness : null;
  const verification = journal.verifyRun(runId, witness);
  const exit = verification.ok ? EXIT.ok : EXIT.person_needed;
  if (options.json) io.stdout(`${JSON.stringify(verificationJson(runId, verification, report, exit))}\n`);
  else io.stdout(verificationText(runId, verification, report));
  if (report?.outcome === 'unreadable')
    io.stderr(`${report.path} cannot serve as a witness: ${printable(report.message)}.\n`);
  return exit;
}

/** Null where the run's first entry cannot be read: then the journal is altered anyway. */
function reportDirectoryOf(journal: Journal, runId: string): string | null {
  try {
    for (const { entry } of journal.readRun(runId)) return entry.kind === 'run_created' ? entry.report_dir : null;
    return null;
  } catch (error) {
    if (error instanceof JournalDamaged) return null;
    throw error;
  }
}

function verificationJson(
  runId: string,
  verification: Verification,
  report: ReportWitness | null,
  exit: number,
): Record<string, unknown> {
  return {
    run_id: runId,
    ok: verification.ok,
    entries: verification.entries,
    head: verification.ok ? verification.head : null,
    altered_at: verification.ok ? null : verification.n,
    message: verification.ok ? null : verification.message,
    witness:
      report?.outcome === 'witness'
        ? { path: report.path, entries: report.witness.n, head: report.witness.hash }
        : null,
    exit,
  };
}

function verificationText(runId: string, verification: Verification, report: ReportWitness | null): string {
  if (!verification.ok) {
    const sound = verification.entries === 0 ? '' : `Entries 1 to ${verification.entries} are in order.\n`;
    return `Run ${runId} was altered: ${printable(verification.message)}.\n${sound}`;
  }
  const { entries, head } = verification;
  return `Run ${runId}: ${entries} entries, none altered.\nhead ${head}\n${witnessText(report)}`;
}

function witnessText(report: ReportWitness | null): string {
  switch (report?.outcome) {
    case 'witness':
      return `${report.path} notes the same hash for entry ${report.witness.n}.\n`;
    case 'absent':
    case 'unreadable':
    case undefined:
      return 'No report.json to compare with: only with one would a journal that was rewritten with all its hashes be found out.\n';
  }
}
