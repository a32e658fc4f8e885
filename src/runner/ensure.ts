import { ensureKey } from '../domain/ensure.ts';
import type { Entry } from '../domain/entry.ts';
import { assert } from '../domain/refusal.ts';
import type { Journal } from '../journal/journal.ts';
import { concurrently } from './concurrently.ts';
import { createAccount, createRecipient } from './create.ts';
import { findAccount, listRecipients, type RecipientBook } from './find.ts';
import { type NeededAccount, type NeededRecipient, neededRecipients } from './payees.ts';
import { type RunContext, scopeOf } from './recorder.ts';

/** Payees worked on at once for each request that may be under way: the queue decides, this only keeps it fed. */
const WORKERS_PER_REQUEST = 2;

/**
 * Sees that every recipient and account that the run needs exists at the service, each created once however many rows
 * share it, and found again rather than created where it exists: known to an earlier run of this journal, or in the
 * service's own lists. A rejected one rejects its rows; the others go on.
 */
export async function ensureAll(context: RunContext, journal: Journal): Promise<void> {
  const needed = neededRecipients(context.run);
  if (needed.size === 0) return;
  await recallKnown(context, journal, needed);
  const missing = [...needed.values()].filter((recipient) => isIncomplete(context, recipient));
  if (missing.length > 0) {
    const hasUnknown = missing.some(
      (recipient) => recipient.id === null && idOf(context, 'recipient', recipient.key) === null,
    );
    if (hasUnknown) claimKnown(context, journal);
    const book = hasUnknown ? await listRecipients(context) : null;
    const concurrency = context.run.header?.profile.concurrency ?? 1;
    await concurrently(
      missing,
      concurrency * WORKERS_PER_REQUEST,
      (recipient) => ensurePayee(context, recipient, book),
      () => !context.stop.aborted,
    );
  }
}

/** The id of a record that is ensured, or null. */
export function idOf(context: RunContext, target: 'recipient' | 'account', key: string): string | null {
  const ensure = context.run.ensures.get(ensureKey(target, key));
  return ensure?.state === 'ensured' ? ensure.id : null;
}

/** Why a record was refused, or null. */
export function refusalOf(
  context: RunContext,
  target: 'recipient' | 'account',
  key: string,
): { code: string; message: string } | null {
  const ensure = context.run.ensures.get(ensureKey(target, key));
  return ensure?.state === 'rejected' ? ensure : null;
}

/** Copies into this run what earlier runs ensured in the same scope, so that the run can be resumed from itself alone. */
async function recallKnown(context: RunContext, journal: Journal, needed: Map<string, NeededRecipient>): Promise<void> {
  const accounts = new Set<string>();
  for (const recipient of needed.values()) for (const key of recipient.accounts.keys()) accounts.add(key);
  const scope = scopeOf(context);
  const known = new Map<string, Extract<Entry, { kind: 'ensured' }>>();
  for (const { entry } of journal.readKinds(['ensured'])) {
    if (entry.kind !== 'ensured' || entry.scope !== scope) continue;
    if (entry.target === 'recipient' ? needed.has(entry.key) : accounts.has(entry.key)) {
      known.set(ensureKey(entry.target, entry.key), entry);
    }
  }
  const recalled = [...known]
    .filter(([key]) => !context.run.ensures.has(key))
    .map(([, entry]): Entry => ({ ...entry, by: 'found' }));
  if (recalled.length > 0) await context.record(...recalled);
}

/** What any run of this journal has found or made is somebody's already. */
function claimKnown(context: RunContext, journal: Journal): void {
  const scope = scopeOf(context);
  for (const { entry } of journal.readKinds(['ensured'])) {
    if (entry.kind === 'ensured' && entry.target === 'recipient' && entry.scope === scope)
      context.claimed.add(entry.id);
  }
}

function isIncomplete(context: RunContext, recipient: NeededRecipient): boolean {
  if (refusalOf(context, 'recipient', recipient.key)) return false;
  if (recipient.id === null && idOf(context, 'recipient', recipient.key) === null) return true;
  for (const key of recipient.accounts.keys()) {
    if (idOf(context, 'account', key) === null && refusalOf(context, 'account', key) === null) return true;
  }
  return false;
}

async function ensurePayee(context: RunContext, recipient: NeededRecipient, book: RecipientBook | null): Promise<void> {
  const found = await ensureRecipient(context, recipient, book);
  if (found === null) return;
  for (const account of recipient.accounts.values()) {
    if (context.stop.aborted) return;
    await ensureAccount(context, found.id, account, found.isNew);
  }
}

/** The recipient's id, and whether it was made just now, so that it cannot have accounts. Null where it was refused. */
async function ensureRecipient(
  context: RunContext,
  recipient: NeededRecipient,
  book: RecipientBook | null,
): Promise<{ id: string; isNew: boolean } | null> {
  if (recipient.id !== null) return { id: recipient.id, isNew: false };
  const known = idOf(context, 'recipient', recipient.key);
  if (known !== null) return { id: known, isNew: false };
  assert(book, 'recipients are created only after the service was asked for those it has');
  if (!isOpen(context, 'recipient', recipient.key)) {
    const found = await book.find(recipient);
    if (found !== null) {
      await context.record({
        kind: 'ensured',
        target: 'recipient',
        key: recipient.key,
        id: found,
        by: 'found',
        scope: scopeOf(context),
      });
      return { id: found, isNew: false };
    }
  }
  const created = await createRecipient(context, recipient);
  return created === null ? null : { id: created, isNew: true };
}

async function ensureAccount(
  context: RunContext,
  recipientId: string,
  account: NeededAccount,
  isNewRecipient: boolean,
): Promise<void> {
  if (idOf(context, 'account', account.key) !== null || refusalOf(context, 'account', account.key)) return;
  if (!isNewRecipient && !isOpen(context, 'account', account.key)) {
    const found = await findAccount(context, recipientId, account);
    if (found !== null) {
      const scope = scopeOf(context);
      await context.record({ kind: 'ensured', target: 'account', key: account.key, id: found, by: 'found', scope });
      return;
    }
  }
  await createAccount(context, recipientId, account);
}

/** Whether an earlier process left an intent without an outcome. */
function isOpen(context: RunContext, target: 'recipient' | 'account', key: string): boolean {
  const state = context.run.ensures.get(ensureKey(target, key))?.state;
  return state === 'sending' || state === 'in_doubt';
}
