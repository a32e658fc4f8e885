import type { OperationRequest } from '../../contract/operations.ts';
import { currencyLabel } from '../../domain/currencies.ts';
import { fingerprint } from '../../domain/rails/fields/digits.ts';
import { characters } from '../../domain/rails/fields/reference-text.ts';
import { NO_FIELDS, type RailFields, type RailName } from '../../domain/rails/rail.ts';
import { railOf } from '../../domain/rails/registry.ts';
import { problemWords } from '../../messages/problems/problem-words.ts';
import type { Caller, Core } from '../core.ts';
import { accepted, badRequest, notFound, type Outcome, type Refused } from '../gateway/answers.ts';
import type { Row } from '../store/database.ts';
import { isoText } from '../time/clock.ts';
import { currencyOfRail, type TransferRail } from '../transfers/fees.ts';
import type { Asset } from './assets.ts';
import { findRecipient } from './recipients.ts';

/** Accounts of one recipient, or of the customer itself: `getAll` has no pages, so there must be an end. */
const ACCOUNTS_MAX = 10_000;

/** `account.external.bank.add` (specification, 4.8; the fields of each rail by `rails.md`). */
export function addBankAccount(
  core: Core,
  caller: Caller,
  request: OperationRequest<'account.external.bank.add'>,
): Outcome {
  const { recipient_id, type, account_name, bank_name, address, ...given } = request;
  return addAccount(core, caller, {
    recipientId: recipient_id,
    type,
    accountName: account_name,
    fields: { ...NO_FIELDS, ...given },
    details: { bank_name, address },
  });
}

/** `account.external.web3.add` (`decisions.md`; the address by EIP-55). */
export function addWallet(core: Core, caller: Caller, request: OperationRequest<'account.external.web3.add'>): Outcome {
  return addAccount(core, caller, {
    recipientId: request.recipient_id,
    type: 'WEB3',
    accountName: request.account_name,
    fields: { ...NO_FIELDS, wallet_address: request.address, chain: request.chain },
    details: {},
  });
}

/** `account.external.bank.getAll` and `account.external.web3.getAll`: those of a recipient, or the caller's own. */
export function getAccounts(
  core: Core,
  caller: Caller,
  request: OperationRequest<'account.external.bank.getAll'>,
  kind: 'bank' | 'web3',
): Outcome {
  const owner = ownerOf(core, caller, request.recipient_id);
  if (!owner.ok) return owner;
  const rows = core.store.all(kind === 'bank' ? BANKS : WALLETS, caller.customer, owner.data, ACCOUNTS_MAX);
  return accepted(rows.map(record));
}

/** The last four characters of a number, the others hidden; one of four or fewer is hidden whole. */
export function maskNumber(value: string): string {
  if (value === '') return '';
  return value.length <= 4 ? '••••' : `••••${value.slice(-4)}`;
}

type NewAccount = {
  recipientId: string | undefined;
  type: RailName;
  accountName: string;
  fields: RailFields;
  details: object;
};

function addAccount(core: Core, caller: Caller, account: NewAccount): Outcome {
  const rail = railOf(account.type);
  const fields = rail.normalise(account.fields);
  const stray = FIELD_NAMES.find((name) => account.fields[name].trim() !== '' && fields[name] === '');
  if (stray) return badRequest('INVALID', `${stray}: ${account.type} has no such field`);
  const errors = rail.check(fields).filter(({ severity }) => severity === 'error');
  // The remedies are left out: they may show a whole account number.
  if (errors.length > 0)
    return badRequest(
      'INVALID',
      errors.map((found) => `${found.field}: ${problemWords(found, 'command_line').message}`).join(' '),
    );
  const owner = ownerOf(core, caller, account.recipientId);
  if (!owner.ok) return owner;
  const held = Number(core.store.get(COUNT, caller.customer, owner.data)?.held);
  if (held >= ACCOUNTS_MAX)
    return badRequest('INVALID', `there are ${ACCOUNTS_MAX} accounts here, the most there can be`);
  return accepted({ id: insert(core, caller, owner.data, account, fields) });
}

function ownerOf(core: Core, caller: Caller, recipientId: string | undefined): Outcome<number | null> {
  if (recipientId === undefined) return accepted(null);
  const row = findRecipient(core, caller, recipientId);
  return row ? accepted(Number(row.recipient)) : notFound('recipient');
}

