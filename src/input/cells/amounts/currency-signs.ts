import { fiat, isCrypto } from '../../../domain/currencies.ts';
import type { CurrencyMark } from '../../../domain/problems/input-problems.ts';

/**
 * What people write for a currency beside its code, and which currencies they mean by it: a sign that several countries
 * use agrees with each of them. A dot is part of a mark only where it stands here. Letters that are also a number's
 * (`K`, `M`: thousand, million) are on purpose in none.
 */
const SIGNS: Readonly<Record<string, string>> = {
  $: 'USD AUD CAD NZD SGD HKD TWD MXN COP CLP ARS UYU DOP CUP BSD BBD BMD BZD BND BTN FJD GYD JMD KYD LRD NAD SBD SRD TTD XCD XCG BOB BRL CVE MOP WST TOP NIO',
  U$S: 'USD',
  U$: 'USD UYU',
  '€': 'EUR',
  EURO: 'EUR',
  EUROS: 'EUR',
  UKP: 'GBP',
  STG: 'GBP',
  '£': 'GBP EGP FKP GIP LBP SDG SHP SSP SYP',
  '¥': 'JPY CNY',
  'JP¥': 'JPY',
  円: 'JPY',
  'CN¥': 'CNY',
  元: 'CNY',
  RMB: 'CNY',
  '₹': 'INR',
  RS: 'INR PKR LKR NPR MUR SCR',
  'RS.': 'INR PKR LKR NPR MUR SCR',
  रु: 'INR NPR',
  '₨': 'INR PKR LKR NPR MUR SCR',
  '₩': 'KRW KPW',
  '₽': 'RUB',
  РУБ: 'RUB',
  'РУБ.': 'RUB',
  '₴': 'UAH',
  ГРН: 'UAH',
  'ГРН.': 'UAH',
  ZŁ: 'PLN',
  KČ: 'CZK',
  FT: 'HUF',
  LEI: 'RON MDL',
  KR: 'SEK NOK DKK ISK',
  'KR.': 'SEK NOK DKK ISK',
  FR: 'CHF',
  'FR.': 'CHF',
  SFR: 'CHF',
  'SFR.': 'CHF',
  ЛВ: 'BGN',
  'ЛВ.': 'BGN',
  KM: 'BAM',
  'DIN.': 'RSD',
  ДЕН: 'MKD',
  '₺': 'TRY',
  TL: 'TRY',
  '₪': 'ILS',
  '฿': 'THB',
  '₫': 'VND',
  '₱': 'PHP CUP',
  RP: 'IDR',
  'RP.': 'IDR',
  RM: 'MYR',
  '₦': 'NGN',
  '₵': 'GHS',
  'GH₵': 'GHS',
  KSH: 'KES',
  USH: 'UGX',
  TSH: 'TZS',
  R: 'ZAR',
  DH: 'AED MAD',
  DHS: 'AED MAD',
  'DHS.': 'AED MAD',
  'د.إ': 'AED',
  '﷼': 'SAR IRR OMR QAR YER',
  SR: 'SAR',
  QR: 'QAR',
  KD: 'KWD',
  BD: 'BHD',
  JD: 'JOD',
  '₭': 'LAK',
  '៛': 'KHR',
  '৳': 'BDT',
  '₮': 'MNT',
  '₸': 'KZT',
  '⃀': 'KGS',
  '؋': 'AFN',
  '₼': 'AZN',
  '₾': 'GEL',
  '֏': 'AMD',
  '₡': 'CRC',
  '₲': 'PYG',
  'S/': 'PEN',
  'S/.': 'PEN',
  BS: 'BOB VES',
  'BS.': 'BOB VES',
  'B/.': 'PAB',
  Q: 'GTQ',
  L: 'HNL RON MDL',
  FCFA: 'XAF XOF',
  'F CFA': 'XOF',
  CFP: 'XPF',
  FCFP: 'XPF',
};

