import { findings } from './fields/digits.ts';
import { checkPixKey, normalisePixKey } from './fields/pix-key.ts';
import { checkReferenceText } from './fields/reference-text.ts';
import { NO_FIELDS, type Rail } from './rail.ts';

export const BRL_PIX: Rail = {
  name: 'BRL_PIX',
  currency: 'BRL',
  source:
    'Banco Central do Brasil: DICT (forms of a key), PIX (140 characters to the payee); Receita Federal: CPF, CNPJ',
  referenceMax: 140,
  normalise: (fields) => ({ ...NO_FIELDS, account_number: normalisePixKey(fields.account_number) }),
  check: (fields) => findings(checkPixKey(fields.account_number)),
  checkReference: (reference) => checkReferenceText(reference, { name: 'BRL_PIX', max: 140, set: null }),
};
