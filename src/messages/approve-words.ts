import type { NotApproved, NotItsApprover, VoidReason } from '../domain/outcomes/approve-outcome.ts';
import { isoUtc } from '../domain/time.ts';
import { obstacleWords } from './refusals/plan-words.ts';
import type { Place, RefusalWords } from './refusals/refusal-words.ts';
import { runWords } from './refusals/run-words.ts';

/** Why an approval does not count. */
export const WHY_VOID: Readonly<Record<VoidReason, string>> = {
  not_signed: 'its signature is not that of its key',
  another_plan: 'it is of another plan, or of other figures',
  unknown_approver: 'its key is not that of an approver of this plan',
  preparer: 'who makes a plan does not approve it',
  expired: 'it has expired',
  bad_times: 'it was signed in the future, or is good for longer than the plan allows',
  other_rows: 'it names a row that does not wait for an approval of its own',
  again: 'this approver has signed before',
  another_key: 'this approver has another key on the page since',
  locked_out: 'this approver is locked out of the page',
  no_approver: 'this approver is no approver on the page any more',
  access_changed:
    'an administrator reset how this approver signs in to the page, or gave the access, and no other administrator has confirmed it',
};

/** Why a plan was not approved. Who approves it in place of somebody who does not is for the reader to find. */
export function approveWords(refused: NotApproved, place: Place): RefusalWords {
  const { command } = place;
  switch (refused.outcome) {
    case 'no_plan':
      return obstacleWords(refused.obstacle, place);
    case 'needs_no_approval': {
      const { runId } = refused;
      const what = `${runId} needs no approval: it is of no job that asks for one.`;
      const remedy = { command_line: `Run it: ${command('run', runId)}`, page: 'Start it on its page.' };
      return { kind: 'refused', message: what, remedy, details: { run_id: runId } };
    }
    case 'unknown_approver':
    case 'preparer':
    case 'preparers_account':
    case 'withdrawn':
    case 'approved_before':
      return { kind: 'refused', message: notItsApproverText(refused), remedy: '', details: { run_id: refused.runId } };
    case 'no_such_row':
      return {
        kind: 'usage',
        message: `No row ${refused.row} waits for an approval of its own.`,
        remedy: 'Leave it out.',
      };
    case 'key_unusable':
      return { kind: 'usage', message: refused.message, remedy: refused.remedy };
    default:
      return runWords(refused, command);
  }
}

/** Why the holder of a key does not approve a plan. */
function notItsApproverText(refused: NotItsApprover): string {
  const itself = 'and whoever makes a plan does not approve it';
  switch (refused.outcome) {
    case 'unknown_approver':
      return `This key is not that of an approver of ${refused.runId}.`;
    case 'preparer':
      return `Not approved: ${preparerText(refused)} made this plan, ${itself}.`;
    case 'preparers_account':
      return `Not approved: this plan was made from this account (${refused.preparer}), ${itself}.`;
    case 'withdrawn':
      return `Not approved: ${WHY_VOID[refused.why]}.`;
    case 'approved_before':
      return `${refused.name} has approved this plan already; it is good until ${isoUtc(refused.until)}.`;
  }
}

/** So much of a key is shown that people can tell it from another. */
const SHOWN_LETTERS = 8;

/** `Ben, with the key PUAXw-hD…`, or `petra@desk-7`. */
export function preparerText({ preparer, key }: { preparer: string; key: string | null }): string {
  return key === null ? preparer : `${preparer}, with the key ${key.slice(0, SHOWN_LETTERS)}…`;
}
