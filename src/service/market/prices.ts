/** What the market of the rehearsals says of one currency, on whatever chain. */
export type Price = {
  /** US dollars for one major unit, in billionths: exact, where a binary fraction is not. */
  readonly usdNanos: bigint;
  /** The least that a conversion sends, in minor units: about one US dollar. */
  readonly minimumMinor: bigint;
  /** `native`: the coin of a chain. `dollar`: worth a US dollar by its issuer's promise, or one. */
  readonly kind: 'fiat' | 'dollar' | 'native';
};

/** Mid-market prices by code: made up, near those of 2026. The admin port sets others, and lets them walk. */
export const PRICES: Readonly<Record<string, Price>> = {
  AUD: { usdNanos: 660_000_000n, minimumMinor: 1_00n, kind: 'fiat' },
  USD: { usdNanos: 1_000_000_000n, minimumMinor: 1_00n, kind: 'dollar' },
  SGD: { usdNanos: 770_000_000n, minimumMinor: 1_00n, kind: 'fiat' },
  HKD: { usdNanos: 128_500_000n, minimumMinor: 8_00n, kind: 'fiat' },
  CNY: { usdNanos: 140_000_000n, minimumMinor: 7_00n, kind: 'fiat' },
  MXN: { usdNanos: 54_000_000n, minimumMinor: 20_00n, kind: 'fiat' },
  COP: { usdNanos: 250_000n, minimumMinor: 4_000_00n, kind: 'fiat' },
  BRL: { usdNanos: 185_000_000n, minimumMinor: 5_00n, kind: 'fiat' },
  GBP: { usdNanos: 1_320_000_000n, minimumMinor: 1_00n, kind: 'fiat' },
  EUR: { usdNanos: 1_150_000_000n, minimumMinor: 1_00n, kind: 'fiat' },
  INR: { usdNanos: 11_400_000n, minimumMinor: 100_00n, kind: 'fiat' },
  AED: { usdNanos: 272_300_000n, minimumMinor: 4_00n, kind: 'fiat' },
  IDR: { usdNanos: 60_000n, minimumMinor: 20_000_00n, kind: 'fiat' },
  USDC: { usdNanos: 1_000_000_000n, minimumMinor: 1_000_000n, kind: 'dollar' },
  USDT: { usdNanos: 1_000_000_000n, minimumMinor: 1_000_000n, kind: 'dollar' },
  ETH: { usdNanos: 3_000_000_000_000n, minimumMinor: 500_000_000_000_000n, kind: 'native' },
};
