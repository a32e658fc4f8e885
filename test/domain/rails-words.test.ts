import { describe, expect, it } from 'vitest';
import { type Finding, NO_FIELDS, type RailFields, type RailName } from '../../src/domain/rails/rail.ts';
import { RAILS, railOf } from '../../src/domain/rails/registry.ts';

/** What people and programs are told: severity, code, field, message, remedy and, where there is one, the suggestion. */
type Told = [Finding['severity'], string, Finding['field'], string, string, string?];

function told({ severity, code, field, message, remedy, suggestion }: Finding): Told {
  return suggestion === undefined
    ? [severity, code, field, message, remedy]
    : [severity, code, field, message, remedy, suggestion];
}

const FIELDS: [RailName, Partial<RailFields>, Told[]][] = [
  [
    'AUD_NPP',
    { account_number: '1234', national_clearing_code: '62000' },
    [
      [
        'warning',
        'account_number_unusual',
        'account_number',
        'The account number has 4 digits; those of Australian banks usually have 6 to 9 digits.',
        'Compare the account number with its source.',
      ],
      [
        'error',
        'bsb_leading_zero',
        'national_clearing_code',
        'The BSB has 5 digits instead of 6: a spreadsheet has probably dropped leading zeros.',
        'If 062000 is right, write that and format the column as text.',
      ],
    ],
  ],
  [
    'AUD_NPP',
    { account_number: '123', national_clearing_code: '06200O' },
    [
      [
        'error',
        'account_number_length',
        'account_number',
        'The account number has 3 digits; it must have 4 to 9 digits.',
        'Compare the account number with its source.',
      ],
      [
        'error',
        'bsb_characters',
        'national_clearing_code',
        'The BSB has characters that do not belong there.',
        'Write 6 digits and nothing else.',
      ],
    ],
  ],
  [
    'AUD_NPP',
    {},
    [
      [
        'error',
        'account_number_missing',
        'account_number',
        'The account number is missing.',
        'Fill in the account number.',
      ],
      ['error', 'bsb_missing', 'national_clearing_code', 'The BSB is missing.', 'Fill in the BSB.'],
    ],
  ],
  [
    'AUD_NPP',
    { account_number: '1.2E+8', national_clearing_code: '1234567' },
    [
      [
        'error',
        'account_number_scientific',
        'account_number',
        'The account number is in scientific notation: a spreadsheet took it for a number and has lost digits.',
        'Format the column as text, then type the account number again from its source.',
      ],
      [
        'error',
        'bsb_length',
        'national_clearing_code',
        'The BSB has 7 digits; it must have 6 digits.',
        'Compare the BSB with its source.',
      ],
    ],
  ],
  [
    'AUD_NPP',
    { account_number: '12A4', national_clearing_code: '062000' },
    [
      [
        'error',
        'account_number_characters',
        'account_number',
        'The account number has characters that do not belong there.',
        'Write 4 to 9 digits and nothing else.',
      ],
    ],
  ],
  [
    'USD_ACH',
    { account_number: '12_4', national_clearing_code: '021000022', account_type: 'current' },
    [
      [
        'error',
        'account_number_characters',
        'account_number',
        'The account number has characters that do not belong there.',
        'Write 4 to 17 letters and digits and nothing else.',
      ],
      [
        'error',
        'aba_checksum',
        'national_clearing_code',
        'The routing number (ABA) does not satisfy its checksum, so at least one digit is wrong.',
        'Compare the routing number with its source, digit by digit.',
      ],
      [
        'error',
        'account_type_invalid',
        'account_type',
        'The account type is neither checking nor savings.',
        'Write checking or savings, or leave it empty for checking.',
      ],
    ],
  ],
  [
    'USD_ACH',
    { account_number: '123', national_clearing_code: '21000021' },
    [
      [
        'error',
        'account_number_length',
        'account_number',
        'The account number has 3 letters and digits; it must have 4 to 17 letters and digits.',
        'Compare the account number with its source.',
      ],
      [
        'error',
        'aba_leading_zero',
        'national_clearing_code',
        'The routing number (ABA) has 8 digits instead of 9: a spreadsheet has probably dropped leading zeros.',
        'If 021000021 is right, write that and format the column as text.',
      ],
    ],
  ],
  [
    'USD_ACH',
    { account_number: '1234', national_clearing_code: '' },
    [
      [
        'error',
        'aba_missing',
        'national_clearing_code',
        'The routing number (ABA) is missing.',
        'Fill in the routing number (ABA).',
      ],
    ],
  ],
  [
    'USD_WIRE',
    { account_number: '', national_clearing_code: '02100002X' },
    [
      [
        'error',
        'account_number_missing',
        'account_number',
        'The account number is missing.',
        'Fill in the account number.',
      ],
      [
        'error',
        'aba_characters',
        'national_clearing_code',
        'The routing number (ABA) has characters that do not belong there.',
        'Write 9 digits and nothing else.',
      ],
    ],
  ],
  [
    'USD_WIRE',
    { account_number: '1.2E+8', national_clearing_code: '0210000210' },
    [
      [
        'error',
        'account_number_scientific',
        'account_number',
        'The account number is in scientific notation: a spreadsheet took it for a number and has lost digits.',
        'Format the column as text, then type the account number again from its source.',
      ],
      [
        'error',
        'aba_length',
        'national_clearing_code',
        'The routing number (ABA) has 10 digits; it must have 9 digits.',
        'Compare the routing number (ABA) with its source.',
      ],
    ],
  ],
  [
    'GBP_FPS',
    { account_number: '319268', national_clearing_code: '90128' },
    [
      [
        'error',
        'account_number_leading_zero',
        'account_number',
        'The account number has 6 digits instead of 8: a spreadsheet has probably dropped leading zeros.',
        'If 00319268 is right, write that and format the column as text.',
      ],
      [
        'error',
        'sort_code_leading_zero',
        'national_clearing_code',
        'The sort code has 5 digits instead of 6: a spreadsheet has probably dropped leading zeros.',
        'If 090128 is right, write that and format the column as text.',
      ],
    ],
  ],
  [
    'GBP_FPS',
    { account_number: '31926', national_clearing_code: '' },
    [
      [
        'error',
        'account_number_length',
        'account_number',
        'The account number has 5 digits; it must have 8 digits.',
        'Compare the account number with its source.',
      ],
      ['error', 'sort_code_missing', 'national_clearing_code', 'The sort code is missing.', 'Fill in the sort code.'],
    ],
  ],
  [
    'GBP_FPS',
    { account_number: '', national_clearing_code: 'six' },
    [
      [
        'error',
        'account_number_missing',
        'account_number',
        'The account number is missing.',
        'Fill in the account number.',
      ],
      [
        'error',
        'sort_code_characters',
        'national_clearing_code',
        'The sort code has characters that do not belong there.',
        'Write 6 digits and nothing else.',
      ],
    ],
  ],
  [
    'GBP_FPS',
    { account_number: '31926819', national_clearing_code: '6.1E+05' },
    [
      [
        'error',
        'sort_code_scientific',
        'national_clearing_code',
        'The sort code is in scientific notation: a spreadsheet took it for a number and has lost digits.',
        'Format the column as text, then type the sort code again from its source.',
      ],
    ],
  ],
  [
    'HKD_FPS',
    { account_number: '12345678', national_clearing_code: '4' },
    [
      [
        'warning',
        'account_number_unusual',
        'account_number',
        'The account number has 8 digits; those of banks in Hong Kong usually have 9 to 17 digits.',
        'Compare the account number with its source.',
      ],
      [
        'error',
        'bank_code_leading_zero',
        'national_clearing_code',
        'The bank code has 1 digits instead of 3: a spreadsheet has probably dropped leading zeros.',
        'If 004 is right, write that and format the column as text.',
        '004',
      ],
    ],
  ],
  [
    'HKD_FPS',
    { account_number: '12345', national_clearing_code: '0004' },
    [
      [
        'error',
        'account_number_length',
        'account_number',
        'The account number has 5 digits; it must have 6 to 17 digits.',
        'Compare the account number with its source.',
      ],
      [
        'error',
        'bank_code_length',
        'national_clearing_code',
        'The bank code has 4 digits; it must have 3 digits.',
        'Compare the bank code with its source.',
      ],
    ],
  ],
  [
    'HKD_CHATS',
    { account_number: '', national_clearing_code: '', bic: 'HSBC' },
    [
      [
        'error',
        'account_number_missing',
        'account_number',
        'The account number is missing.',
        'Fill in the account number.',
      ],
      ['error', 'bank_code_missing', 'national_clearing_code', 'The bank code is missing.', 'Fill in the bank code.'],
      [
        'error',
        'bic_invalid',
        'bic',
        'The BIC is not one: a BIC has 8 or 11 letters and digits, with the country at the fifth and sixth.',
        'Compare the BIC with its source, or leave it empty.',
      ],
    ],
  ],
  [
    'HKD_CHATS',
    { account_number: '123456789', national_clearing_code: 'HSB', bic: 'CHASUS33' },
    [
      [
        'error',
        'bank_code_characters',
        'national_clearing_code',
        'The bank code has characters that do not belong there.',
        'Write 3 digits and nothing else.',
      ],
      [
        'warning',
        'bic_country',
        'bic',
        'The BIC is that of a bank in US, and the account is in HK.',
        'Make sure that the BIC and the account belong together.',
      ],
    ],
  ],
  [
    'USD_SWIFT',
    { account_number: '', bic: '' },
    [
      [
        'error',
        'account_number_missing',
        'account_number',
        'The account number is missing.',
        'Fill in the account number.',
      ],
      ['error', 'bic_missing', 'bic', 'The BIC is missing.', 'Fill in the BIC.'],
    ],
  ],
  [
    'USD_SWIFT',
    { account_number: 'GB29 1234', bic: 'COBA' },
    [
      [
        'warning',
        'iban_short',
        'account_number',
        'The account number begins like an IBAN, but has 8 characters; an IBAN of GB has 22.',
        'Compare the account number with its source.',
      ],
      [
        'error',
        'bic_invalid',
        'bic',
        'The BIC is not one: a BIC has 8 or 11 letters and digits, with the country at the fifth and sixth.',
        'Compare the BIC with its source.',
      ],
    ],
  ],
  [
    'USD_SWIFT',
    { account_number: '12_45', bic: 'CHASUS33' },
    [
      [
        'error',
        'account_number_characters',
        'account_number',
        'The account number has characters that do not belong there.',
        'Write 4 to 34 letters and digits and nothing else.',
      ],
    ],
  ],
  [
    'USD_SWIFT',
    { account_number: '123', bic: 'CHASUS33' },
    [
      [
        'error',
        'account_number_length',
        'account_number',
        'The account number has 3 letters and digits; it must have 4 to 34 letters and digits.',
        'Compare the account number with its source.',
      ],
    ],
  ],
  [
    'SGD_SWIFT',
    { account_number: '11111111111111111111', bic: 'DBSSSGSG' },
    [
      [
        'warning',
        'account_number_unusual',
        'account_number',
        'Account numbers of banks in Singapore have at most 19 digits and no letters.',
        'Compare the account number with its source.',
      ],
    ],
  ],
  [
    'CNY_SWIFT',
    { account_number: '12345', national_clearing_code: '1', bic: 'ICBKCNBJ' },
    [
      [
        'error',
        'cnaps_length',
        'national_clearing_code',
        'The bank code (CNAPS) has 1 digits; it must have 12 digits.',
        'Compare the bank code (CNAPS) with its source.',
      ],
    ],
  ],
  [
    'CNY_SWIFT',
    { account_number: '12345', national_clearing_code: '1.02E+11', bic: 'ICBKCNBJ' },
    [
      [
        'error',
        'cnaps_scientific',
        'national_clearing_code',
        'The bank code (CNAPS) is in scientific notation: a spreadsheet took it for a number and has lost digits.',
        'Format the column as text, then type the bank code (CNAPS) again from its source.',
      ],
    ],
  ],
  [
    'MXN_SPEI',
    { account_number: '032180000118359718' },
    [
      [
        'error',
        'clabe_checksum',
        'account_number',
        'The check digit of the CLABE is wrong, so at least one digit is.',
        'Compare the CLABE with its source, digit by digit.',
      ],
    ],
  ],
  [
    'MXN_SPEI',
    { account_number: '32180000118359719' },
    [
      [
        'error',
        'clabe_leading_zero',
        'account_number',
        'The CLABE has 17 digits instead of 18: a spreadsheet has probably dropped leading zeros.',
        'If 032180000118359719 is right, write that and format the column as text.',
      ],
    ],
  ],
  [
    'MXN_SPEI',
    { account_number: '' },
    [['error', 'clabe_missing', 'account_number', 'The CLABE is missing.', 'Fill in the CLABE.']],
  ],
  [
    'MXN_SPEI',
    { account_number: '12' },
    [
      [
        'error',
        'clabe_length',
        'account_number',
        'The CLABE has 2 digits; it must have 18 digits.',
        'Compare the CLABE with its source.',
      ],
    ],
  ],
  [
    'MXN_SPEI',
    { account_number: '111995180118359718' },
    [
      [
        'error',
        'clabe_checksum',
        'account_number',
        'The check digit of the CLABE is wrong, so at least one digit is.',
        'Compare the CLABE with its source, digit by digit.',
      ],
    ],
  ],
  [
    'MXN_SPEI',
    { account_number: '6.46E+17' },
    [
      [
        'error',
        'clabe_scientific',
        'account_number',
        'The CLABE is in scientific notation: a spreadsheet took it for a number and has lost digits.',
        'Format the column as text, then type the CLABE again from its source.',
      ],
    ],
  ],
  [
    'MXN_SPEI',
    { account_number: '995180000118359717' },
    [
      [
        'warning',
        'clabe_bank_unknown',
        'account_number',
        'The check digit of the CLABE is right, but its bank or its city is not one we know.',
        'Compare the first six digits of the CLABE with its source.',
      ],
    ],
  ],
  [
    'MXN_SWIFT',
    { account_number: '032180000118359719', bic: 'CHASUS33' },
    [
      [
        'warning',
        'bic_country',
        'bic',
        'The BIC is that of a bank in US, and the account is in MX.',
        'Make sure that the BIC and the account belong together.',
      ],
    ],
  ],
  [
    'COP_SWIFT',
    { account_number: '12', bic: 'ITAUBRSP' },
    [
      [
        'error',
        'account_number_length',
        'account_number',
        'The account number has 2 digits; it must have 3 to 18 digits.',
        'Compare the account number with its source.',
      ],
      [
        'warning',
        'bic_country',
        'bic',
        'The BIC is that of a bank in BR, and the account is in CO.',
        'Make sure that the BIC and the account belong together.',
      ],
    ],
  ],
  [
    'IDR_SWIFT',
    { account_number: '1234', bic: 'CHASUS33' },
    [
      [
        'error',
        'account_number_length',
        'account_number',
        'The account number has 4 digits; it must have 5 to 16 digits.',
        'Compare the account number with its source.',
      ],
      [
        'warning',
        'bic_country',
        'bic',
        'The BIC is that of a bank in US, and the account is in ID.',
        'Make sure that the BIC and the account belong together.',
      ],
    ],
  ],
  [
    'EUR_SEPA',
    { account_number: '' },
    [['error', 'iban_missing', 'account_number', 'The IBAN is missing.', 'Fill in the IBAN.']],
  ],
  [
    'EUR_SEPA',
    { account_number: '6.4E+17' },
    [
      [
        'error',
        'iban_scientific',
        'account_number',
        'The IBAN is in scientific notation: a spreadsheet took it for a number and has lost digits.',
        'Format the column as text, then type the IBAN again from its source.',
      ],
    ],
  ],
  [
    'EUR_SEPA',
    { account_number: '12345678' },
    [
      [
        'error',
        'iban_characters',
        'account_number',
        'This is not an IBAN: an IBAN begins with two letters for its country.',
        'Compare the IBAN with its source, or ask the payee for it again.',
      ],
    ],
  ],
  [
    'EUR_SEPA',
    { account_number: 'IBAN: DE89370400440532013000' },
    [
      [
        'error',
        'iban_characters',
        'account_number',
        'The word IBAN stands before the IBAN itself.',
        'Write the IBAN alone.',
        'DE89370400440532013000',
      ],
    ],
  ],
  [
    'EUR_SEPA',
    { account_number: 'XX89370400440532013000' },
    [
      [
        'error',
        'iban_country',
        'account_number',
        'No IBANs are issued under the country code XX.',
        'Compare the IBAN with its source, or ask the payee for it again.',
      ],
    ],
  ],
  [
    'EUR_SEPA',
    { account_number: 'DE8937040044053201300' },
    [
      [
        'error',
        'iban_length',
        'account_number',
        'The IBAN has 21 characters; one of DE has 22.',
        'Compare the IBAN with its source, or ask the payee for it again.',
      ],
    ],
  ],
  [
    'EUR_SEPA',
    { account_number: 'DE8937040044053201300X' },
    [
      [
        'error',
        'iban_format',
        'account_number',
        'Letters and digits of the IBAN do not stand where DE has them.',
        'Compare the IBAN with its source, or ask the payee for it again.',
      ],
    ],
  ],
  [
    'EUR_SEPA',
    { account_number: 'DE89370400440532013001' },
    [
      [
        'error',
        'iban_checksum',
        'account_number',
        'The check digits of the IBAN are wrong, so at least one character is.',
        'Compare the IBAN with its source, or ask the payee for it again.',
      ],
    ],
  ],
  [
    'EUR_SEPA',
    { account_number: 'BE41539007547035' },
    [
      [
        'warning',
        'iban_national_check',
        'account_number',
        'The IBAN is well formed, but the check digit of its own country does not fit.',
        'Compare the IBAN with its source, or ask the payee for it again.',
      ],
    ],
  ],
  [
    'EUR_SEPA',
    { account_number: 'AE070331234567890123456' },
    [
      [
        'error',
        'iban_not_sepa',
        'account_number',
        'SEPA does not reach accounts in AE.',
        'Pay this account by another rail.',
      ],
    ],
  ],
  [
    'EUR_SEPA',
    { account_number: 'DE89370400440532013000', bic: 'COBA' },
    [
      [
        'error',
        'bic_invalid',
        'bic',
        'The BIC is not one: a BIC has 8 or 11 letters and digits, with the country at the fifth and sixth.',
        'Compare the BIC with its source, or leave it empty.',
      ],
    ],
  ],
  [
    'EUR_SEPA',
    { account_number: 'DE89370400440532013000', bic: 'NWBKGB2L' },
    [
      [
        'warning',
        'bic_country',
        'bic',
        'The BIC is that of a bank in GB, and the account is in DE.',
        'Make sure that the BIC and the account belong together.',
      ],
    ],
  ],
  [
    'AED_SWIFT',
    { account_number: 'DE89370400440532013000', bic: 'COBADEFF' },
    [
      [
        'error',
        'iban_of_another_country',
        'account_number',
        'This rail pays accounts in AE, and the IBAN is one of DE.',
        'Pay this account by another rail.',
      ],
    ],
  ],
  [
    'BRL_SWIFT',
    { account_number: 'DE89370400440532013000', bic: '' },
    [
      [
        'error',
        'iban_of_another_country',
        'account_number',
        'This rail pays accounts in BR, and the IBAN is one of DE.',
        'Pay this account by another rail.',
      ],
      ['error', 'bic_missing', 'bic', 'The BIC is missing.', 'Fill in the BIC.'],
    ],
  ],
  [
    'INR_IMPS',
    { account_number: '123456', national_clearing_code: '' },
    [
      [
        'warning',
        'account_number_unusual',
        'account_number',
        'The account number has 6 digits; those of Indian banks usually have 10 to 20 digits.',
        'Compare the account number with its source.',
      ],
      ['error', 'ifsc_missing', 'national_clearing_code', 'The IFSC is missing.', 'Fill in the IFSC.'],
    ],
  ],
  [
    'INR_IMPS',
    { account_number: '123456789012345', national_clearing_code: 'HDFC0000123' },
    [
      [
        'warning',
        'account_number_unusual',
        'account_number',
        'The account number has 15 digits; those of HDFC Bank have 14.',
        'Compare the account number with its source.',
      ],
    ],
  ],
  [
    'INR_IMPS',
    { account_number: '12345', national_clearing_code: 'HDFC1000123' },
    [
      [
        'error',
        'account_number_length',
        'account_number',
        'The account number has 5 digits; it must have 6 to 20 digits.',
        'Compare the account number with its source.',
      ],
      [
        'error',
        'ifsc_invalid',
        'national_clearing_code',
        'This is not an IFSC: four letters, a zero, then six letters or digits.',
        'Compare the IFSC with its source.',
      ],
    ],
  ],
  [
    'INR_IMPS',
    { account_number: '12345678901', national_clearing_code: 'HDFCO000123' },
    [
      [
        'error',
        'ifsc_invalid',
        'national_clearing_code',
        'The fifth character of the IFSC is the letter O; it must be a zero.',
        'Write HDFC0000123.',
        'HDFC0000123',
      ],
      [
        'warning',
        'account_number_unusual',
        'account_number',
        'The account number has 11 digits; those of HDFC Bank have 14.',
        'Compare the account number with its source.',
      ],
    ],
  ],
  [
    'INR_SWIFT',
    { account_number: '12345678901', national_clearing_code: 'HDFC', bic: 'HDFCINBB' },
    [
      [
        'error',
        'ifsc_invalid',
        'national_clearing_code',
        'This is not an IFSC: four letters, a zero, then six letters or digits.',
        'Compare the IFSC with its source, or leave it empty.',
      ],
    ],
  ],
  [
    'BRL_PIX',
    { account_number: '' },
    [['error', 'pix_key_missing', 'account_number', 'The PIX key is missing.', 'Fill in the PIX key.']],
  ],
  [
    'BRL_PIX',
    { account_number: '111.444.777-36' },
    [
      [
        'error',
        'cpf_checksum',
        'account_number',
        'The check digits of the CPF are wrong, so at least one character is.',
        'Compare the CPF with its source.',
      ],
    ],
  ],
  [
    'BRL_PIX',
    { account_number: '11.222.333/0001-82' },
    [
      [
        'error',
        'cnpj_checksum',
        'account_number',
        'The check digits of the CNPJ are wrong, so at least one character is.',
        'Compare the CNPJ with its source.',
      ],
    ],
  ],
  [
    'BRL_PIX',
    { account_number: '11987000099' },
    [
      [
        'error',
        'pix_key_ambiguous',
        'account_number',
        'These eleven digits are a valid CPF and could as well be a phone number.',
        'If it is a phone, write +5511987000099. If it is a CPF, write 119.870.000-99. Format the column as text.',
      ],
    ],
  ],
  [
    'BRL_PIX',
    { account_number: '11987654321' },
    [
      [
        'error',
        'pix_key_phone_prefix',
        'account_number',
        'This is no valid CPF or CNPJ. It could be a phone number, which begins with +55 as a PIX key.',
        'If it is a phone, write +5511987654321 and format the column as text. If it is not, compare it with its source.',
      ],
    ],
  ],
  [
    'BRL_PIX',
    { account_number: '5511987654321' },
    [
      [
        'error',
        'pix_key_phone_prefix',
        'account_number',
        'This is no valid CPF or CNPJ. It could be a phone number, which begins with +55 as a PIX key.',
        'If it is a phone, write +5511987654321 and format the column as text. If it is not, compare it with its source.',
      ],
    ],
  ],
  [
    'BRL_PIX',
    { account_number: '1234567890' },
    [
      [
        'error',
        'cpf_leading_zero',
        'account_number',
        'The CPF has 10 digits instead of 11: a spreadsheet has probably dropped leading zeros.',
        'If 01234567890 is right, write that and format the column as text.',
      ],
    ],
  ],
  [
    'BRL_PIX',
    { account_number: '1222333000128' },
    [
      [
        'error',
        'cnpj_leading_zero',
        'account_number',
        'The CNPJ has 13 digits instead of 14: a spreadsheet has probably dropped leading zeros.',
        'If 01222333000128 is right, write that and format the column as text.',
      ],
    ],
  ],
  [
    'BRL_PIX',
    { account_number: 'ana@' },
    [
      [
        'error',
        'pix_key_email',
        'account_number',
        'This is not an e-mail address that can be a PIX key (77 characters at most).',
        'Compare the e-mail address with its source.',
      ],
    ],
  ],
  [
    'BRL_PIX',
    { account_number: '+12125550123' },
    [
      [
        'error',
        'pix_key_phone',
        'account_number',
        'This is not a Brazilian phone number: +55, an area code, and eight digits or nine that begin with 9.',
        'Compare the phone number with its source.',
      ],
    ],
  ],
  [
    'BRL_PIX',
    { account_number: '1.1E+13' },
    [
      [
        'error',
        'pix_key_scientific',
        'account_number',
        'The PIX key is in scientific notation: a spreadsheet took it for a number and has lost digits.',
        'Format the column as text, then type the PIX key again from its source.',
      ],
    ],
  ],
  [
    'BRL_PIX',
    { account_number: 'Ana' },
    [
      [
        'error',
        'pix_key_invalid',
        'account_number',
        'This is not a PIX key.',
        'Write a CPF, a CNPJ, a phone that begins with +55, an e-mail address or a random key (UUID).',
      ],
    ],
  ],
  [
    'WEB3',
    {},
    [
      [
        'error',
        'wallet_address_missing',
        'wallet_address',
        'The wallet address is missing.',
        'Fill in the wallet address.',
      ],
      ['error', 'chain_missing', 'chain', 'The chain is missing.', 'Fill in the chain.'],
    ],
  ],
  [
    'WEB3',
    { wallet_address: 'payee.eth', chain: 'solana' },
    [
      [
        'error',
        'wallet_address_invalid',
        'wallet_address',
        'This is not a wallet address: 0x and 40 digits or letters a to f.',
        'Copy the address again from the wallet itself.',
      ],
      [
        'error',
        'chain_unknown',
        'chain',
        'This is not a chain that payouts reach.',
        'Write one of ethereum, polygon, arbitrum.',
      ],
    ],
  ],
  [
    'WEB3',
    { wallet_address: '5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', chain: 'polygon' },
    [
      [
        'error',
        'wallet_address_invalid',
        'wallet_address',
        'This is not a wallet address: 0x and 40 digits or letters a to f.',
        'Copy the address again from the wallet itself.',
        '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      ],
    ],
  ],
  [
    'WEB3',
    { wallet_address: '0x0000000000000000000000000000000000000000', chain: 'polygon' },
    [
      [
        'error',
        'wallet_address_zero',
        'wallet_address',
        'This is the zero address: what is sent there is lost for ever.',
        'Copy the address again from the wallet itself.',
      ],
    ],
  ],
  [
    'WEB3',
    { wallet_address: '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed', chain: 'polygon' },
    [
      [
        'warning',
        'wallet_address_no_checksum',
        'wallet_address',
        'The wallet address is in one case only, so a wrong character in it cannot be noticed.',
        'Copy the address again from the wallet itself.',
      ],
    ],
  ],
  [
    'WEB3',
    { wallet_address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAee', chain: 'polygon' },
    [
      [
        'error',
        'wallet_address_checksum',
        'wallet_address',
        'The checksum of the wallet address is wrong, so at least one character is.',
        'Copy the address again from the wallet itself.',
      ],
    ],
  ],
  [
    'WEB3',
    { wallet_address: '0xdAC17F958D2ee523a2206206994597C13D831ec7', chain: 'polygon' },
    [
      [
        'error',
        'wallet_address_token_contract',
        'wallet_address',
        'This is the address of a token itself and of no wallet: what is sent there is lost for ever.',
        'Copy the address again from the wallet itself.',
      ],
    ],
  ],
];

const REFERENCES: [RailName, string, Told[]][] = [
  [
    'EUR_SWIFT',
    'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx-x',
    [
      [
        'warning',
        'reference_line_start',
        'reference',
        'SWIFT carries the reference in lines of 35 characters, and character 36, which begins a line, is -.',
        'Move or replace the -, so that no bank refuses or drops the line.',
      ],
    ],
  ],
  [
    'WEB3',
    'July',
    [
      [
        'warning',
        'reference_not_carried',
        'reference',
        'A transfer to a wallet carries no reference, so the payee will not see this one.',
        'Tell the payee by other means, or leave the reference empty.',
      ],
    ],
  ],
  [
    'INR_IMPS',
    'वे',
    [
      [
        'warning',
        'reference_may_change',
        'reference',
        'The reference has characters (व े) that some banks replace or drop.',
        'To be sure of what the payee sees, use only unaccented letters, digits, blanks and the signs of an English keyboard.',
      ],
    ],
  ],
  [
    'USD_ACH',
    '工资',
    [
      [
        'error',
        'reference_characters',
        'reference',
        'The reference has characters (工 资) that USD_ACH does not carry.',
        'Use only unaccented letters, digits, blanks and the signs of an English keyboard.',
      ],
    ],
  ],
  [
    'USD_WIRE',
    ':x',
    [
      [
        'error',
        'reference_characters',
        'reference',
        'The reference has a : at its begin that USD_WIRE does not carry.',
        "Use only unaccented letters, digits, blanks and / - ? : ( ) . , ' +, not beginning with - or :. For example: “x”.",
        'x',
      ],
    ],
  ],
  [
    'MXN_SPEI',
    'a@b',
    [
      [
        'error',
        'reference_characters',
        'reference',
        'The reference has characters (@) that MXN_SPEI does not carry.',
        'Use only unaccented letters, digits and blanks.',
      ],
    ],
  ],
];

const SOURCES: Readonly<Record<RailName, string>> = {
  AUD_NPP: 'AusPayNet BSB numbers in Australia; NPP / Osko: two texts of 140 characters',
  USD_ACH: 'Nacha Operating Rules: entry detail record (account 17), batch header record (entry description 10)',
  USD_WIRE: 'Fedwire Funds Service: originator to beneficiary information, 4 lines of 35',
  USD_SWIFT:
    'ISO 15022 field 59 (account of up to 34), ISO 13616 where it is an IBAN; SWIFT: BIC (ISO 9362), remittance information of 4 lines of 35',
  SGD_SWIFT:
    'ISO 15022 field 59 (account of up to 34), ISO 13616 where it is an IBAN; SWIFT: BIC (ISO 9362), remittance information of 4 lines of 35',
  HKD_SWIFT:
    'ISO 15022 field 59 (account of up to 34), ISO 13616 where it is an IBAN; SWIFT: BIC (ISO 9362), remittance information of 4 lines of 35',
  HKD_FPS:
    'HKICL clearing code list: bank code of 3 digits; account number with its branch; HKICL Faster Payment System: remittance information of 140 characters',
  HKD_CHATS:
    'HKICL clearing code list: bank code of 3 digits; account number with its branch; HKICL CHATS, whose messages go by SWIFT: optional BIC, 4 lines of 35',
  CNY_SWIFT:
    "People's Bank of China: CNAPS bank code of 12 digits; ISO 15022 field 59 (account of up to 34); SWIFT: BIC (ISO 9362), remittance information of 4 lines of 35",
  MXN_SPEI: 'Banco de México: CLABE of 18 digits, weights 3-7-1; SPEI concepto de pago of 40 characters',
  MXN_SWIFT:
    'Banco de México: CLABE of 18 digits, weights 3-7-1; SWIFT: BIC (ISO 9362), remittance information of 4 lines of 35',
  COP_SWIFT:
    'Account numbers of Colombian banks, 3 to 18 digits (no national standard); SWIFT: BIC (ISO 9362), remittance information of 4 lines of 35',
  BRL_PIX:
    'Banco Central do Brasil: DICT (forms of a key), PIX (140 characters to the payee); Receita Federal: CPF, CNPJ',
  BRL_SWIFT:
    'Banco Central do Brasil, Circular 3.625/2013: IBAN of 29 characters; SWIFT: BIC (ISO 9362), remittance information of 4 lines of 35',
  GBP_FPS: 'Pay.UK Faster Payments: sort code 6, account 8, reference 18',
  EUR_SEPA: 'EPC SEPA Credit Transfer rulebook: IBAN, optional BIC, remittance information of 140 characters',
  EUR_SWIFT:
    'ISO 13616 and the SWIFT IBAN registry, any country; SWIFT: BIC (ISO 9362), remittance information of 4 lines of 35',
  INR_IMPS: 'Reserve Bank of India: IFSC of four letters, a zero and six letters or digits; NPCI IMPS remarks of 20',
  INR_SWIFT:
    'Reserve Bank of India: IFSC of four letters, a zero and six letters or digits; SWIFT: BIC (ISO 9362), remittance information of 4 lines of 35',
  AED_SWIFT:
    'Central Bank of the UAE: IBAN of 23 characters; SWIFT: BIC (ISO 9362), remittance information of 4 lines of 35',
  IDR_SWIFT:
    'Account numbers of Indonesian banks, 5 to 16 digits (no national standard); SWIFT: BIC (ISO 9362), remittance information of 4 lines of 35',
  WEB3: 'Ethereum Yellow Paper (addresses of 20 bytes), EIP-55 (mixed-case checksum)',
};

describe('the words of the rails', () => {
  it.each(FIELDS)('%s says of %j', (name, fields, expected) => {
    const rail = railOf(name);
    expect(rail.check(rail.normalise({ ...NO_FIELDS, ...fields })).map(told)).toEqual(expected);
  });

  it.each(REFERENCES)('%s says of the reference %j', (name, reference, expected) => {
    expect(railOf(name).checkReference(reference).map(told)).toEqual(expected);
  });

  it('say where each rule is from', () => {
    expect(Object.fromEntries(RAILS.map(({ name, source }) => [name, source]))).toEqual(SOURCES);
  });
});
