import { findings, isDigits } from './fields/digits.ts';
import { checkForeignAccount, foreignAccountCountry } from './fields/foreign-account.ts';
import type { Finding } from './rail.ts';
import { swiftRail } from './swift-rail.ts';

/** What banks all over the world keep accounts in, so that nothing but the length of an account is certain. */
const ANYWHERE = {
  source: 'ISO 15022 field 59 (account of up to 34), ISO 13616 where it is an IBAN',
  checkAccount: checkForeignAccount,
  countryOf: foreignAccountCountry,
};

export const USD_SWIFT = swiftRail({ ...ANYWHERE, name: 'USD_SWIFT', currency: 'USD' });
export const SGD_SWIFT = swiftRail({
  ...ANYWHERE,
  name: 'SGD_SWIFT',
  currency: 'SGD',
  checkAccount(account) {
    const found = checkForeignAccount(account);
    return found.length === 0 && foreignAccountCountry(account) === null ? findings(checkSingaporean(account)) : found;
  },
});
export const HKD_SWIFT = swiftRail({ ...ANYWHERE, name: 'HKD_SWIFT', currency: 'HKD' });

/** Dollars of Singapore are kept elsewhere too, so that another form of account is a warning and no more. */
const SINGAPOREAN_MAX = 19;

function checkSingaporean(account: string): Finding | null {
  if (account.length <= SINGAPOREAN_MAX && isDigits(account)) return null;
  return {
    severity: 'warning',
    code: 'account_number_unusual',
    field: 'account_number',
    message: `Account numbers of banks in Singapore have at most ${SINGAPOREAN_MAX} digits and no letters.`,
    remedy: 'Compare the account number with its source.',
  };
}
