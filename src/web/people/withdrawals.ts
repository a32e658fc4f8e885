import type { Withdrawal } from '../../approval/check.ts';
import type { ApprovalPolicy } from '../../domain/plan.ts';
import type { WebParts } from '../parts.ts';
import type { Hold } from './access.ts';

type Maker = Pick<ApprovalPolicy, 'preparer' | 'preparer_key'>;

/** Why what a person of the page has signed does not count any more. */
export type WithdrawnBy = { why: Withdrawal; hold: Hold | null };

/**
 * By the page's people as they are now, for a plan that was made with that account. Null for keys that never were of one of
 * them: those are for the plan's policy alone.
 */
export function withdrawnBy(
  { people, audit, access }: Pick<WebParts, 'people' | 'audit' | 'access'>,
  publicKey: string,
  maker: Maker,
): WithdrawnBy | null {
  const person = people.byPublicKey(publicKey);
  if (person === null) return audit.ownerOf(publicKey) === null ? null : { why: 'another_key', hold: null };
  if (person.lockedAt !== null) return { why: 'locked_out', hold: null };
  if (!person.roles.includes('approver')) return { why: 'no_approver', hold: null };
  const hold = access.onHold(publicKey, maker);
  return hold === null ? null : { why: 'access_changed', hold };
}
