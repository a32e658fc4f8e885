import { writeReport } from '../../../app/report/write-report.ts';
import { unknownRun } from '../../../app/runs/known-run.ts';
import { reportIn } from '../../../compose/run-deps.ts';
import { Refusal } from '../../../domain/refusal.ts';
import type { Journal } from '../../../journal/journal.ts';
import { type CommandLine, plainCommand } from '../../../messages/command-line.ts';
import { REHEARSAL_BAND } from '../../../messages/report/outcome-words.ts';
import { machineClock } from '../../../platform/machine.ts';
import type { ReportFormat } from '../../../report/report-text.ts';
import { EXIT } from '../../exit.ts';
import { printResult } from '../../json/line.ts';
import type { Io } from '../../terminal.ts';
import type { ReportOutput } from './json.ts';

export type ReportOptions = {
  /** Where reports go; undefined or null for where the run put it. */
  reportDir?: string | null | undefined;
  formats: readonly ReportFormat[];
  json: boolean;
  command?: CommandLine;
};

/**
 * `payrun report RUN`: writes the report of a run again. Returns the exit code. Throws a Refusal for an unknown run, a
 * damaged journal, or a directory that cannot be written.
 */
export async function reportCommand(
  journal: Journal,
  { stdout }: Pick<Io, 'stdout'>,
  runId: string,
  { reportDir = null, formats, json, command = plainCommand }: ReportOptions,
): Promise<number> {
  const deps = { journal, clock: machineClock, report: reportIn(command) };
  const result = await writeReport(deps, { runId, directory: reportDir, formats });
  switch (result.outcome) {
    case 'unknown_run':
      throw new Refusal(await unknownRun(journal, runId));
    case 'damaged':
      throw new Refusal({ code: 'damaged', runId, cause: result.error.message });
    case 'not_writable': {
      const message = `The report cannot be written under ${result.directory}: ${result.error.message}.`;
      const remedy = 'Name another directory with --report-dir. An earlier report is as it was.';
      throw new Refusal('usage', message, remedy);
    }
    case 'written': {
      const { paths, rehearsal } = result;
      const output: ReportOutput = { run_id: runId, report: paths, exit: EXIT.ok };
      const lines = [...(rehearsal ? [REHEARSAL_BAND] : []), ...paths];
      return printResult<ReportOutput>({ stdout, json }, output, () => lines.map((line) => `${line}\n`).join(''));
    }
  }
}
