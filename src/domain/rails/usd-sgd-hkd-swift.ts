import { checkForeignAccount, foreignAccountCountry } from './foreign-account.ts';
import { swiftRail } from './swift-rail.ts';

/** What banks all over the world keep accounts in, so that nothing but the length of an account is certain. */
const ANYWHERE = {
  source: 'ISO 15022 field 59 (account of up to 34), ISO 13616 where it is an IBAN',
  checkAccount: checkForeignAccount,
  countryOf: foreignAccountCountry,
};

export const USD_SWIFT = swiftRail({ ...ANYWHERE, name: 'USD_SWIFT', currency: 'USD' });
export const SGD_SWIFT = swiftRail({ ...ANYWHERE, name: 'SGD_SWIFT', currency: 'SGD' });
export const HKD_SWIFT = swiftRail({ ...ANYWHERE, name: 'HKD_SWIFT', currency: 'HKD' });
