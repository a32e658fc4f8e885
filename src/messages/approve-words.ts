import type { NotItsApprover, VoidReason } from '../domain/outcomes/approve-outcome.ts';
import { isoUtc } from '../domain/time.ts';

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

/** Why the holder of a key does not approve a plan. */
export function notItsApproverText(refused: NotItsApprover): string {
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
