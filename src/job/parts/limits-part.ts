import { z } from 'zod';
import type { LimitSum, Limits } from '../../domain/plan.ts';
import { parseExpectedTotal } from '../../input/checks/control-figures.ts';
import { addProblem, form, wanting } from '../schema-problems.ts';
import { durationText, numberText, wholePercentText, wholeText } from '../values.ts';
import { byCurrency } from './input-part.ts';

/** The limits of a job, before the file of payees is read that it may name. */
export type JobLimits = Omit<Limits, 'only_payees' | 'time_zone'> & {
  only_payees: { file: string } | { ids: string[] } | null;
};

const PAYEES_MAX = 1_000_000;

const sums = byCurrency(numberText, parseExpectedTotal).transform((texts, context): LimitSum[] => {
  if (texts.length === 0) addProblem(context, { code: 'no_currency' });
  return texts.flatMap((text) => {
    const parsed = parseExpectedTotal(text);
    return parsed.ok ? [{ code: parsed.code, minor: String(parsed.minor) }] : [];
  });
});

const id = z
  .string()
  .trim()
  .min(1)
  .meta({ type: ['string', 'integer'] });

const onlyPayees = z
  .union([z.string().min(1), z.array(id).min(1).max(PAYEES_MAX)], form('payee_ids'))
  .transform((written): JobLimits['only_payees'] =>
    typeof written === 'string' ? { file: written } : { ids: written },
  );

const limits = z
  .strictObject({
    per_payout: sums.optional().describe('the most one payout may be, in each currency, such as AUD: 20000'),
    per_run: sums.optional().describe('the most one run may total, in each currency'),
    per_day: sums.optional().describe('the most all runs of one day may total, in each currency'),
    payees: wholeText(1, PAYEES_MAX).optional().describe('how many payees a run may have'),
    only_payees: onlyPayees.optional().describe('the payee_ids that may be paid: a list, or a file beside this one'),
    failures: wholePercentText(/^\d{1,2}%$/, 99)
      .optional()
      .describe('the run stops where more than this share of its payouts failed or was rejected, such as 10%'),
    cooling_off: durationText
      .refine((ms) => ms > 0, wanting({ form: 'cooling_off' }))
      .optional()
      .describe('how long an account counts as new after its first payment; each row to it needs its own approval'),
  })
  .superRefine((written, context) => {
    if (Object.keys(written).length === 0) addProblem(context, { code: 'no_limit' });
  })
  .transform(
    ({ failures = null, cooling_off = null, ...written }): JobLimits => ({
      per_payout: null,
      per_run: null,
      per_day: null,
      payees: null,
      only_payees: null,
      ...written,
      failures_percent: failures,
      cooling_off_ms: cooling_off,
    }),
  );

/** What no run of the job may exceed. */
export const limitsPart = {
  limits: limits.optional().describe('limits that no run of this job may exceed'),
};
