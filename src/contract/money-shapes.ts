import { z } from 'zod';

/** A string of at most `maxLength` characters. Every text of a request has a stated maximum. */
export function text(maxLength: number): z.ZodString {
  return z.string().max(maxLength);
}

/** A name: it must have more than blanks. */
export function nameText(maxLength: number): z.ZodString {
  return text(maxLength).regex(/[\S\ufeff]/, 'must not be blank');
}

/** A reference goes into one line of a statement. */
export function referenceText(maxLength: number): z.ZodString {
  return text(maxLength).regex(/^[^\p{Cc}\u2028\u2029]*$/u, 'must not have line breaks or control characters');
}

/** Minor units as the wire carries them: digits without sign, point or leading zeros, at most 38 of them. */
const minorUnits = z.string().regex(/^(0|[1-9]\d{0,37})$/, 'must be a whole number of the smallest denomination');

/** Currency object of section 2.1, as a request must write it. */
export const currencyRequest = z.strictObject({
  value: minorUnits,
  code: z.string().min(1).max(20),
  decimals: z.int().min(0).max(36),
  chain: z.string().min(1).max(40).optional(),
  metadata: text(1_000).optional(),
});

/** The same in a response: unknown fields are ignored. */
export const currencyResponse = z.object({
  value: minorUnits,
  code: z.string(),
  decimals: z.int(),
  chain: z.string().nullish(),
});

export type WireCurrency = z.infer<typeof currencyResponse>;

/** Fee object of section 2.2. */
export const fee = z.object({
  type: z.string(),
  value: currencyResponse,
  label: z.string().optional(),
  rate: z.number().nullish(),
});

export const feeRequest = z.strictObject({
  type: text(40),
  value: currencyRequest,
  label: text(200).optional(),
  rate: z.number().optional(),
});
