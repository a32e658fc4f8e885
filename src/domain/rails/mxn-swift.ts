import { findings } from './fields/digits.ts';
import { checkClabe } from './mxn-spei.ts';
import { swiftRail } from './swift-rail.ts';

export const MXN_SWIFT = swiftRail({
  name: 'MXN_SWIFT',
  currency: 'MXN',
  source: 'Banco de México: CLABE of 18 digits, weights 3-7-1',
  checkAccount: (account) => findings(checkClabe(account)),
  countryOf: () => 'MX',
});
