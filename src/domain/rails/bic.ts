import { isValidBIC } from 'ibantools';
import { missing } from './digits.ts';
import type { Finding } from './rail.ts';

/** What is wrong with a BIC (ISO 9362: 8 or 11 characters, the fifth and sixth a country), or null. */
export function checkBic(value: string, need: 'required' | 'optional'): Finding | null {
  if (value === '') return need === 'required' ? missing({ field: 'bic', code: 'bic', label: 'BIC' }) : null;
  if (isValidBIC(value)) return null;
  return {
    severity: 'error',
    code: 'bic_invalid',
    field: 'bic',
    message: 'The BIC is not one: a BIC has 8 or 11 letters and digits, with the country at the fifth and sixth.',
    remedy:
      need === 'required' ? 'Compare the BIC with its source.' : 'Compare the BIC with its source, or leave it empty.',
  };
}
