import { z } from 'zod';
import { text } from '../../domain/entries/members.ts';
import type { RunCreated } from '../../domain/entry.ts';
import type { VoidReason } from '../../domain/outcomes/approve-outcome.ts';
import { assert } from '../../domain/refusal.ts';
import { rowNumbers, time } from '../../domain/result.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import type { SinceOfRun } from '../../domain/run/since.ts';
import type { Witness } from '../../journal/journal.ts';
import type { CommandLine } from '../../messages/command-line.ts';
import { messages } from '../../messages/messages.ts';
import type { Sums } from './totals.ts';

/** An approval of a run's plan as it counts, as programs read it. */
export const approvalResult = z.strictObject({
  approver: text,
  by: text.describe('The account under which it was signed.'),
  public_key: text.describe('Ed25519, base64url.'),
  rows: rowNumbers.optional().describe('The rows that were approved by themselves.'),
  signed_at: time,
  expires_at: time,
  signature: text,
  counts: z.boolean(),
  why_not: text.nullable().describe('Why it does not count.'),
});
type ApprovalResult = z.output<typeof approvalResult>;

/** The same with a code in place of words. */
export type ReportedApproval = Omit<ApprovalResult, 'why_not'> & { why_not: VoidReason | null };

export function approvalInWords(approval: ReportedApproval): ApprovalResult {
  const { why_not: why } = approval;
  return { ...approval, why_not: why === null ? null : messages.approvals.WHY_VOID[why] };
}

/** What a report is made of, in whatever format. */
export type Report = {
  run: RunState;
  /** Of the journal that `run` is the fold of. */
  head: Witness;
  /** payrun's own version. */
  version: string;
  /** Of all rows: several parts of a report show totals. */
  sums(): Sums;
  /** The runs that retry rows of this one, oldest first. */
  retriedBy: readonly string[];
  /** What became in other runs of what it did not pay. */
  since: SinceOfRun;
  /** What became of the approvals of its plan. */
  approvals: readonly ReportedApproval[];
  /** Writes the commands that the report advises. */
  command: CommandLine;
};

/** What the head of the journal is called in the report as a page (a `meta`) and as a workbook (a hidden name). */
export const HEAD_NAME = 'payrun_journal_head';

/** How far the journal went, as `verify` finds it in a report in any language: the run, its entries, the last hash. */
export function headLine({ run, head }: Report): string {
  return `${headerOf(run).run_id} ${head.n} ${head.hash}`;
}

export function headerOf({ header }: Pick<RunState, 'header'>): RunCreated {
  assert(header !== null, 'a report of a run that was never created');
  return header;
}

export function isRehearsal({ header }: Pick<RunState, 'header'>): boolean {
  return header?.rehearsal ?? false;
}

/** Whether it is read where there is no command line. */
export function isForPage({ command }: Pick<Report, 'command'>): boolean {
  return command === messages.pages.pageSteps;
}
