import { ensureKey, lastAttempt } from '../../domain/ensure.ts';
import type { EnsureTarget, Entry } from '../../domain/entry.ts';
import { promisesOf } from '../../domain/run/run.ts';
import type { Journal } from '../../journal/journal.ts';
import type { RunContext } from '../run-context.ts';
import { concurrently } from '../submit/concurrently.ts';
import { createAccount, createRecipient } from './create.ts';
import { recordAmbiguous } from './creation.ts';
import { type Ensuring, startEnsuring } from './ensuring.ts';
import { findAccount, listRecipients, nameKey, type RecipientBook } from './find.ts';
import { type NeededAccount, type NeededRecipient, neededRecipients } from './payees.ts';

/** Payees worked on at once for each request that may be under way: the queue decides, this only keeps it fed. */
const WORKERS_PER_REQUEST = 2;

/** What is done about a record that is not there. */
export type Making = { recipient: typeof createRecipient; account: typeof createAccount };

const CREATING: Making = { recipient: createRecipient, account: createAccount };

/**
 * Sees that every recipient and account that the run needs exists at the service, each created once however many rows
 * share it, and found again rather than created where it exists: known to an earlier run of this journal, or in the
 * service's own lists. A rejected one rejects its rows, one in doubt that cannot be settled keeps its rows waiting; the
 * others go on. A plan looks in the same way, and notes what is missing instead of making it.
 */
export async function ensureAll(context: RunContext, journal: Journal, making: Making = CREATING): Promise<void> {
  const needed = neededRecipients(context.run);
  if (needed.size === 0) return;
  const ensuring = startEnsuring(context, journal);
  await recallKnown(ensuring, needed);
  const missing = [...needed.values()].filter((recipient) => isIncomplete(ensuring, recipient));
  if (missing.length === 0) return;
  // Another process may have made some of them a moment ago: they are listed by then.
  await context.clock.sleep(promisesOf(context.run).listing_lag_ms ?? 0, context.noMore);
  if (context.noMore.aborted) return;
  const book = missing.some((recipient) => isUnknown(ensuring, recipient)) ? await listRecipients(ensuring) : null;
  const concurrency = context.run.header?.profile.concurrency ?? 1;
  await concurrently(
    missing,
    concurrency * WORKERS_PER_REQUEST,
    (recipient) => ensurePayee(ensuring, recipient, book, making),
    () => !context.noMore.aborted,
  );
}

/** The id of a record that is ensured, or null. */
export function idOf(context: RunContext, target: EnsureTarget, key: string): string | null {
  const ensure = context.run.ensures.get(ensureKey(target, key));
  return ensure?.state === 'ensured' ? ensure.id : null;
}

/** Why a record was refused, or null. */
export function refusalOf(
  context: RunContext,
  target: EnsureTarget,
  key: string,
): { code: string; message: string } | null {
  const ensure = context.run.ensures.get(ensureKey(target, key));
  return ensure?.state === 'rejected' ? ensure : null;
}

/**
 * Copies into this run what earlier runs ensured in the same scope, so that the run can be resumed from itself alone, and
 * claims what they have found or made: it is somebody's already.
 */
async function recallKnown(ensuring: Ensuring, needed: Map<string, NeededRecipient>): Promise<void> {
  const { claims } = ensuring;
  const accounts = new Set<string>();
  for (const recipient of needed.values()) for (const key of recipient.accounts.keys()) accounts.add(key);
  const known = new Map<string, Extract<Entry, { kind: 'ensured' }>>();
  for await (const entry of claims.ensured()) {
    if (entry.target === 'recipient') claims.add(entry);
    if (entry.target === 'recipient' ? needed.has(entry.key) : accounts.has(entry.key)) {
      known.set(ensureKey(entry.target, entry.key), entry);
    }
  }
  const recalled: Entry[] = [];
  for (const entry of known.values()) {
    const ensure = ensuring.ensure(entry.target, entry.key);
    if (ensure?.state === 'ensured' || ensure?.state === 'rejected') continue;
    // An attempt of this run that is in doubt may have made a second one; the known one serves all the same.
    claims.add(entry);
    recalled.push({ ...entry, by: 'found' });
  }
  if (recalled.length > 0) await ensuring.context.record(...recalled);
}

