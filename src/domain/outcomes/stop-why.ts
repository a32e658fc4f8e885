import { z } from 'zod';
import { serviceTrouble } from './service-trouble.ts';

const named = { name: z.string(), target: z.enum(['recipient', 'account']), rows: z.array(z.number()).readonly() };

/** A payee whose recipient or account is not there. `ids`: the records of the service that could be it. */
const openPayee = z.discriminatedUnion('state', [
  z.object({ state: z.literal('unresolved'), ...named }),
  z.object({ state: z.literal('ambiguous'), ...named, ids: z.array(z.string()).readonly() }),
  z.object({ state: z.literal('not_made'), ...named }),
]);

/** Why a run stopped, where the words depend on who reads them. `messages/stop-words.ts` has them. */
export const stopWhy = z.discriminatedUnion('code', [
  z.object({ code: z.literal('service_trouble'), trouble: serviceTrouble }),
  /** `payees`: the first of `count`. `states`: those of all. */
  z.object({
    code: z.literal('open_payees'),
    rows: z.number(),
    count: z.number(),
    payees: z.array(openPayee).readonly(),
    states: z.array(z.enum(['unresolved', 'ambiguous', 'not_made'])).readonly(),
  }),
]);
export type StopWhy = z.output<typeof stopWhy>;
export type StoppedPayee = z.output<typeof openPayee>;
