import type { InputFile, RunRow } from '../../domain/entry.ts';
import { maskIdentifier } from '../../domain/mask.ts';

/** Canonical columns whose cells name an account. Synonyms such as `iban`, `clabe`, `pix_key` feed the first. */
const IDENTIFIER_COLUMNS: ReadonlySet<string> = new Set(['account_number', 'wallet_address']);

/** In a row with cells too many or too few, it is not known which column a cell belongs to. */
const SHIFTED_ROWS: ReadonlySet<string> = new Set(['row_too_many_cells', 'row_too_few_cells']);

/** Shorter account numbers are hidden in their own column only: four digits in another cell are a year or a street. */
const SEARCHED_MIN = 5;

/** From this length on an account number is also hidden inside a longer run of digits: that is no coincidence. */
const SEARCHED_ANYWHERE_MIN = 8;

const DIGITS_OF_AN_IDENTIFIER = 5;

const DIGIT_ZERO = 48;
const DIGIT_NINE = 57;

/** A row whose account identifiers are hidden: in their own cells, and wherever else somebody has copied them to. */
export type MaskedRow = {
  cells: string[];
  /** The text with this row's account numbers masked, for messages that may repeat a cell or an answer. */
  hide(text: string): string;
};

/** Prepares masking for the rows of one input. Only the last four characters of an account identifier ever remain. */
export function rowMasker(input: Pick<InputFile, 'columns'>): (row: RunRow) => MaskedRow {
  const identifiers = input.columns.map((column) => column !== null && IDENTIFIER_COLUMNS.has(column));
  return (row) => {
    const secrets = secretsOf(row, identifiers);
    const hide = (text: string) => hidden(text, secrets);
    const isShifted = row.problem !== null && SHIFTED_ROWS.has(row.problem.code);
    const cells = row.cells.map((cell, at) => {
      if (identifiers[at]) return maskIdentifier(joined(cell));
      return isShifted && digitsIn(cell) >= DIGITS_OF_AN_IDENTIFIER ? maskIdentifier(joined(cell)) : hide(cell);
    });
    return { cells, hide };
  };
}

type Secret = { value: string; digits: number };

/** The row's account identifiers without blanks and hyphens, upper-cased: as typed and as the order normalised them. */
function secretsOf(row: RunRow, identifiers: readonly boolean[]): Secret[] {
  const secrets: Secret[] = [];
  const keep = (value: string) => {
    const secret = compact(value);
    if (secret.length >= SEARCHED_MIN && secrets.every((known) => known.value !== secret))
      secrets.push({ value: secret, digits: digitsIn(secret) });
  };
  for (const [at, isIdentifier] of identifiers.entries()) if (isIdentifier) keep(row.cells[at] ?? '');
  if (row.order?.destination.kind === 'account') {
    keep(row.order.destination.fields.account_number);
    keep(row.order.destination.fields.wallet_address);
  }
  return secrets;
}

function hidden(text: string, secrets: readonly Secret[]): string {
  let result = text;
  for (const { value, digits } of secrets) {
    // Most cells have too few digits to hold the number, and counting them is far cheaper than searching.
    if (text.length < value.length || digitsIn(text) < digits || !compact(text).includes(value)) continue;
    result = result.replace(patternOf(value), maskIdentifier(value));
  }
  return result;
}

/** The identifier with any blanks and hyphens between its characters. */
function patternOf(secret: string): RegExp {
  const spaced = Array.from(secret, (character) => RegExp.escape(character)).join('[\\s-]*');
  return new RegExp(secret.length >= SEARCHED_ANYWHERE_MIN ? spaced : `(?<![0-9])${spaced}(?![0-9])`, 'gi');
}

function compact(text: string): string {
  return joined(text).toUpperCase();
}

/** Without blanks and hyphens, so that the last four are four digits and not `0 00`. */
function joined(text: string): string {
  return SEPARATORS.test(text) ? text.replaceAll(SEPARATORS_ALL, '') : text;
}

const SEPARATORS = /[\s-]/;
const SEPARATORS_ALL = /[\s-]+/g;

function digitsIn(cell: string): number {
  let count = 0;
  for (let at = 0; at < cell.length; at++) {
    const code = cell.charCodeAt(at);
    if (code >= DIGIT_ZERO && code <= DIGIT_NINE) count++;
  }
  return count;
}

/** Where a payout goes: rail and masked number, or the service's id of an account that the input names. */
export function accountText(destination: NonNullable<RunRow['order']>['destination']): string {
  if (destination.kind === 'existing') return destination.external_account_id;
  const { account_number, wallet_address } = destination.fields;
  return `${destination.rail} ${maskIdentifier(account_number || wallet_address)}`;
}

/** An account as people recognise it. `account`: its `accountText`; `country`: ISO 3166, null where nothing tells it. */
export type AccountSeen = { account: string; rail: string | null; country: string | null };

export function accountSeen(destination: NonNullable<RunRow['order']>['destination']): AccountSeen {
  const account = accountText(destination);
  if (destination.kind === 'existing') return { account, rail: null, country: null };
  return { account, rail: destination.rail, country: countryOf(destination) };
}

const IBAN = /^[A-Z]{2}\d\d[A-Z0-9]{11,30}$/;

type BankDetails = Extract<NonNullable<RunRow['order']>['destination'], { kind: 'account' }>;

/** Of the account's IBAN, else of its bank (ISO 9362); local rails by their currency, which begins with the country (ISO 4217). */
function countryOf({ rail, fields: { account_number: number, bic } }: BankDetails): string | null {
  if (rail === 'WEB3') return null;
  if (rail !== 'EUR_SEPA' && !rail.endsWith('_SWIFT')) return rail.slice(0, 2);
  if (IBAN.test(number)) return number.slice(0, 2);
  return bic.length < 6 ? null : bic.slice(4, 6);
}
