import type { RailFields, RailName } from '../../domain/rails/rail.ts';

/** A template's notes on one rail. */
export type TemplateRail = {
  /** What goes into the columns that the rail reads, in a few words. */
  rules: Partial<Record<keyof RailFields, string>>;
  /** An account for documentation, which has no owner: of the IBAN registry, of EIP-55, or plainly made up. */
  example: Partial<RailFields>;
};

const US_ACCOUNT = '4 to 17 letters and digits';
const ABA = 'the routing number (ABA), 9 digits';
const BIC = 'the BIC (SWIFT code), 8 or 11 characters';
const SWIFT_ACCOUNT = 'the account number, 4 to 34 characters, or the IBAN';
const HONG_KONG_ACCOUNT = '6 to 17 digits';
const HONG_KONG_BANK = 'the bank code, 3 digits';
const CLABE = 'the CLABE, 18 digits';
const IFSC = 'the IFSC, 11 characters';

/** One for every rail of the specification: a rail without one does not compile. */
export const TEMPLATE_RAILS: Readonly<Record<RailName, TemplateRail>> = {
  AUD_NPP: {
    rules: { account_number: '4 to 9 digits', national_clearing_code: 'the BSB, 6 digits' },
    example: { account_number: '12345678', national_clearing_code: '062-000' },
  },
  USD_ACH: {
    rules: { account_number: US_ACCOUNT, national_clearing_code: ABA, account_type: 'checking (default) or savings' },
    example: { account_number: '000123456789', national_clearing_code: '110000000', account_type: 'checking' },
  },
  USD_WIRE: {
    rules: { account_number: US_ACCOUNT, national_clearing_code: ABA },
    example: { account_number: '000123456789', national_clearing_code: '110000000' },
  },
  USD_SWIFT: {
    rules: { account_number: SWIFT_ACCOUNT, bic: BIC },
    example: { account_number: 'GB29NWBK60161331926819', bic: 'NWBKGB2L' },
  },
  SGD_SWIFT: {
    rules: { account_number: SWIFT_ACCOUNT, bic: BIC },
    example: { account_number: '0001234567', bic: 'DBSSSGSG' },
  },
  HKD_SWIFT: {
    rules: { account_number: SWIFT_ACCOUNT, bic: BIC },
    example: { account_number: '000123456789', bic: 'HSBCHKHHHKH' },
  },
  HKD_FPS: {
    rules: { account_number: HONG_KONG_ACCOUNT, national_clearing_code: HONG_KONG_BANK },
    example: { account_number: '000123456789', national_clearing_code: '004' },
  },
  HKD_CHATS: {
    rules: { account_number: HONG_KONG_ACCOUNT, national_clearing_code: HONG_KONG_BANK, bic: `optional: ${BIC}` },
    example: { account_number: '000123456789', national_clearing_code: '004', bic: 'HSBCHKHHHKH' },
  },
  CNY_SWIFT: {
    rules: {
      account_number: 'the account number, 4 to 34 characters',
      national_clearing_code: 'optional: the CNAPS code, 12 digits',
      bic: BIC,
    },
    example: { account_number: '0000123456789012', national_clearing_code: '102100099996', bic: 'ICBKCNBJ' },
  },
  MXN_SPEI: {
    rules: { account_number: CLABE },
    example: { account_number: '032180000118359719' },
  },
  MXN_SWIFT: {
    rules: { account_number: CLABE, bic: BIC },
    example: { account_number: '032180000118359719', bic: 'BNMXMXMM' },
  },
  COP_SWIFT: {
    rules: { account_number: '3 to 18 digits', bic: BIC },
    example: { account_number: '00012345678', bic: 'COLOCOBM' },
  },
  BRL_PIX: {
    rules: { account_number: 'the PIX key: CPF, CNPJ, +55 and the phone number, e-mail, or random key' },
    example: { account_number: 'payee@example.com' },
  },
  BRL_SWIFT: {
    rules: { account_number: 'the IBAN, BR and 27 characters', bic: BIC },
    example: { account_number: 'BR1800360305000010009795493C1', bic: 'ITAUBRSP' },
  },
  GBP_FPS: {
    rules: { account_number: '8 digits', national_clearing_code: 'the sort code, 6 digits' },
    example: { account_number: '31926819', national_clearing_code: '60-16-13' },
  },
  EUR_SEPA: {
    rules: { account_number: 'the IBAN', bic: `optional: ${BIC}` },
    example: { account_number: 'DE89370400440532013000' },
  },
  EUR_SWIFT: {
    rules: { account_number: 'the IBAN', bic: BIC },
    example: { account_number: 'SA0380000000608010167519', bic: 'RJHISARI' },
  },
  INR_IMPS: {
    rules: { account_number: '6 to 20 digits', national_clearing_code: IFSC },
    example: { account_number: '000123456789', national_clearing_code: 'HDFC0000123' },
  },
  INR_SWIFT: {
    rules: { account_number: '6 to 20 digits', national_clearing_code: `optional: ${IFSC}`, bic: BIC },
    example: { account_number: '000123456789', national_clearing_code: 'HDFC0000123', bic: 'HDFCINBB' },
  },
  AED_SWIFT: {
    rules: { account_number: 'the IBAN, AE and 21 digits', bic: BIC },
    example: { account_number: 'AE070331234567890123456', bic: 'EBILAEAD' },
  },
  IDR_SWIFT: {
    rules: { account_number: '5 to 16 digits', bic: BIC },
    example: { account_number: '0001234567', bic: 'CENAIDJA' },
  },
  WEB3: {
    rules: { wallet_address: '0x and 40 hexadecimal digits', chain: 'the network of the wallet' },
    example: { wallet_address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', chain: 'polygon' },
  },
};
