import type { ReadFailure } from '../../client/client.ts';
import type { ExternalAccount, Recipient } from '../../client/wire.ts';
import { lastAttempt } from '../../domain/ensure.ts';
import { comparable, type Payee } from '../../domain/payee.ts';
import { parseIso } from '../../domain/time.ts';
import { haltFor } from '../halt.ts';
import { BEFORE_INTENT_MS } from '../reconcile/deadlines.ts';
import { matchAccount } from './account-match.ts';
import type { NeededAccount, NeededRecipient } from './payees.ts';
import type { Look, Provision } from './provision.ts';

/** A list that is refused so often is refused by the service: something on the way may have refused it once. */
const REFUSALS_BELIEVED = 3;
/** Recipients of one name whose accounts are read to tell them apart. */
const NAMESAKES_MAX = 20;

/** The service's recipients, to find payees in. */
export type RecipientBook = {
  /** The recipient that is this payee and nobody else's. */
  find(recipient: NeededRecipient): Promise<Look>;
  /** Whether the service had it when the book was read. */
  has(id: string): boolean;
};

/** Reads every recipient of the service that no payee of ours has claimed. */
export async function listRecipients(provision: Provision): Promise<RecipientBook> {
  const { records, complete, serverMs } = await provision.recipientsSince(Number.NEGATIVE_INFINITY);
  const free = records.values().filter((record) => provision.isFree(record));
  const byName = Map.groupBy(free, ({ metadata }) => nameKey(metadata.name, metadata.email ?? null));
  return {
    has: (id) => records.has(id),
    async find(recipient) {
      const namesakes = byName.get(nameKey(recipient.payee.name, recipient.payee.email)) ?? [];
      const look = await pick(
        provision,
        namesakes.filter((record) => provision.isFree(record)),
        recipient,
      );
      return look ?? { result: 'missing', complete, serverMs };
    },
  };
}

/**
 * Of the recipients with the payee's name and e-mail, the one that holds one of the payee's accounts. Without such an
 * account a single one with an equal e-mail is the payee; names alone do not tell people apart, so it is not reused.
 */
async function pick(provision: Provision, namesakes: Recipient[], recipient: NeededRecipient): Promise<Look | null> {
  const unclear = new Set<string>();
  const compared = namesakes.slice(0, NAMESAKES_MAX);
  for (const record of compared) {
    for (const account of recipient.accounts.values()) {
      const look = await findAccount(provision, record.id, account);
      if (look.result === 'found') return { result: 'found', id: record.id };
      if (look.result === 'ambiguous') unclear.add(record.id);
    }
  }
  const [only] = compared;
  if (compared.length === 1 && only && recipient.payee.email !== null) return { result: 'found', id: only.id };
  return unclear.size === 0 ? null : { result: 'ambiguous', ids: [...unclear].sort() };
}

/**
 * The recipient that an attempt at or after `sinceMs` made: one that shows just what was sent, is nobody's, and was not
 * there before where all attempts were this process's (`isOwn`). A service that does not show when a record was made leaves
 * a payee known by name alone to a person.
 */
export async function lookForRecipient(
  provision: Provision,
  { payee }: NeededRecipient,
  book: RecipientBook,
  { sinceMs, isOwn }: { sinceMs: number; isOwn: boolean },
): Promise<Look> {
  // A clock may have been set meanwhile.
  const fromMs = sinceMs - BEFORE_INTENT_MS;
  const { records, complete, serverMs } = await provision.recipientsSince(fromMs);
  const made: Recipient[] = [];
  const undated: Recipient[] = [];
  for (const record of records.values()) {
    if (!provision.isFree(record) || !isSamePayee(record, payee) || (isOwn && book.has(record.id))) continue;
    const madeMs = parseIso(record.created_at ?? '');
    if (madeMs === null) undated.push(record);
    else if (madeMs >= fromMs) made.push(record);
  }
  if (isOwn || payee.email !== null) made.push(...undated.splice(0));
  // Two alike are litter of equal content: either serves, and the first by id is taken every time.
  const id = made.map((record) => record.id).sort()[0];
  if (id !== undefined) {
    // Claimed at once: another payee of the same name may be looking at the same moment.
    provision.claimRecipient(id);
    return { result: 'found', id };
  }
  return undated.length > 0 ? ambiguous(undated) : { result: 'missing', complete, serverMs };
}

