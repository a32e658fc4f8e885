import type { PlanNext, ShownApproval, VoidReason } from '../../domain/outcomes/approve-outcome.ts';
import { isoUtc } from '../../domain/time.ts';
import type { CommandLine } from '../command-line.ts';
import { listed, printable, rowsText } from '../text.ts';
import { plural, t, textTable } from '../translate.ts';
import { keyFileText } from './key-words.ts';
import type { RefusalWords, WordsOf } from './refusal-words.ts';

/** Why an approval does not count. */
export const WHY_VOID: Readonly<Record<VoidReason, string>> = textTable({
  not_signed: 'its signature is not that of its key',
  another_plan: 'it is of another plan, or of other figures',
  unknown_approver: 'its key is not that of an approver of this plan',
  preparer: 'who makes a plan does not approve it',
  expired: 'it has expired',
  bad_times: 'it was signed in the future, or is valid for longer than the plan allows',
  other_rows: 'it names a row that does not wait for an approval of its own',
  again: 'this approver has signed before',
  another_key: 'this approver has a different key on the page now',
  locked_out: 'this approver is deactivated on the page',
  no_approver: 'this approver no longer has the approver role',
  sees_no_details: 'this approver may not see its names and amounts on the page',
  access_changed:
    'an administrator reset how this approver signs in to the page, or gave the access, and no other administrator has confirmed it',
});

const makes = () => t`and nobody can approve their own plan`;

/** Why a plan was not approved, and who approves it in place of somebody who does not. */
export const APPROVE_WORDS: WordsOf<
  | 'needs_no_approval'
  | 'no_such_row_to_approve'
  | 'key_unusable'
  | 'unknown_approver'
  | 'preparer'
  | 'not_its_preparer'
  | 'preparers_account'
  | 'withdrawn'
  | 'approved_before'
> = {
  needs_no_approval: ({ runId }, { command }) => ({
    message: t`${runId} needs no approval: it is of no job that asks for one.`,
    remedy: { command_line: `Run it: ${command('run', runId)}`, page: t`Start it on its page.` },
    details: { run_id: runId },
  }),
  no_such_row_to_approve: ({ row }) => ({
    message: t`No row ${row} waits for an approval of its own.`,
    remedy: t`Leave it out.`,
  }),
  key_unusable: ({ fault }) => {
    const [message, remedy] = keyFileText(fault);
    return { message, remedy };
  },
  unknown_approver: ({ runId, next }, { command }) =>
    notItsApprover(t`This key is not that of an approver of ${runId}.`, next, command),
  preparer: ({ next, ...maker }, { command }) =>
    notItsApprover(t`Not approved: ${preparerText(maker)} made this plan, ${makes()}.`, next, command),
  not_its_preparer: ({ next, ...maker }) => ({
    message: t`Only ${preparerText(maker)}, who made this plan, can recall it.`,
    remedy: { command_line: '', page: t`Discard it, or have an approver reject it.` },
    details: { run_id: next.runId },
  }),
  preparers_account: ({ preparer, isOfJob, next }, { command }) => {
    const own = next.missing > 0 || next.rowsMissing.length > 0 ? t` (from an account of their own)` : '';
    const names = isOfJob ? t`the job` : t`the approval file`;
    return {
      ...notItsApprover(
        t`Not approved: this plan was made from this account (${preparer}), ${makes()}.`,
        next,
        command,
      ),
      remedy: {
        command_line: `${nextStepText(next, command)}${own}\nWhere all work under one account, ${names} names who makes plans, each by a key: approval: and preparers: (jobs/README.md).`,
        page: '',
      },
    };
  },
  withdrawn: ({ why, next }, { command }) => notItsApprover(t`Not approved: ${WHY_VOID[why]}.`, next, command),
  approved_before: ({ name, until, next }, { command }) =>
    notItsApprover(
      t`${name} has already approved this plan. The approval is valid until ${isoUtc(until)}.`,
      next,
      command,
    ),
};

function notItsApprover(message: string, next: PlanNext, command: CommandLine): RefusalWords {
  return {
    message: printable(message),
    remedy: { command_line: nextStepText(next, command), page: '' },
    details: { run_id: next.runId },
  };
}

/** Letters of a key that are shown: enough to distinguish it from another. */
const SHOWN_LETTERS = 8;

/** `Ben, with the key PUAXw-hD…`, or `petra@desk-7`. */
export function preparerText({ preparer, key }: { preparer: string; key: string | null }): string {
  return printable(key === null ? preparer : t`${preparer}, with the key ${key.slice(0, SHOWN_LETTERS)}…`);
}

/** The literal next command of a plan: to have it approved, or to run it. What repeats an earlier run says so again. */
export function nextCommand({ runId, missing, rowsMissing, repeats }: PlanNext, command: CommandLine): string {
  if (missing > 0 || rowsMissing.length > 0) return command('approve', runId, '--key', 'FILE');
  return command('run', runId, ...(repeats === null ? [] : ['--allow-repeat', repeats]));
}

/** What is to be done with a plan now, in words: `To be approved by Anna: payrun approve R1 --key FILE`. */
export function nextStepText(next: PlanNext, command: CommandLine): string {
  const { missing, mayApprove, rowsMissing } = next;
  if (missing > 0) return t`To be approved by ${someOf(missing, mayApprove)}: ${nextCommand(next, command)}`;
  const still =
    rowsMissing.length === 0
      ? ''
      : t`Still to be approved: ${plural(rowsMissing.length, 'row', 'rows')} ${rowsText(rowsMissing)}. `;
  return t`${still}Next: ${nextCommand(next, command)}`;
}

/** `  Anna (anna@desk-7), signed 2026-… good until 2026-…: counts`. */
export function approvalLine({ approver, by, rows = [], signed_at, expires_at, why_not }: ShownApproval): string {
  const withRows = rows.length === 0 ? '' : t`, with ${plural(rows.length, 'row', 'rows')} ${rowsText(rows)}`;
  const standing = why_not === null ? `counts${withRows}` : t`does not count: ${WHY_VOID[why_not]}`;
  return t`  ${printable(approver)} (${printable(by)}), signed ${signed_at}, good until ${expires_at}: ${standing}`;
}

/** `Anna and Carla`, where all of them are needed, or `1 of Anna, Carla`. */
export function someOf(count: number, names: readonly string[]): string {
  const shown = names.map(printable);
  return names.length <= count ? listed(shown) : t`${count} of ${shown.join(', ')}`;
}
