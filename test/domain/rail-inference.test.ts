import { describe, expect, it } from 'vitest';
import { NO_FIELDS, RAIL_NAMES, type RailFields, type RailName } from '../../src/domain/rails/rail.ts';
import { fieldsTaken, inferRail } from '../../src/domain/rails/rail-inference.ts';
import { railOf, railsOf } from '../../src/domain/rails/registry.ts';
import { DESTINATIONS } from '../support/destinations.ts';

const GERMAN = 'DE89 3704 0044 0532 0130 00';
const SAUDI = 'SA0380000000608010167519';
const ABA = '021000021';
const CLABE = '032180000118359719';

/** What is inferred, in one line: `EUR_SEPA`, `several: A, B` or `none, nearest A: A b_missing, B c_invalid`. */
function inferred(currency: string, fields: Partial<RailFields>): string {
  const found = inferRail(currency, { ...NO_FIELDS, ...fields });
  switch (found.kind) {
    case 'one':
      return found.rail.name;
    case 'several':
      return `several: ${found.rails.map(({ name }) => name).join(', ')}`;
    case 'none': {
      const why = found.misfits.map(({ rail, errors }) => [rail.name, ...errors.map(({ code }) => code)].join(' '));
      return `none, nearest ${found.nearest.name}: ${why.join(', ')}`;
    }
    case 'unpaid':
      return 'unpaid';
  }
}

/** [currency, account_number, national_clearing_code, bic, what is inferred] */
type Case = [string, string, string, string, string];

describe('the rail of a row that names none', () => {
  it.each<Case>([
    // One rail pays the currency: the row is checked by it, whatever is wrong.
    ['AUD', '12345678', '062-000', '', 'AUD_NPP'],
    ['AUD', '', '', '', 'AUD_NPP'],
    ['GBP', 'nonsense', '', '', 'GBP_FPS'],
    ['AED', '', '', '', 'AED_SWIFT'],
    ['USDC', '', '', '', 'WEB3'],
    ['ETH', '', '', '', 'WEB3'],
    ['NZD', '12345678', '', '', 'unpaid'],
    ['', '12345678', '', '', 'unpaid'],
    ['constructor', '12345678', '', '', 'unpaid'],
    // One rail fits.
    ['EUR', GERMAN, '', '', 'EUR_SEPA'],
    ['EUR', SAUDI, '', 'RJHISARI', 'EUR_SWIFT'],
    ['USD', 'GB29NWBK60161331926819', '', 'NWBKGB2L', 'USD_SWIFT'],
    ['MXN', CLABE, '', '', 'MXN_SPEI'],
    ['BRL', '111.444.777-35', '', '', 'BRL_PIX'],
    ['BRL', 'BR1800360305000010009795493C1', '', 'ITAUBRSP', 'BRL_SWIFT'],
    ['INR', '50100234567812', 'HDFC0000123', '', 'INR_IMPS'],
    ['INR', '50100234567812', '', 'HDFCINBB', 'INR_SWIFT'],
    ['HKD', '123456789', '', 'HSBCHKHH', 'HKD_SWIFT'],
    // A warning is no reason against a rail.
    ['EUR', 'BE41539007547035', '', '', 'EUR_SEPA'],
    // Several fit.
    ['EUR', GERMAN, '', 'COBADEFF', 'several: EUR_SEPA, EUR_SWIFT'],
    ['USD', '12345678', ABA, '', 'several: USD_ACH, USD_WIRE'],
    ['USD', '12345678', ABA, 'CHASUS33', 'several: USD_ACH, USD_WIRE, USD_SWIFT'],
    ['HKD', '123456789', '004', '', 'several: HKD_FPS, HKD_CHATS'],
    ['MXN', CLABE, '', 'BNMXMXMM', 'several: MXN_SPEI, MXN_SWIFT'],
    ['INR', '50100234567812', 'HDFC0000123', 'HDFCINBB', 'several: INR_IMPS, INR_SWIFT'],
    // None fits: what is missing is nearer than what is wrong, and that than what a rail has no use for.
    ['EUR', SAUDI, '', '', 'none, nearest EUR_SWIFT: EUR_SEPA iban_not_sepa, EUR_SWIFT bic_missing'],
    [
      'USD',
      '12345678',
      '021000022',
      '',
      'none, nearest USD_ACH: USD_ACH aba_checksum, USD_WIRE aba_checksum, USD_SWIFT bic_missing',
    ],
    ['EUR', 'DE1', '', '', 'none, nearest EUR_SEPA: EUR_SEPA iban_length, EUR_SWIFT iban_length bic_missing'],
    ['EUR', GERMAN, '', 'COBA', 'none, nearest EUR_SEPA: EUR_SEPA bic_invalid, EUR_SWIFT bic_invalid'],
    [
      'USD',
      '12345678',
      '',
      '',
      'none, nearest USD_ACH: USD_ACH aba_missing, USD_WIRE aba_missing, USD_SWIFT bic_missing',
    ],
    ['BRL', '', '', 'ITAUBRSP', 'none, nearest BRL_SWIFT: BRL_PIX pix_key_missing, BRL_SWIFT iban_missing'],
  ])('%s, account %j, code %j, BIC %j: %s', (currency, account_number, national_clearing_code, bic, expected) => {
    expect(inferred(currency, { account_number, national_clearing_code, bic })).toBe(expected);
  });

  it.each(RAIL_NAMES)('is %s, or that is one of those that fit, where its own fields are right', (name) => {
    const { currency, fields } = DESTINATIONS[name];
    const found = inferRail(currency, { ...NO_FIELDS, ...fields });
    const rails = found.kind === 'one' ? [found.rail] : found.kind === 'several' ? found.rails : [];
    expect(rails.map((rail) => rail.name)).toContain(name);
  });
});

describe('the fields that a rail takes', () => {
  it.each<[RailName, (keyof RailFields)[]]>([
    ['USD_ACH', ['account_number', 'national_clearing_code', 'account_type']],
    ['USD_WIRE', ['account_number', 'national_clearing_code']],
    ['USD_SWIFT', ['account_number', 'bic']],
    ['WEB3', []],
  ])('%s: %j', (name, expected) => {
    const written = {
      ...NO_FIELDS,
      account_number: '1',
      national_clearing_code: '2',
      bic: '3',
      account_type: 'savings',
    };
    expect(fieldsTaken(railOf(name), written)).toEqual(expected);
  });

  it('are those that are filled in, and not what the rail fills in itself', () => {
    expect(fieldsTaken(railOf('USD_ACH'), { ...NO_FIELDS, account_number: '1' })).toEqual(['account_number']);
  });
});

describe('the rails of a currency', () => {
  it.each<[string, RailName[]]>([
    ['USD', ['USD_ACH', 'USD_WIRE', 'USD_SWIFT']],
    ['HKD', ['HKD_SWIFT', 'HKD_FPS', 'HKD_CHATS']],
    ['USDT', ['WEB3']],
    ['usd', []],
    ['NZD', []],
  ])('%s: %j', (currency, names) => {
    expect(railsOf(currency).map(({ name }) => name)).toEqual(names);
  });
});
