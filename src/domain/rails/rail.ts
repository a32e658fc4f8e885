/** The 22 destinations of the specification's `quote.get`, with WEB3. */
export const RAIL_NAMES = [
  'AUD_NPP',
  'USD_ACH',
  'USD_WIRE',
  'USD_SWIFT',
  'SGD_SWIFT',
  'HKD_SWIFT',
  'HKD_FPS',
  'HKD_CHATS',
  'CNY_SWIFT',
  'MXN_SPEI',
  'MXN_SWIFT',
  'COP_SWIFT',
  'BRL_PIX',
  'BRL_SWIFT',
  'GBP_FPS',
  'EUR_SEPA',
  'EUR_SWIFT',
  'INR_IMPS',
  'INR_SWIFT',
  'AED_SWIFT',
  'IDR_SWIFT',
  'WEB3',
] as const;

export type RailName = (typeof RAIL_NAMES)[number];

/** The bank or wallet fields of a destination; an absent one is the empty string. */
export type RailFields = {
  account_number: string;
  national_clearing_code: string;
  bic: string;
  account_type: string;
  wallet_address: string;
  chain: string;
};

/** Something a rail's rules say about one of its fields, or about the payment reference. */
export type Finding = {
  severity: 'error' | 'warning';
  code: string;
  field: keyof RailFields | 'reference';
  message: string;
  remedy: string;
  /** The value that would mend the field, where nothing else can be meant. */
  suggestion?: string;
};

/** One payment rail: a small file each, pure, by a rule whose source it names. */
export type Rail = {
  readonly name: RailName;
  /** The fiat code that the rail pays, or null where it pays any crypto asset. */
  readonly currency: string | null;
  /** Where the rule is from (scheme rulebook, ISO, RFC). */
  readonly source: string;
  /** Longest reference, in characters; null where the rail carries none. */
  readonly referenceMax: number | null;
  /** The fields in the form that is sent: blanks and hyphens removed where the rule allows them, letters upper-cased. */
  normalise(fields: RailFields): RailFields;
  /** Everything wrong with fields that `normalise` returned. Never stops at the first finding. */
  check(fields: RailFields): Finding[];
  /** Everything wrong with a reference; an empty one has no findings. */
  checkReference(reference: string): Finding[];
};

export const NO_FIELDS: RailFields = Object.freeze({
  account_number: '',
  national_clearing_code: '',
  bic: '',
  account_type: '',
  wallet_address: '',
  chain: '',
});
