import { describe, expect, it } from 'vitest';
import { chainsOf } from '../../src/domain/currencies.ts';
import { NO_FIELDS, RAIL_NAMES, type RailFields, type RailName } from '../../src/domain/rails/rail.ts';
import { RAILS, railNameOf, railOf } from '../../src/domain/rails/registry.ts';
import { clabeOf } from '../support/generate-payroll.ts';

/** What the rail says of fields as a person wrote them: `error code` or `warning code` of each finding, in order. */
function verdicts(name: RailName, fields: Partial<RailFields>): string[] {
  const rail = railOf(name);
  return rail.check(rail.normalise({ ...NO_FIELDS, ...fields })).map(({ severity, code }) => `${severity} ${code}`);
}

function referenceVerdicts(name: RailName, reference: string): string[] {
  return railOf(name)
    .checkReference(reference)
    .map(({ severity, code }) => `${severity} ${code}`);
}

/** [account_number, national_clearing_code, what is found] */
type Case = [string, string, string[]];

function table(name: RailName, cases: Case[]): void {
  it.each(cases)(`${name}: account %j with code %j`, (account_number, national_clearing_code, expected) => {
    expect(verdicts(name, { account_number, national_clearing_code })).toEqual(expected);
  });
}

describe('the registry', () => {
  it('has every destination of the specification and WEB3, each under its own name and with a source', () => {
    expect(RAILS.map((rail) => rail.name)).toEqual(RAIL_NAMES);
    for (const name of RAIL_NAMES) {
      expect(railOf(name).name).toBe(name);
      expect(railOf(name).source).not.toBe('');
    }
  });

  it.each([
    ['AUD_NPP', 'AUD_NPP'],
    ['aud npp', 'AUD_NPP'],
    ['Gbp-Fps', 'GBP_FPS'],
    ['BRL_PIX', 'BRL_PIX'],
    ['NPP', null],
    ['', null],
    ['__proto__', null],
  ])('reads the name %j as %j', (text, name) => {
    expect(railNameOf(text)).toBe(name);
  });

  it('gives each rail its currency and reference limit', () => {
    expect(RAILS.map(({ name, currency, referenceMax }) => [name, currency, referenceMax])).toEqual([
      ['AUD_NPP', 'AUD', 280],
      ['USD_ACH', 'USD', 10],
      ['USD_WIRE', 'USD', 140],
      ['USD_SWIFT', 'USD', 140],
      ['SGD_SWIFT', 'SGD', 140],
      ['HKD_SWIFT', 'HKD', 140],
      ['HKD_FPS', 'HKD', 140],
      ['HKD_CHATS', 'HKD', 140],
      ['CNY_SWIFT', 'CNY', 140],
      ['MXN_SPEI', 'MXN', 40],
      ['MXN_SWIFT', 'MXN', 140],
      ['COP_SWIFT', 'COP', 140],
      ['BRL_PIX', 'BRL', 140],
      ['BRL_SWIFT', 'BRL', 140],
      ['GBP_FPS', 'GBP', 18],
      ['EUR_SEPA', 'EUR', 140],
      ['EUR_SWIFT', 'EUR', 140],
      ['INR_IMPS', 'INR', 20],
      ['INR_SWIFT', 'INR', 140],
      ['AED_SWIFT', 'AED', 140],
      ['IDR_SWIFT', 'IDR', 140],
      ['WEB3', null, null],
    ]);
  });

  it.each(RAIL_NAMES)('%s: the limit is the one that its check has, to the character', (name) => {
    const { referenceMax, checkReference } = railOf(name);
    const codes = (count: number) =>
      checkReference('x'.repeat(count)).map(({ severity, code }) => `${severity} ${code}`);
    if (referenceMax === null) return expect(codes(1_000)).toEqual(['warning reference_not_carried']);
    expect(codes(referenceMax)).not.toContain('error reference_too_long');
    expect(codes(referenceMax + 1)).toContain('error reference_too_long');
    const [tooLong] = checkReference('x'.repeat(referenceMax + 1));
    expect(tooLong?.params).toMatchObject({ rail: name, max: referenceMax });
  });
});

