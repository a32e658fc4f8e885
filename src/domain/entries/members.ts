import { z } from 'zod';

/** Members that many entries have. */
export const text = z.string();
export const count = z.int().nonnegative();
/** The decimal text of minor units: JSON has no bigint. */
export const minor = z.string().regex(/^-?\d+$/);
export const milliseconds = z.number();

/** One attempt of one payout. */
export const attempt = { row: count, attempt: count };

export const currency = z.strictObject({ code: text, chain: text.nullable(), decimals: count });

/** What can be signed again to the same bytes: Ed25519 is deterministic, so body and parameters fix the request. */
export const signedRequest = z.strictObject({
  operation: text,
  body: text,
  /** Unix seconds. */
  created: z.int(),
  /** Unix seconds: the deadline. The service refuses the request after it, where the profile says so. */
  expires: z.int(),
  nonce: text,
});
export type SignedRequest = z.output<typeof signedRequest>;

/** The person that the page names, where somebody acted there. The page claims it: it grants no permissions. */
export const onPage = { page_person: text.optional() };
export type OnPage = { page_person?: string | undefined };

/** Who acted, as far as the machine knows: its account. */
export const actor = { by: text, ...onPage };
export type Actor = { by: string } & OnPage;
