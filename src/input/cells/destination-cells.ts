import { type Currency, isCrypto } from '../../domain/currencies.ts';
import type { Destination } from '../../domain/payee.ts';
import type { Finding, Rail, RailFields } from '../../domain/rails/rail.ts';
import { withCleanField } from './clean-field.ts';
import { warnOfLostZero } from './lost-zero.ts';
import { checkName } from './name-checks.ts';
import { checkCurrency } from './rail-cells.ts';
import type { RowCells } from './row-cells.ts';
import { readText } from './text-cells.ts';

const NAME_MAX = 140;
const ID_MAX = 200;

/** A reference for an account that exists at the service, whose rail the row need not name. */
const REFERENCE_MAX = 280;

/** Where the row's payout goes: the destination, and what the payee sees. Null with the problems noted. */
export function readDestination(
  cells: RowCells,
  rail: Rail | null,
  name: string,
  currency: Currency | null,
): Destination | null {
  const existing = readText(cells, 'external_account_id', ID_MAX);
  if (rail !== null) checkCurrency(cells, rail, currency);
  if (existing !== null) return { kind: 'existing', external_account_id: existing };
  const written = readText(cells, 'account_name', NAME_MAX);
  if (written !== null) checkName(cells, 'account_name', written);
  const accountName = written ?? name;
  if (rail === null) return null;
  const fields = rail.normalise(writtenFields(cells));
  const found = rail.check(fields);
  warnOfLostZero(cells, rail, fields, found);
  // A missing chain is the currency's problem too, and one problem is enough.
  for (const finding of found)
    if (!(finding.field === 'chain' && isCryptoRow(cells))) note(cells, withCleanField(finding, rail, fields));
  return { kind: 'account', rail: rail.name, account_name: accountName, fields };
}

/** Reads `reference` by the rules of the row's rail. */
export function readReference(cells: RowCells, rail: Rail | null): string | null {
  const reference = readText(cells, 'reference', rail === null ? REFERENCE_MAX : Number.POSITIVE_INFINITY);
  if (reference !== null && rail !== null) for (const finding of rail.checkReference(reference)) note(cells, finding);
  return reference;
}

/** The fields of the destination as they are written. */
export function writtenFields(cells: RowCells): RailFields {
  return {
    account_number: cells.text('account_number'),
    national_clearing_code: cells.text('national_clearing_code'),
    bic: cells.text('bic'),
    account_type: cells.text('account_type'),
    wallet_address: cells.text('wallet_address'),
    chain: cells.text('chain'),
  };
}

function isCryptoRow(cells: RowCells): boolean {
  return isCrypto(cells.text('currency').toUpperCase());
}

function note(cells: RowCells, finding: Finding): void {
  if (finding.severity === 'error') cells.error(finding.field, finding);
  else cells.warn(finding.field, finding);
}
