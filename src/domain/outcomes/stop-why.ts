import { z } from 'zod';
import { note } from '../entries/note.ts';
import { serviceTrouble } from './service-trouble.ts';

const named = { name: z.string(), target: z.enum(['recipient', 'account']), rows: z.array(z.number()).readonly() };

/** A payee whose recipient or account is not there. `ids`: the records of the service that could be it. */
const openPayee = z.discriminatedUnion('state', [
  z.object({ state: z.literal('unresolved'), ...named }),
  z.object({ state: z.literal('ambiguous'), ...named, ids: z.array(z.string()).readonly() }),
  z.object({ state: z.literal('not_made'), ...named }),
]);
export type StoppedPayee = z.output<typeof openPayee>;

/** Why nothing more of a run may be submitted until a person has looked. */
const held = [
  /** The service holds payments for so many rows that this journal does not know. */
  z.object({ code: z.literal('old_copy'), rows: z.number() }),
  /** Several transactions carry the token of one attempt. */
  z.object({ code: z.literal('paid_twice'), row: z.number(), token: z.string(), transactions: z.number() }),
  /** A payout that was paid has a second transaction. */
  z.object({ code: z.literal('second_payment'), row: z.number(), transactionId: z.string() }),
  /** More payouts failed than the job allows. `among`: of what is final, or of all that the service answered. */
  z.object({
    code: z.literal('too_many_failures'),
    bad: z.number(),
    of: z.number(),
    among: z.enum(['final', 'answered']),
    percent: z.number(),
  }),
  /** An accepted transaction is not what was sent. `others`: how many more there are. */
  z.object({ code: z.literal('misfit'), row: z.number(), transactionId: z.string(), others: z.number() }),
] as const;
const heldWhy = z.discriminatedUnion('code', [...held]);
export type HeldWhy = z.output<typeof heldWhy>;

/** In what the first payout failed to come back. `cause`: what the service answered. */
export const canaryFault = z.discriminatedUnion('fault', [
  z.object({ fault: z.literal('unknown_id'), transactionId: z.string(), cause: z.string() }),
  z.object({
    fault: z.enum(['record_without_token', 'not_found', 'list_without_token']),
    transactionId: z.string(),
    token: z.string(),
  }),
]);
export type CanaryFault = z.output<typeof canaryFault>;

/** Why a run stopped; `messages/stop-words.ts` has the words. `cause`: what the service or the network answered. */
export const stopWhy = z.discriminatedUnion('code', [
  ...held,
  z.object({ code: z.literal('service_trouble'), trouble: serviceTrouble }),
  z.object({ code: z.literal('credentials_refused'), cause: z.string() }),
  z.object({ code: z.literal('read_refused'), cause: z.string() }),
  z.object({ code: z.literal('unreadable'), cause: note }),
  /** `cause` is null where several attempts failed in different ways. */
  z.object({ code: z.literal('unreached'), cause: note.nullable() }),
  z.object({
    code: z.literal('no_usable_answer'),
    to: z.enum(['payout', 'recipient', 'account']),
    cause: note.nullable(),
  }),
  /** So many attempts of one payout or payee record took no effect. */
  z.object({
    code: z.literal('attempts_used_up'),
    of: z.enum(['payout', 'recipient', 'account']),
    row: z.number().nullable(),
    attempts: z.number(),
  }),
  /** So many payouts are accepted and not final after the time to wait. `held`: what else keeps the run. */
  z.object({ code: z.literal('not_final'), payouts: z.number(), held: heldWhy.nullable() }),
  z.object({ code: z.literal('first_unresolved') }),
  z.object({ code: z.literal('first_missing'), row: z.number(), fault: canaryFault }),
  /** A copy of a refused request may be paid unseen. `because`: what keeps it from being seen. */
  z.object({ code: z.literal('copy_unseen'), because: z.enum(['list_late', 'search_blind']) }),
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
