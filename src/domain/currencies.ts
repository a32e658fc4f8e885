/**
 * A currency as the service names it: a fiat code, or a crypto code on a chain. Currencies are told apart by
 * (code, chain): USDC on ethereum is not USDC on polygon.
 */
export type Currency = {
  readonly code: string;
  /** Null for fiat. */
  readonly chain: string | null;
  /** Digits after the point: the amount 12.34 of a currency with 2 decimals has the minor amount 1234. */
  readonly decimals: number;
};

/**
 * Decimals by ISO 4217 (list one, the `Ccy Mnr Units` column), not by Intl: Intl follows CLDR's usage, which differs
 * from the standard for sixteen currencies, IDR and COP among them. Codes without a minor unit (gold, SDR) are left out.
 */
const FIAT_DECIMALS: Readonly<Record<string, number>> = Object.freeze(
  Object.assign(Object.create(null) as Record<string, number>, {
    ...codes(0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'),
    ...codes(3, 'BHD IQD JOD KWD LYD OMR TND'),
    ...codes(4, 'CLF UYW'),
    ...codes(
      2,
      'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW ' +
        'CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF ' +
        'IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK ' +
        'MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP ' +
        'SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG YER ' +
        'ZAR ZMW ZWG',
    ),
  }),
);

/** Crypto assets that the rails know, by code, with the chains where each has these decimals. */
const CRYPTO: Readonly<Record<string, { decimals: number; chains: readonly string[] }>> = Object.freeze({
  USDC: { decimals: 6, chains: ['ethereum', 'polygon', 'arbitrum'] },
  USDT: { decimals: 6, chains: ['ethereum', 'polygon', 'arbitrum'] },
  ETH: { decimals: 18, chains: ['ethereum', 'arbitrum'] },
});

/** The fiat currency of an ISO 4217 code in upper case, or null. */
export function fiat(code: string): Currency | null {
  const decimals = FIAT_DECIMALS[code];
  return decimals === undefined ? null : { code, chain: null, decimals };
}

/** The crypto asset `code` on `chain` (lower case), or null. */
export function crypto(code: string, chain: string): Currency | null {
  const asset = Object.hasOwn(CRYPTO, code) ? CRYPTO[code] : undefined;
  return asset?.chains.includes(chain) ? { code, chain, decimals: asset.decimals } : null;
}

/** Whether `code` is a crypto asset that needs a chain. */
export function isCrypto(code: string): boolean {
  return Object.hasOwn(CRYPTO, code);
}

/** The chains on which a crypto code exists, or an empty list. */
export function chainsOf(code: string): readonly string[] {
  return (Object.hasOwn(CRYPTO, code) ? CRYPTO[code]?.chains : undefined) ?? [];
}

/** The currency of (code, chain), fiat where chain is null. */
export function currency(code: string, chain: string | null): Currency | null {
  return chain === null ? fiat(code) : crypto(code, chain);
}

/** `AUD`, or `USDC on polygon`. */
export function currencyLabel(of: Currency): string {
  return of.chain === null ? of.code : `${of.code} on ${of.chain}`;
}

export function sameCurrency(a: Currency, b: Currency): boolean {
  return a.code === b.code && a.chain === b.chain && a.decimals === b.decimals;
}

function codes(decimals: number, list: string): Record<string, number> {
  return Object.fromEntries(list.split(' ').map((code) => [code, decimals]));
}
