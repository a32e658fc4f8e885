import { z } from 'zod';
import { writeReport } from '../../../app/report/write-report.ts';
import { unknownRun } from '../../../app/runs/known-run.ts';
import { text } from '../../../domain/entries/members.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { runId as runIdText } from '../../../domain/result.ts';
import { messages } from '../../../messages/messages.ts';
import type { ReportFormat } from '../../../report/report-text.ts';
import type { Given } from '../../command.ts';
import { EXIT } from '../../exit.ts';
import { type Here, withJournal } from '../../here.ts';
import { exitCode } from '../../json/outputs.ts';
import { print } from '../../json/print.ts';
import { DEFAULT_FORMATS } from '../../options.ts';

export const output = z
  .strictObject({ run_id: runIdText, report: z.array(text), exit: exitCode })
  .meta({ description: 'The files that were written.' });

/** `payrun report RUN`: writes the report of a run again. */
export async function run(given: Given): Promise<void> {
  const formats = (given.format ?? DEFAULT_FORMATS) as ReportFormat[];
  await withJournal(given, (here) => reportRun(here, String(given.run), formats));
}

/** Returns the exit code. Throws a `Refusal` for an unknown run, a damaged journal, or a directory that cannot be written. */
export async function reportRun(here: Here, runId: string, formats: readonly ReportFormat[]): Promise<number> {
  const directory = here.settings.reportDir ?? null;
  const result = await writeReport(here, { runId, directory, formats });
  switch (result.outcome) {
    case 'unknown_run':
      throw new Refusal(await unknownRun(here.journal, runId));
    case 'damaged':
      throw new Refusal({ code: 'damaged', runId, cause: result.error.damage });
    case 'not_writable':
      throw new Refusal({
        code: 'report_not_writable',
        directory: result.directory,
        cause: result.error.message,
      });
    case 'written': {
      const { paths, rehearsal } = result;
      const lines = [...(rehearsal ? [messages.outcomes.rehearsalBand()] : []), ...paths];
      return print<z.output<typeof output>>(here, { run_id: runId, report: paths, exit: EXIT.ok }, () =>
        lines.map((line) => `${line}\n`).join(''),
      );
    }
  }
}