/** The letters by which people tell one dollar or pound from another, on either side of the sign: `A$`, `$AU`. */
const LETTERS: Readonly<Record<'$' | '£', Readonly<Record<string, string>>>> = {
  $: {
    AR: 'ARS',
    A: 'AUD',
    AU: 'AUD',
    BDS: 'BBD',
    BM: 'BMD',
    BN: 'BND',
    BR: 'BRL',
    R: 'BRL',
    BS: 'BSD',
    BZ: 'BZD',
    C: 'CAD NIO',
    CA: 'CAD',
    CAN: 'CAD',
    CL: 'CLP',
    CLP: 'CLP',
    CO: 'COP',
    COL: 'COP',
    RD: 'DOP',
    FJ: 'FJD',
    G: 'GYD',
    HK: 'HKD',
    J: 'JMD',
    JM: 'JMD',
    MOP: 'MOP',
    MX: 'MXN',
    MEX: 'MXN',
    N: 'NAD',
    NA: 'NAD',
    NZ: 'NZD',
    SB: 'SBD',
    SI: 'SBD',
    S: 'SGD',
    SG: 'SGD',
    SR: 'SRD',
    T: 'TOP',
    TT: 'TTD',
    NT: 'TWD',
    US: 'USD',
    U: 'UYU',
    UY: 'UYU',
    WS: 'WST',
    EC: 'XCD',
  },
  '£': {
    E: 'EGP',
    EG: 'EGP',
    FK: 'FKP',
    FL: 'FKP',
    GB: 'GBP',
    GI: 'GIP',
    L: 'LBP',
    LB: 'LBP',
    SD: 'SDG SSP',
    S: 'SYP',
    SY: 'SYP',
  },
};

const BY_MARK: ReadonlyMap<string, readonly string[]> = new Map(
  [
    ...Object.entries(LETTERS).flatMap(([sign, letters]) =>
      Object.entries(letters).flatMap(([letter, codes]) => [
        [`${letter}${sign}`, codes] as const,
        [`${sign}${letter}`, codes] as const,
      ]),
    ),
    ...Object.entries(SIGNS),
  ].map(([mark, codes]) => [markKey(mark), codes.split(' ')]),
);

/**
 * The currencies that a sign or code beside an amount can mean (`$`, `zł`, `AUD`, `US $`), in any case and width; null
 * for what names none. The codes themselves are known too, and each means itself.
 */
export function currenciesOfMark(mark: string): readonly string[] | null {
  const key = markKey(mark);
  return fiat(key) !== null || isCrypto(key) ? [key] : (BY_MARK.get(key) ?? null);
}

/** What every one of the marks can mean; empty where they contradict each other or there are none. */
export function currenciesOfMarks([first, ...others]: readonly string[]): readonly string[] {
  const codes = first === undefined ? [] : (currenciesOfMark(first) ?? []);
  return codes.filter((code) => others.every((mark) => currenciesOfMark(mark)?.includes(code)));
}

/** The marks of currencies that a number format shows beside the number: `€` of `#,##0.00 [$€-407]`, `£` of `"£"0.00`. */
export function marksOfFormat(format: string): string[] {
  const [positive = ''] = format.split(';');
  const shown = positive.replace(/[_*]./gu, '').matchAll(/\[\$([^\]-]*)[^\]]*\]|"([^"]+)"|(\p{Sc})/gu);
  const texts = Array.from(shown, ([, inBrackets, quoted, sign]) => (inBrackets ?? quoted ?? sign ?? '').trim());
  return texts.filter((text) => currenciesOfMark(text) !== null);
}

/** The mark with what it can mean. */
export function markOf(text: string): CurrencyMark {
  return { text, codes: currenciesOfMark(text) ?? [] };
}

/** Full-width signs are the plain ones, and blanks in a mark mean nothing. */
function markKey(mark: string): string {
  return mark.normalize('NFKC').replace(/\s/gu, '').toUpperCase();
}
