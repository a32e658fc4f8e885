import { type Fault, fault, type Problem, problemAt } from '../../domain/problem.ts';
import { cellName } from '../../platform/xlsx/cell-names.ts';
import { columnOf, currenciesInHeader, type Header } from '../header/columns.ts';
import { isGross } from '../header/gross-words.ts';
import { headerKey, headerWords } from '../header/header-key.ts';
import { layoutOf } from '../header/layout-of.ts';
import { isOfSender } from '../header/sender-words.ts';
import type { ColumnName } from '../header/synonyms.ts';
import { unsureWordsOf } from '../header/vocabulary.ts';
import { mappedPlaces, roughAmount, type TableSample } from './table-sample.ts';

/**
 * What is doubtful of the columns that decide how much is paid and to which account: amounts in minor units, a net amount
 * beside a gross one or any other amount, and the sender's account in place of the payee's. Each is an error until a person
 * decides.
 */
export function headerDoubts(header: Header, sample: TableSample): Problem[] {
  return [...minorUnits(header, sample), ...whichAmount(header, sample), ...accountsOfSender(header)];
}

/** Words for a hundredth of a unit, or the smallest part of it. `ore` is left out: in Italian it is hours. */
const MINOR_WORDS: ReadonlySet<string> = new Set(
  (
    'cent cents eurocent eurocents uscents pence penny paise paisa centavo centavos centime centimes centimo centimos centesimi ' +
    'centesimo centen centbetrag grosz grosze groszy groszach haler haleru halire halere kurus bani fils sen minor subunits subunit 分 ' +
    'копеек копейки копейка копейках коп filler satang สตางค์ wei gwei satoshi satoshis sats lamports'
  )
    .split(' ')
    .map(headerKey),
);

const OF_CRYPTO: ReadonlySet<string> = new Set(['wei', 'gwei', 'satoshi', 'satoshis', 'sats', 'lamports']);

/** Beside such a word they leave the meaning as it is. */
const JOINING_WORDS: ReadonlySet<string> = new Set(
  'in en em w the units unit unita unite currency value us usd eur euro gbp inr aud brl mxn'.split(' '),
);

const UNSURE_AMOUNTS: ReadonlySet<string> = new Set(unsureWordsOf('amount').map(headerKey));

function minorUnits({ cells, row, columns, index }: Header, sample: TableSample): Problem[] {
  const at =
    index.amount === -1 ? columns.findIndex((column, at) => column === null && isMinor(cells[at] ?? '')) : index.amount;
  const isMinorByLayout = at !== -1 && at === index.amount && layoutOf(cells)?.amounts === 'in_minor_units';
  if (at === -1 || !(isMinorByLayout || hasMinorWord(cells[at] ?? ''))) return [];
  // The smallest parts of crypto assets are no hundredths.
  const isOfCrypto = headerWords(cells[at] ?? '').some((word) => OF_CRYPTO.has(word));
  const [text] = isOfCrypto ? [] : sample.filled(at).filter((cell) => /^\d+$/.test(cell));
  const hundredths = text === undefined ? null : roughAmount(text);
  const example = text === undefined || hundredths === null ? null : { text, whole: (hundredths / 10_000).toFixed(2) };
  return [
    atHeader('amount', fault('amount_in_minor_units', { header: cells[at]?.trim() ?? '', example }), cells, row, at),
  ];
}

/** Whether a header that names no column means an amount in minor units: `amount_cents`, `Importe en céntimos`, `Pence`. */
function isMinor(header: string): boolean {
  if (!hasMinorWord(header)) return false;
  const words = headerWords(header);
  const rest = words.filter((word) => !MINOR_WORDS.has(word) && !JOINING_WORDS.has(word)).join(' ');
  const isAlone = rest === '' && !(words.length === 1 && ['minor', 'fils', 'sen', '分'].includes(words[0] ?? ''));
  return isAlone || columnOf(rest) === 'amount' || UNSURE_AMOUNTS.has(headerKey(rest));
}

/** Not where a percentage is meant. */
function hasMinorWord(header: string): boolean {
  const words = headerWords(header);
  return words.some((word, at) => MINOR_WORDS.has(word) && !['per', 'pro'].includes(words[at - 1] ?? ''));
}

const NET_KEY = new RegExp(
  'net,liquid,cist,bersih,thực lĩnh,thực nhận,实发,實發,税后,稅後,差引,手取,실지급,실수령,차인,สุทธิ,к выплате,на руки,صافي'
    .split(',')
    .map(headerKey)
    .join('|'),
);

/**
 * Another column that may be what is paid: a gross amount beside a net one, or amounts under a header that names the same
 * currency (`Salary (EUR)`, `Invoice (EUR)`). Not where a person or the job decided, in this command or an earlier one.
 */
function whichAmount(given: Header, sample: TableSample): Problem[] {
  const { cells, row, columns, index } = given;
  const header = cells[index.amount]?.trim() ?? '';
  if (index.amount === -1 || mappedPlaces(given, (column) => column === 'amount').has(index.amount)) return [];
  const ignored = mappedPlaces(given, (column) => column === null);
  const others = [...cells.keys()].filter((at) => columns[at] === null && !ignored.has(at));
  const gross = NET_KEY.test(headerKey(header)) ? others.find((at) => isGross(cells[at] ?? '')) : undefined;
  const other = gross ?? others.find((at) => isOtherAmount(given, sample, at));
  if (other === undefined) return [];
  const found = fault(gross === undefined ? 'amount_or_other' : 'amount_net_or_gross', {
    header,
    beside: sample.header(other),
  });
  return [atHeader('amount', found, cells, row, index.amount)];
}

/** Whether a column holds other amounts in the currency of the amounts, by both headers. A known layout has its own meaning. */
function isOtherAmount({ cells, index }: Header, sample: TableSample, at: number): boolean {
  const codes = currenciesInHeader(cells[index.amount] ?? '');
  if (!currenciesInHeader(cells[at] ?? '').some((code) => codes.includes(code)) || layoutOf(cells) !== null)
    return false;
  if (!sample.every(at, (cell) => roughAmount(cell) !== null)) return false;
  return sample.rows.some(
    (below) => roughAmount(sample.cell(below, at)) !== roughAmount(sample.cell(below, index.amount)),
  );
}

const OF_ACCOUNTS: readonly ColumnName[] = [
  'account_number',
  'wallet_address',
  'bic',
  'national_clearing_code',
  'name',
];

/** No header of a sender names a column by itself: a person mapped it, or an earlier mapping did. */
function accountsOfSender({ cells, row, columns }: Header): Problem[] {
  return columns.flatMap((column, at) => {
    const header = cells[at]?.trim() ?? '';
    if (column === null || !OF_ACCOUNTS.includes(column) || !isOfSender(header)) return [];
    if (columnOf(header) === column) return [];
    return [atHeader(column, fault('account_of_sender', { header, column }), cells, row, at)];
  });
}

function atHeader(column: ColumnName, what: Fault, cells: readonly string[], row: number, at: number): Problem {
  return problemAt('error', what, { row, column, cell: cellName(at, row), value: cells[at] ?? null });
}
