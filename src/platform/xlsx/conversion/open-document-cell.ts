import { ConversionError } from './kinds.ts';
import type { Cell } from './sheet-builder.ts';
import { formatShowing } from './shown-format.ts';

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/;
const DATE = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d):(\d\d)(?:[.,]\d+)?)?Z?$/;
const TIME = /^PT(\d{1,4})H(\d{1,2})M(\d{1,2})(?:[.,]\d+)?S$/;

const DAY_MS = 86_400_000;

/** The day that has the number 0 in XLSX. */
const DAY_0 = Date.UTC(1899, 11, 30);

/** The errors of XLSX by what cells show; others are `#VALUE!`. */
const ERRORS: Readonly<Record<string, number>> = {
  '#NULL!': 0x00,
  '#DIV/0!': 0x07,
  '#VALUE!': 0x0f,
  '#REF!': 0x17,
  '#NAME?': 0x1d,
  '#NUM!': 0x24,
  '#N/A': 0x2a,
};
const OTHER_ERROR = 0x0f;

/** A cell of an OpenDocument spreadsheet, with what it shows; null where it is empty. */
export function openDocumentCell(attributes: Readonly<Record<string, string>>, shown: string): Cell | null {
  if (attributes['calcext:value-type'] === 'error') return { t: 'e', v: ERRORS[shown.trim()] ?? OTHER_ERROR };
  switch (attributes['office:value-type']) {
    case 'float':
    case 'currency':
      return numberCell(attributes['office:value'], shown);
    case 'percentage':
      return { ...numberCell(attributes['office:value'], ''), z: '0.00%' };
    case 'date':
      return dateCell(attributes['office:date-value'] ?? '', shown);
    case 'time':
      return timeCell(attributes['office:time-value'] ?? '', shown);
    case 'boolean':
      return { t: 'b', v: attributes['office:boolean-value'] === 'true' };
    default: {
      const text = attributes['office:string-value'] ?? shown;
      if (text !== '') return { t: 's', v: text };
      // A formula that no program has calculated.
      const isFormula = attributes['table:formula'] !== undefined && attributes['office:value-type'] === undefined;
      return isFormula ? { t: 'n', f: 'NA()' } : null;
    }
  }
}

function numberCell(written: string | undefined, shown: string): Cell {
  if (written === undefined || !NUMBER.test(written)) throw new ConversionError('workbook_damaged');
  const value = Number(written);
  const format = formatShowing(value, shown);
  return format === null ? { t: 'n', v: value } : { t: 'n', v: value, z: format };
}

function dateCell(written: string, shown: string): Cell {
  const [, year, month, day, hour, minute, second] = DATE.exec(written) ?? [];
  if (year === undefined) return { t: 's', v: shown };
  const time = hour === undefined ? [] : [Number(hour), Number(minute), Number(second)];
  const ms = Date.UTC(Number(year), Number(month) - 1, Number(day), ...time);
  return { t: 'n', v: (ms - DAY_0) / DAY_MS, z: time.length === 0 ? 'yyyy-mm-dd' : 'yyyy-mm-dd hh:mm:ss' };
}

function timeCell(written: string, shown: string): Cell {
  const [, hours, minutes, seconds] = TIME.exec(written) ?? [];
  if (hours === undefined) return { t: 's', v: shown };
  const secondsOfAll = Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds);
  return { t: 'n', v: (secondsOfAll * 1_000) / DAY_MS, z: '[h]:mm:ss' };
}
