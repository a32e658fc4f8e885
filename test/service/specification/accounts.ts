import { GBP_ACCOUNT, type TestService, WALLET } from '../harness.ts';

/**
 * One account of each bank rail as `rails.md` wants its fields: what currency it receives, how long its reference may
 * be. Numbers are those that the registries publish as examples.
 */
export const BANK_RAILS: readonly { rail: string; code: string; referenceMax: number; fields: object }[] = [
  bank('AUD_NPP', 280, { account_number: '12345678', national_clearing_code: '062-000' }),
  bank('USD_ACH', 10, { account_number: '123456789', national_clearing_code: '021000021' }),
  bank('USD_WIRE', 140, { account_number: '123456789', national_clearing_code: '021000021' }),
  bank('USD_SWIFT', 140, { account_number: '123456789', bic: 'CHASUS33' }),
  bank('SGD_SWIFT', 140, { account_number: '1234567890', bic: 'DBSSSGSG' }),
  bank('HKD_SWIFT', 140, { account_number: '123456789012', bic: 'HSBCHKHH' }),
  bank('HKD_FPS', 140, { account_number: '123456789012', national_clearing_code: '004' }),
  bank('HKD_CHATS', 140, { account_number: '123456789012', national_clearing_code: '004' }),
  bank('CNY_SWIFT', 140, { account_number: '6222021234567890', bic: 'ICBKCNBJ' }),
  bank('MXN_SPEI', 40, { account_number: '032180000118359719' }),
  bank('MXN_SWIFT', 140, { account_number: '032180000118359719', bic: 'BCMRMXMM' }),
  bank('COP_SWIFT', 140, { account_number: '12345678901', bic: 'COLOCOBM' }),
  bank('BRL_PIX', 140, { account_number: 'ada@example.org' }),
  bank('BRL_SWIFT', 140, { account_number: 'BR1800360305000010009795493C1', bic: 'CEFXBRSP' }),
  bank('GBP_FPS', 18, { account_number: '12345678', national_clearing_code: '20-00-00' }),
  bank('EUR_SEPA', 140, { account_number: 'DE89 3704 0044 0532 0130 00' }),
  bank('EUR_SWIFT', 140, { account_number: 'DE89370400440532013000', bic: 'DEUTDEFF' }),
  bank('INR_IMPS', 20, { account_number: '50100012345678', national_clearing_code: 'HDFC0001234' }),
  bank('INR_SWIFT', 140, { account_number: '50100012345678', bic: 'HDFCINBB' }),
  bank('AED_SWIFT', 140, { account_number: 'AE070331234567890123456', bic: 'EBILAEAD' }),
  bank('IDR_SWIFT', 140, { account_number: '1234567890', bic: 'CENAIDJA' }),
];

function bank(rail: string, referenceMax: number, fields: object) {
  return {
    rail,
    code: rail.slice(0, 3),
    referenceMax,
    fields: { type: rail, account_name: 'Ada Lovelace', ...fields },
  };
}

/** Adds an account of the rail to the caller's own, and gives its id. */
export async function addOwn(service: TestService, rail: string): Promise<string> {
  const known = BANK_RAILS.find((bank) => bank.rail === rail);
  if (known) return (await service.data('account.external.bank.add', known.fields)).id;
  return (await service.data('account.external.web3.add', WALLET)).id;
}

/** An account in pounds with some fields changed. */
export const sortCodeAccount = (fields: object) => ({ ...GBP_ACCOUNT, ...fields });

/** A recipient with everything that section 4.7 lets it have. */
export const FULL_RECIPIENT = {
  name: 'Ada Lovelace',
  email: 'ada@example.org',
  phone_number: { country_code: '+44', number: '2071234567' },
  business_info: {
    entity_name: 'Analytical Engines Ltd',
    registration_number: '0001815',
    address: {
      line1: '12 St James’s Square',
      line2: 'First floor',
      city: 'London',
      state: 'London',
      postal_code: 'SW1Y 4JH',
      country: 'GB',
      countryISO3166_1: 'GBR',
    },
  },
};