describe('AUD_NPP', () => {
  table('AUD_NPP', [
    ['12345678', '062-000', []],
    ['123456', '062000', []],
    ['123456789', '062000', []],
    ['1234', '062000', ['warning account_number_unusual']],
    ['12345', '062000', ['warning account_number_unusual']],
    ['123 456-789', ' 062 000 ', []],
    ['123', '062000', ['error account_number_length']],
    ['1234567890', '062000', ['error account_number_length']],
    ['12A45678', '062000', ['error account_number_characters']],
    ['1234.5678', '062000', ['error account_number_characters']],
    ['1.2345E8', '062000', ['error account_number_scientific']],
    ['X1.2345E+8', '062000', ['error account_number_characters']],
    ['١٢٣٤٥', '062000', ['error account_number_characters']],
    ['1.2345E+8', '062000', ['error account_number_scientific']],
    ['12345678', '62000', ['error bsb_leading_zero']],
    ['12345678', '6200', ['error bsb_length']],
    ['12345678', '0620000', ['error bsb_length']],
    ['12345678', '06200O', ['error bsb_characters']],
    ['', '', ['error account_number_missing', 'error bsb_missing']],
  ]);
});

describe('USD_ACH and USD_WIRE', () => {
  for (const name of ['USD_ACH', 'USD_WIRE'] as const)
    table(name, [
      ['000123456789', '021000021', []],
      ['ab-12 34', '1210-0024-8', []],
      ['6E10', '121000248', []],
      ['12345678901234567', '011401533', []],
      ['12345678', '322271627', []],
      ['12345678', '322217627', ['error aba_checksum']],
      ['123', '021000021', ['error account_number_length']],
      ['123456789012345678', '021000021', ['error account_number_length']],
      ['12_45678', '021000021', ['error account_number_characters']],
      ['1.23457E+11', '021000021', ['error account_number_scientific']],
      ['12345678', '21000021', ['error aba_leading_zero']],
      ['12345678', '21000022', ['error aba_length']],
      ['12345678', '021000022', ['error aba_checksum']],
      ['12345678', '000000000', ['error aba_checksum']],
      ['12345678', '0210000211', ['error aba_length']],
      ['12345678', '02100002X', ['error aba_characters']],
      ['', '', ['error account_number_missing', 'error aba_missing']],
    ]);

  it.each([
    ['', []],
    ['checking', []],
    [' Savings ', []],
    ['current', ['error account_type_invalid']],
  ])('ACH takes the account type %j', (account_type, expected) => {
    const fields = { account_number: '12345678', national_clearing_code: '021000021', account_type };
    expect(verdicts('USD_ACH', fields)).toEqual(expected);
  });

  it('fills in checking where ACH is told no account type', () => {
    expect(railOf('USD_ACH').normalise(NO_FIELDS).account_type).toBe('checking');
  });
});

describe('GBP_FPS', () => {
  table('GBP_FPS', [
    ['31926819', '60-16-13', []],
    ['00000001', '000001', []],
    ['3192681', '601613', ['error account_number_leading_zero']],
    ['319268', '601613', ['error account_number_leading_zero']],
    ['31926', '601613', ['error account_number_length']],
    ['319268190', '601613', ['error account_number_length']],
    ['31926819', '40478', ['error sort_code_leading_zero']],
    ['31926819', '6016130', ['error sort_code_length']],
    ['3192681X', 'six', ['error account_number_characters', 'error sort_code_characters']],
    ['3.19E+07', '601613', ['error account_number_scientific']],
    ['', '', ['error account_number_missing', 'error sort_code_missing']],
  ]);
});

