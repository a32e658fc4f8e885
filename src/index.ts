/** What `import … from 'payrun'` gives: the use cases of the command line as functions, with their types. */
export type { CheckResult } from './app/check/check-result.ts';
export type { PlanResult } from './app/plan/plan-result.ts';
export type { ReportWritten } from './app/report/write-report.ts';
export type { RunResult } from './app/run/run-result.ts';
export type { JournalVerified, RunVerified } from './app/verify/verify.ts';
export type { RefusalKind } from './domain/refusals/kinds.ts';
export type { RunEnding } from './domain/run/ending.ts';
export type { InputOptions, PayrunOptions } from './library/options.ts';
export {
  type Approved,
  type Checked,
  type HasProblems,
  type NotApproved,
  Payrun,
  type Planned,
  type Ran,
  type Refused,
  type RunOptions,
  type Shown,
} from './library/payrun.ts';
export type { ReportFormat } from './report/report-text.ts';
