import type { Currency } from './currencies.ts';
import type { RailFields, RailName } from './rails/rail.ts';

/** A person or company we pay: what goes into the service's recipient record. Absent fields are null. */
export type Payee = {
  payee_id: string | null;
  name: string;
  email: string | null;
  phone: { country_code: string; number: string } | null;
  business: {
    entity_name: string | null;
    registration_number: string | null;
    address: {
      line1: string | null;
      line2: string | null;
      city: string | null;
      state: string | null;
      postal_code: string | null;
      country: string | null;
    } | null;
  } | null;
};

/** Where one payout goes. */
export type Destination =
  | { kind: 'existing'; external_account_id: string }
  | { kind: 'account'; rail: RailName; account_name: string; fields: RailFields };

/**
 * One payout as the input orders it: everything that is sent is derived from this, and the journal keeps it whole, so
 * that a run is resumed from the journal alone. JSON-safe: the amount is the decimal text of minor units.
 */
export type PayoutOrder = {
  /** As the user's spreadsheet program numbers it; unique in the run, and how people name the payout. */
  row: number;
  payee: Payee;
  recipient_id: string | null;
  destination: Destination;
  /** What the payee receives. */
  amount_minor: string;
  currency: Currency;
  /** The currency that it is paid from, never the same as `currency`; null where nothing is converted. */
  source: Currency | null;
  reference: string | null;
  description: string | null;
};

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
