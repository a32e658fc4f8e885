import { assert } from '../../../domain/refusal.ts';
import { isTrue } from '../../../platform/xlsx/xml-scanner.ts';
import { attribute, childOf, elementsOf, type XmlElement } from '../../../platform/xlsx/xml-tree.ts';

/** How a cell is shown, as far as that shows what it holds. */
export type CellStyle = {
  /** Such as `00000000`; null where it is General. */
  format: string | null;
  /** Whether the format shows days and times. */
  isDate: boolean;
  /** Whether a line goes through the text. */
  isStruck: boolean;
};

/** More styles than any program allows. */
const STYLES_MAX = 65_536;

/** The formats that a workbook names by number only (ECMA-376 part 1, 18.8.30). */
const BUILT_IN_FORMATS: Readonly<Record<number, string>> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  5: '$#,##0_);\\($#,##0\\)',
  6: '$#,##0_);[Red]\\($#,##0\\)',
  7: '$#,##0.00_);\\($#,##0.00\\)',
  8: '$#,##0.00_);[Red]\\($#,##0.00\\)',
  9: '0%',
  10: '0.00%',
  11: '0.00E+00',
  12: '# ?/?',
  13: '# ??/??',
  14: 'm/d/yyyy',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'm/d/yyyy h:mm',
  37: '#,##0 ;(#,##0)',
  38: '#,##0 ;[Red](#,##0)',
  39: '#,##0.00;(#,##0.00)',
  40: '#,##0.00;[Red](#,##0.00)',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mmss.0',
  48: '##0.0E+0',
};

/** Loaded with the first style that may show dates: most workbooks have none, and loading takes longer than reading a thousand rows. */
let dates: Pick<typeof import('hucre'), 'formatValue' | 'isDateFormat' | 'serialToDate'> | null = null;

/** Without one of these letters no format shows days or times. */
const MAY_SHOW_DATE = /[aymdhs]/i;

/** The last of the formats that are known by number only and show none (ECMA-376 part 1, 18.8.30). */
const LAST_BEFORE_DATES = 13;

/** The styles of a workbook's cells, by their number; none where it has no style sheet. */
export async function readStyles(sheet: { root: XmlElement } | null): Promise<CellStyle[]> {
  const root = sheet?.root ?? null;
  const formats = new Map(
    elementsOf(childOf(root, 'numFmts')).map((element) => [
      attribute(element, 'numFmtId') ?? '',
      attribute(element, 'formatCode') ?? '',
    ]),
  );
  const struckFonts = elementsOf(childOf(root, 'fonts')).map((font) => {
    const strike = childOf(font, 'strike');
    return strike !== null && isTrue(attribute(strike, 'val') ?? '1');
  });
  const cells = elementsOf(childOf(root, 'cellXfs'), 'xf').slice(0, STYLES_MAX);
  const mayShowDate = (id: string) => {
    const format = formats.get(id) || null;
    return format === null ? Number(id) > LAST_BEFORE_DATES : MAY_SHOW_DATE.test(format.replace(/^general$/i, ''));
  };
  if (cells.some((element) => mayShowDate(attribute(element, 'numFmtId') ?? '0'))) dates ??= await import('hucre');
  const known = new Map<string, CellStyle>();
  const styleOf = (element: XmlElement): CellStyle => {
    const id = attribute(element, 'numFmtId') ?? '0';
    const isStruck = struckFonts[Number(attribute(element, 'fontId') ?? 0)] === true;
    const key = `${id} ${isStruck}`;
    const format = formats.get(id) || (BUILT_IN_FORMATS[Number(id)] ?? null);
    const style = known.get(key) ?? {
      format: format === null || /^(?:general|@)$/i.test(format) ? null : format,
      // Some formats of dates have a number and no text, because they differ by country.
      isDate: mayShowDate(id) && dates?.isDateFormat(formats.get(id) || id) === true,
      isStruck,
    };
    known.set(key, style);
    return style;
  };
  return cells.map(styleOf);
}

const DAY_SECONDS = 86_400;

/** The last day of the year 9999. Programs show no later one, and none before day 0. */
const LAST_DAY = 2_958_465;

/**
 * The date of a day's number, as ISO 8601: `2026-11-25`, with the time behind a `T` where there is one, to the second. A
 * workbook knows no time zones. Null where no program would show a date.
 */
export function dateText(serial: number, is1904: boolean): string | null {
  if (!(serial >= 0 && serial < LAST_DAY + 1)) return null;
  assert(dates !== null, 'a date without the style of one');
  const date = dates.serialToDate(Math.round(serial * DAY_SECONDS) / DAY_SECONDS, is1904);
  return date
    .toISOString()
    .slice(0, 19)
    .replace(/T00:00:00$/, '');
}

/** What hides behind the name of the short date, which every computer shows in its own way. */
const SHORT_DATE = 'm/d/yyyy';

/** Formats of dates whose parts show the same on every computer. `[…]` is a colour or a language. */
const PLAIN_DATE =
  /^(?:"[^"]*"|\\.|\[(?![hms]+\])[^\]]*\]|(?<!y)(?:yy|yyyy)(?!y)|(?<!m)m{1,4}(?!m)|(?<!d)d{1,4}(?!d)|(?<!h)hh?(?!h)|(?<!s)ss?(?!s)|[-/:., ()])+(?:;.*)?$/is;

/** A day's number as a format shows it in English; null where that depends on the computer or on more than dates. */
export function shownDate(format: string, serial: number, is1904: boolean): string | null {
  if (format.toLowerCase() === SHORT_DATE || !PLAIN_DATE.test(format)) return null;
  assert(dates !== null, 'a date without the style of one');
  return dates.formatValue(serial, format, { is1904 });
}
