import type { CancelOutcome, Paused } from '../../domain/outcomes/cancel-outcome.ts';
import type { RowLeft } from '../../domain/outcomes/run-outcome.ts';
import type { RetryReason } from '../../domain/refusals/run-reasons.ts';
import type { Journal } from '../../journal/journal.ts';
import { messages } from '../../messages/messages.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { ReportFormat } from '../../report/report-text.ts';
import { type ApproveDeps, type ApprovePlan, approvePlan } from '../approve/approve.ts';
import { type EndWaiting, endWaiting } from '../approve/end-waiting.ts';
import { type CancelDeps, type CancelRun, cancelRun } from '../cancel/cancel.ts';
import { pauseRun } from '../cancel/pause.ts';
import { type ReportDeps, type ReportWritten, writeReport } from '../report/write-report.ts';
import { type Resolved, type ResolvePayout, resolvePayout } from '../resolve/resolve.ts';
import { correctionSheet } from '../retry/correction-sheet.ts';
import { paidElsewhereOf } from '../retry/paid-elsewhere.ts';
import { lookForRetriable } from '../retry/retriable.ts';
import { type SchedulePlan, schedulePlan } from '../schedule/plan-start.ts';
import type { Over } from '../service/over.ts';
import { comparePlan, type PlanCompared } from '../show/known-plan.ts';
import { templateFile } from '../template/template.ts';
import { type RunVerified, verifyRun } from '../verify/verify.ts';

/** `cancel` gives all that asks the service: of the connection, or of what the page was started with. */
export type CallDeps = {
  journal: Journal;
  clock: Clock;
  log: Log;
  /** Writes reports for people of the page. */
  report: ReportDeps['report'];
  withdrawals: ApproveDeps['withdrawals'];
  cancel(over: Over | undefined): CancelDeps;
};

/**
 * One page at a time is served by one thread: what takes long, and is asked for there, is called in another. Each rejects with
 * a `Refusal` where nothing was done.
 */
export type Calls = {
  verifyRun(runId: string): Promise<RunVerified>;
  /** For people of the page: it names what they find there, and no commands. */
  writeReport(input: { runId: string; directory: string; format: ReportFormat }): Promise<ReportWritten>;
  comparePlan(runId: string): Promise<PlanCompared | null>;
  /** The rows that can be retried, as a workbook to be corrected; why not where there are none. */
  correctionSheet(runId: string): Promise<CorrectionSheet>;
  /** Of these rows of a run, those that a run outside of its family has paid since, or may have, or is about to. */
  paidElsewhere(input: { runId: string; rows: readonly number[] }): Promise<readonly RowLeft[]>;
  /** The workbook for all rails. */
  template(): Promise<Uint8Array>;
  approve(input: ApprovePlan): Promise<void>;
  /** An approver rejects a plan, or who made it recalls it. */
  endWaiting(input: EndWaiting): Promise<void>;
  /** A preparer sets, changes or recalls when a plan is started. */
  schedulePlan(input: SchedulePlan): Promise<void>;
  resolve(input: ResolvePayout & AtConnection): Promise<Resolved>;
  cancel(input: CancelRun & AtConnection): Promise<CancelOutcome>;
  pause(input: CancelRun): Promise<Paused>;
};

type AtConnection = { over?: Over | undefined };

export type CorrectionSheet = { outcome: 'written'; content: Uint8Array } | { outcome: RetryReason['code'] };

/** The use cases themselves, in this thread. */
export function callsHere({ journal, clock, log, report, withdrawals, cancel }: CallDeps): Calls {
  return {
    verifyRun: (runId) => verifyRun(journal, runId),
    writeReport: ({ runId, directory, format }) =>
      writeReport({ journal, clock, report }, { runId, directory, formats: [format] }),
    comparePlan: (runId) => comparePlan(runId, { journal, clock }),
    async correctionSheet(runId) {
      const read = await lookForRetriable(runId, { journal });
      if ('code' in read) return { outcome: read.code };
      return { outcome: 'written', content: await correctionSheet(read, messages.pages.pageSteps) };
    },
    paidElsewhere: (input) => paidElsewhereOf(input, journal),
    template: async () => (await templateFile([], 'xlsx')).content,
    async approve(input) {
      await approvePlan({ journal, clock, withdrawals }, input);
    },
    endWaiting: (input) => endWaiting({ journal, clock, withdrawals }, input),
    schedulePlan: (input) => schedulePlan({ journal, withdrawals }, input),
    resolve: ({ over, ...input }) => resolvePayout(cancel(over), input),
    cancel: ({ over, ...input }) => cancelRun(cancel(over), input),
    pause: (input) => pauseRun({ journal, log }, input),
  };
}
