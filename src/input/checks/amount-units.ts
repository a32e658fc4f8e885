import { onFirstUse } from '../../domain/lazy/on-first-use.ts';
import { type Fault, fault } from '../../domain/problem.ts';
import { currenciesOfMark } from '../cells/amounts/currency-signs.ts';
import { columnOf, type Header } from '../header/columns.ts';
import { headerKey, headerWords } from '../header/header-key.ts';
import { layoutOf } from '../header/layout-of.ts';
import { unsureWordsOf } from '../header/vocabulary.ts';
import { roughAmount, type TableSample } from './table-sample.ts';

/** Words for a hundredth of a unit, or the smallest part of it. `ore` is left out: in Italian it is hours. */
const MINOR_WORDS = wordSet(
  'cent cents eurocent eurocents uscents pence penny paise paisa centavo centavos centime centimes centimo centimos centesimi ' +
    'centesimo centen centbetrag grosz grosze groszy groszach haler haleru halire halere kurus bani fils sen minor subunits subunit 分 ' +
    'копеек копейки копейка копейках коп filler satang สตางค์ wei gwei satoshi satoshis sats lamports',
);

const OF_CRYPTO = wordSet('wei gwei satoshi satoshis sats lamports');

/** Words for thousands and more. */
const MULTIPLE_WORDS = wordSet(
  'k 000 000s thousand thousands teur tusd tgbp tchf keur kusd kgbp kchf tsd tausend tds mille milliers miles mil millar millares milhar ' +
    'milhares migliaia duizend duizenden tys tysiąc tysiące tysiącach tis tisíc tisících ezer mii tusen tuhat tuhansina bin тыс тысяч тысячах тис тисяч χιλιάδες ' +
    '千元 千円 万元 万円 萬元 千 万 萬 百万円 百萬元 천원 만원 백만원 พันบาท nghìn ribu juta triệu lakh lakhs lac lacs crore crores ' +
    'mn mio mln million millions millionen millones milhões milioni miljoen miljoner milionów milionech миллионов млн',
);

/** Beside such a word they leave the meaning as it is. */
const JOINING_WORDS = wordSet(
  'in en em w de di van of the units unit unita unite currency value us usd eur euro gbp inr aud brl mxn zł kč',
);

const unsureAmounts = onFirstUse((): ReadonlySet<string> => new Set(unsureWordsOf('amount').map(headerKey)));

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(' ').map(headerKey));
}

/** The column of amounts that are not in whole units, and what to say of it; null where they are, as far as headers tell. */
export function amountUnits(header: Header, sample: TableSample): { at: number; what: Fault } | null {
  const { cells, columns, index } = header;
  const isMeant = (cell: string) => isOfAmounts(cell, MINOR_WORDS) || isOfAmounts(cell, MULTIPLE_WORDS);
  const at =
    index.amount === -1 ? columns.findIndex((column, at) => column === null && isMeant(cells[at] ?? '')) : index.amount;
  const text = cells[at]?.trim() ?? '';
  if (at === -1) return null;
  const isMinorByLayout = at === index.amount && layoutOf(cells)?.amounts === 'in_minor_units';
  if (isMinorByLayout || hasMinorWord(text)) return { at, what: inMinorUnits(text, sample, at) };
  return hasWord(text, MULTIPLE_WORDS) ? { at, what: fault('amount_in_thousands', { header: text }) } : null;
}

function inMinorUnits(header: string, sample: TableSample, at: number): Fault {
  // The smallest parts of crypto assets are no hundredths.
  const [text] = hasWord(header, OF_CRYPTO) ? [] : sample.filled(at).filter((cell) => /^\d+$/.test(cell));
  const hundredths = text === undefined ? null : roughAmount(text);
  const example = text === undefined || hundredths === null ? null : { text, whole: (hundredths / 10_000).toFixed(2) };
  return fault('amount_in_minor_units', { header, example });
}

/** Whether a header that names no column means an amount in such units: `amount_cents`, `Pence`, `Betrag in TEUR`. */
function isOfAmounts(header: string, units: ReadonlySet<string>): boolean {
  if (!(units === MINOR_WORDS ? hasMinorWord(header) : hasWord(header, units))) return false;
  const words = headerWords(header);
  const isBeside = (word: string) => units.has(word) || JOINING_WORDS.has(word) || currenciesOfMark(word) !== null;
  const rest = words.filter((word) => !isBeside(word)).join(' ');
  if (rest !== '') return columnOf(rest) === 'amount' || unsureAmounts().has(headerKey(rest));
  return units === MINOR_WORDS && !(words.length === 1 && ['minor', 'fils', 'sen', '分'].includes(words[0] ?? ''));
}

/** Not where a percentage is meant. */
function hasMinorWord(header: string): boolean {
  const words = headerWords(header);
  return words.some((word, at) => MINOR_WORDS.has(word) && !['per', 'pro'].includes(words[at - 1] ?? ''));
}

function hasWord(header: string, words: ReadonlySet<string>): boolean {
  return headerWords(header).some((word) => words.has(word));
}
