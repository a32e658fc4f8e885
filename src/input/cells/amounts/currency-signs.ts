import { fiat, isCrypto } from '../../../domain/currencies.ts';
import type { CurrencyMark } from '../../../domain/problems/input-problems.ts';

/**
 * What people write for a currency beside its code, and which currencies they mean by it: a sign that several countries
 * use agrees with each of them. A dot is part of a mark only where it stands here. Letters that are also a number's
 * (`K`, `M`: thousand, million) are on purpose in none.
 */
const SIGNS = `
$: USD AUD CAD NZD SGD HKD TWD MXN COP CLP ARS UYU DOP CUP BSD BBD BMD BZD BND BTN FJD GYD JMD KYD LRD NAD SBD SRD TTD XCD XCG BOB BRL CVE MOP WST TOP NIO
U$S: USD; U$: USD UYU; £: GBP EGP FKP GIP LBP SDG SHP SSP SYP; UKP STG: GBP; € EURO EUROS: EUR
¥: JPY CNY; JP¥ 円: JPY; CN¥ 元 RMB: CNY; ₩: KRW KPW; ₹: INR; RS RS. ₨: INR PKR LKR NPR MUR SCR; रु: INR NPR
₽ РУБ РУБ.: RUB; ₴ ГРН ГРН.: UAH; ЛВ ЛВ.: BGN; ДЕН: MKD; DIN.: RSD; KM: BAM
ZŁ: PLN; KČ: CZK; FT: HUF; LEI: RON MDL; L: HNL RON MDL; KR KR.: SEK NOK DKK ISK; FR FR. SFR SFR.: CHF
₺ TL: TRY; ₪: ILS; ₸: KZT; ⃀: KGS; ₼: AZN; ₾: GEL; ֏: AMD; ؋: AFN
฿: THB; ₫: VND; ₱: PHP CUP; RP RP.: IDR; RM: MYR; ₭: LAK; ៛: KHR; ৳: BDT; ₮: MNT
₦: NGN; ₵ GH₵: GHS; KSH: KES; USH: UGX; TSH: TZS; R: ZAR; FCFA: XAF XOF; CFP FCFP: XPF
RUPEE RUPEES RUPIAS: INR PKR LKR NPR MUR SCR; RUPIAH: IDR; POUND POUNDS: GBP EGP; REAL REAIS: BRL; DIRHAM DIRHAMS: AED MAD
DOLLAR DOLLARS DOLARES: USD AUD CAD NZD SGD HKD TWD; PESO PESOS: MXN COP CLP ARS PHP UYU DOP CUP; YUAN: CNY; YEN: JPY
DH DHS DHS.: AED MAD; د.إ: AED; ﷼: SAR IRR OMR QAR YER; SR: SAR; QR: QAR; KD: KWD; BD: BHD; JD: JOD
人民币 人民幣 人民币元 人民幣元: CNY; 港元 港币 港幣: HKD; 美元 美金: USD; 新台币 新臺幣 台币 臺幣: TWD; 日元 日圓: JPY; 欧元 歐元: EUR; 英镑 英鎊: GBP
บาท: THB; 원: KRW; VNĐ: VND; FORINT: HUF; KORUN KORUNY: CZK; ZŁOTYCH ZŁOTE: PLN; LIRA LIRASI: TRY; RINGGIT: MYR; KRONOR: SEK; KRONER: NOK DKK; РУБЛЕЙ РУБЛИ: RUB; ГРИВЕНЬ: UAH
₡: CRC; ₲: PYG; S/ S/.: PEN; BS BS.: BOB VES; B/.: PAB; Q: GTQ`;

/** The letters that set one dollar or pound apart from another, on either side of the sign: `A$`, `$AU`. */
const LETTERS: readonly (readonly [sign: string, letters: string])[] = [
  [
    '$',
    `
AR: ARS; A AU: AUD; BDS: BBD; BM: BMD; BN: BND; BR R: BRL; BS: BSD; BZ: BZD; C: CAD NIO; CA CAN: CAD; CL CLP: CLP
CO COL: COP; RD: DOP; FJ: FJD; G: GYD; HK: HKD; J JM: JMD; MOP: MOP; MX MEX: MXN; N NA: NAD; NZ: NZD; SB SI: SBD
S SG: SGD; SR: SRD; T: TOP; TT: TTD; NT: TWD; US: USD; U UY: UYU; WS: WST; EC: XCD`,
  ],
  ['£', 'E EG: EGP; FK FL: FKP; GB: GBP; GI: GIP; L LB: LBP; SD: SDG SSP; S SY: SYP'],
];

const BY_MARK: ReadonlyMap<string, readonly string[]> = new Map(
  [
    ...LETTERS.flatMap(([sign, text]) =>
      entriesOf(text).flatMap(([letters, codes]) => [
        [letters + sign, codes] as const,
        [sign + letters, codes] as const,
      ]),
    ),
    ...entriesOf(SIGNS),
  ].map(([mark, codes]) => [markKey(mark), codes]),
);

/** Each mark of a table with the codes behind its colon. */
function entriesOf(table: string): (readonly [mark: string, codes: readonly string[]])[] {
  const entries = table.trim().split(/\n|; /);
  return entries.flatMap((entry) => {
    const [marks = '', codes = ''] = entry.split(': ');
    return marks.split(' ').map((mark) => [mark, codes.split(' ')] as const);
  });
}

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
