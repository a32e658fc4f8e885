import { join } from 'node:path';
import { WHY_VOID } from '../../../app/approve/approvals.ts';
import { comparedWithPast } from '../../../app/compare/comparison.ts';
import { coolingOf } from '../../../app/compare/cooling-off.ts';
import { approverOf, isPreparer, isPreparersAccount } from '../../../approval/check.ts';
import { signStatement, statementOf } from '../../../approval/statement.ts';
import type { RunCreated } from '../../../domain/entry.ts';
import type { Approval, ApprovalPolicy, Approver, PlanFacts } from '../../../domain/plan.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { applyToRun } from '../../../domain/run/run.ts';
import type { RunState } from '../../../domain/run/run-state.ts';
import { isoUtc } from '../../../domain/time.ts';
import type { Journal } from '../../../journal/journal.ts';
import { publicKeyTexts, type SigningKey } from '../../../keys/ed25519.ts';
import { machineClock } from '../../../platform/machine.ts';
import type { CommandLine } from '../../../report/command-line.ts';
import { commandsFor } from '../../command-hints.ts';
import { unlockKey } from '../../connection/unlock-key.ts';
import { EXIT } from '../../exit.ts';
import { withJournal } from '../../journal-command.ts';
import { pastText } from '../../paid/compare-text.ts';
import { personHere } from '../../person.ts';
import { approvalsOf, nextOfPlan, nextStep } from '../../plans/approvals.ts';
import { preparerText } from '../../plans/preparer.ts';
import { changed, requirePlan } from '../../plans/waiting-plan.ts';
import { withdrawalsOf } from '../../plans/withdrawals.ts';
import { counted } from '../../problem-text.ts';
import { readKnownRun } from '../../runs/known-run.ts';
import { keepingRun } from '../../runs/lost-run.ts';
import { openToWrite, requireFree } from '../../runs/open-run.ts';
import type { Settings } from '../../settings.ts';
import { printable } from '../../tables.ts';
import type { Io } from '../../terminal.ts';
import { approvableText, firstTotal, isTotal, isTotalOrAmount, lacksCurrency } from './approvable-text.ts';
import { askRows, rowsApprovedBy, rowsFrom } from './approve-rows.ts';

type Given = { journal: Journal; io: Io; settings: Settings; command: CommandLine };

/** A plan that waits for approval. */
type Waiting = { run: RunState; header: RunCreated; facts: PlanFacts; policy: ApprovalPolicy };

/**
 * `payrun approve RUN`: an approver looks at a plan, types its total, and signs it. What is signed is what was shown: the
 * lease is taken only for the moment in which it is looked at again and the approval is written.
 */
export async function runApprove(options: Record<string, unknown>): Promise<void> {
  const runId = String(options.run);
  await withJournal(options, ({ journal, io, settings }) => {
    const command = commandsFor(settings);
    const given = { journal, io, settings, command };
    return keepingRun(runId, command, async () => {
      requireFree(journal, runId);
      const waiting = await readWaiting(given, runId);
      const said = options.total === undefined ? null : String(options.total);
      requireTotal(waiting, said, io, command);
      const rowsGiven = rowsFrom(options.rows, runId, waiting.facts.cooling_off, io);
      const path = options.key === undefined ? join(settings.dataDir, 'keys', 'approver.age') : String(options.key);
      const key = await unlockKey(path, 'approve', settings, io);
      const approver = requireApprover(waiting, key, given);
      const place = { journal, clock: machineClock };
      const cooling = await coolingOf(waiting.run, place);
      const past = pastText(await comparedWithPast(waiting.run, place), io.colour);
      if (past !== '') io.stderr(`${past}\n`);
      io.stderr(approvableText(waiting.header, waiting.facts, [...cooling.values()]));
      if (said === null) await askTotal(waiting, io);
      for (const row of rowsApprovedBy(waiting.run, waiting.facts, approver.public_key)) cooling.delete(row);
      const rows = rowsGiven ?? (await askRows(cooling, io));
      const approval = sign(waiting, approver, key, rows);
      const run = await write(given, waiting.header, approval);
      tell(run, approval, given);
      return EXIT.ok;
    });
  });
}

/** Throws a `Refusal` where the run is no plan that an approver can sign. */
async function readWaiting({ journal, settings, command }: Given, runId: string): Promise<Waiting> {
  const run = readKnownRun(journal, runId, command);
  const { header, plan: facts } = run;
  // Who made the plan said that it repeats an earlier run, and is asked again by `run`.
  const allowRepeat = header?.repeats ?? undefined;
  await requirePlan(run, { journal, command, settings: { ...settings, allowRepeat }, isToSign: true });
  if (header !== null && facts?.approval) return { run, header, facts, policy: facts.approval };
  const next = `Run it: ${command('run', runId)}`;
  throw new Refusal('refused', `${runId} needs no approval: it is of no job that asks for one.`, next, {
    run_id: runId,
  });
}

/** A wrong total is told before anybody types a passphrase, and that it cannot be asked for too. */
function requireTotal({ header, facts }: Waiting, said: string | null, io: Io, command: CommandLine): void {
  if (said !== null && isTotalOrAmount(said, facts)) return;
  if (said === null && io.isInteractive) return;
  const message =
    said === null
      ? 'Not approved: the total cannot be asked for without a terminal.'
      : `Not approved: the total of ${header.run_id} is not ${printable(said)}.`;
  if (said !== null && lacksCurrency(said, facts)) {
    const add = `Add the currency: --total "${firstTotal(facts)}" (a number alone is enough where there is one currency).`;
    throw new Refusal('refused', `Not approved: ${printable(said)} has no currency.`, add, { run_id: header.run_id });
  }
  const look = command('show', header.run_id);
  const remedy = `Look at the plan (${look}), and say the total of its first currency as it is shown: --total "AMOUNT CURRENCY".`;
  throw new Refusal('refused', message, remedy, { run_id: header.run_id });
}

