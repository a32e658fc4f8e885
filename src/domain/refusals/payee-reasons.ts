import type { RefusalKind } from './kinds.ts';

/** Why a payee is neither put on hold nor released. */
export type PayeeReason =
  | { code: 'payee_unclear'; why: 'none' | 'both' | 'email_alone' }
  /** `most`: characters. */
  | { code: 'no_hold_reason'; most: number }
  | { code: 'payee_not_held'; payee: string }
  /** `payeeIds`: the first of those under which runs know payees of that name. */
  | { code: 'payee_known_by_id'; name: string; payeeIds: readonly string[] };

export const PAYEE_KINDS = {
  payee_unclear: 'usage',
  no_hold_reason: 'usage',
  payee_not_held: 'refused',
  payee_known_by_id: 'refused',
} as const satisfies Record<PayeeReason['code'], RefusalKind>;
