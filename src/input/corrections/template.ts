import { chainsOf, isCrypto } from '../../domain/currencies.ts';
import { NO_FIELDS, type RailFields, type RailName } from '../../domain/rails/rail.ts';
import { RAILS, railOf } from '../../domain/rails/registry.ts';
import { EXAMPLE_NAME, EXAMPLE_PAYEE_ID } from '../checks/foreign-rows.ts';
import { COLUMN_NAMES, type ColumnName } from '../header/synonyms.ts';
import { TEMPLATE_RAILS } from './template-rails.ts';

/** An empty spreadsheet with the columns that some rails need. */
export type Template = {
  columns: TemplateColumn[];
  /** One row of cells for each rail. */
  examples: string[][];
};

export type TemplateColumn = {
  name: ColumnName;
  /** What goes into the column, and the rule of each rail. */
  note: string;
  /** What the cells of the column can be chosen from; empty where anything may be written. */
  choices: readonly string[];
};

/** What the rails' payouts are made in where they pay crypto assets. */
const CRYPTO_CODES = ['USDC', 'USDT', 'ETH'] as const;

const CRYPTO_EXAMPLE = 'USDC';

/** A whole number has one reading in every country, so an example never proves how a column writes its decimals. */
const AMOUNT_EXAMPLE = '1000';

const ALWAYS: readonly ColumnName[] = ['payee_id', 'name', 'amount', 'currency', 'rail'];
const LAST: readonly ColumnName[] = ['reference', 'description'];

const NOTES: Readonly<Record<ColumnName, string>> = {
  name: 'Required: the person or company that is paid.',
  amount: 'Required: what the payee receives, such as 1234.50.',
  currency: 'Required: the currency that the payee receives.',
  rail: 'Required: how the payee is paid.',
  account_number: "The payee's account.",
  national_clearing_code: "The code of the payee's bank in its country.",
  bic: "The BIC of the payee's bank.",
  account_type: 'The kind of account.',
  account_name: 'The name of the account; where it is empty, that of the payee.',
  wallet_address: "The payee's wallet.",
  chain: 'The network of the wallet.',
  payee_id: `Strongly advised: the employee or supplier number. Rows with "${EXAMPLE_PAYEE_ID}" are examples: check passes them over, and they are never paid.`,
  source_currency: 'What it is paid from (EUR, USDC ethereum); empty: the currency of the payout.',
  reference: "Shown on the payee's statement.",
  description: 'Your own note.',
  email: "The payee's e-mail address.",
  phone_country_code: 'With a plus, such as +61.',
  phone_number: 'Without the country code.',
  entity_name: 'The legal name of a company.',
  registration_number: 'The number of a company in its register.',
  address_line1: 'Street and number.',
  address_line2: 'What does not fit the first line.',
  city: 'City, town or suburb.',
  state: 'State, province or county.',
  postal_code: 'Postal code.',
  country: 'A code of ISO 3166-1, such as AU, or a name.',
  recipient_id: 'Uses this recipient of the service instead of making one.',
  external_account_id: 'Uses this account of the service; then no other account column is needed.',
};

/** The template for these rails, or, where none is named, for all rails with every column there is. */
export function templateFor(names: readonly RailName[]): Template {
  const rails = names.length === 0 ? RAILS.map(({ name }) => name) : [...new Set(names)];
  const columns = names.length === 0 ? everyColumn() : columnsOf(rails);
  return {
    columns: columns.map((name) => ({ name, note: noteOf(name, rails), choices: choicesOf(name, rails) })),
    examples: rails.map((rail) => exampleRow(rail, columns)),
  };
}

function everyColumn(): ColumnName[] {
  return [...ALWAYS, ...COLUMN_NAMES.filter((name) => !ALWAYS.includes(name))];
}

function columnsOf(rails: readonly RailName[]): ColumnName[] {
  const fields = (Object.keys(NO_FIELDS) as (keyof RailFields)[]).filter((field) =>
    rails.some((rail) => TEMPLATE_RAILS[rail].rules[field] !== undefined),
  );
  return [...ALWAYS, ...fields, ...LAST];
}

function noteOf(column: ColumnName, rails: readonly RailName[]): string {
  const byRule = new Map<string, RailName[]>();
  for (const rail of rails) {
    const rule = ruleOf(column, rail);
    if (rule !== null) byRule.set(rule, [...(byRule.get(rule) ?? []), rail]);
  }
  return [NOTES[column], ...[...byRule].map(([rule, of]) => `${of.join(', ')}: ${rule}.`)].join('\n');
}

function ruleOf(column: ColumnName, name: RailName): string | null {
  const rail = railOf(name);
  if (column === 'currency') return rail.currency ?? CRYPTO_CODES.join(', ');
  if (column === 'reference')
    return rail.referenceMax === null ? 'carries none' : `at most ${rail.referenceMax} characters`;
  return Object.hasOwn(NO_FIELDS, column) ? (TEMPLATE_RAILS[name].rules[column as keyof RailFields] ?? null) : null;
}

function choicesOf(column: ColumnName, rails: readonly RailName[]): string[] {
  if (column === 'rail') return [...rails];
  const codes = [...new Set(rails.flatMap((rail) => railOf(rail).currency ?? CRYPTO_CODES))];
  if (column === 'currency') return codes;
  if (column === 'chain') return [...new Set(codes.filter(isCrypto).flatMap(chainsOf))];
  return column === 'account_type' ? ['checking', 'savings'] : [];
}

function exampleRow(rail: RailName, columns: readonly ColumnName[]): string[] {
  const cells: Partial<Record<ColumnName, string>> = {
    ...TEMPLATE_RAILS[rail].example,
    payee_id: EXAMPLE_PAYEE_ID,
    name: EXAMPLE_NAME + rail,
    amount: AMOUNT_EXAMPLE,
    currency: railOf(rail).currency ?? CRYPTO_EXAMPLE,
    rail,
  };
  return columns.map((column) => cells[column] ?? '');
}
