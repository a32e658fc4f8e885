import type { BankPlace, Fault, Severity } from '../../domain/problem.ts';
import { type StrangeCharacter, strangeIn } from '../../domain/strange-characters.ts';
import type { ColumnName } from '../header/synonyms.ts';

/** What a workbook knows of one cell beyond its text. Cells of text files have none. */
export type CellFacts = {
  kind: 'number' | 'date' | 'boolean' | 'error' | 'formula_without_value';
  /** The number format, such as `00000000`; null where it is General. */
  format: string | null;
  /** What people see in the cell, where the format alone makes it (padding zeros, dates); null elsewhere. */
  shown: string | null;
};

/** What a workbook knows of one row. */
export type RowFacts = {
  /** Of each cell that is more than its text, by column; null where none is. */
  cells: readonly (CellFacts | undefined)[] | null;
  isHidden: boolean;
  /** The columns of the cells whose text is struck through. */
  struck?: readonly number[];
  /** The columns of the cells whose text is not shown, because they are merged with one before them. */
  covered?: readonly number[];
  /** Where the first zero byte of each cell is in the file, by column. */
  zeroBytes?: ReadonlyMap<number, number>;
  /** Where the payment of a bank file begins. */
  line?: number;
  /** What the reader of a bank file noted of the payment. */
  notes?: readonly RowNote[];
};

/** Where a cell of a bank file stands in it, by its column; the whole payment for -1. */
export type PlaceOf = (row: number, at: number, facts: RowFacts | null) => BankPlace;

/** Something wrong with a payment of a bank file. `place`: where it is more exact than its column's. */
export type RowNote = {
  severity: Severity;
  column: ColumnName | null;
  what: Fault;
  value?: string | null;
  place?: BankPlace;
};

/** What Excel shows for an error, in the languages of our headers, and writes so into text files. */
const ERROR_VALUES: ReadonlySet<string> = new Set(
  (
    '#N/A #NAME? #REF! #VALUE! #DIV/0! #NUM! #NULL! #SPILL! #CALC! #FIELD! #GETTING_DATA #NV #BEZUG! #WERT! #ZAHL! #VALEUR! ' +
    '#NOM? #NOMBRE! #NUL! #¿NOMBRE? #¡REF! #¡VALOR! #¡NUM! #¡DIV/0! #¡NULO! #VALOR! #NOME? #NÚM! #N/D #N/D! #VALORE! #RIF! ' +
    '#NULLO! #VERW! #WAARDE! #NAAM? #GETAL! #LEEG! #N/B #ADR! #ARG! #NAZWA? #LICZBA! #ZERO! #DZIEL/0!'
  ).split(' '),
);

/** Columns whose digits are a name and not a quantity: every one of them counts, zeros in front too. */
const IDENTIFIER_COLUMNS: ReadonlySet<string> = new Set<ColumnName>([
  'account_number',
  'national_clearing_code',
  'bic',
  'wallet_address',
  'payee_id',
  'registration_number',
  'phone_country_code',
  'phone_number',
  'postal_code',
  'recipient_id',
  'external_account_id',
]);

/** Whether a text is what a formula that failed shows. */
export function isErrorValue(text: string): boolean {
  return text.startsWith('#') && ERROR_VALUES.has(text);
}

/** Columns that hold letters from A to Z, digits and signs of ASCII alone. */
const PLAIN_COLUMNS: ReadonlySet<string> = new Set<ColumnName>([
  'amount',
  'currency',
  'source_currency',
  'rail',
  'chain',
  'account_number',
  'account_type',
  'national_clearing_code',
  'bic',
  'wallet_address',
  'phone_country_code',
  'phone_number',
]);

/**
 * The character of a cell that explains its problem, where its column has no free text in which any character may be.
 * `zeroByte`: where the first zero byte of the cell is in the file.
 */
export function oddCharacterOf(
  text: string,
  column: string,
  code: Fault['code'],
  zeroByte: number | undefined,
): StrangeCharacter | null {
  if (!PLAIN_COLUMNS.has(column) && code !== 'control_character') return null;
  const strange = strangeIn(text);
  return strange?.character === '\0' && zeroByte !== undefined ? { ...strange, byte: zeroByte } : strange;
}

/** Whether a number in the column is written as its format shows it. */
export function isIdentifier(column: string): boolean {
  return IDENTIFIER_COLUMNS.has(column);
}
