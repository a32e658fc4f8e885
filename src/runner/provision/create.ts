import type { RequestBody } from '../../client/wire.ts';
import type { Payee } from '../../domain/payee.ts';
import { Creation, type Wanted } from './creation.ts';
import { lookForAccount, lookForRecipient, type RecipientBook } from './find.ts';
import type { NeededAccount, NeededRecipient } from './payees.ts';
import type { Provision } from './provision.ts';

/** Creates the payee's recipient, or reconciles an earlier attempt. */
export function createRecipient(provision: Provision, recipient: NeededRecipient, book: RecipientBook): Promise<void> {
  const { key } = recipient;
  const isOwn = (provision.ensure('recipient', key)?.attempts ?? 0) === 0;
  const creation = new Creation(provision, {
    target: 'recipient',
    key,
    operation: 'account.recipient.create',
    body: recipientBody(recipient.payee),
    look: (sinceMs) => lookForRecipient(provision, recipient, book, { sinceMs, isOwn }),
  });
  return creation.make();
}

/** Creates one account of a recipient, or reconciles an earlier attempt. */
export function createAccount(
  provision: Provision,
  recipientId: string,
  account: NeededAccount,
  siblings: readonly NeededAccount[],
): Promise<void> {
  const creation = new Creation(provision, {
    target: 'account',
    key: account.key,
    ...accountRequest(recipientId, account),
    look: (sinceMs) => lookForAccount(provision, recipientId, account, sinceMs, siblings),
  });
  return creation.make();
}

/** `account.external.bank.add` of section 4.8, or `account.external.web3.add`. */
function accountRequest(recipientId: string, account: NeededAccount): Pick<Wanted, 'operation' | 'body'> {
  const { rail, account_name, fields } = account.destination;
  if (rail === 'WEB3') {
    const body: RequestBody<'account.external.web3.add'> = {
      recipient_id: recipientId,
      account_name,
      address: fields.wallet_address,
      chain: fields.chain,
    };
    return { operation: 'account.external.web3.add', body };
  }
  const body: RequestBody<'account.external.bank.add'> = {
    recipient_id: recipientId,
    type: rail,
    account_name,
    account_number: fields.account_number,
    ...(fields.national_clearing_code && { national_clearing_code: fields.national_clearing_code }),
    ...(fields.bic && { bic: fields.bic }),
    ...(fields.account_type && { account_type: fields.account_type === 'savings' ? 'savings' : 'checking' }),
  };
  return { operation: 'account.external.bank.add', body };
}

/** `account.recipient.create` of section 4.7; what the payee does not have is left out. */
function recipientBody({ name, email, phone, business }: Payee): RequestBody<'account.recipient.create'> {
  const address = present(business?.address ?? {});
  const info = {
    ...(business?.entity_name && { entity_name: business.entity_name }),
    ...(business?.registration_number && { registration_number: business.registration_number }),
    ...(Object.keys(address).length > 0 && { address }),
  };
  return {
    metadata: {
      name,
      ...(email !== null && { email }),
      ...(phone !== null && { phone_number: phone }),
      ...(Object.keys(info).length > 0 && { business_info: info }),
    },
  };
}

function present(fields: Record<string, string | null>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).filter((field): field is [string, string] => field[1] !== null));
}
