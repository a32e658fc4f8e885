import type { Clock } from '../../domain/clock.ts';
import type { Journal } from '../../journal/journal.ts';
import { pageSteps } from '../../report/command-line.ts';
import type { ReportFormat } from '../../report/formats.ts';
import { type ReportWritten, writeReport } from '../report/write-report.ts';
import { correctionSheet } from '../retry/correction-sheet.ts';
import { type RetriableRead, readRetriable } from '../retry/retriable.ts';
import { comparePlan, type PlanCompared } from '../show/known-plan.ts';
import { templateFile } from '../template/template.ts';
import { type RunVerified, verifyRun } from '../verify/verify.ts';

export type CallDeps = { journal: Journal; clock: Clock; version: string };

/** One page at a time is served by one thread: what takes long, and is asked for there, is called in another. */
export type Calls = {
  verifyRun(runId: string): Promise<RunVerified>;
  /** For people of the page: it names what they find there, and no commands. */
  writeReport(input: { runId: string; directory: string; format: ReportFormat }): Promise<ReportWritten>;
  comparePlan(runId: string): Promise<PlanCompared | null>;
  /** The rows that can be retried, as a workbook to be corrected; why not where there are none. */
  correctionSheet(runId: string): Promise<CorrectionSheet>;
  /** The workbook for all rails. */
  template(): Promise<Uint8Array>;
};

export type CorrectionSheet =
  | { outcome: 'written'; content: Uint8Array }
  | { outcome: Exclude<RetriableRead['outcome'], 'retriable'> };

/** The use cases themselves, in this thread. */
export function callsHere({ journal, clock, version }: CallDeps): Calls {
  return {
    verifyRun: (runId) => verifyRun(journal, runId),
    writeReport: ({ runId, directory, format }) =>
      writeReport({ journal, clock, version }, { runId, directory, formats: [format], command: pageSteps }),
    comparePlan: (runId) => comparePlan(runId, { journal, clock }),
    async correctionSheet(runId) {
      const read = await readRetriable(runId, { journal, clock });
      if (read.outcome !== 'retriable') return { outcome: read.outcome };
      return { outcome: 'written', content: await correctionSheet(read, pageSteps) };
    },
    template: async () => (await templateFile([], 'xlsx')).content,
  };
}
