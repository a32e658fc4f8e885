import { z } from 'zod';
import { count, currency, minor, text } from './entries/members.ts';
import { RAIL_NAMES, type RailFields } from './rails/rail.ts';

/** A person or company we pay: what goes into the service's recipient record. Absent fields are null. */
const payee = z.strictObject({
  payee_id: text.nullable(),
  name: text,
  email: text.nullable(),
  phone: z.strictObject({ country_code: text, number: text }).nullable(),
  business: z
    .strictObject({
      entity_name: text.nullable(),
      registration_number: text.nullable(),
      address: z
        .strictObject({
          line1: text.nullable(),
          line2: text.nullable(),
          city: text.nullable(),
          state: text.nullable(),
          postal_code: text.nullable(),
          country: text.nullable(),
        })
        .nullable(),
    })
    .nullable(),
});
export type Payee = z.output<typeof payee>;

const railFields = z.strictObject({
  account_number: text,
  national_clearing_code: text,
  bic: text,
  account_type: text,
  wallet_address: text,
  chain: text,
}) satisfies z.ZodType<RailFields>;

/** Where one payout goes. */
const destination = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('existing'), external_account_id: text }),
  z.strictObject({ kind: z.literal('account'), rail: z.enum(RAIL_NAMES), account_name: text, fields: railFields }),
]);
export type Destination = z.output<typeof destination>;

/**
 * One payout as the input orders it: everything that is sent is derived from this, and the journal keeps it whole, so
 * that a run is resumed from the journal alone.
 */
export const payoutOrder = z.strictObject({
  /** As the user's spreadsheet program numbers it; unique in the run, and how people name the payout. */
  row: count,
  payee,
  recipient_id: text.nullable(),
  destination,
  /** What the payee receives. */
  amount_minor: minor,
  currency,
  /**
   * The currency that it is paid from, never the same as `currency`; null where nothing is converted, as in journals from
   * before there were conversions.
   */
  source: currency.nullable().default(null),
  reference: text.nullable(),
  description: text.nullable(),
});
export type PayoutOrder = z.output<typeof payoutOrder>;

/**
 * Who the payee is between runs: the `payee_id` where there is one, else name and e-mail. Two payees with one key share
 * a recipient record; their accounts stay apart, so money is never sent to the wrong one.
 */
export function payeeKey(payee: Pick<Payee, 'payee_id' | 'name' | 'email'>): string {
  if (payee.payee_id !== null) return `id:${payee.payee_id.normalize('NFKC').trim()}`;
  return `name:${comparable(payee.name)}|${comparable(payee.email ?? '')}`;
}

/** Text as it is compared between records: NFKC, case folded, runs of blanks as one. */
export function comparable(text: string): string {
  return text.normalize('NFKC').toLowerCase().trim().replace(/\s+/g, ' ');
}
