import { z } from 'zod';
import type { RailName } from '../domain/rails/rail.ts';
import { readTypedTime } from '../domain/zone.ts';
import { parseCurrency } from '../input/cells/currency-cells.ts';
import { parseDefaultRail } from '../input/cells/rail-cells.ts';
import { parseExpectedTotal } from '../input/checks/control-figures.ts';
import { addProblem, form } from '../job/schema-problems.ts';

/** `--expect-count`. */
export const expectedCount = z
  .string()
  .regex(/^\d{1,9}$/, form('payout_count'))
  .transform(Number);

/** An option that may be given several times; in the environment all in one text, with blanks or commas between. */
const severalTexts = z.union([
  z.array(z.string()),
  z.string().transform((text) => text.split(/[\s,]+/).filter((part) => part !== '')),
]);

/** `--expect-total`, each time that it is given. */
export const expectedTotals = severalTexts.transform((texts, context) => {
  const totals = new Map<string, bigint>();
  for (const text of texts) {
    const total = parseExpectedTotal(text);
    if (total.ok && !totals.has(total.code)) totals.set(total.code, total.minor);
    else addProblem(context, { wanted: total.ok ? { form: 'once', code: total.code } : total.wanted });
  }
  return totals;
});

/** `--default-rail`, each time that it is given. */
export const defaultRails = severalTexts.transform((texts, context) => {
  const rails = new Map<string, RailName>();
  for (const text of texts) {
    const parsed = parseDefaultRail(text);
    if (parsed.ok && !rails.has(parsed.code)) rails.set(parsed.code, parsed.rail);
    else addProblem(context, { wanted: parsed.ok ? { form: 'once', code: parsed.code } : parsed.wanted });
  }
  return rails;
});

/** `--currency`. */
export const currency = z.string().transform((text, context) => {
  const parsed = parseCurrency(text);
  if (parsed.ok) return parsed.code;
  addProblem(context, { wanted: parsed.wanted });
  return z.NEVER;
});

/** `--file-name`: it stands in the journal, in reports and on screens. */
export const fileName = z.string().regex(/^[^\p{Cc}\p{Cf}\p{Cs}\u2028\u2029/\\]{1,200}$/u, form('file_name'));

/** `--start-at`: a day and a time of it, by the clocks of the zone that goes with it. */
export const dayAndTime = z.string().transform((text, context) => {
  const [date = '', time = '', ...more] = text.trim().split(/[\sT]+/);
  if (more.length === 0 && !('fault' in readTypedTime({ date, time, timeZone: 'UTC' }))) return { date, time };
  addProblem(context, { wanted: { form: 'start_time' } });
  return z.NEVER;
});

/** `--column`, each time that it is given; in the environment one in each line. */
export const columnTexts = z.union([
  z.array(z.string()),
  z.string().transform((text) => text.split('\n').filter((line) => line.trim() !== '')),
]);
