import { describe, expect, it } from 'vitest';
import { NO_FIELDS, type RailFields, type RailName } from '../../src/domain/rails/rail.ts';
import { railOf } from '../../src/domain/rails/registry.ts';

/** What the rail says of fields as a person wrote them: `error code` or `warning code` of each finding, in order. */
function verdicts(name: RailName, fields: Partial<RailFields>): string[] {
  const rail = railOf(name);
  return rail.check(rail.normalise({ ...NO_FIELDS, ...fields })).map(({ severity, code }) => `${severity} ${code}`);
}

/** [account_number, national_clearing_code, bic, what is found] */
type Case = [string, string, string, string[]];

function table(name: RailName, cases: Case[]): void {
  it.each(cases)(`${name}: account %j with code %j at %j`, (account_number, national_clearing_code, bic, expected) => {
    expect(verdicts(name, { account_number, national_clearing_code, bic })).toEqual(expected);
  });
}

describe('USD_SWIFT, SGD_SWIFT and HKD_SWIFT', () => {
  for (const name of ['USD_SWIFT', 'SGD_SWIFT', 'HKD_SWIFT'] as const) {
    /** What a rail that pays everywhere takes, and dollars of Singapore only with a warning. */
    const unusual = name === 'SGD_SWIFT' ? ['warning account_number_unusual'] : [];
    table(name, [
      ['0123', '', 'CHASUS33', []],
      ['003-900123-4', '', 'dbss sg sg', []],
      ['1'.repeat(19), '', 'DBSSSGSG', []],
      ['1'.repeat(20), '', 'DBSSSGSG', unusual],
      ['A'.repeat(34), '', 'HSBCHKHHHKH', unusual],
      // The examples of the IBAN registry, with blanks as they are printed.
      ['GB29 NWBK 6016 1331 9268 19', '', 'NWBKGB2L', []],
      ['ae07 0331 2345 6789 0123 456', '', 'EBILAEAD', []],
      // Nothing that begins with two letters and two digits is an IBAN by that alone.
      ['US12 3456', '', 'CHASUS33', unusual],
      ['ZZ29NWBK60161331926819', '', 'CHASUS33', unusual],
      ['GBX9NWBK60161331926819', '', 'CHASUS33', unusual],
      ['GB29 1234', '', 'CHASUS33', ['warning iban_short']],
      ['GB29NWBK6016133192681', '', 'NWBKGB2L', ['warning iban_short']],
      ['GB29NWBK60161331926818', '', 'NWBKGB2L', ['error iban_checksum']],
      ['GB29NWBK601613319268190', '', 'NWBKGB2L', ['error iban_length']],
      ['GB29NWBK6016133192681X', '', 'NWBKGB2L', ['error iban_format']],
      ['123', '', 'CHASUS33', ['error account_number_length']],
      ['1'.repeat(35), '', 'CHASUS33', ['error account_number_length']],
      ['12_45', '', 'CHASUS33', ['error account_number_characters']],
      ['1.23457E+11', '', 'CHASUS33', ['error account_number_scientific']],
      ['12345678', '', '', ['error bic_missing']],
      ['12345678', '', 'CHASUS3', ['error bic_invalid']],
      ['12345678', '', 'CHASUS33X', ['error bic_invalid']],
      ['12345678', '', 'CHASZZ33', ['error bic_invalid']],
      ['12345678', '', '12345678', ['error bic_invalid']],
      ['', '', '', ['error account_number_missing', 'error bic_missing']],
    ]);
  }
});

describe('CNY_SWIFT', () => {
  table('CNY_SWIFT', [
    ['6222021001122337722', '102100099996', 'ICBKCNBJ', []],
    ['6222021001122337722', '', 'ICBKCNBJ', []],
    ['6222021001122337722', '1021 0009 9996', 'ICBKCNBJSHI', []],
    ['012875012345', '', 'BKCHHKHH', []],
    ['LU28 0019 4006 4475 0000', '', 'BCEELULL', []],
    ['6222021001122337722', '10210009999', 'ICBKCNBJ', ['error cnaps_length']],
    ['6222021001122337722', '1021000999966', 'ICBKCNBJ', ['error cnaps_length']],
    ['6222021001122337722', '1.021E+11', 'ICBKCNBJ', ['error cnaps_scientific']],
    ['6222021001122337722', '10210009999X', 'ICBKCNBJ', ['error cnaps_characters']],
    ['6.22202E+18', '', '', ['error account_number_scientific', 'error bic_missing']],
  ]);
});

