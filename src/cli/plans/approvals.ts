import { type ApprovalsShown, approvalsAt } from '../../app/approve/approvals.ts';
import { approvalsNeeded, isPreparer, type Withdrawals } from '../../approval/check.ts';
import type { ApprovalPolicy, PlanFacts } from '../../domain/plan.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { someOf } from '../../messages/refusals/paid-words.ts';
import { printable, rowsText } from '../../messages/text.ts';
import { machineClock } from '../../platform/machine.ts';
import type { CommandLine } from '../../report/command-line.ts';
import type { ReportedApproval } from '../../report/report-result.ts';
import type { ShowOutput } from '../commands/show/json.ts';
import { preparerText } from './preparer.ts';

/** As they count now, or did when the plan was started. `withdrawals` is of `withdrawalsOf`. */
export function approvalsOf(run: RunState, withdrawals?: Withdrawals): ApprovalsShown {
  return approvalsAt(run, machineClock.wallMs(), withdrawals);
}

/** Throws a `Refusal` (`refused`) where approvals of a plan are missing, with why those that were given do not count. */
export function requireApproved(run: RunState, withdrawals: Withdrawals): void {
  const { missing } = approvalsOf(run, withdrawals);
  if (missing > 0) throw notApproved(run, withdrawals);
}

/**
 * The rows that are not paid because too few approved them: none, unless the others are to be paid without them. Throws a
 * `Refusal` (`refused`) that names them.
 */
export function requireRowsApproved(run: RunState, onlyValid: boolean, withdrawals: Withdrawals): number[] {
  const { rowsMissing: rows } = approvalsOf(run, withdrawals);
  const runId = run.header?.run_id ?? '';
  const payable = run.rows.filter(({ order }) => order !== null).length;
  if (rows.length === 0 || (onlyValid && rows.length < payable)) return rows;
  const repeats = run.header?.repeats ?? null;
  throw new Refusal({ code: 'rows_unapproved', runId, rows, payable, repeats });
}

function approveRows(runId: string, command: CommandLine): string {
  return command('approve', runId, '--key', 'FILE');
}

/** That approvals are missing. */
export function notApproved(run: RunState, withdrawals?: Withdrawals): Refusal {
  const shown = approvalsOf(run, withdrawals);
  const runId = run.header?.run_id ?? '';
  const voids = shown.approvals.filter(({ counts }) => !counts).map(approvalLine);
  const { needed, missing, approvals } = shown;
  const mayApprove = run.plan?.approval ? mayStillApprove(run, approvals) : null;
  return new Refusal({ code: 'approvals_missing', runId, needed, missing, voids, mayApprove });
}

/** Who can still sign, and the literal command. */
function missingText(run: RunState, { missing, approvals }: ApprovalsShown, command: CommandLine): string {
  if (!run.plan?.approval) return '';
  const whom = someOf(missing, mayStillApprove(run, approvals));
  return `To be approved by ${whom}: ${command('approve', run.header?.run_id ?? '', '--key', 'FILE')}`;
}

/** The names of those who may approve a plan and have not, as far as that counts. */
export function mayStillApprove({ plan }: RunState, approvals: ApprovalsShown['approvals']): string[] {
  if (!plan?.approval) return [];
  const signed = new Set(approvals.filter(({ counts }) => counts).map(({ public_key }) => public_key));
  return mayApprove(plan.approval)
    .filter(({ public_key }) => !signed.has(public_key))
    .map(({ name }) => name);
}

/** What is to be done with a plan now, in words. */
export function nextStep(run: RunState, command: CommandLine): string {
  const shown = approvalsOf(run);
  if (shown.missing > 0) return missingText(run, shown, command);
  const { rowsMissing: rows } = shown;
  const still =
    rows.length === 0 ? '' : `Still to be approved: ${rows.length === 1 ? 'row' : 'rows'} ${rowsText(rows)}. `;
  return `${still}Next: ${nextOfPlan(run, command)}`;
}

/** The literal next command of a plan. */
export function nextOfPlan(run: RunState, command: CommandLine): string {
  const runId = run.header?.run_id ?? '';
  const { missing, rowsMissing } = approvalsOf(run);
  return missing > 0 || rowsMissing.length > 0 ? approveRows(runId, command) : runPlan(run, command);
}

/** The command that runs a plan. What repeats an earlier run says so again. */
function runPlan({ header }: RunState, command: CommandLine, ...more: string[]): string {
  const repeats = header?.repeats ?? null;
  return command('run', header?.run_id ?? '', ...(repeats === null ? [] : ['--allow-repeat', repeats]), ...more);
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

/** `Anna, 2026-… until 2026-…: counts`. */
function approvalLine({ approver, by, rows = [], signed_at, expires_at, why_not }: ReportedApproval): string {
  const withRows = rows.length === 0 ? '' : `, with ${rows.length === 1 ? 'row' : 'rows'} ${rowsText(rows)}`;
  const verdict = why_not === null ? `counts${withRows}` : `does not count: ${why_not}`;
  return `  ${printable(approver)} (${printable(by)}), signed ${signed_at}, good until ${expires_at}: ${verdict}`;
}

/** Who has to approve a plan, as far as its text needs it; null where nobody has to. */
export function whoApproves(facts: Pick<PlanFacts, 'approval' | 'totals' | 'conversions'>): string | null {
  if (facts.approval === null) return null;
  const names = mayApprove(facts.approval).map(({ name }) => name);
  return someOf(approvalsNeeded(facts.approval, facts), names);
}

/** Throws a `Refusal` (`refused`) where a plan could never be approved. */
export function requireApprovable(facts: Pick<PlanFacts, 'approval' | 'totals' | 'conversions'>): void {
  const { approval } = facts;
  if (approval === null) return;
  const needed = approvalsNeeded(approval, facts);
  const able = mayApprove(approval).length;
  if (able >= needed) return;
  throw new Refusal({ code: 'never_approvable', needed, able, preparer: preparerText(approval) });
}

function mayApprove(policy: ApprovalPolicy): ApprovalPolicy['approvers'] {
  return policy.approvers.filter((approver) => !isPreparer(policy, approver));
}
