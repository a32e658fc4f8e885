import { join } from 'node:path';
import { nextOf } from '../../../app/approve/approvals.ts';
import {
  approverWith,
  type PlanToApprove,
  planToApprove,
  rowsApprovedBy,
  signPlan,
} from '../../../app/approve/approve.ts';
import { comparedWithPast } from '../../../app/compare/comparison.ts';
import { coolingOf } from '../../../app/compare/cooling-off.ts';
import { requireFree } from '../../../app/runs/known-run.ts';
import { commandsFor } from '../../../compose/command-hints.ts';
import { personHere } from '../../../compose/person.ts';
import type { Settings } from '../../../compose/settings.ts';
import { unlockKey } from '../../../compose/unlock-key.ts';
import { withdrawalsOf } from '../../../compose/withdrawals.ts';
import type { Approval } from '../../../domain/plan.ts';
import { assert, Refusal } from '../../../domain/refusal.ts';
import type { RunState } from '../../../domain/run/run-state.ts';
import { isoUtc } from '../../../domain/time.ts';
import type { CommandLine } from '../../../messages/command-line.ts';
import { nextStepText } from '../../../messages/refusals/approve-words.ts';
import { counted, printable } from '../../../messages/text.ts';
import { machineClock } from '../../../platform/machine.ts';
import { askPassphrase } from '../../connection/passphrase.ts';
import { EXIT } from '../../exit.ts';
import { withJournal } from '../../journal-command.ts';
import { pastText } from '../../paid/compare-text.ts';
import { approvalsOf, nextOfPlan } from '../../plans/approvals.ts';
import type { Io } from '../../terminal.ts';
import { approvableText, firstTotal, isTotal, isTotalOrAmount, lacksCurrency } from './approvable-text.ts';
import { askRows, rowsFrom } from './approve-rows.ts';
import type { ApproveOutput } from './json.ts';

type Given = { io: Io; settings: Settings; command: CommandLine };

/**
 * `payrun approve RUN`: an approver looks at a plan, types its total, and signs it. What is signed is what was shown.
 */
export async function runApprove(options: Record<string, unknown>): Promise<void> {
  const runId = String(options.run);
  await withJournal(options, async ({ journal, io, settings }) => {
    const command = commandsFor(settings);
    const { dataDir } = settings;
    const place = { journal, clock: machineClock };
    const deps = { ...place, withdrawals: (run: RunState) => withdrawalsOf(run, dataDir) };
    await requireFree(journal, runId);
    const plan = await planToApprove(deps, runId);
    const said = options.total === undefined ? null : String(options.total);
    requireTotal(plan, said, io, command);
    const rowsGiven = rowsFrom(options.rows, runId, plan.facts.cooling_off, io);
    const path = options.key === undefined ? join(dataDir, 'keys', 'approver.age') : String(options.key);
    const key = await unlockKey(path, 'approve', () => askPassphrase(path, settings, io));
    const by = { account: personHere(), person: {} };
    const approver = approverWith(deps, plan, key, by.account);
    const cooling = await coolingOf(plan.run, place);
    const past = pastText(await comparedWithPast(plan.run, place), io.colour);
    if (past !== '') io.stderr(`${past}\n`);
    io.stderr(approvableText(plan.header, plan.facts, [...cooling.values()]));
    if (said === null) await askTotal(plan, io);
    for (const row of rowsApprovedBy(plan, approver.public_key, machineClock.wallMs())) cooling.delete(row);
    const rows = rowsGiven ?? (await askRows(cooling, io));
    const signed = await signPlan(deps, plan, { approver, key, rows, by });
    tell(signed.run, signed.approval, { io, settings, command });
    return EXIT.ok;
  });
}

/** A wrong total is told before anybody types a passphrase, and that it cannot be asked for too. */
function requireTotal({ header, facts }: PlanToApprove, said: string | null, io: Io, command: CommandLine): void {
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

async function askTotal({ header, facts }: PlanToApprove, io: Io): Promise<void> {
  const answer = await io.ask(`Type ${firstTotal(facts)} to approve: `);
  if (answer !== null && isTotal(answer, facts)) return;
  throw new Refusal('refused', 'Not approved: that is not the total.', 'Run it again, and type the total.', {
    run_id: header.run_id,
  });
}

function tell(run: RunState, approval: Approval, { io, settings, command }: Given): void {
  const shown = approvalsOf(run);
  const { approver, by, public_key } = approval;
  const [signed, until] = [isoUtc(approval.signed_at), isoUtc(approval.expires_at)];
  if (settings.json) {
    assert(run.header, 'an approval of a run without its header');
    const { run_id, digest, rehearsal } = run.header;
    const result: ApproveOutput = {
      run_id,
      state: 'planned',
      digest,
      rehearsal,
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
    `Approved ${run.header?.run_id} as ${printable(approver)}, good until ${until}. ${still}\n${nextStepText(nextOf(run, machineClock.wallMs()), command)}\n`,
  );
}
