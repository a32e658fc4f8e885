import type { Entry } from '../entry.ts';

/** What a row is known by at the service: the token that was sent for it, or the service's transaction. */
export type Claim = { row: number; token: string | null; transactionId: string | null };

/** The kinds of entries that claim something: a search for payments that no run knows reads them all. */
export const CLAIM_KINDS = ['intent', 'accepted', 'surfaced', 'resolved'] as const satisfies Entry['kind'][];

/** What the entry claims for its row; null where it claims nothing. */
export function claimOf(entry: Entry): Claim | null {
  switch (entry.kind) {
    case 'intent':
      return { row: entry.row, token: entry.token, transactionId: null };
    case 'accepted':
    case 'surfaced':
    case 'resolved':
      return { row: entry.row, token: null, transactionId: entry.transaction_id };
    default:
      return null;
  }
}