function insert(
  core: Core,
  caller: Caller,
  recipient: number | null,
  { type, accountName, details }: NewAccount,
  fields: RailFields,
): string {
  const createdMs = core.stamps.nowMs();
  const id = core.stamps.id('acc', createdMs);
  core.store.run(
    INSERT,
    id,
    caller.customer,
    recipient,
    createdMs,
    type,
    accountName,
    fields.account_number,
    fields.national_clearing_code,
    fields.bic,
    fields.account_type,
    fields.wallet_address,
    fields.chain,
    fingerprint(type, fields),
    JSON.stringify(details),
  );
  return id;
}

const FIELD_NAMES = Object.keys(NO_FIELDS) as (keyof RailFields)[];

const INSERT = `INSERT INTO external_account (id, customer, recipient, created_at, type, account_name, account_number,
  national_clearing_code, bic, account_type, wallet_address, chain, fingerprint, details)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const COUNT = 'SELECT count(*) AS held FROM external_account WHERE customer = ? AND recipient IS ?';
const OF_OWNER = 'SELECT * FROM external_account WHERE customer = ? AND recipient IS ?';
const BANKS = `${OF_OWNER} AND type <> 'WEB3' ORDER BY account LIMIT ?`;
const WALLETS = `${OF_OWNER} AND type = 'WEB3' ORDER BY account LIMIT ?`;

/** Account numbers leave masked; the fingerprint recognises an account without its number. An address is public. */
function record(row: Row) {
  const isWallet = row.type === 'WEB3';
  const masked = maskNumber(String(isWallet ? row.wallet_address : row.account_number));
  return {
    id: row.id,
    type: row.type,
    account_name: row.account_name,
    account_number: masked,
    national_clearing_code: row.national_clearing_code === '' ? null : row.national_clearing_code,
    bic: row.bic === '' ? null : row.bic,
    address: isWallet ? row.wallet_address : null,
    chain: row.chain === '' ? null : row.chain,
    fingerprint: row.fingerprint,
    created_at: isoText(Number(row.created_at)),
  };
}

/** The caller's external account with its recipient's name, or undefined. */
export function findAccount(core: Core, caller: Caller, id: string): Row | undefined {
  return core.store.get(ACCOUNT, id, caller.customer);
}

// Only what a transfer or a quote needs: each column that is read costs time, and these are read thousands of times a second.
const ACCOUNT = `SELECT external_account.account, external_account.recipient, external_account.type,
  external_account.account_name, external_account.chain, recipient.name AS recipient_name FROM external_account
  LEFT JOIN recipient ON recipient.recipient = external_account.recipient
  WHERE external_account.id = ? AND external_account.customer = ?`;

/** The number, or the address, of an account of the caller's own; null where it is a recipient's or not there. */
export function findOwnNumber(core: Core, caller: Caller, id: string): string | null {
  const found = core.store.get(OWN_NUMBER, id, caller.customer);
  return found === undefined ? null : String(found.number);
}

const OWN_NUMBER = `SELECT account_number || wallet_address AS number FROM external_account
  WHERE id = ? AND customer = ? AND recipient IS NULL`;

/** Whether `rail` can receive `asset`. `chain`: of the wallet, or null where none is named yet. */
export function checkReceives(rail: RailName, chain: string | null, { currency }: Asset): Refused | null {
  const pays = currencyOfRail(rail);
  const isCarried =
    pays === null ? currency.chain !== null && (chain ?? currency.chain) === currency.chain : currency.code === pays;
  if (isCarried) return null;
  const what = pays ?? (chain === null ? 'assets on a chain' : `assets on ${chain}`);
  return badRequest('RAIL_CURRENCY_MISMATCH', `${rail} pays ${what}, so it cannot receive ${currencyLabel(currency)}`);
}

/** The reference of a swap goes nowhere, but it is kept: as long as the longest of most banks. */
const SWAP_REFERENCE_MAX = 140;

/** By the rail's rules (`rails.md`). Too long is an error; nothing is ever cut. */
export function checkReference(rail: TransferRail, reference: string): Refused | null {
  if (rail === 'balance') {
    if (characters(reference, SWAP_REFERENCE_MAX) <= SWAP_REFERENCE_MAX) return null;
    return badRequest('REFERENCE_TOO_LONG', `reference: a swap keeps ${SWAP_REFERENCE_MAX} characters`);
  }
  const found = railOf(rail)?.checkReference(reference) ?? [];
  const error = found.find(({ severity }) => severity === 'error');
  if (!error) return null;
  const reason = error.code === 'reference_too_long' ? 'REFERENCE_TOO_LONG' : 'INVALID';
  return badRequest(reason, `reference: ${problemWords(error, 'command_line').message}`);
}