describe('HKD_FPS and HKD_CHATS', () => {
  for (const name of ['HKD_FPS', 'HKD_CHATS'] as const)
    table(name, [
      ['123-456789-838', '004', '', []],
      ['123456789', '388', '', []],
      ['12345678', '388', '', ['warning account_number_unusual']],
      ['123456', '388', '', ['warning account_number_unusual']],
      ['1'.repeat(17), '012', '', []],
      ['12345', '004', '', ['error account_number_length']],
      ['1'.repeat(18), '004', '', ['error account_number_length']],
      ['12345678A', '004', '', ['error account_number_characters']],
      ['1.23457E+11', '004', '', ['error account_number_scientific']],
      ['123456789', '4', '', ['error bank_code_leading_zero']],
      ['123456789', '24', '', ['error bank_code_leading_zero']],
      ['123456789', '0004', '', ['error bank_code_length']],
      ['123456789', 'HSBC', '', ['error bank_code_characters']],
      ['', '', '', ['error account_number_missing', 'error bank_code_missing']],
    ]);

  table('HKD_CHATS', [
    ['123456789', '004', 'HSBCHKHHHKH', []],
    ['123456789', '004', 'HSBCHKH', ['error bic_invalid']],
    ['123456789', '004', 'CHASUS33', ['warning bic_country']],
  ]);
});

describe('MXN_SWIFT, COP_SWIFT, INR_SWIFT and IDR_SWIFT', () => {
  table('MXN_SWIFT', [
    ['032180000118359719', '', 'BNMXMXMM', []],
    ['0321 8000 0118 3597 19', '', 'BNMXMXMMXXX', []],
    ['032180000118359719', '', 'CHASUS33', ['warning bic_country']],
    ['032180000118359718', '', 'BNMXMXMM', ['error clabe_checksum']],
    ['32180000118359719', '', 'BNMXMXMM', ['error clabe_leading_zero']],
    ['6.46180E+17', '', 'BNMXMXMM', ['error clabe_scientific']],
    ['032180000118359719', '', '', ['error bic_missing']],
  ]);
  table('COP_SWIFT', [
    ['123', '', 'COLOCOBM', []],
    ['031-123456-78', '', 'COLOCOBM', []],
    ['1'.repeat(18), '', 'COLOCOBM', []],
    ['12', '', 'COLOCOBM', ['error account_number_length']],
    ['1'.repeat(19), '', 'COLOCOBM', ['error account_number_length']],
    ['12A4', '', 'COLOCOBM', ['error account_number_characters']],
    ['12345', '', 'ITAUBRSP', ['warning bic_country']],
    ['', '', '', ['error account_number_missing', 'error bic_missing']],
  ]);
  table('INR_SWIFT', [
    ['50100234567812', '', 'HDFCINBB', []],
    ['50100234567812', 'hdfc 0000 123', 'HDFCINBBXXX', []],
    ['12345', '', 'HDFCINBB', ['error account_number_length']],
    ['1'.repeat(21), '', 'HDFCINBB', ['error account_number_length']],
    ['50100234567812', 'HDFCO000123', 'HDFCINBB', ['error ifsc_invalid']],
    ['50100234567812', 'HDFC0000123', '', ['error bic_missing']],
    ['50100234567812', 'HDFC0000123', 'HSBCHKHH', ['warning bic_country']],
  ]);
  table('IDR_SWIFT', [
    ['12345', '', 'CENAIDJA', []],
    ['123-456-7890', '', 'CENAIDJAXXX', []],
    ['1'.repeat(16), '', 'CENAIDJA', []],
    ['1234', '', 'CENAIDJA', ['error account_number_length']],
    ['1'.repeat(17), '', 'CENAIDJA', ['error account_number_length']],
    ['1.23E+9', '', 'CENAIDJA', ['error account_number_scientific']],
    ['1234567890', '', 'CENAID', ['error bic_invalid']],
  ]);
});

describe('EUR_SWIFT, BRL_SWIFT and AED_SWIFT', () => {
  table('EUR_SWIFT', [
    ['DE89 3704 0044 0532 0130 00', '', 'COBADEFFXXX', []],
    ['SA03 8000 0000 6080 1016 7519', '', 'RJHISARI', []],
    ['GB29NWBK60161331926819', '', 'BNPARERX', ['warning bic_country']],
    ['DE89370400440532013000', '', 'NWBKGB2L', ['warning bic_country']],
    ['DE89370400440532013000', '', '', ['error bic_missing']],
    ['DE89370400440532013001', '', 'COBADEFF', ['error iban_checksum']],
    ['US64SVBKUS6S3300958879', '', 'CHASUS33', ['error iban_country']],
    ['12345678', '', 'COBADEFF', ['error iban_characters']],
    ['BE41539007547035', '', 'GKCCBEBB', ['warning iban_national_check']],
    ['', '', '', ['error iban_missing', 'error bic_missing']],
  ]);
  // The registry's notes on GB, FR and FI: "country code includes".
  it.each([
    ['GB29NWBK60161331926819', 'GG IM JE'],
    ['FR1420041010050500013M02606', 'BL GF GP MF MQ NC PF PM RE TF WF YT'],
    ['FI2112345600000785', 'AX'],
  ])('EUR_SWIFT: %s may be kept at a bank in %s', (account_number, countries) => {
    for (const country of countries.split(' '))
      expect(verdicts('EUR_SWIFT', { account_number, bic: `BANK${country}2X` })).toEqual([]);
    expect(verdicts('EUR_SWIFT', { account_number, bic: 'BANKDE2X' })).toEqual(['warning bic_country']);
  });
  table('BRL_SWIFT', [
    ['BR18 0036 0305 0000 1000 9795 493C 1', '', 'ITAUBRSP', []],
    ['BR1500000000000010932840814P2', '', 'BRASBRRJ', []],
    ['BR1800360305000010009795493C2', '', 'ITAUBRSP', ['error iban_checksum']],
    ['BR180036030500001000979549C1', '', 'ITAUBRSP', ['error iban_length']],
    ['DE89370400440532013000', '', 'COBADEFF', ['error iban_of_another_country']],
    ['BR1800360305000010009795493C1', '', 'COBADEFF', ['warning bic_country']],
    ['111.444.777-35', '', 'ITAUBRSP', ['error iban_characters']],
  ]);
  table('AED_SWIFT', [
    ['AE07 0331 2345 6789 0123 456', '', 'EBILAEAD', []],
    ['AE070331234567890123457', '', 'EBILAEAD', ['error iban_checksum']],
    ['AE07033123456789012345', '', 'EBILAEAD', ['error iban_length']],
    ['AE0703312345678901234567', '', 'EBILAEAD', ['error iban_length']],
    ['SA0380000000608010167519', '', 'RJHISARI', ['error iban_of_another_country']],
    ['BE41539007547035', '', 'GKCCBEBB', ['warning iban_national_check', 'error iban_of_another_country']],
    ['1.01234E+15', '', 'EBILAEAD', ['error iban_scientific']],
    ['AE070331234567890123456', '', '', ['error bic_missing']],
  ]);
});