function isIncomplete(ensuring: Ensuring, recipient: NeededRecipient): boolean {
  const { context } = ensuring;
  if (refusalOf(context, 'recipient', recipient.key)) return false;
  if (isUnknown(ensuring, recipient)) return true;
  for (const key of recipient.accounts.keys()) {
    if (idOf(context, 'account', key) === null && refusalOf(context, 'account', key) === null) return true;
  }
  return false;
}

/** Whether the recipient is neither named by the input nor ensured. */
function isUnknown({ context }: Ensuring, recipient: NeededRecipient): boolean {
  return recipient.id === null && idOf(context, 'recipient', recipient.key) === null;
}

function isInDoubt({ ensure }: Ensuring, recipient: NeededRecipient): boolean {
  const state = ensure('recipient', recipient.key);
  return state !== undefined && lastAttempt(state) !== null;
}

async function ensurePayee(
  ensuring: Ensuring,
  recipient: NeededRecipient,
  book: RecipientBook | null,
  making: Making,
): Promise<void> {
  const { context, inTurn } = ensuring;
  const { name, email } = recipient.payee;
  let isNew = false;
  if (book !== null && isUnknown(ensuring, recipient)) {
    isNew = await inTurn(`name ${nameKey(name, email)}`, () => ensureRecipient(ensuring, recipient, book, making));
  }
  const id = recipient.id ?? idOf(context, 'recipient', recipient.key);
  if (id === null) return;
  const siblings = [...recipient.accounts.values()];
  for (const account of siblings) {
    if (context.noMore.aborted) return;
    await inTurn(`recipient ${id}`, () => ensureAccount(ensuring, id, account, siblings, isNew, making));
  }
}

/** Finds or creates it. Returns whether it was made just now, so that it cannot have accounts. */
async function ensureRecipient(
  ensuring: Ensuring,
  recipient: NeededRecipient,
  book: RecipientBook,
  making: Making,
): Promise<boolean> {
  const { key } = recipient;
  if (ensuring.context.noMore.aborted) return false;
  if (!isInDoubt(ensuring, recipient)) {
    const look = await book.find(recipient);
    if (look.result === 'ambiguous') await recordAmbiguous(ensuring, 'recipient', key, look.ids);
    if (look.result === 'found') await ensuring.ensured('recipient', key, look.id, 'found');
    if (look.result !== 'missing') return false;
  }
  await making.recipient(ensuring, recipient, book);
  const made = ensuring.ensure('recipient', key);
  return made?.state === 'ensured' && made.by === 'created';
}

async function ensureAccount(
  ensuring: Ensuring,
  recipientId: string,
  account: NeededAccount,
  siblings: NeededAccount[],
  isNewRecipient: boolean,
  making: Making,
): Promise<void> {
  const { key, fingerprint } = account;
  const ensure = ensuring.ensure('account', key);
  if (ensure?.state === 'ensured' || ensure?.state === 'rejected') return;
  // Rows that name the recipient and rows that name the payee may mean one account, which may be listed late.
  const place = `${recipientId}/${fingerprint}`;
  const made = ensuring.accounts.get(place);
  if (made !== undefined) return ensuring.ensured('account', key, made, 'found');
  if (!isNewRecipient && !(ensure && lastAttempt(ensure) !== null)) {
    const look = await findAccount(ensuring, recipientId, account);
    if (look.result === 'ambiguous') await recordAmbiguous(ensuring, 'account', key, look.ids);
    if (look.result === 'found') await ensuring.ensured('account', key, look.id, 'found');
    if (look.result !== 'missing') return;
  }
  await making.account(ensuring, recipientId, account, siblings);
  const id = idOf(ensuring.context, 'account', key);
  if (id !== null) ensuring.accounts.set(place, id);
}
