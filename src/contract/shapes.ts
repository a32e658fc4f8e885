import { z } from 'zod';
import { COUNTRY_CODES } from '../domain/countries.ts';
import { RAIL_NAMES } from '../domain/rails/rail.ts';

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

/** Address object of section 2.6. `country` is a two-letter code (ISO 3166-1 alpha-2). */
export const addressRequest = z.strictObject({
  line1: text(200).optional(),
  line2: text(200).optional(),
  city: text(100).optional(),
  state: text(100).optional(),
  postal_code: text(20).optional(),
  country: z.enum(COUNTRY_CODES, 'must be a country of ISO 3166-1 in two letters').optional(),
  countryISO3166_1: text(10).optional(),
});

export const phoneNumberRequest = z.strictObject({ country_code: text(8), number: text(32) });

export const businessInfoRequest = z.strictObject({
  address: addressRequest.optional(),
  entity_name: text(200).optional(),
  registration_number: text(100).optional(),
});

/** `account.recipient.create`, section 4.7: only the name is required. */
export const recipientCreateRequest = z.strictObject({
  metadata: z.strictObject({
    name: nameText(200),
    email: text(320)
      .regex(/^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/, 'must be an e-mail address')
      .optional(),
    phone_number: phoneNumberRequest.optional(),
    business_info: businessInfoRequest.optional(),
  }),
});

/** Recipient record of section 2.6, tolerant. */
export const recipientRecord = z.object({
  id: z.string().min(1),
  created_at: z.string().nullish(),
  metadata: z.object({
    name: z.string(),
    email: z.string().nullish(),
    secondary_email: z.string().nullish(),
    phone_number: z.object({ country_code: z.string(), number: z.string() }).nullish(),
    business_info: z
      .object({
        address: z.record(z.string(), z.unknown()).nullish(),
        entity_name: z.string().nullish(),
        registration_number: z.string().nullish(),
      })
      .nullish(),
    is_hidden: z.boolean().nullish(),
  }),
  preferences: z.unknown().optional(),
});

export type RecipientRecord = z.infer<typeof recipientRecord>;

/** An element of `account.recipient.getMany`: the record with its transfer totals. */
export const recipientWithTotals = recipientRecord.extend({
  totals: z.object({ transfers: z.number(), fiatAmount: z.number() }).nullish(),
});

/** The bank rails: every destination but WEB3. */
export const BANK_RAILS = RAIL_NAMES.filter((name) => name !== 'WEB3');

/** `account.external.bank.add`, section 4.8 and `decisions.md`. Which fields a rail needs is the rail's rule. */
export const bankAccountRequest = z.strictObject({
  recipient_id: text(200).optional(),
  type: z.enum(BANK_RAILS),
  account_name: nameText(200),
  account_number: text(100).min(1),
  national_clearing_code: text(40).optional(),
  bic: text(11).optional(),
  account_type: z.enum(['checking', 'savings']).optional(),
  bank_name: text(200).optional(),
  address: addressRequest.optional(),
});

/** `account.external.web3.add`. */
export const walletAccountRequest = z.strictObject({
  recipient_id: text(200).optional(),
  account_name: nameText(200),
  address: text(200).min(1),
  chain: text(40).min(1),
});

/** An element of the two `getAll`s: the number is masked to its last four, the fingerprint (+) recognises it. */
export const externalAccountRecord = z.object({
  id: z.string().min(1),
  type: z.string(),
  account_name: z.string().nullish(),
  account_number: z.string().nullish(),
  national_clearing_code: z.string().nullish(),
  bic: z.string().nullish(),
  address: z.string().nullish(),
  chain: z.string().nullish(),
  fingerprint: z.string().nullish(),
  created_at: z.string().nullish(),
});

export type ExternalAccountRecord = z.infer<typeof externalAccountRecord>;

/**
 * Transaction record of section 2.4. Tolerant on purpose: of another deployment we rely on id, status, the amounts and
 * the description. The status is any word, and an unknown one is not final (`decisions.md`).
 */
export const transactionRecord = z.object({
  id: z.string().min(1),
  created_at: z.string(),
  status: z.string(),
  currency_in: currencyResponse,
  currency_out: currencyResponse,
  external_reference: z.string().nullish(),
  external_reference_type: z.string().nullish(),
  fees: z.array(fee).nullish(),
  metadata: z
    .object({
      description: z.string().nullish(),
      payout_reference: z.string().nullish(),
      rail: z.string().nullish(),
    })
    .nullish(),
});

/** What `transaction.get` and the events add: a snapshot of the destination, and why a payout failed (+). */
export const transactionDetail = transactionRecord.extend({
  external_account_metadata: z
    .object({
      id: z.string().nullish(),
      type: z.string().nullish(),
      account_name: z.string().nullish(),
      account_number: z.string().nullish(),
      fingerprint: z.string().nullish(),
    })
    .nullish(),
  failure_reason: z.object({ code: z.string(), message: z.string() }).nullish(),
});

export type TransactionRecord = z.infer<typeof transactionRecord>;
export type TransactionDetail = z.infer<typeof transactionDetail>;
