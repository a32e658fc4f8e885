import type { CurrencyEvidence, ProposedCurrency } from '../../domain/problems/input-problems.ts';
import { RAILS, railsOf } from '../../domain/rails/registry.ts';
import { type ColumnIndex, currenciesInHeader } from './columns.ts';
import { headerKey } from './header-key.ts';
import { layoutOf } from './layout-of.ts';

/**
 * Parts of headers, as keys have them, that one country's accounts alone have. No rail pays
 * some of these currencies, which is the first thing to report.
 */
const ACCOUNT_WORDS: readonly (readonly [RegExp, string])[] = [
  [/ifsc/, 'INR'],
  [/bsb/, 'AUD'],
  [/sortcode/, 'GBP'],
  [/clabe/, 'MXN'],
  [/pix/, 'BRL'],
  [/^aba|routing/, 'USD'],
  [/^no(?:mor|mer)?rek/, 'IDR'],
  [/akaun/, 'MYR'],
  [/口座/, 'JPY'],
  [new RegExp(headerKey('계좌')), 'KRW'],
  [new RegExp(headerKey('บัญชี')), 'THB'],
  [/taikhoan/, 'VND'],
  [/חשבון/, 'ILS'],
  [/^(?:institutionnumber|transitnumber)$/, 'CAD'],
  [/nuban/, 'NGN'],
  [/^(?:cbu|cvu)/, 'ARS'],
  [/bankgiro|plusgiro/, 'SEK'],
  [/^(?:nrb|.*numernrb)$/, 'PLN'],
  [/^бик/, 'RUB'],
];

/** Numbers of taxpayers in Chile (RUT), with their check digit. */
const RUT = /^\d{1,2}\.?\d{3}\.?\d{3}-[\dK]$/;

/** The countries whose IBANs are of accounts in one currency, as a rule. Source of the first line: the euro area, 2026. */
const BY_IBAN: ReadonlyMap<string, string> = new Map([
  ...'AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK'.split(' ').map((code) => [code, 'EUR'] as const),
  ['GB', 'GBP'],
  ['AE', 'AED'],
  ['BR', 'BRL'],
  // Outside of SEPA, by which euros are sent to accounts in other currencies.
  ...'TR:TRY PK:PKR SA:SAR KW:KWD BH:BHD QA:QAR JO:JOD EG:EGP IL:ILS UA:UAH KZ:KZT TN:TND'
    .split(' ')
    .map((pair) => [pair.slice(0, 2), pair.slice(3)] as const),
]);

const IFSC = /^[A-Z]{4}0[A-Z0-9]{6}$/;

/**
 * The currency that a file implies and does not say, for a person to confirm: by the header of its amounts, by its
 * layout, by what accounts are called, by the countries of its IBANs. Nothing where the signs contradict each other.
 */
export function proposedCurrency(
  { cells, index }: { cells: readonly string[]; index: ColumnIndex },
  below: readonly string[][],
): ProposedCurrency | null {
  const found: { codes: readonly string[]; evidence: CurrencyEvidence }[] = [];
  const amounts = cells[index.amount] ?? '';
  const named = currenciesInHeader(amounts);
  if (named.length > 0) found.push({ codes: named, evidence: { by: 'header', header: amounts.trim() } });
  const layout = layoutOf(cells);
  if (layout?.currency !== undefined)
    found.push({ codes: [layout.currency], evidence: { by: 'layout', layout: layout.name } });
  for (const cell of cells)
    for (const [words, code] of ACCOUNT_WORDS)
      if (words.test(headerKey(cell))) found.push({ codes: [code], evidence: { by: 'header', header: cell.trim() } });
  const valuesOf = (at: number) =>
    at === -1 ? [] : below.map((row) => (row[at] ?? '').replace(/\s/g, '').toUpperCase());
  for (const value of valuesOf(index.account_number)) {
    const country = /^([A-Z]{2})\d{2}[A-Z0-9]{10,}$/.exec(value)?.[1] ?? '';
    const code = BY_IBAN.get(country);
    if (code !== undefined) found.push({ codes: [code], evidence: { by: 'iban', country } });
  }
  const rut = cells.findIndex((cell) => headerKey(cell).startsWith('rut'));
  if (valuesOf(rut).some((value) => RUT.test(value)))
    found.push({ codes: ['CLP'], evidence: { by: 'header', header: cells[rut]?.trim() ?? '' } });
  if (valuesOf(index.national_clearing_code).some((value) => IFSC.test(value)))
    found.push({ codes: ['INR'], evidence: { by: 'ifsc' } });
  const [first, ...others] = found;
  if (first === undefined) return null;
  const codes = first.codes.filter((code) => others.every((other) => other.codes.includes(code)));
  const [code, another] = codes;
  if (code === undefined || another !== undefined) return null;
  return { code, evidence: first.evidence, isPaid: railsOf(code).length > 0 };
}

/** The currencies that a rail pays. */
export function paidCurrencies(): string[] {
  return [...new Set(RAILS.flatMap(({ currency }) => currency ?? []))];
}
