import { z } from 'zod';
import type { Wanted } from '../domain/refusals/settings-faults.ts';
import { PAYER_ID } from '../domain/run/entity.ts';
import { parseDuration } from '../domain/time.ts';
import { addProblem, form } from './schema-problems.ts';

/** A number may be written without quotes; it is read as the text that stands in the file. */
export const numberText = z.string().meta({ type: ['string', 'number'] });
const integerText = z.string().meta({ type: ['string', 'integer'] });
const WHOLE = /^\d{1,9}$/;
const wholeNumberText = z.string().meta({ type: ['string', 'integer'], pattern: WHOLE.source });

/** A text from which `parse` makes a value; where it gives undefined, `wanted` is what to write. */
export function parsedText<Value>(
  parse: (text: string) => Value | undefined,
  wanted: Wanted,
  text: z.ZodType<string> = z.string(),
) {
  return text.transform((written, context): Value => {
    const value = parse(written);
    if (value !== undefined) return value;
    addProblem(context, { wanted });
    return z.NEVER;
  });
}

/** The URL of a PostgreSQL database, which may hold a password and is never repeated. */
export const databaseUrl = z.string().regex(/^postgres(?:ql)?:\/\/\S+$/, form('database_url'));

/** Milliseconds of `500ms`, `30s`, `5m`, `2h`. */
export const durationText = parsedText(
  (text) => {
    const duration = parseDuration(text);
    return duration.ok ? duration.ms : undefined;
  },
  { form: 'duration' },
);

const SIZE_UNITS: Readonly<Record<string, number>> = { KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 };

/** Bytes of `512KiB`, `64MiB`, `1GiB`; `min` to `max`, which are written in the same way. */
export function sizeText(min: string, max: string) {
  const [least, most] = [bytesOf(min), bytesOf(max)];
  return parsedText(
    (text) => {
      const bytes = bytesOf(text.trim());
      return bytes >= least && bytes <= most ? bytes : undefined;
    },
    { form: 'size', min, max },
  );
}

/** NaN for another text. */
function bytesOf(size: string): number {
  const [, number, unit = ''] = /^([1-9]\d{0,8}) ?([KMG]iB)$/.exec(size) ?? [];
  return Number(number) * (SIZE_UNITS[unit] ?? Number.NaN);
}

/** `10`, `10/s`, `100/10s`, `60/m`; 0 for no limit, which is null. */
export const rateText = parsedText(
  (text) => {
    const parts = /^(\d{1,6})(?:\/(\d{0,4})(s|m))?$/.exec(text.trim());
    if (!parts) return undefined;
    const requests = Number(parts[1]);
    const windowMs = Number(parts[2] || '1') * (parts[3] === 'm' ? 60_000 : 1_000);
    return requests === 0 || windowMs === 0 ? null : { requests, window_ms: windowMs };
  },
  { form: 'rate' },
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
  { form: 'percent' },
  numberText,
);

/** Whole per cent of `25%`, in the form of a pattern that allows `max` at most. */
export function wholePercentText(pattern: RegExp, max: number) {
  return parsedText(
    (text) => (pattern.test(text) ? Number(text.slice(0, -1)) : undefined),
    { form: 'whole_percent', max },
    z.string().meta({ pattern: pattern.source }),
  );
}

/** A whole number, from its text. */
export function wholeText(min: number, max: number) {
  return parsedText(
    (text) => (WHOLE.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : undefined),
    { form: 'whole_number', min, max },
    wholeNumberText,
  );
}

/** What an entity or a connection of the page is known by. */
export const payerId = z.string().regex(PAYER_ID, form('payer_id'));

/** Where a secret is, and never the secret. */
export const secretReference = z.string().superRefine((text, context) => {
  if (!/^(?:env|file):./.test(text)) addProblem(context, { code: 'secret_itself' });
});