/** Whether a record shows of a payee just what we would create: how a creation in doubt is recognised. */
function isSamePayee(record: Recipient, payee: Payee): boolean {
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

/** The recipient's account that is this one. Four digits that agree are not enough where another account has them too. */
export function findAccount(provision: Provision, recipientId: string, account: NeededAccount): Promise<Look> {
  return lookAmongAccounts(provision, recipientId, account, {
    isCandidate: () => true,
    isContested: (only, records) =>
      !provision.isDistinct(account) ||
      records.some((one) => one !== only && !one.fingerprint && matchAccount(one, account) !== 'different'),
  });
}

/**
 * The account that an attempt at or after `sinceMs` made. There was none that could be it before the first attempt, so
 * one that nobody knows is it, unless another account that looks the same is in doubt too.
 */
export function lookForAccount(
  provision: Provision,
  recipientId: string,
  account: NeededAccount,
  sinceMs: number,
  siblings: readonly NeededAccount[],
): Promise<Look> {
  const isOpen = (other: NeededAccount): boolean => {
    const ensure = provision.ensure('account', other.key);
    return other.key !== account.key && ensure !== undefined && lastAttempt(ensure) !== null;
  };
  return lookAmongAccounts(provision, recipientId, account, {
    isCandidate: ({ created_at }) => (parseIso(created_at ?? '') ?? sinceMs) >= sinceMs - BEFORE_INTENT_MS,
    isContested: (only) => siblings.some((other) => isOpen(other) && matchAccount(only, other) !== 'different'),
  });
}

type Rules = {
  /** Whether a record could be the account that is looked for. */
  isCandidate(record: ExternalAccount): boolean;
  /** Whether the only candidate could as well be another account. */
  isContested(only: ExternalAccount, records: readonly ExternalAccount[]): boolean;
};

/** By its fingerprint, or because this journal knows it; else by its looks, where it is the only one. */
async function lookAmongAccounts(
  provision: Provision,
  recipientId: string,
  account: NeededAccount,
  { isCandidate, isContested }: Rules,
): Promise<Look> {
  const { records, ...answer } = await readAccounts(provision, recipientId, account);
  const own = records.find((record) => record.fingerprint === account.fingerprint);
  if (own !== undefined) return { result: 'found', id: own.id };
  const unmarked = records.filter(({ fingerprint }) => !fingerprint);
  if (unmarked.length === 0) return { result: 'missing', ...answer };
  const fingerprintOf = await provision.fingerprints();
  const known = unmarked.find(({ id }) => fingerprintOf(id) === account.fingerprint);
  if (known !== undefined) return { result: 'found', id: known.id };
  const alike = unmarked.filter(
    (record) =>
      matchAccount(record, account) !== 'different' && fingerprintOf(record.id) === null && isCandidate(record),
  );
  const [only] = alike;
  if (only === undefined) return { result: 'missing', ...answer };
  const isClear = alike.length === 1 && matchAccount(only, account) === 'same' && !isContested(only, records);
  return isClear ? { result: 'found', id: only.id } : ambiguous(alike);
}

type Accounts = { records: ExternalAccount[]; complete: boolean; serverMs: number | null };

async function readAccounts({ context }: Provision, recipientId: string, account: NeededAccount): Promise<Accounts> {
  const isWallet = account.destination.rail === 'WEB3';
  const operation = isWallet ? 'account.external.web3.getAll' : 'account.external.bank.getAll';
  const ask = () => context.client.read(operation, { recipient_id: recipientId }, 'settle');
  let result = await ask();
  for (let times = 1; isUnknown(result) && times < REFUSALS_BELIEVED; times++) result = await ask();
  if (result.ok) {
    const records = [...new Map(result.data.map((record) => [record.id, record])).values()];
    return { records, complete: true, serverMs: result.serverMs };
  }
  // A recipient that the service does not know, perhaps not yet: that shows no account, and proves nothing.
  if (isUnknown(result)) return { records: [], complete: false, serverMs: null };
  throw haltFor(result);
}

function isUnknown(result: { ok: true } | ReadFailure): boolean {
  return !result.ok && result.kind === 'rejected' && (result.code === 'NOT_FOUND' || result.code === 'BAD_REQUEST');
}

function ambiguous(records: { id: string }[]): Look {
  return { result: 'ambiguous', ids: records.map(({ id }) => id).sort() };
}
