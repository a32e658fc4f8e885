import { checkDigits, findings } from './fields/digits.ts';
import { checkIfsc, INDIAN_ACCOUNT } from './inr-imps.ts';
import { swiftRail } from './swift-rail.ts';

export const INR_SWIFT = swiftRail({
  name: 'INR_SWIFT',
  currency: 'INR',
  source: 'Reserve Bank of India: IFSC of four letters, a zero and six letters or digits',
  checkAccount: (account) => findings(checkDigits(account, INDIAN_ACCOUNT)),
  checkClearingCode: (code) => checkIfsc(code, 'optional'),
  countryOf: () => 'IN',
});
