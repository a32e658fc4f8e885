import { z } from 'zod';
import { parseDuration } from '../domain/time.ts';
import { addProblem } from './add-problem.ts';

/** Milliseconds of `500ms`, `30s`, `5m`, `2h`. */
export const durationText = z.string().transform((text, context) => {
  const duration = parseDuration(text);
  if (duration.ok) return duration.ms;
  context.addIssue({ code: 'custom', message: duration.message, params: { remedy: DURATION_REMEDY } });
  return z.NEVER;
});

const DURATION_REMEDY = 'write a whole number and a unit, as in 500ms, 30s, 5m, 2h or 1d, 366d at most';

/** `10`, `10/s`, `100/10s`, `60/m`; 0 for no limit. */
export const rateText = z
  .string()
  .meta({ type: ['string', 'integer'] })
  .transform((text, context) => {
    const parts = /^(\d{1,6})(?:\/(\d{0,4})(s|m))?$/.exec(text.trim());
    if (!parts) {
      const message = 'write requests a second, such as 10, or 100/10s, or 60/m; 0 for no limit';
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    }
    const requests = Number(parts[1]);
    const windowMs = Number(parts[2] || '1') * (parts[3] === 'm' ? 60_000 : 1_000);
    return requests === 0 || windowMs === 0 ? null : { requests, window_ms: windowMs };
  });

/** Hundredths of a percent of `0.5%`, `0.25%` or `1`; 100 % at most. */
export const percentText = z
  .string()
  .meta({ type: ['string', 'number'] })
  .transform((text, context) => {
    const parts = /^(\d{1,3})(?:\.(\d{1,2}))?\s*%?$/.exec(text.trim());
    const bps = parts === null ? Number.NaN : Number(parts[1]) * 100 + Number((parts[2] ?? '').padEnd(2, '0'));
    if (bps <= PERCENT_MAX_BPS) return bps;
    context.addIssue({
      code: 'custom',
      message: 'write per cent with two decimals at most, such as 0.5% or 0.25%; 100% at most',
    });
    return z.NEVER;
  });

const PERCENT_MAX_BPS = 10_000;

/** A whole number, from its text. */
export function wholeText(min: number, max: number) {
  const message = `write a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, message)
    .meta({ type: ['string', 'integer'] })
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);
}

/** Where a secret is, and never the secret. */
export const secretReference = z.string().superRefine((text, context) => {
  const what = 'does not belong in this file itself';
  if (!/^(?:env|file):./.test(text)) addProblem(context, { what, remedy: 'write env:NAME or file:PATH' });
});
