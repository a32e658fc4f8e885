import type { ReadFailure } from '../../client/client.ts';
import type { ExternalAccount, Recipient } from '../../client/wire.ts';
import { lastAttempt } from '../../domain/ensure.ts';
import { comparable, type Payee } from '../../domain/payee.ts';
import { parseIso } from '../../domain/time.ts';
import { BEFORE_INTENT_MS } from '../reconcile/absence.ts';
import { likenessOf, looksOf } from '../reconcile/likeness.ts';
import { haltFor } from '../reconcile/listing.ts';
import type { CreationLook } from './creation.ts';
import type { Ensuring } from './ensuring.ts';
import type { NeededAccount, NeededRecipient } from './payees.ts';

/** A list that is refused so often is refused by the service: something on the way may have said it once. */
const REFUSALS_BELIEVED = 3;

/** Recipients of one name whose accounts are read to tell them apart. */
const NAMESAKES_MAX = 20;

/** The service's recipients, to find payees in. */
export type RecipientBook = {
  /** The recipient that is this payee and nobody else's. */
  find(recipient: NeededRecipient): Promise<CreationLook>;
  /** Whether the service had it when the book was read. */
  has(id: string): boolean;
};

/** Reads every recipient of the service that no payee of ours has claimed. */
export async function listRecipients(ensuring: Ensuring): Promise<RecipientBook> {
  const { claims } = ensuring;
  const byName = new Map<string, Recipient[]>();
  const { records, complete, serverMs } = await ensuring.readRecipients(Number.NEGATIVE_INFINITY);
  const ids = new Set(records.keys());
  for (const record of records.values()) {
    if (claims.recipients.has(record.id)) continue;
    const key = nameKey(record.metadata.name, record.metadata.email ?? null);
    const namesakes = byName.get(key);
    if (namesakes) namesakes.push(record);
    else byName.set(key, [record]);
  }
  return {
    has: (id) => ids.has(id),
    async find(recipient) {
      const key = nameKey(recipient.payee.name, recipient.payee.email);
      const isFree = ({ id }: Recipient) => !claims.recipients.has(id);
      const look = await pick(ensuring, (byName.get(key) ?? []).filter(isFree).slice(0, NAMESAKES_MAX), recipient);
      return look.result === 'missing' ? { ...look, complete, serverMs } : look;
    },
  };
}

/**
 * Of the recipients with the payee's name and e-mail, the one that holds one of the payee's accounts. Without such an
 * account a single one with an equal e-mail is the payee; names alone do not tell people apart, so it is not reused.
 */
async function pick(ensuring: Ensuring, namesakes: Recipient[], recipient: NeededRecipient): Promise<CreationLook> {
  const unclear: string[] = [];
  for (const record of namesakes) {
    for (const account of recipient.accounts.values()) {
      const look = await findAccount(ensuring, record.id, account);
      if (look.result === 'found') return { result: 'found', id: record.id };
      if (look.result === 'ambiguous') unclear.push(record.id);
    }
  }
  const [only] = namesakes;
  if (namesakes.length === 1 && only && recipient.payee.email !== null) return { result: 'found', id: only.id };
  if (unclear.length > 0) return { result: 'ambiguous', ids: [...new Set(unclear)].sort() };
  return { result: 'missing', complete: true, serverMs: null };
}

/**
 * The recipient that an attempt at or after `sinceMs` made: one that says just what was sent, is nobody's, and was not
 * there before where all attempts were this process's (`isOwn`). A service that does not say when a record was made leaves a payee known by name alone to a person.
 */
export async function lookForRecipient(
  ensuring: Ensuring,
  { payee }: NeededRecipient,
  book: RecipientBook,
  { sinceMs, isOwn }: { sinceMs: number; isOwn: boolean },
): Promise<CreationLook> {
  const { claims } = ensuring;
  // A clock may have been set meanwhile.
  const fromMs = sinceMs - BEFORE_INTENT_MS;
  const { records, complete, serverMs } = await ensuring.readRecipients(fromMs);
  const made: Recipient[] = [];
  const undated: Recipient[] = [];
  for (const record of records.values()) {
    if (claims.recipients.has(record.id) || !isSamePayee(record, payee) || (isOwn && book.has(record.id))) continue;
    const madeMs = parseIso(record.created_at ?? '');
    if (madeMs === null) undated.push(record);
    else if (madeMs >= fromMs) made.push(record);
  }
  if (isOwn || payee.email !== null) made.push(...undated.splice(0));
  // Two alike are litter of equal content: either serves, and the first by id is taken every time.
  const id = made.map((record) => record.id).sort()[0];
  if (id !== undefined) {
    // Claimed at once: another payee of the same name may be looking at the same moment.
    claims.recipients.add(id);
    return { result: 'found', id };
  }
  if (undated.length > 0) return ambiguous(undated);
  return { result: 'missing', complete, serverMs };
}

