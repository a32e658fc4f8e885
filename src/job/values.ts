import { z } from 'zod';
import { parseDuration } from '../domain/time.ts';
import { addProblem } from './schema-problems.ts';

/** A number may be written without quotes; it is read as the text that stands in the file. */
export const numberText = z.string().meta({ type: ['string', 'number'] });
const integerText = z.string().meta({ type: ['string', 'integer'] });

/** A text from which `parse` makes a value; where it gives undefined, `remedy` is what to write. */
export function parsedText<Value>(
  parse: (text: string) => Value | undefined,
  remedy: string,
  text: z.ZodType<string> = z.string(),
) {
  return text.transform((written, context): Value => {
    const value = parse(written);
    if (value !== undefined) return value;
    context.addIssue(remedy);
    return z.NEVER;
  });
}

/** Milliseconds of `500ms`, `30s`, `5m`, `2h`. */
export const durationText = parsedText((text) => {
  const duration = parseDuration(text);
  return duration.ok ? duration.ms : undefined;
}, 'write a whole number and a unit, as in 500ms, 30s, 5m, 2h or 1d, 366d at most');

/** `10`, `10/s`, `100/10s`, `60/m`; 0 for no limit, which is null. */
export const rateText = parsedText(
  (text) => {
    const parts = /^(\d{1,6})(?:\/(\d{0,4})(s|m))?$/.exec(text.trim());
    if (!parts) return undefined;
    const requests = Number(parts[1]);
    const windowMs = Number(parts[2] || '1') * (parts[3] === 'm' ? 60_000 : 1_000);
    return requests === 0 || windowMs === 0 ? null : { requests, window_ms: windowMs };
  },
  'write requests a second, such as 10, or 100/10s, or 60/m; 0 for no limit',
  integerText,
);

const PERCENT_MAX_BPS = 10_000;

/** Hundredths of a percent of `0.5%`, `0.25%` or `1`; 100 % at most. */
export const percentText = parsedText(
  (text) => {
    const parts = /^(\d{1,3})(?:\.(\d{1,2}))?\s*%?$/.exec(text.trim());
    const bps = parts === null ? Number.NaN : Number(parts[1]) * 100 + Number((parts[2] ?? '').padEnd(2, '0'));
    return bps <= PERCENT_MAX_BPS ? bps : undefined;
  },
  'write per cent with two decimals at most, such as 0.5% or 0.25%; 100% at most',
  numberText,
);

/** Whole per cent of `25%`. */
export function wholePercentText(form: RegExp, remedy: string) {
  return z
    .string()
    .regex(form, remedy)
    .transform((text) => Number(text.slice(0, -1)));
}

/** A whole number, from its text. */
export function wholeText(min: number, max: number) {
  const message = `write a whole number from ${min} to ${max}`;
  return integerText
    .regex(/^\d{1,9}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);
}

/** Where a secret is, and never the secret. */
export const secretReference = z.string().superRefine((text, context) => {
  const what = 'does not belong in this file itself';
  if (!/^(?:env|file):./.test(text)) addProblem(context, { what, remedy: 'write env:NAME or file:PATH' });
});

/** The remedy where one value stands in place of a list. */
export const LIST_WANTED = 'write a list: a line for each, which begins with a hyphen';