async function askTotal({ header, facts }: Waiting, io: Io): Promise<void> {
  const answer = await io.ask(`Type ${firstTotal(facts)} to approve: `);
  if (answer !== null && isTotal(answer, facts)) return;
  throw new Refusal('refused', 'Not approved: that is not the total.', 'Run it again, and type the total.', {
    run_id: header.run_id,
  });
}

/** Whose key it is. Throws a `Refusal` (`refused`) where that person does not approve this plan, or has done so. */
function requireApprover(
  { run, header, facts, policy }: Waiting,
  key: SigningKey,
  { command, settings }: Pick<Given, 'command' | 'settings'>,
): Approver {
  const refusal = (message: string, remedy: string): Refusal =>
    new Refusal('refused', message, remedy, { run_id: header.run_id });
  const others = nextStep(run, command);
  const approver = approverOf(policy, publicKeyTexts(key.publicKey).base64url);
  if (approver === null) throw refusal(`This key is not that of an approver of ${header.run_id}.`, others);
  if (isPreparer(policy, approver)) {
    const message = `Not approved: ${preparerText(policy)} made this plan, and whoever makes a plan does not approve it.`;
    throw refusal(message, others);
  }
  if (isPreparersAccount(policy, personHere())) throw refusal(...sameAccount(run, policy, command));
  const withdrawn = withdrawalsOf(run, settings.dataDir).get(approver.public_key);
  if (withdrawn !== undefined) throw refusal(`Not approved: ${WHY_VOID[withdrawn]}.`, others);
  requireFirst(run, approver, command, facts.cooling_off);
  return approver;
}

/** Where nobody showed a key, everybody under the account could be the one who made the plan. */
function sameAccount(
  run: RunState,
  { preparer }: ApprovalPolicy,
  command: CommandLine,
): [message: string, remedy: string] {
  const message = `Not approved: this plan was made from this account (${preparer}), and whoever makes a plan does not approve it.`;
  const { missing, rowsMissing } = approvalsOf(run);
  const whence = missing > 0 || rowsMissing.length > 0 ? ' (from an account of their own)' : '';
  const remedy = `${nextStep(run, command)}${whence}\nWhere all work under one account, ${(run.header?.job ?? null) === null ? 'the approval file' : 'the job'} names who makes plans, each by a key: approval: and preparers: (jobs/README.md).`;
  return [message, remedy];
}

/** Throws a `Refusal` (`refused`) where an approval of that person counts already, for these rows too. */
function requireFirst(
  run: RunState,
  { name, public_key }: Approver,
  command: CommandLine,
  rows: readonly number[],
): void {
  const approved = run.plan === null ? new Set<number>() : rowsApprovedBy(run, run.plan, public_key);
  if (rows.some((row) => !approved.has(row))) return;
  const shown = approvalsOf(run);
  const before = shown.approvals.find((one) => one.counts && one.public_key === public_key);
  if (before === undefined) return;
  const message = `${name} has approved this plan already; it is good until ${before.expires_at}.`;
  throw new Refusal('refused', message, nextStep(run, command), { run_id: run.header?.run_id ?? null });
}

function sign(
  { header, facts, policy }: Waiting,
  { name }: Approver,
  key: SigningKey,
  rows: readonly number[],
): Approval {
  const signedAt = machineClock.wallMs();
  const times = { signedAt, expiresAt: signedAt + policy.valid_for_ms };
  const statement = statementOf(facts, header.digest, { approver: name, publicKey: key.publicKey }, times, rows);
  return signStatement(statement, key, personHere());
}

/** On disk when it resolves. Throws a `Refusal` where the plan is not the one that was shown, or waits no longer. */
async function write(given: Given, { run_id, digest }: RunCreated, approval: Approval): Promise<RunState> {
  const writer = await openToWrite(given.journal, run_id, given.command);
  try {
    const { run, header, policy } = await readWaiting(given, run_id);
    if (header.digest !== digest) throw changed(run, 'is not the plan that was shown', given.command);
    const approver = approverOf(policy, approval.public_key);
    if (approver !== null) requireFirst(run, approver, given.command, approval.rows);
    const entry = { kind: 'approved' as const, approval };
    applyToRun(run, entry, await writer.append([entry]));
    return run;
  } finally {
    await writer.release();
  }
}

function tell(run: RunState, approval: Approval, { io, settings, command }: Given): void {
  const shown = approvalsOf(run);
  const { approver, by, public_key } = approval;
  const [signed, until] = [isoUtc(approval.signed_at), isoUtc(approval.expires_at)];
  if (settings.json) {
    const result = {
      run_id: run.header?.run_id,
      state: 'planned',
      digest: run.header?.digest,
      rehearsal: run.header?.rehearsal,
      approved: { approver, by, public_key, rows: approval.rows, signed_at: signed, expires_at: until },
      approvals_needed: shown.needed,
      approvals_missing: shown.missing,
      rows_to_approve: shown.rowsMissing,
      next: nextOfPlan(run, command),
      exit: EXIT.ok,
    };
    io.stdout(`${JSON.stringify(result)}\n`);
    return;
  }
  const still =
    shown.missing === 0 ? 'No approval is missing.' : `${counted(shown.missing, 'approval')} still missing.`;
  io.stdout(
    `Approved ${run.header?.run_id} as ${printable(approver)}, good until ${until}. ${still}\n${nextStep(run, command)}\n`,
  );
}
