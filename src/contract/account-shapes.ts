import { z } from 'zod';
import { COUNTRY_CODES } from '../domain/countries.ts';
import { RAIL_NAMES } from '../domain/rails/rail.ts';
import { nameText, text } from './money-shapes.ts';

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
