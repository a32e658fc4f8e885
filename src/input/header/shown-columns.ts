import { fault, type Problem, problemAt } from '../../domain/problem.ts';
import { cellName } from '../../platform/xlsx/cell-names.ts';
import { currenciesInHeader, type Header, indexOf, type JoinedColumn, namePlacesShown } from './columns.ts';
import { headerKey } from './header-key.ts';
import type { ColumnName } from './synonyms.ts';
import { weakestReferenceKeys, weakReferenceKeys } from './vocabulary.ts';

/** A header row, and what is understood of it before the rows below are read. */
type Understood = Pick<Header, 'row' | 'cells'> & {
  columns: (ColumnName | null)[];
  joined: Map<ColumnName, JoinedColumn>;
};

/**
 * Settles with what stands under the headers what these leave open: the parts of a name, wallets, the reference, and of
 * which column each row fills one. `isFree`: whether nobody said what a column means.
 */
export function settleByCells(
  header: Understood,
  below: readonly string[][],
  isFree: (at: number) => boolean,
): Problem[] {
  const { cells, columns, joined } = header;
  const names = namePlacesShown(cells, { columns, index: indexOf(columns) }, below);
  for (const at of names) columns[at] = 'name';
  if (names.length > 0) joined.set('name', { places: names, how: 'all' });
  settleWallets(header, below, isFree);
  const found = settleReference(header, below, isFree);
  for (const column of new Set(columns)) {
    if (column === null || joined.has(column)) continue;
    const places = [...columns.keys()].filter((at) => columns[at] === column);
    const how = places.length > 1 && places.every(isFree) ? howFilled(column, places, cells, below) : null;
    if (how !== null) joined.set(column, { places, how });
  }
  return found;
}

/** Of these a row needs one: an IBAN or an account number, a sort code or a routing number. */
const ONE_OF_SEVERAL: ReadonlySet<ColumnName> = new Set<ColumnName>([
  'account_number',
  'national_clearing_code',
  'bic',
]);

/** How the rows fill columns that mean the same: each row one of them, or every row all of them alike; null for neither. */
function howFilled(
  column: ColumnName,
  places: readonly number[],
  cells: readonly string[],
  below: readonly string[][],
): JoinedColumn['how'] | null {
  const rows = below.map((row) => places.map((at) => row[at]?.trim() ?? '')).filter((row) => row.some(isFilled));
  if (rows.length === 0) return null;
  const currencies = new Set(places.map((at) => currenciesInHeader(cells[at] ?? '').join()));
  if (column === 'amount' && currencies.size > 1) return null;
  if (rows.every((row) => new Set(row).size === 1)) return 'same';
  const isOneOf = ONE_OF_SEVERAL.has(column) && rows.every((row) => new Set(row.filter(isFilled)).size === 1);
  return isOneOf ? 'first' : null;
}

function isFilled(text: string): boolean {
  return text !== '';
}

/** What a wallet's address is called where it is the only address: beside payments to banks, people and streets. */
const ADDRESS_WORDS: ReadonlySet<string> = new Set(
  [
    ...['address', 'to', 'receiver', 'recipient', 'payee', 'beneficiary', 'destination', 'account', 'payout address'],
    ...['to address', 'recipient address', 'receiver address', 'destination address', 'beneficiary address'],
    ...['payee address', 'deposit address', 'withdrawal address', 'receiving address', 'payment address'],
    ...['adresse', 'dirección', 'endereço', 'indirizzo', 'adres', 'adresa', 'adress', 'osoite', 'cím', 'адрес'],
    ...['地址', '收款地址', 'アドレス', '주소', 'ที่อยู่', 'địa chỉ', 'alamat', 'العنوان'],
  ].map(headerKey),
);

const LIKE_WALLET =
  /^(?:0x[\da-f]{40}|[13TLDrq][1-9A-HJ-NP-Za-km-z]{24,50}|(?:bc1|ltc1|addr1|tb1)[\da-z]{20,110}|[1-9A-HJ-NP-Za-km-z]{40,44})$/i;

/** No wallet has a shorter address. */
const WALLET_LENGTH_MIN = 20;

/** A `Recipient wallet` that holds PAYPAL is no wallet; an `Address` that holds addresses of wallets alone is one. */
function settleWallets(
  { cells, columns }: Understood,
  below: readonly string[][],
  isFree: (at: number) => boolean,
): void {
  const filled = (at: number) => below.map((row) => row[at]?.trim() ?? '').filter(isFilled);
  for (const at of columns.keys()) {
    const texts = columns[at] === 'wallet_address' && isFree(at) ? filled(at) : [];
    if (texts.length > 0 && texts.every((text) => text.length < WALLET_LENGTH_MIN)) columns[at] = null;
  }
  if (columns.includes('wallet_address')) return;
  const [wallet, other] = [...cells.keys()].filter((at) => {
    if (!isFree(at) || !ADDRESS_WORDS.has(headerKey(cells[at] ?? ''))) return false;
    const texts = filled(at);
    return texts.length > 0 && texts.every((text) => LIKE_WALLET.test(text));
  });
  if (wallet !== undefined && other === undefined) columns[wallet] = 'wallet_address';
}

/** Where no column is the reference, narrations and remarks are used, with a warning, because the payee reads them. */
function settleReference(
  { row, cells, columns }: Understood,
  below: readonly string[][],
  isFree: (at: number) => boolean,
): Problem[] {
  // Payments between wallets carry none.
  const isOfWallets = columns.includes('wallet_address') && !columns.includes('account_number');
  if (isOfWallets || columns.includes('reference')) return [];
  const used = [...cells.keys()].filter(
    (at) => columns[at] === null && isFree(at) && below.some((line) => isFilled(line[at]?.trim() ?? '')),
  );
  const [places = []] = [weakReferenceKeys, weakestReferenceKeys]
    .map((keys) => used.filter((at) => bareKeys(cells[at] ?? '').some((key) => keys().has(key))))
    .filter((found) => found.length > 0);
  for (const at of places) columns[at] = 'reference';
  const [at, other] = places;
  if (at === undefined || other !== undefined) return [];
  const header = cells[at]?.trim() ?? '';
  const place = { row, cell: cellName(at, row), column: 'reference', value: header };
  return [problemAt('warning', fault('reference_taken', { header }), place)];
}

/** The key of a header, and of `Narration (5 to 47 characters)` without the brackets. */
function bareKeys(header: string): string[] {
  return [header, header.replace(/[([{（].*$/u, '')].map(headerKey);
}
