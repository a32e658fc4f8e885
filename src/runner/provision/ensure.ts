import { ensureKey, lastAttempt } from '../../domain/ensure.ts';
import type { Entry } from '../../domain/entry.ts';
import { promisesOf } from '../../domain/run/run.ts';
import { concurrently } from '../concurrently.ts';
import type { RunContext } from '../run-context.ts';
import { createAccount, createRecipient } from './create.ts';
import { findAccount, listRecipients, nameKey, type RecipientBook } from './find.ts';
import { idOf, type NeededAccount, type NeededRecipient, neededRecipients, refusalOf } from './payees.ts';
import { Provision } from './provision.ts';

/** Payees worked on at once for each request that may be under way: the queue decides, this only keeps it fed. */
const WORKERS_PER_REQUEST = 2;

/** What is done about a record that is not there. */
export type Making = { recipient: typeof createRecipient; account: typeof createAccount };

const CREATING: Making = { recipient: createRecipient, account: createAccount };

/**
 * Sees that every recipient and account that the run needs exists at the service, each created once however many rows
 * share it, and found again rather than created where it exists: known to an earlier run of this journal, or in the
 * service's own lists. A rejected one rejects its rows, one in doubt that is not reconciled keeps its rows waiting; the
 * others go on. A plan looks in the same way, and notes what is missing instead of making it.
 */
export async function ensureAll(context: RunContext, making: Making = CREATING): Promise<void> {
  const { run, clock, noMore, profile } = context;
  const needed = neededRecipients(run);
  if (needed.size === 0) return;
  const provision = new Provision(context);
  await recallEarlier(provision, needed);
  const missing = [...needed.values()].filter((recipient) => isIncomplete(context, recipient));
  if (missing.length === 0) return;
  // Another process may have made some of them a moment ago: they are listed by then.
  await clock.sleep(promisesOf(run).listing_lag_ms ?? 0, noMore);
  if (noMore.aborted) return;
  const book = missing.some((recipient) => isUnknown(context, recipient)) ? await listRecipients(provision) : null;
  await concurrently(
    missing,
    profile.concurrency * WORKERS_PER_REQUEST,
    (recipient) => ensurePayee(provision, recipient, book, making),
    () => !noMore.aborted,
  );
}

/**
 * Copies into this run what earlier runs ensured in the same scope, so that the run can be resumed from itself alone, and
 * claims what they have found or made: it is somebody's already.
 */
async function recallEarlier(provision: Provision, needed: Map<string, NeededRecipient>): Promise<void> {
  const accounts = new Set([...needed.values()].flatMap((recipient) => [...recipient.accounts.keys()]));
  const known = new Map<string, Extract<Entry, { kind: 'ensured' }>>();
  for await (const entry of provision.earlier()) {
    if (entry.target === 'recipient') provision.claim(entry);
    const isNeeded = entry.target === 'recipient' ? needed.has(entry.key) : accounts.has(entry.key);
    if (isNeeded) known.set(ensureKey(entry.target, entry.key), entry);
  }
  const recalled: Entry[] = [];
  for (const entry of known.values()) {
    const ensure = provision.ensure(entry.target, entry.key);
    if (ensure?.state === 'ensured' || ensure?.state === 'rejected') continue;
    // An attempt of this run that is in doubt may have made a second one; the known one serves all the same.
    provision.claim(entry);
    recalled.push({ ...entry, by: 'found' });
  }
  if (recalled.length > 0) await provision.context.record(...recalled);
}

function isIncomplete(context: RunContext, recipient: NeededRecipient): boolean {
  const { run } = context;
  if (refusalOf(run, 'recipient', recipient.key)) return false;
  const isMissing = (key: string): boolean =>
    idOf(run, 'account', key) === null && refusalOf(run, 'account', key) === null;
  return isUnknown(context, recipient) || recipient.accounts.keys().some(isMissing);
}

/** Whether the recipient is neither named by the input nor ensured. */
function isUnknown({ run }: RunContext, recipient: NeededRecipient): boolean {
  return recipient.id === null && idOf(run, 'recipient', recipient.key) === null;
}

async function ensurePayee(
  provision: Provision,
  recipient: NeededRecipient,
  book: RecipientBook | null,
  making: Making,
): Promise<void> {
  const { context, inTurn } = provision;
  const { name, email } = recipient.payee;
  let isNew = false;
  if (book !== null && isUnknown(context, recipient)) {
    isNew = await inTurn(`name ${nameKey(name, email)}`, () => ensureRecipient(provision, recipient, book, making));
  }
  const id = recipient.id ?? idOf(context.run, 'recipient', recipient.key);
  if (id === null) return;
  const siblings = [...recipient.accounts.values()];
  for (const account of siblings) {
    if (context.noMore.aborted) return;
    await inTurn(`recipient ${id}`, () => ensureAccount(provision, { id, isNew }, account, siblings, making));
  }
}

/** Finds or creates it. Returns whether it was made just now, so that it cannot have accounts. */
async function ensureRecipient(
  provision: Provision,
  recipient: NeededRecipient,
  book: RecipientBook,
  making: Making,
): Promise<boolean> {
  const { key } = recipient;
  if (provision.context.noMore.aborted) return false;
  const before = provision.ensure('recipient', key);
  const isInDoubt = before !== undefined && lastAttempt(before) !== null;
  if (!isInDoubt && (await provision.recordLook('recipient', key, await book.find(recipient)))) return false;
  await making.recipient(provision, recipient, book);
  const made = provision.ensure('recipient', key);
  return made?.state === 'ensured' && made.by === 'created';
}

async function ensureAccount(
  provision: Provision,
  recipient: { id: string; isNew: boolean },
  account: NeededAccount,
  siblings: readonly NeededAccount[],
  making: Making,
): Promise<void> {
  const { key, fingerprint } = account;
  const ensure = provision.ensure('account', key);
  if (ensure?.state === 'ensured' || ensure?.state === 'rejected') return;
  // Rows that name the recipient and rows that name the payee may mean one account, which may be listed late.
  const place = `${recipient.id}/${fingerprint}`;
  const made = provision.accounts.get(place);
  if (made !== undefined) return provision.ensured('account', key, made, 'found');
  const isInDoubt = ensure !== undefined && lastAttempt(ensure) !== null;
  if (!recipient.isNew && !isInDoubt) {
    const look = await findAccount(provision, recipient.id, account);
    if (await provision.recordLook('account', key, look)) return;
  }
  await making.account(provision, recipient.id, account, siblings);
  const id = idOf(provision.context.run, 'account', key);
  if (id !== null) provision.accounts.set(place, id);
}
