import { join } from 'node:path';
import { z } from 'zod';
import { approvalsAt, nextOf } from '../../../app/approve/approvals.ts';
import { type Approved, approverWith, planToApprove, rowsApprovedBy, signPlan } from '../../../app/approve/approve.ts';
import { comparedWithPast } from '../../../app/compare/comparison.ts';
import { coolingOf } from '../../../app/compare/cooling-off.ts';
import { requireFree } from '../../../app/runs/known-run.ts';
import { personHere } from '../../../compose/person.ts';
import { unlockKey } from '../../../compose/unlock-key.ts';
import { count } from '../../../domain/entries/members.ts';
import { assert } from '../../../domain/refusal.ts';
import { rowNumbers, runId, sha256 } from '../../../domain/result.ts';
import { isoUtc } from '../../../domain/time.ts';
import { messages } from '../../../messages/messages.ts';
import { counted, printable } from '../../../messages/text.ts';
import { approvalResult } from '../../../report/model/report.ts';
import type { Given } from '../../command.ts';
import { EXIT } from '../../exit.ts';
import { type Here, withJournal } from '../../here.ts';
import { exitCode, nextCommand, rehearsal } from '../../json/outputs.ts';
import { print } from '../../json/print.ts';
import { approvableText } from '../../plans/approvable-text.ts';
import { pastText } from '../../plans/compare-text.ts';
import { askRows, askTotal, requireTotal, rowsFrom } from '../../questions/approving.ts';
import { askPassphrase } from '../../questions/passphrase.ts';

const approved = approvalResult
  .pick({ approver: true, by: true, public_key: true, signed_at: true, expires_at: true })
  .extend({ rows: rowNumbers.describe('The rows that were approved by themselves.') });

export const output = z
  .strictObject({
    run_id: runId,
    state: z.literal('planned'),
    digest: sha256.describe('The SHA-256 of the plan: what was signed.'),
    rehearsal,
    approved,
    approvals_needed: count,
    approvals_missing: count,
    rows_to_approve: rowNumbers.describe('Rows without enough approvals.'),
    next: nextCommand,
    exit: exitCode,
  })
  .meta({ description: 'An approval that was signed, and what is still missing.' });

/** `payrun approve RUN`: an approver looks at a plan, types its total, and signs it. What is signed is what was shown. */
export async function run(given: Given): Promise<void> {
  const id = String(given.run);
  await withJournal(given, async (here) => {
    const { journal, clock, io, settings } = here;
    await requireFree(journal, id);
    const plan = await planToApprove(here, id);
    const { header, facts } = plan;
    const total = given.total === undefined ? null : String(given.total);
    requireTotal(total, id, facts, io);
    const rowsGiven = rowsFrom(given.rows, id, facts.cooling_off, io);
    const path = given.key === undefined ? join(settings.dataDir, 'keys', 'approver.age') : String(given.key);
    const key = await unlockKey(path, 'approve', () => askPassphrase(path, settings, io));
    const by = { account: personHere(), person: {} };
    const approver = await approverWith(here, plan, key, by.account);
    const cooling = await coolingOf(plan.run, here);
    const past = pastText(await comparedWithPast(plan.run, here), io.colour);
    if (past !== '') io.stderr(`${past}\n`);
    io.stderr(approvableText(header, facts, [...cooling.values()]));
    if (total === null) await askTotal(id, facts, io);
    for (const row of rowsApprovedBy(plan, approver.public_key, clock.wallMs())) cooling.delete(row);
    const rows = rowsGiven ?? (await askRows(cooling, io));
    return show(await signPlan(here, plan, { approver, key, rows, by }), here);
  });
}

function show({ run: signed, approval }: Approved, here: Here): number {
  const { clock, command } = here;
  assert(signed.header, 'an approval of a run without its header');
  const { run_id, digest, rehearsal: isRehearsal } = signed.header;
  const { needed, missing, rowsMissing } = approvalsAt(signed, clock.wallMs());
  const next = nextOf(signed, clock.wallMs());
  const { approver, by, public_key, rows } = approval;
  const [signedAt, until] = [isoUtc(approval.signed_at), isoUtc(approval.expires_at)];
  const result = {
    run_id,
    state: 'planned' as const,
    digest,
    rehearsal: isRehearsal,
    approved: { approver, by, public_key, rows, signed_at: signedAt, expires_at: until },
    approvals_needed: needed,
    approvals_missing: missing,
    rows_to_approve: rowsMissing,
    next: messages.approvals.nextCommand(next, command),
    exit: EXIT.ok,
  };
  return print<z.output<typeof output>>(here, result, () => {
    const still = missing === 0 ? 'No approval is missing.' : `${counted(missing, 'approval')} still missing.`;
    return `Approved ${run_id} as ${printable(approver)}, good until ${until}. ${still}\n${messages.approvals.nextStepText(next, command)}\n`;
  });
}
