import { z } from 'zod';
import { count, signedRequest, text } from './members.ts';
import { note } from './note.ts';

/** What is made for a payee before it can be paid. */
const target = z.enum(['recipient', 'account']);
export type EnsureTarget = z.output<typeof target>;

/** Why a creation in doubt that is not found is never made again without a person. */
const about = z.enum(['no_expiry', 'incomplete']);
export type EnsureUnresolvedAbout = z.output<typeof about>;

const record = { target, key: text };
const attempt = { ...record, attempt: count };

/** A creation in doubt is parked for a person. */
const ensureUnresolved = z.strictObject({ kind: z.literal('ensure_unresolved'), ...attempt, about, reason: note });
export type EnsureUnresolved = z.output<typeof ensureUnresolved>;

/** What happens to a recipient or an account that the run makes or finds. `key` names it within the run. */
export const ENSURE_ENTRIES = {
  ensure_intent: z.strictObject({ kind: z.literal('ensure_intent'), ...attempt, request: signedRequest }),
  ensure_doubt: z.strictObject({ kind: z.literal('ensure_doubt'), ...attempt, reason: note }),
  ensure_no_effect: z.strictObject({ kind: z.literal('ensure_no_effect'), ...attempt, reason: note }),
  ensure_rejected: z.strictObject({ kind: z.literal('ensure_rejected'), ...attempt, code: text, message: text }),
  ensure_unresolved: ensureUnresolved,
  /** Several records of the service could be this one, or one that could be two: only a person can tell. */
  ensure_ambiguous: z.strictObject({ kind: z.literal('ensure_ambiguous'), ...record, ids: z.array(text) }),
  ensured: z.strictObject({
    kind: z.literal('ensured'),
    ...record,
    id: text,
    by: z.enum(['created', 'found']),
    scope: text,
  }),
};
export type EnsureEntry = z.output<(typeof ENSURE_ENTRIES)[keyof typeof ENSURE_ENTRIES]>;
