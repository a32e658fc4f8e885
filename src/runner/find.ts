import type { ExternalAccount, Recipient } from '../client/wire.ts';
import { comparable, type Payee } from '../domain/payee.ts';
import { Halt } from './halt.ts';
import { haltFor } from './listing.ts';
import type { NeededAccount, NeededRecipient } from './payees.ts';
import type { RunContext } from './recorder.ts';

const PAGE_SIZE = 500;
/** Half a million recipients. */
const PAGES_MAX = 1_000;
/** Recipients of one name whose accounts are read to tell them apart. */
const NAMESAKES_MAX = 20;

/** The service's recipients, to find payees in. */
export type RecipientBook = {
  /** The id of the recipient that is this payee, or null. A recipient is found once only. */
  find(recipient: NeededRecipient): Promise<string | null>;
};

/** Reads every recipient of the service that no payee of ours has claimed. */
export async function listRecipients(context: RunContext): Promise<RecipientBook> {
  const { claimed } = context;
  const byName = new Map<string, Recipient[]>();
  for (const record of (await readRecipients(context)).records) {
    if (claimed.has(record.id)) continue;
    const key = nameKey(record.metadata.name, record.metadata.email ?? null);
    const namesakes = byName.get(key);
    if (namesakes) namesakes.push(record);
    else byName.set(key, [record]);
  }
  return {
    async find(recipient) {
      const key = nameKey(recipient.payee.name, recipient.payee.email);
      const namesakes = (byName.get(key) ?? []).filter((record) => !claimed.has(record.id)).slice(0, NAMESAKES_MAX);
      const id = await pick(context, namesakes, recipient);
      if (id === null || claimed.has(id)) return null;
      claimed.add(id);
      return id;
    },
  };
}

/** Every recipient record, paged to the end where there is a cursor. Without one a full page is not a complete answer. */
export async function readRecipients(context: RunContext): Promise<{ records: Recipient[]; complete: boolean }> {
  const records: Recipient[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < PAGES_MAX; page++) {
    const request = { limit: PAGE_SIZE, ...(cursor === undefined ? {} : { cursor }) };
    const result = await context.client.read('account.recipient.getMany', request, 'settle');
    if (!result.ok) throw haltFor(result);
    const { recipients, next_cursor } = result.data;
    for (const record of recipients) records.push(record);
    if (!next_cursor) return { records, complete: next_cursor === null || recipients.length < PAGE_SIZE };
    cursor = next_cursor;
  }
  throw new Halt('person_needed', `the service holds more than ${PAGES_MAX * PAGE_SIZE} recipients`);
}

/**
 * Of the recipients with the payee's name and e-mail, the one that holds one of the payee's accounts. Without such an
 * account a single one with an equal e-mail is the payee; names alone do not tell people apart, so it is not reused.
 */
async function pick(context: RunContext, namesakes: Recipient[], recipient: NeededRecipient): Promise<string | null> {
  for (const record of namesakes) {
    for (const account of recipient.accounts.values()) {
      if ((await findAccount(context, record.id, account)) !== null) return record.id;
    }
  }
  const [only] = namesakes;
  return namesakes.length === 1 && only && recipient.payee.email !== null ? only.id : null;
}

/** The id of the recipient's account that is this one, or null. Several that could be it stop the run. */
export async function findAccount(
  context: RunContext,
  recipientId: string,
  account: NeededAccount,
): Promise<string | null> {
  const isWallet = account.destination.rail === 'WEB3';
  const operation = isWallet ? 'account.external.web3.getAll' : 'account.external.bank.getAll';
  const result = await context.client.read(operation, { recipient_id: recipientId }, 'settle');
  if (!result.ok && result.kind === 'rejected' && result.code === 'NOT_FOUND') return null;
  if (!result.ok) throw haltFor(result);
  const printed = result.data.find((record) => record.fingerprint === account.fingerprint);
  if (printed) return printed.id;
  const alike = result.data.filter((record) => !record.fingerprint && looksLike(record, account));
  if (alike.length > 1) {
    const ids = alike.map((record) => record.id).join(', ');
    throw new Halt(
      'person_needed',
      `recipient ${recipientId} has several accounts that look like one of ours (${ids})`,
    );
  }
  return alike[0]?.id ?? null;
}

/**
 * The comparison for services without fingerprints: type, routing code, last four, holder's name (`decisions.md`), and
 * the BIC where the service shows one. The last four of an e-mail address (`.com`) tell nobody apart, so that a PIX key
 * of that kind must be shown whole; a wallet's address is compared whole where it is, and its chain too.
 */
function looksLike(record: ExternalAccount, { destination }: NeededAccount): boolean {
  const { rail, fields, account_name } = destination;
  const number = rail === 'WEB3' ? fields.wallet_address : fields.account_number;
  const shown = rail === 'WEB3' ? (record.address ?? record.account_number) : record.account_number;
  const isWhole = number.includes('@') || /^0x[0-9a-f]{40}$/i.test(shown ?? '');
  const compared = (text: string) => (isWhole ? text : text.slice(-4)).toUpperCase();
  return (
    record.type === rail &&
    (record.national_clearing_code ?? '') === fields.national_clearing_code &&
    (!record.chain || record.chain.toLowerCase() === fields.chain) &&
    (!record.bic || !fields.bic || headOffice(record.bic) === headOffice(fields.bic)) &&
    compared(shown ?? '') === compared(number) &&
    comparable(record.account_name ?? '') === comparable(account_name)
  );
}

/** A BIC of eight characters names the head office, as does the same one with the branch XXX. */
function headOffice(bic: string): string {
  return bic.toUpperCase().replace(/^(.{8})XXX$/, '$1');
}

/** Whether a record says of a payee just what we would create: how an in-doubt create is recognised. */
export function isSamePayee(record: Recipient, payee: Payee): boolean {
  const { name, email, business_info } = record.metadata;
  return (
    comparable(name) === comparable(payee.name) &&
    comparable(email ?? '') === comparable(payee.email ?? '') &&
    comparable(business_info?.registration_number ?? '') === comparable(payee.business?.registration_number ?? '')
  );
}

function nameKey(name: string, email: string | null): string {
  return `${comparable(name)}|${comparable(email ?? '')}`;
}
