import { RAIL_NAMES, type RailFields, type RailName } from '../../src/domain/rails/rail.ts';

/** An account that can be paid by a rail, and how people get it wrong. */
export type ExampleDestination = {
  /** What the rail pays; for WEB3 one of the assets. */
  currency: string;
  fields: Partial<RailFields>;
  /** Other values for some of the fields, and the codes of the errors that these have, in order. */
  wrong: Partial<RailFields>;
  errors: string[];
};

/** One for every rail of the specification: a rail without one does not compile. IBANs are those of the IBAN registry. */
export const DESTINATIONS: Readonly<Record<RailName, ExampleDestination>> = {
  AUD_NPP: {
    currency: 'AUD',
    fields: { account_number: '12345678', national_clearing_code: '062-000' },
    wrong: { account_number: '123', national_clearing_code: '62000' },
    errors: ['account_number_length', 'bsb_leading_zero'],
  },
  USD_ACH: {
    currency: 'USD',
    fields: { account_number: '000123456789', national_clearing_code: '021000021', account_type: 'savings' },
    wrong: { account_number: '12_4', national_clearing_code: '021000022', account_type: 'current' },
    errors: ['account_number_characters', 'aba_checksum', 'account_type_invalid'],
  },
  USD_WIRE: {
    currency: 'USD',
    fields: { account_number: '000123456702', national_clearing_code: '021000021' },
    wrong: { account_number: '1.23457E+11', national_clearing_code: '21000021' },
    errors: ['account_number_scientific', 'aba_leading_zero'],
  },
  USD_SWIFT: {
    currency: 'USD',
    fields: { account_number: 'GB29 NWBK 6016 1331 9268 19', bic: 'NWBKGB2L' },
    wrong: { account_number: 'GB29 NWBK 6016 1331 9268 18', bic: '' },
    errors: ['iban_checksum', 'bic_missing'],
  },
  SGD_SWIFT: {
    currency: 'SGD',
    fields: { account_number: '003-900123-4', bic: 'DBSSSGSG' },
    wrong: { account_number: '123', bic: 'DBSSSGS' },
    errors: ['account_number_length', 'bic_invalid'],
  },
  HKD_SWIFT: {
    currency: 'HKD',
    fields: { account_number: '123-456789-838', bic: 'HSBCHKHHHKH' },
    wrong: { account_number: '1.23457E+11', bic: 'HSBC' },
    errors: ['account_number_scientific', 'bic_invalid'],
  },
  HKD_FPS: {
    currency: 'HKD',
    fields: { account_number: '123-456789-838', national_clearing_code: '004' },
    wrong: { account_number: '12345', national_clearing_code: '4' },
    errors: ['account_number_length', 'bank_code_leading_zero'],
  },
  HKD_CHATS: {
    currency: 'HKD',
    fields: { account_number: '123-456789-001', national_clearing_code: '004', bic: 'HSBCHKHHHKH' },
    wrong: { account_number: '12345678A', national_clearing_code: '', bic: 'HSBCZZHH' },
    errors: ['account_number_characters', 'bank_code_missing', 'bic_invalid'],
  },
  CNY_SWIFT: {
    currency: 'CNY',
    fields: { account_number: '6222021001122337722', national_clearing_code: '102100099996', bic: 'ICBKCNBJ' },
    wrong: { account_number: '', national_clearing_code: '10210009999', bic: '' },
    errors: ['account_number_missing', 'cnaps_length', 'bic_missing'],
  },
  MXN_SPEI: {
    currency: 'MXN',
    fields: { account_number: '032180000118359719' },
    wrong: { account_number: '032180000118359718' },
    errors: ['clabe_checksum'],
  },
  MXN_SWIFT: {
    currency: 'MXN',
    fields: { account_number: '032180000118359719', bic: 'BNMXMXMM' },
    wrong: { account_number: '32180000118359719', bic: 'BNMXMXM' },
    errors: ['clabe_leading_zero', 'bic_invalid'],
  },
  COP_SWIFT: {
    currency: 'COP',
    fields: { account_number: '031-123456-78', bic: 'COLOCOBM' },
    wrong: { account_number: '12', bic: '' },
    errors: ['account_number_length', 'bic_missing'],
  },
  BRL_PIX: {
    currency: 'BRL',
    fields: { account_number: '111.444.777-35' },
    wrong: { account_number: '11987654321' },
    errors: ['pix_key_phone_prefix'],
  },
  BRL_SWIFT: {
    currency: 'BRL',
    fields: { account_number: 'BR18 0036 0305 0000 1000 9795 493C 1', bic: 'ITAUBRSP' },
    wrong: { account_number: 'DE89370400440532013000', bic: '' },
    errors: ['iban_of_another_country', 'bic_missing'],
  },
  GBP_FPS: {
    currency: 'GBP',
    fields: { account_number: '31926819', national_clearing_code: '60-16-13' },
    wrong: { account_number: '3192681', national_clearing_code: '6016130' },
    errors: ['account_number_leading_zero', 'sort_code_length'],
  },
  EUR_SEPA: {
    currency: 'EUR',
    fields: { account_number: 'DE89 3704 0044 0532 0130 00', bic: 'COBADEFFXXX' },
    wrong: { account_number: 'DE89370400440532013001', bic: 'COBADEF' },
    errors: ['iban_checksum', 'bic_invalid'],
  },
  EUR_SWIFT: {
    currency: 'EUR',
    fields: { account_number: 'SA03 8000 0000 6080 1016 7519', bic: 'RJHISARI' },
    wrong: { account_number: '12345678', bic: '' },
    errors: ['iban_characters', 'bic_missing'],
  },
  INR_IMPS: {
    currency: 'INR',
    fields: { account_number: '50100234567812', national_clearing_code: 'HDFC0000123' },
    wrong: { account_number: '12345', national_clearing_code: 'HDFCO000123' },
    errors: ['account_number_length', 'ifsc_invalid'],
  },
  INR_SWIFT: {
    currency: 'INR',
    fields: { account_number: '50100234567829', national_clearing_code: 'HDFC0000123', bic: 'HDFCINBB' },
    wrong: { account_number: '5.01E+13', national_clearing_code: 'HDFC000012', bic: '' },
    errors: ['account_number_scientific', 'ifsc_invalid', 'bic_missing'],
  },
  AED_SWIFT: {
    currency: 'AED',
    fields: { account_number: 'AE07 0331 2345 6789 0123 456', bic: 'EBILAEAD' },
    wrong: { account_number: 'AE07033123456789012345', bic: 'EBILAEA' },
    errors: ['iban_length', 'bic_invalid'],
  },
  IDR_SWIFT: {
    currency: 'IDR',
    fields: { account_number: '1234567890', bic: 'CENAIDJA' },
    wrong: { account_number: '12345678901234567', bic: '' },
    errors: ['account_number_length', 'bic_missing'],
  },
  WEB3: {
    currency: 'USDC',
    fields: { wallet_address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', chain: 'polygon' },
    wrong: { wallet_address: '0x0000000000000000000000000000000000000000', chain: 'polygon' },
    errors: ['wallet_address_zero'],
  },
};

export type ExampleRow = { name: string; rail: RailName; currency: string; fields: Partial<RailFields> };

/** A payee for every rail. */
export const EXAMPLE_ROWS: readonly ExampleRow[] = RAIL_NAMES.map((rail) => {
  const { currency, fields } = DESTINATIONS[rail];
  return { name: `Payee by ${rail}`, rail, currency, fields };
});

const COLUMNS = ['account_number', 'national_clearing_code', 'bic', 'account_type', 'wallet_address', 'chain'] as const;

/** The rows as a CSV file, a thousand of its currency to each. */
export function csvOf(rows: readonly ExampleRow[]): string {
  const lines = rows.map(({ name, rail, currency, fields }) =>
    [name, '1000', currency, rail, ...COLUMNS.map((column) => fields[column] ?? '')].join(','),
  );
  return `${['name', 'amount', 'currency', 'rail', ...COLUMNS].join(',')}\n${lines.join('\n')}\n`;
}
