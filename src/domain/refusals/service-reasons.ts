import { z } from 'zod';
import { serviceTrouble } from '../outcomes/service-trouble.ts';

const UNREACHABLE = [
  /** `cause`: what the service says. */
  z.object({ code: z.literal('credentials_refused'), cause: z.string() }),
  /** `trouble` is null where the service answered, and `cause` says with what. */
  z.object({ code: z.literal('service_unreachable'), trouble: serviceTrouble.nullable(), cause: z.string() }),
  z.object({ code: z.literal('clock_differs'), seconds: z.number(), isAhead: z.boolean() }),
] as const;

export const unreachable = z.discriminatedUnion('code', UNREACHABLE);
export type Unreachable = z.output<typeof unreachable>;

/** What of the settings is wrong. */
const part = z.enum([
  'options',
  'service',
  'credentials',
  'key_file',
  'webhooks',
  'shipped_service',
  'reports_folder',
  'modulus_table',
  'columns',
  'maker_key',
]);
export type SettingsPart = z.output<typeof part>;

/** What the service, or what payrun was started with, does not allow. */
export const SERVICE_REASONS = [
  ...UNREACHABLE,
  /** Payouts of the run were sent before. */
  z.object({ code: z.literal('service_away'), runId: z.string(), why: unreachable.nullable() }),
  /** `cause`: why the look at the service stopped. */
  z.object({ code: z.literal('plan_not_drawn'), cause: z.string() }),
  z.object({ code: z.literal('interrupted') }),
  /** People at the command line read what exactly is wrong; others cannot change it. */
  z.object({ code: z.literal('set_up'), part }),
  z.object({
    code: z.literal('period_unusable'),
    period: z.string(),
    job: z.string().nullable(),
    example: z.string().nullable(),
  }),
  z.object({ code: z.literal('too_large_to_annotate') }),
  z.object({ code: z.literal('text_has_no_sheets'), name: z.string() }),
] as const;