describe('the reference of a SWIFT message', () => {
  const codes = (name: RailName, reference: string) =>
    railOf(name)
      .checkReference(reference)
      .map(({ severity, code }) => `${severity} ${code}`);
  const SWIFT = [
    'USD_SWIFT',
    'SGD_SWIFT',
    'HKD_SWIFT',
    'HKD_CHATS',
    'CNY_SWIFT',
    'MXN_SWIFT',
    'COP_SWIFT',
    'BRL_SWIFT',
    'EUR_SWIFT',
    'INR_SWIFT',
    'AED_SWIFT',
    'IDR_SWIFT',
  ] as const;
  /** A sign at the begin of a line, or one before it. */
  const at = (index: number, sign: string) => `${'x'.repeat(index)}${sign}xx`;

  it.each(SWIFT)('%s has the SWIFT set, four lines of 35, and no line that begins with - or :', (name) => {
    expect(codes(name, "a-zA-Z0-9/-?:().,'+ ")).toEqual([]);
    expect(codes(name, 'x'.repeat(140))).toEqual([]);
    expect(codes(name, 'x'.repeat(141))).toEqual(['error reference_too_long']);
    for (const refused of ['Müller', 'a_b', 'a&b', 'a\nb', '-begin', ':begin', '工资'])
      expect(codes(name, refused)).toEqual(['error reference_characters']);
    for (const index of [35, 70, 105])
      for (const sign of ['-', ':']) {
        expect(codes(name, at(index, sign))).toEqual(['warning reference_line_start']);
        expect(codes(name, at(index - 1, sign))).toEqual([]);
        expect(codes(name, at(index + 1, sign))).toEqual([]);
      }
  });

  it.each(['HKD_FPS', 'BRL_PIX'] as const)('%s is no SWIFT message and carries any characters', (name) => {
    expect(codes(name, `工资 São Paulo - ${'é'.repeat(120)}`)).toEqual([]);
    expect(codes(name, 'é'.repeat(141))).toEqual(['error reference_too_long']);
  });
});

describe('an IBAN behind the word IBAN', () => {
  const suggestion = (name: RailName, account_number: string) => {
    const [found] = railOf(name).check(railOf(name).normalise({ ...NO_FIELDS, account_number, bic: 'COBADEFF' }));
    expect(found?.severity).toBe('error');
    return found?.suggestion;
  };

  it.each<[RailName, string, string | undefined]>([
    ['EUR_SEPA', 'IBAN DE89 3704 0044 0532 0130 00', 'DE89370400440532013000'],
    ['EUR_SEPA', 'iban:de89370400440532013000', 'DE89370400440532013000'],
    ['EUR_SEPA', 'IBAN: IBAN DE89 3704 0044 0532 0130 00', 'DE89370400440532013000'],
    ['EUR_SEPA', 'DE89 IBAN 3704 0044 0532 0130 00', undefined],
    ['EUR_SEPA', 'IBAN DE89 3704 0044 0532 0130 01', undefined],
    ['EUR_SEPA', 'IBAN', undefined],
    ['EUR_SEPA', 'IBAN AE070331234567890123456', undefined],
    ['EUR_SWIFT', 'IBAN AE070331234567890123456', 'AE070331234567890123456'],
    ['AED_SWIFT', 'IBAN AE070331234567890123456', 'AE070331234567890123456'],
    ['AED_SWIFT', 'IBAN DE89370400440532013000', undefined],
    ['BRL_SWIFT', 'DE89370400440532013000 IBAN', undefined],
  ])('%s: for %j write %j', (name, written, expected) => {
    expect(suggestion(name, written)).toBe(expected);
  });
});