/** The recipient's account that is this one. */
export async function findAccount(
  ensuring: Ensuring,
  recipientId: string,
  account: NeededAccount,
): Promise<CreationLook> {
  const { records, ...answer } = await readAccounts(ensuring, recipientId, account);
  const look = match(ensuring, records, account);
  if (look !== null) return look;
  const alike = strangers(ensuring, records, account);
  if (alike.length === 0) return { result: 'missing', ...answer };
  // Four digits that agree are not enough where another account of ours has them too.
  const [only] = alike;
  const isOnly = alike.length === 1 && only !== undefined && likenessOf(only, account) === 'alike';
  const isContested =
    ensuring.accountsThatLook(looksOf(account)) > 1 ||
    records.some((record) => !alike.includes(record) && !record.fingerprint && likenessOf(record, account) !== 'other');
  return isOnly && !isContested ? { result: 'found', id: only.id } : ambiguous(alike);
}

/**
 * The account that an attempt at or after `sinceMs` made. There was none that could be it before the first attempt, so
 * one that nobody knows is it, unless another account that looks the same is in doubt too.
 */
export async function lookForAccount(
  ensuring: Ensuring,
  recipientId: string,
  account: NeededAccount,
  sinceMs: number,
  siblings: NeededAccount[],
): Promise<CreationLook> {
  const { records, ...answer } = await readAccounts(ensuring, recipientId, account);
  const look = match(ensuring, records, account);
  if (look !== null) return look;
  const isNew = ({ created_at }: ExternalAccount) =>
    (parseIso(created_at ?? '') ?? sinceMs) >= sinceMs - BEFORE_INTENT_MS;
  const alike = strangers(ensuring, records, account).filter(isNew);
  const [only] = alike;
  if (only === undefined) return { result: 'missing', ...answer };
  const isOpen = (other: NeededAccount): boolean => {
    const ensure = ensuring.ensure('account', other.key);
    return other.key !== account.key && ensure !== undefined && lastAttempt(ensure) !== null;
  };
  const isContested = siblings.some((other) => isOpen(other) && likenessOf(only, other) !== 'other');
  const isClear = alike.length === 1 && likenessOf(only, account) === 'alike' && !isContested;
  return isClear ? { result: 'found', id: only.id } : ambiguous(alike);
}

type Accounts = { records: ExternalAccount[]; complete: boolean; serverMs: number | null };

async function readAccounts(ensuring: Ensuring, recipientId: string, account: NeededAccount): Promise<Accounts> {
  const isWallet = account.destination.rail === 'WEB3';
  const operation = isWallet ? 'account.external.web3.getAll' : 'account.external.bank.getAll';
  const ask = () => ensuring.context.client.read(operation, { recipient_id: recipientId }, 'settle');
  let result = await ask();
  for (let times = 1; isUnknown(result) && times < REFUSALS_BELIEVED; times++) result = await ask();
  if (result.ok) {
    const records = uniqueById(result.data);
    if (records.some(({ fingerprint }) => !fingerprint)) await ensuring.claims.readKnown();
    return { records, complete: true, serverMs: result.serverMs };
  }
  // A recipient that the service does not know, perhaps not yet: that shows no account, and proves nothing.
  if (isUnknown(result)) return { records: [], complete: false, serverMs: null };
  throw haltFor(result);
}

function isUnknown(result: { ok: true } | ReadFailure): boolean {
  if (result.ok || result.kind !== 'rejected') return false;
  return result.code === 'NOT_FOUND' || result.code === 'BAD_REQUEST';
}

/** By its fingerprint, or because this journal knows it. Null where neither tells. */
function match(ensuring: Ensuring, records: ExternalAccount[], account: NeededAccount): CreationLook | null {
  const found =
    records.find((record) => record.fingerprint === account.fingerprint) ??
    records.find((record) => !record.fingerprint && ensuring.claims.fingerprintOf(record.id) === account.fingerprint);
  return found === undefined ? null : { result: 'found', id: found.id };
}

/** Records without a fingerprint that could be the account and that this journal does not know. */
function strangers({ claims }: Ensuring, records: ExternalAccount[], account: NeededAccount): ExternalAccount[] {
  return records.filter(
    (record) =>
      !record.fingerprint && likenessOf(record, account) !== 'other' && claims.fingerprintOf(record.id) === null,
  );
}

function ambiguous(records: { id: string }[]): CreationLook {
  return { result: 'ambiguous', ids: records.map(({ id }) => id).sort() };
}

function uniqueById<T extends { id: string }>(records: T[]): T[] {
  return [...new Map(records.map((record) => [record.id, record])).values()];
}

/** Whether a record says of a payee just what we would create: how an in-doubt create is recognised. */
export function isSamePayee(record: Recipient, payee: Payee): boolean {
  const { name, email, business_info } = record.metadata;
  return (
    nameKey(name, email ?? null) === nameKey(payee.name, payee.email) &&
    comparable(business_info?.registration_number ?? '') === comparable(payee.business?.registration_number ?? '')
  );
}

/** Payees of one such key cannot be told apart by their recipients' names and e-mails. */
export function nameKey(name: string, email: string | null): string {
  return `${comparable(name)}|${comparable(email ?? '')}`;
}
