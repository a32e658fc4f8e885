/**
 * Every 32-byte string that decodes to a point of small order on Ed25519, canonical or not: 8 points, 14 encodings.
 * The points are those of "Taming the many EdDSAs" (Chalkias, Garillot, Nikolaenko 2020), table 1.
 */
export const SMALL_ORDER_ENCODINGS: readonly { order: number; canonical: boolean; hex: string }[] = [
  { order: 1, canonical: true, hex: '0100000000000000000000000000000000000000000000000000000000000000' },
  { order: 2, canonical: true, hex: 'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f' },
  { order: 4, canonical: true, hex: '0000000000000000000000000000000000000000000000000000000000000000' },
  { order: 4, canonical: true, hex: '0000000000000000000000000000000000000000000000000000000000000080' },
  { order: 8, canonical: true, hex: '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05' },
  { order: 8, canonical: true, hex: '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85' },
  { order: 8, canonical: true, hex: 'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a' },
  { order: 8, canonical: true, hex: 'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa' },
  { order: 1, canonical: false, hex: '0100000000000000000000000000000000000000000000000000000000000080' },
  { order: 1, canonical: false, hex: 'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f' },
  { order: 1, canonical: false, hex: 'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff' },
  { order: 2, canonical: false, hex: 'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff' },
  { order: 4, canonical: false, hex: 'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f' },
  { order: 4, canonical: false, hex: 'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff' },
];