describe('EUR_SEPA', () => {
  table('EUR_SEPA', [
    ['DE89370400440532013000', '', []],
    ['de89 3704 0044 0532 0130 00', '', []],
    ['GB82 WEST 1234 5698 7654 32', '', []],
    ['FR1420041010050500013M02606', '', []],
    ['CH9300762011623852957', '', []],
    // The registry's examples of the countries that joined SEPA last.
    ['AL47212110090000000235698741', '', []],
    ['MD24AG000225100013104168', '', []],
    ['ME25505000012345678951', '', []],
    ['MK07250120000058984', '', []],
    ['RS35260005601001611379', '', []],
    // Bosnia is outside SEPA, and the last two digits of its accounts are a check of their own.
    ['BA391290079401028494', '', ['error iban_not_sepa']],
    ['BA121290079401028495', '', ['warning iban_national_check', 'error iban_not_sepa']],
    ['DE89370400440532013001', '', ['error iban_checksum']],
    ['DEXX370400440532013000', '', ['error iban_checksum']],
    ['DE8937040044053201300', '', ['error iban_length']],
    ['DE893704004405320130000', '', ['error iban_length']],
    ['DE8937040044053201300X', '', ['error iban_format']],
    ['XX89370400440532013000', '', ['error iban_country']],
    ['US64SVBKUS6S3300958879', '', ['error iban_country']],
    ['12345678', '', ['error iban_characters']],
    ['D189370400440532013000', '', ['error iban_characters']],
    ['1DE89370400440532013000', '', ['error iban_characters']],
    ['6.4618E+17', '', ['error iban_scientific']],
    ['AE070331234567890123456', '', ['error iban_not_sepa']],
    ['BE68539007547035', '', ['error iban_checksum']],
    ['', '', ['error iban_missing']],
  ]);

  it.each([
    ['', []],
    ['COBADEFF', []],
    ['coba de ff xxx', []],
    ['COBADEF', ['error bic_invalid']],
    ['COBAZZFF', ['error bic_invalid']],
    ['COBADEFFXX', ['error bic_invalid']],
    ['NWBKGB2L', ['warning bic_country']],
  ])('takes the BIC %j', (bic, expected) => {
    expect(verdicts('EUR_SEPA', { account_number: 'DE89370400440532013000', bic })).toEqual(expected);
  });

  it('warns where only the check digit of the country itself is wrong', () => {
    // Belgium: the last two digits are the first ten modulo 97, and the IBAN's own check digits are right here.
    expect(verdicts('EUR_SEPA', { account_number: 'BE41539007547035' })).toEqual(['warning iban_national_check']);
  });
});

describe('INR_IMPS', () => {
  table('INR_IMPS', [
    ['50100234567812', 'HDFC0000123', []],
    ['1234567890', 'SBIN0000123', []],
    ['12345678901234567890', 'sbin 0000 12a', []],
    ['123456789', 'SBIN0000123', ['warning account_number_unusual']],
    ['123456', 'SBIN0000123', ['warning account_number_unusual']],
    ['1234567890123', 'hdfc 0000 123', ['warning account_number_unusual']],
    ['123456', 'HDFC0000123', ['warning account_number_unusual']],
    ['12345', 'HDFC0000123', ['error account_number_length']],
    ['123456789012345678901', 'HDFC0000123', ['error account_number_length']],
    ['5.01E+13', 'HDFC0000123', ['error account_number_scientific']],
    ['12345678901234', 'HDFCO000123', ['error ifsc_invalid']],
    ['12345678901234', 'HDFC000012', ['error ifsc_invalid']],
    ['12345678901234', 'HDFC00001234', ['error ifsc_invalid']],
    ['12345678901234', 'XHDFC0000123', ['error ifsc_invalid']],
    ['12345678901234', 'HDF00000123', ['error ifsc_invalid']],
    ['', '', ['error account_number_missing', 'error ifsc_missing']],
  ]);

  it('says that the letter O stands for a zero', () => {
    const fields = { ...NO_FIELDS, account_number: '12345678901234', national_clearing_code: 'HDFCO000123' };
    expect(railOf('INR_IMPS').check(fields)[0]).toMatchObject({
      params: { letterForZero: 'HDFC0000123' },
      suggestion: 'HDFC0000123',
    });
    for (const national_clearing_code of ['HDFCO0001234', 'XHDFCO000123'])
      expect(railOf('INR_IMPS').check({ ...fields, national_clearing_code })[0]).not.toHaveProperty('suggestion');
  });
});

