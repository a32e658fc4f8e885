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
