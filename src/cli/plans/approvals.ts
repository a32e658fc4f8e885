import { type ApprovalsShown, approvalsAt, mayApprove, mayStillApprove, nextOf } from '../../app/approve/approvals.ts';
import { approvalsNeeded, type Withdrawals } from '../../approval/check.ts';
import type { ApprovalPolicy, PlanFacts } from '../../domain/plan.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import type { CommandLine } from '../../messages/command-line.ts';
import {
  approvalLine,
  nextCommand,
  someOf,
  preparerText as textOfPreparer,
} from '../../messages/refusals/approve-words.ts';
import { rowsText } from '../../messages/text.ts';
import { machineClock } from '../../platform/machine.ts';
import type { ShowOutput } from '../commands/show/json.ts';

/** As they count now, or did when the plan was started. `withdrawals` is of `withdrawalsOf`. */
export function approvalsOf(run: RunState, withdrawals?: Withdrawals): ApprovalsShown {
  return approvalsAt(run, machineClock.wallMs(), withdrawals);
}

/** The literal next command of a plan. */
export function nextOfPlan(run: RunState, command: CommandLine): string {
  return nextCommand(nextOf(run, machineClock.wallMs()), command);
}

type ApprovalsOutput = Pick<ShowOutput, 'approvals_needed' | 'approvals_missing' | 'rows_to_approve' | 'approvals'>;

/** What `show --json` says of them. */
export function approvalsJson(run: RunState, withdrawals?: Withdrawals): ApprovalsOutput {
  const { needed, missing, rowsMissing, approvals } = approvalsOf(run, withdrawals);
  const rows = run.plan === null || run.plan.cooling_off.length === 0 ? {} : { rows_to_approve: rowsMissing };
  return { approvals_needed: needed, approvals_missing: missing, ...rows, approvals };
}

/** What `show` says of them, and who is missing where the plan waits; nothing where nobody has to approve. */
export function approvalsText(run: RunState, waits: boolean, withdrawals?: Withdrawals): string {
  const { needed, counted: count, missing, rowsMissing, approvals } = approvalsOf(run, withdrawals);
  if (needed === 0) return '';
  const lines = approvals.map(approvalLine);
  if (waits && missing > 0) lines.push(`  missing: ${someOf(missing, mayStillApprove(run, approvals))}`);
  if (waits && rowsMissing.length > 0)
    lines.push(`  not approved by enough yet: ${rowsMissing.length === 1 ? 'row' : 'rows'} ${rowsText(rowsMissing)}`);
  const maker = run.plan?.approval && !waits ? `made by ${preparerText(run.plan.approval)}\n` : '';
  return `${maker}approvals: ${count} of ${needed}\n${lines.map((line) => `${line}\n`).join('')}\n`;
}

/** Who has to approve a plan, as far as its text needs it; null where nobody has to. */
export function whoApproves(facts: Pick<PlanFacts, 'approval' | 'totals' | 'conversions'>): string | null {
  if (facts.approval === null) return null;
  const names = mayApprove(facts.approval).map(({ name }) => name);
  return someOf(approvalsNeeded(facts.approval, facts), names);
}

/** `Ben, with the key PUAXw-hD…`, or `petra@desk-7`. */
export function preparerText({ preparer, preparer_key }: ApprovalPolicy): string {
  return textOfPreparer({ preparer, key: preparer_key ?? null });
}
