import { z } from 'zod';
import { APPROVAL_REASONS, PAID_REASONS } from './paid-reasons.ts';
import { PLAN_REASONS } from './plan-reasons.ts';
import { RUN_REASONS } from './run-reasons.ts';
import { SERVICE_REASONS } from './service-reasons.ts';

/**
 * Why a `Refusal` was thrown, where its words depend on who reads them: at a command line they name commands and options, on
 * the page its buttons. `messages/refusals` has the words.
 */
export const refusalReason = z.discriminatedUnion('code', [
  ...RUN_REASONS,
  ...PLAN_REASONS,
  ...PAID_REASONS,
  ...APPROVAL_REASONS,
  ...SERVICE_REASONS,
]);

export type RefusalReason = z.output<typeof refusalReason>;

export type ReasonOf<Code extends RefusalReason['code']> = Extract<RefusalReason, { code: Code }>;
