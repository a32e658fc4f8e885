import type { AccountField, BanksName, DigitField } from '../../domain/problems/account-problems.ts';
import { textTable } from '../translate.ts';

/** What people call a field, in the middle of a sentence. */
export const LABELS: Readonly<Record<AccountField, string>> = textTable({
  account_number: 'account number',
  bsb: 'BSB',
  sort_code: 'sort code',
  aba: 'routing number (ABA)',
  bank_code: 'bank code',
  cnaps: 'bank code (CNAPS)',
  clabe: 'CLABE',
  cpf: 'CPF',
  cnpj: 'CNPJ',
  iban: 'IBAN',
  bic: 'BIC',
  ifsc: 'IFSC',
  pix_key: 'PIX key',
  wallet_address: 'wallet address',
});

export const DIGIT_FIELDS: readonly DigitField[] = [
  'account_number',
  'bsb',
  'sort_code',
  'aba',
  'bank_code',
  'cnaps',
  'clabe',
  'cpf',
  'cnpj',
];

export const BANKS: Readonly<Record<Exclude<BanksName, 'hdfc' | 'singapore'>, string>> = textTable({
  australia: 'Australian banks',
  hong_kong: 'banks in Hong Kong',
  india: 'Indian banks',
});

export const ALL_FIELDS = Object.keys(LABELS) as AccountField[];
