import { type Currency, isCrypto } from '../domain/currencies.ts';
import type { Destination } from '../domain/payee.ts';
import type { Finding, Rail, RailFields } from '../domain/rails/rail.ts';
import { RAILS, railNameOf, railOf } from '../domain/rails/registry.ts';
import type { RowCells } from './row-cells.ts';
import { readText } from './text-cells.ts';

const NAME_MAX = 140;
const ID_MAX = 200;

/** A reference for an account that exists at the service, whose rail the row need not name. */
const REFERENCE_MAX = 280;

/** Reads `rail`, which only a row that names an existing account may leave empty. Null with the problems noted. */
export function readRail(cells: RowCells): Rail | null {
  const text = cells.text('rail');
  if (text === '') {
    const isExisting = cells.text('external_account_id') !== '';
    if (!isExisting && cells.has('rail'))
      cells.error('rail', {
        code: 'rail_missing',
        message: 'The rail is missing.',
        remedy: `Write how the payee is paid: one of ${railNames(cells)}.`,
      });
    else if (!isExisting && cells.has('external_account_id'))
      cells.error('external_account_id', {
        code: 'destination_missing',
        message: 'The row names no account that exists at the service, and the file has no column rail.',
        remedy: 'Fill in external_account_id, or add the columns rail and account_number.',
      });
    return null;
  }
  const name = railNameOf(text);
  if (name === null) {
    cells.error('rail', {
      code: 'rail_unknown',
      message: 'This is not the name of a rail.',
      remedy: `Write one of ${railNames(cells)}.`,
    });
    return null;
  }
  return railOf(name);
}

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
  const accountName = readText(cells, 'account_name', NAME_MAX) ?? name;
  if (rail === null) return null;
  const fields = rail.normalise(rawFields(cells));
  const found = rail.check(fields);
  // A missing chain is the currency's problem too, and one problem is enough.
  for (const finding of found) if (!(finding.field === 'chain' && isCryptoRow(cells))) note(cells, finding);
  return { kind: 'account', rail: rail.name, account_name: accountName, fields };
}

/** Reads `reference` by the rules of the row's rail. */
export function readReference(cells: RowCells, rail: Rail | null): string | null {
  const reference = readText(cells, 'reference', rail === null ? REFERENCE_MAX : Number.POSITIVE_INFINITY);
  if (reference !== null && rail !== null) for (const finding of rail.checkReference(reference)) note(cells, finding);
  return reference;
}

function checkCurrency(cells: RowCells, rail: Rail, currency: Currency | null): void {
  const code = currency?.code ?? cells.text('currency').toUpperCase();
  if (code === '') return;
  if (pays(rail, code)) return;
  cells.error('rail', {
    code: 'rail_currency_mismatch',
    message: `${rail.name} pays ${rail.currency ?? 'crypto assets'}, and the row's currency is ${shown(code)}.`,
    remedy: 'Change the rail or the currency.',
  });
}

function rawFields(cells: RowCells): RailFields {
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

function pays(rail: Rail, code: string): boolean {
  return rail.currency === null ? isCrypto(code) : rail.currency === code;
}

/** The rails that pay the row's currency, or all of them where no rail does. */
function railNames(cells: RowCells): string {
  const code = cells.text('currency').toUpperCase();
  const fitting = RAILS.filter((rail) => pays(rail, code));
  return (fitting.length > 0 ? fitting : RAILS).map((rail) => rail.name).join(', ');
}

/** A text of the file inside a message: short, and without what could change the message. */
function shown(text: string): string {
  return /^[A-Z0-9]{1,10}$/.test(text) ? text : 'another';
}
