import { hash } from 'node:crypto';

/** Before the first posting. */
export const FIRST_HASH = '0'.repeat(64);

/** The columns of a posting that its hash covers: all of them. */
export type HashedPosting = Readonly<
  Record<'posting' | 'at' | 'kind' | 'transfer' | 'debit' | 'credit' | 'amount' | 'resolves', unknown>
>;

/**
 * The hash of a posting, hexadecimal: SHA-256 of the hash before it and of its columns, as text with `|` between them
 * and nothing for null. So no posting can be changed, left out, added or moved without all that follow showing it, and
 * anybody can reckon it again with common tools.
 */
export function postingHash(before: string, row: HashedPosting): string {
  const { posting, at, kind, transfer, debit, credit, amount, resolves } = row;
  const text = `${posting}|${at}|${kind}|${transfer ?? ''}|${debit}|${credit}|${amount}|${resolves ?? ''}`;
  return hash('sha256', `${before}|${text}`, 'hex');
}
