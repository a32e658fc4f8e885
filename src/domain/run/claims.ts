import type { Entry, EntryOf, PayoutEntry } from '../entry.ts';

/** What a row is known by at the service: the token that was sent for it, or the service's transaction. */
export type Claim = { row: number; token: string | null; transactionId: string | null };

type Kind = PayoutEntry['kind'];

const CLAIMS: { readonly [K in Kind]: ((entry: EntryOf<K>) => Claim) | null } = {
  intent: ({ row, token }) => ({ row, token, transactionId: null }),
  accepted: byTransaction,
  surfaced: byTransaction,
  resolved: byTransaction,
  no_effect: null,
  rejected: null,
  doubt: null,
  replayed: null,
  unknown_transaction: null,
  looked: null,
  absent: null,
  unresolved: null,
  suspected: null,
  final: null,
  not_submitted: null,
};

/** The kinds of entries that claim something: a search for payments that no run knows reads them all. */
export const CLAIM_KINDS: readonly Kind[] = (Object.keys(CLAIMS) as Kind[]).filter((kind) => CLAIMS[kind] !== null);

/** What the entry claims for its row; null where it claims nothing. */
export function claimOf(entry: Entry): Claim | null {
  const claim = Object.hasOwn(CLAIMS, entry.kind) ? CLAIMS[entry.kind as Kind] : null;
  return (claim as ((entry: Entry) => Claim) | null)?.(entry) ?? null;
}

function byTransaction({ row, transaction_id }: EntryOf<'accepted' | 'surfaced' | 'resolved'>): Claim {
  return { row, token: null, transactionId: transaction_id };
}
