import type { RefusalKind } from '../refusal.ts';
import type { RefusalReason } from '../refusals/reason.ts';

/** What keeps the service of a run from being used: the `Refusal` of the part that found it. */
export type ServiceUnusable = {
  outcome: 'service_unusable';
  kind: RefusalKind;
  message: string;
  remedy: string;
  reason: RefusalReason | null;
};
