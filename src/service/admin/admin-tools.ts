import type { ApiKeys } from '../accounts/api-keys.ts';
import type { Caller, Core } from '../core.ts';
import type { Faults } from '../gateway/faults.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { LiveData } from '../live-data.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';

export type AdminTools = {
  core: Core;
  keys: ApiKeys;
  faults: Faults;
  gateway: Gateway;
  data: LiveData;
  dataDir: string;
  /** The customer that the operations mean. */
  customer: Caller;
  /** The clock was moved. */
  clockMoved(): void;
  webhooks: Webhooks;
};