describe('MXN_SPEI', () => {
  table('MXN_SPEI', [
    ['646180110400000007', '', []],
    ['032180000118359719', '', []],
    ['0321 8000 0118 3597 19', '', []],
    ['710969000012345678', '', ['error clabe_checksum']],
    ['032180000118359718', '', ['error clabe_checksum']],
    ['32180000118359719', '', ['error clabe_leading_zero']],
    ['32180000118359718', '', ['error clabe_length']],
    ['0321800001183597191', '', ['error clabe_length']],
    ['03218000011835971X', '', ['error clabe_characters']],
    ['6.46180E+17', '', ['error clabe_scientific']],
    [clabeOf('995180', '11835971'), '', ['warning clabe_bank_unknown']],
    // BBVA, at a place that has no code.
    [clabeOf('012999', '11835971'), '', ['warning clabe_bank_unknown']],
    // No bank has the number 000, so that nothing says that three zeros are missing.
    [clabeOf('000180', '11835971').slice(3), '', ['error clabe_length']],
    ['', '', ['error clabe_missing']],
  ]);
});

describe('WEB3', () => {
  // The examples of EIP-55 itself.
  it.each([
    '0x52908400098527886E0F7030069857D2E4169EE7',
    '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
    '0xde709f2102306220921060314715629080e2fb77',
    '0x27b1fdb04752bbc536007a920d24acb045561c26',
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
    '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
  ])('accepts %s', (wallet_address) => {
    expect(verdicts('WEB3', { wallet_address, chain: 'polygon' })).toEqual([]);
  });

  it.each([
    ['0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed', 'polygon', ['warning wallet_address_no_checksum']],
    ['0x5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED', 'polygon', ['warning wallet_address_no_checksum']],
    ['0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'polygon', ['error wallet_address_checksum']],
    ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAee', 'polygon', ['error wallet_address_checksum']],
    ['0x0000000000000000000000000000000000000000', 'polygon', ['error wallet_address_zero']],
    ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe', 'polygon', ['error wallet_address_invalid']],
    ['5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'polygon', ['error wallet_address_invalid']],
    ['payee.eth', 'polygon', ['error wallet_address_invalid']],
    ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed0', 'polygon', ['error wallet_address_invalid']],
    ['a0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'polygon', ['error wallet_address_invalid']],
    ['0x0000000000000000000000000000000000000001', 'polygon', []],
    ['0x1000000000000000000000000000000000000000', 'polygon', []],
    ['', '', ['error wallet_address_missing', 'error chain_missing']],
    ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'solana', ['error chain_unknown']],
    [' 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed ', ' Polygon ', []],
  ])('%s on %s', (wallet_address, chain, expected) => {
    expect(verdicts('WEB3', { wallet_address, chain })).toEqual(expected);
  });

  // The contracts of USDC and USDT, as Circle and Tether write them: their checksums hold.
  it.each([
    '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
    '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
    '0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174',
    '0xaf88d065e77c8cC2239327C5EDb3A432268e5831',
    '0xFF970A61A04b1cA14834A43f5dE4533eBDDB5CC8',
    '0xdAC17F958D2ee523a2206206994597C13D831ec7',
    '0xc2132D05D31c914a87C6611C10748AEb04B58e8F',
    '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9',
  ])('pays no token: %s', (wallet_address) => {
    for (const address of [wallet_address, wallet_address.toLowerCase()])
      expect(verdicts('WEB3', { wallet_address: address, chain: 'polygon' })).toEqual([
        'error wallet_address_token_contract',
      ]);
    const neighbour = wallet_address.replace(/.$/, 'd').toLowerCase();
    expect(verdicts('WEB3', { wallet_address: neighbour, chain: 'polygon' })).toEqual([
      'warning wallet_address_no_checksum',
    ]);
    // The checksum of an address without its 0x.
    const bare = railOf('WEB3').check({ ...NO_FIELDS, wallet_address: wallet_address.slice(2), chain: 'polygon' });
    expect(bare[0]?.suggestion).toBe(wallet_address);
  });

  it.each([
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed0'.slice(2),
    '5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
    '5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED',
    '5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '1111111111111111111111111111111111111111',
  ])('suggests nothing for %s, which proves nothing', (wallet_address) => {
    const [found] = railOf('WEB3').check({ ...NO_FIELDS, wallet_address, chain: 'polygon' });
    expect([found?.code, found?.suggestion]).toEqual(['wallet_address_invalid', undefined]);
  });

  it('knows every chain of the currency table', () => {
    for (const chain of ['USDC', 'USDT', 'ETH'].flatMap(chainsOf))
      expect(verdicts('WEB3', { wallet_address: '0x52908400098527886E0F7030069857D2E4169EE7', chain })).toEqual([]);
  });
});

describe('references', () => {
  it.each<[RailName, string, string[]]>([
    ['AUD_NPP', 'x'.repeat(18), []],
    ['AUD_NPP', 'x'.repeat(19), ['warning reference_may_be_cut']],
    ['AUD_NPP', 'x'.repeat(280), ['warning reference_may_be_cut']],
    ['AUD_NPP', 'x'.repeat(281), ['error reference_too_long']],
    ['USD_ACH', 'PAYROLL 07', []],
    ['USD_ACH', 'PAYROLL 072', ['error reference_too_long']],
    ['USD_WIRE', 'INV/2026-07 (A), 14.50', []],
    ['USD_WIRE', 'x'.repeat(141), ['error reference_too_long']],
    ['USD_WIRE', 'Müller', ['error reference_characters']],
    ['GBP_FPS', 'PAY.07 & B/O-1 x', []],
    ['GBP_FPS', 'x'.repeat(19), ['error reference_too_long']],
    ['GBP_FPS', 'é'.repeat(18), ['warning reference_may_change']],
    ['GBP_FPS', '😀'.repeat(18), ['warning reference_may_change']],
    ['GBP_FPS', '😀'.repeat(19), ['error reference_too_long', 'warning reference_may_change']],
    ['USD_ACH', 'Nómina', ['warning reference_may_change']],
    ['USD_ACH', '工资', ['error reference_characters']],
    ['USD_ACH', '#~ {}"\\|', []],
    ['EUR_SEPA', "a-zA-Z0-9/-?:().,'+ ", []],
    ['EUR_SEPA', '-begin', ['error reference_characters']],
    ['EUR_SEPA', ':begin', ['error reference_characters']],
    ['EUR_SEPA', 'a_b', ['error reference_characters']],
    ['EUR_SEPA', `${'x'.repeat(140)}é`, ['error reference_too_long', 'error reference_characters']],
    ['INR_IMPS', 'x'.repeat(20), []],
    ['INR_IMPS', 'x'.repeat(21), ['error reference_too_long']],
    ['INR_IMPS', 'वेतन', ['warning reference_may_change']],
    ['MXN_SPEI', 'NOMINA 07', []],
    ['MXN_SPEI', 'NOMINA-07', ['error reference_characters']],
    ['MXN_SPEI', 'x'.repeat(41), ['error reference_too_long']],
    ['WEB3', 'July', ['warning reference_not_carried']],
  ])('%s carries %j: %j', (name, reference, expected) => {
    expect(referenceVerdicts(name, reference)).toEqual(expected);
  });

  it.each(RAIL_NAMES)('%s needs none', (name) => {
    expect(referenceVerdicts(name, '')).toEqual([]);
  });
});

describe('a dropped leading zero', () => {
  it.each<[RailName, Partial<RailFields>, string]>([
    ['AUD_NPP', { account_number: '12345678', national_clearing_code: '13006' }, '013006'],
    ['GBP_FPS', { account_number: '3192681', national_clearing_code: '601613' }, '03192681'],
    ['GBP_FPS', { account_number: '31926819', national_clearing_code: '90128' }, '090128'],
    ['USD_ACH', { account_number: '12345678', national_clearing_code: '21000021' }, '021000021'],
    ['MXN_SPEI', { account_number: '32180000118359719' }, '032180000118359719'],
    ['MXN_SPEI', { account_number: '2010077777777771' }, '002010077777777771'],
    ['MXN_SWIFT', { account_number: '32180000118359719', bic: 'BNMXMXMM' }, '032180000118359719'],
    ['HKD_FPS', { account_number: '123456789', national_clearing_code: '4' }, '004'],
    ['HKD_CHATS', { account_number: '123456789', national_clearing_code: '24' }, '024'],
    ['BRL_PIX', { account_number: '1234567890' }, '01234567890'],
    ['BRL_PIX', { account_number: '1.222.333/0001-28' }, '01222333000128'],
  ])('%s: the remedy shows the padded value, and the value itself stays', (name, fields, padded) => {
    const rail = railOf(name);
    const normal = rail.normalise({ ...NO_FIELDS, ...fields });
    expect(rail.check(normal)[0]?.params).toMatchObject({ padded });
    expect(Object.values(normal)).not.toContain(padded);
  });
});

describe('fields that a rail does not use', () => {
  const ACCOUNT = 'account_number';
  const CODE = 'national_clearing_code';
  const used: Record<RailName, (keyof RailFields)[]> = {
    AUD_NPP: [ACCOUNT, CODE],
    USD_ACH: [ACCOUNT, CODE, 'account_type'],
    USD_WIRE: [ACCOUNT, CODE],
    USD_SWIFT: [ACCOUNT, 'bic'],
    SGD_SWIFT: [ACCOUNT, 'bic'],
    HKD_SWIFT: [ACCOUNT, 'bic'],
    HKD_FPS: [ACCOUNT, CODE],
    HKD_CHATS: [ACCOUNT, CODE, 'bic'],
    CNY_SWIFT: [ACCOUNT, CODE, 'bic'],
    MXN_SPEI: [ACCOUNT],
    MXN_SWIFT: [ACCOUNT, 'bic'],
    COP_SWIFT: [ACCOUNT, 'bic'],
    BRL_PIX: [ACCOUNT],
    BRL_SWIFT: [ACCOUNT, 'bic'],
    GBP_FPS: [ACCOUNT, CODE],
    EUR_SEPA: [ACCOUNT, 'bic'],
    EUR_SWIFT: [ACCOUNT, 'bic'],
    INR_IMPS: [ACCOUNT, CODE],
    INR_SWIFT: [ACCOUNT, CODE, 'bic'],
    AED_SWIFT: [ACCOUNT, 'bic'],
    IDR_SWIFT: [ACCOUNT, 'bic'],
    WEB3: ['wallet_address', 'chain'],
  };

  it.each(RAIL_NAMES)('%s leaves them out of what is sent', (name) => {
    const everything: RailFields = {
      account_number: 'A',
      national_clearing_code: 'B',
      bic: 'C',
      account_type: 'D',
      wallet_address: 'E',
      chain: 'f',
    };
    const sent = Object.entries(railOf(name).normalise(everything));
    expect(sent.flatMap(([field, value]) => (value === '' ? [] : [field]))).toEqual(used[name]);
  });
});
