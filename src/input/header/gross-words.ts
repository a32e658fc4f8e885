import { headerKey, headerWords } from './header-key.ts';

const GROSS_WORD =
  /^(?:gross|brutto.*|.*brutto|bruts?|bruto|bruta|lord[oai]|hrub[aey].*|brut(?:loon|salaris)|brutosalaris|brutoloon|应发.*|應發.*|税前.*|稅前.*|総支給.*|支給合計.*|kotor|начислен.*|اجمالي|الاجمالي)$/;

/** Gross, by another word: what is due in all, or earned before deductions. */
const GROSS_KEYS: ReadonlySet<string> = new Set(
  [
    ...['total devengado', 'devengado', 'total earnings', 'total proventos', 'total vencimentos', 'total ganado'],
    ...[
      '총지급액',
      '지급총액',
      '급여총액',
      '지급합계',
      'รายได้รวม',
      'รวมรายได้',
      'tổng thu nhập',
      'tổng lương',
      'lương gross',
    ],
  ].map(headerKey),
);

/** Whether a header is of gross sums. */
export function isGross(header: string): boolean {
  return GROSS_KEYS.has(headerKey(header)) || headerWords(header).some((word) => GROSS_WORD.test(word));
}
