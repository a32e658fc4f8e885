import { z } from 'zod';
import { RAIL_NAMES } from '../domain/rails/rail.ts';
import { count, currency, minor, text } from './member-schemas.ts';

const problem = z.strictObject({ code: text, message: text });

const address = z.strictObject({
  line1: text.nullable(),
  line2: text.nullable(),
  city: text.nullable(),
  state: text.nullable(),
  postal_code: text.nullable(),
  country: text.nullable(),
});

const payee = z.strictObject({
  payee_id: text.nullable(),
  name: text,
  email: text.nullable(),
  phone: z.strictObject({ country_code: text, number: text }).nullable(),
  business: z
    .strictObject({ entity_name: text.nullable(), registration_number: text.nullable(), address: address.nullable() })
    .nullable(),
});

const railFields = z.strictObject({
  account_number: text,
  national_clearing_code: text,
  bic: text,
  account_type: text,
  wallet_address: text,
  chain: text,
});

const destination = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('existing'), external_account_id: text }),
  z.strictObject({ kind: z.literal('account'), rail: z.enum(RAIL_NAMES), account_name: text, fields: railFields }),
]);

const order = z.strictObject({
  row: count,
  payee,
  recipient_id: text.nullable(),
  destination,
  amount_minor: minor,
  currency,
  // Journals from before there were conversions have none.
  source: currency.nullable().default(null),
  reference: text.nullable(),
  description: text.nullable(),
});

export const runRow = z.strictObject({
  row: count,
  cells: z.array(text),
  order: order.nullable(),
  problem: problem.nullable(),
});
