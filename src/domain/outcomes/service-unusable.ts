import type { RefusalReason } from '../refusals/reason.ts';

/** What keeps the service of a run from being used: why the part that found it refused. */
export type ServiceUnusable = { outcome: 'service_unusable'; reason: RefusalReason };
