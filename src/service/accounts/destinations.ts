import { currencyLabel } from '../../domain/currencies.ts';
import { characters } from '../../domain/rails/fields/reference-text.ts';
import type { RailName } from '../../domain/rails/rail.ts';
import { railOf } from '../../domain/rails/registry.ts';
import { problemWords } from '../../messages/problems/problem-words.ts';
import type { Caller, Core } from '../core.ts';
import { badRequest, type Refused } from '../gateway/answers.ts';
import type { Row } from '../store/database.ts';
import { currencyOfRail, type TransferRail } from '../transfers/fees.ts';
import type { Asset } from './assets.ts';

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
