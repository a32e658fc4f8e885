import { findings } from './fields/digits.ts';
import { checkIban, checkIbanCountry, ibanCountryOf } from './fields/iban.ts';
import type { Finding } from './rail.ts';
import { swiftRail } from './swift-rail.ts';

export const EUR_SWIFT = swiftRail({
  name: 'EUR_SWIFT',
  currency: 'EUR',
  source: 'ISO 13616 and the SWIFT IBAN registry, any country',
  checkAccount: (account) => checkIban(account),
  countryOf: ibanCountryOf,
});

export const BRL_SWIFT = swiftRail({
  name: 'BRL_SWIFT',
  currency: 'BRL',
  source: 'Banco Central do Brasil, Circular 3.625/2013: IBAN of 29 characters',
  checkAccount: (account) => checkIbanOf(account, 'BR'),
  countryOf: ibanCountryOf,
});

export const AED_SWIFT = swiftRail({
  name: 'AED_SWIFT',
  currency: 'AED',
  source: 'Central Bank of the UAE: IBAN of 23 characters',
  checkAccount: (account) => checkIbanOf(account, 'AE'),
  countryOf: ibanCountryOf,
});

function checkIbanOf(account: string, country: string): Finding[] {
  const found = checkIban(account, (iban) => checkIbanCountry(iban, country) === null);
  const isIban = found.every(({ severity }) => severity === 'warning');
  return isIban ? [...found, ...findings(checkIbanCountry(account, country))] : found;
}
