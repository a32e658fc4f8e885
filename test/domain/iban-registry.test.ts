import { expect, it } from 'vitest';
import { checkIban } from '../../src/domain/rails/fields/iban.ts';
import { kindsOf, REGISTRY } from './iban-registry.ts';

/** The IBAN of a BBAN, with its check digits (ISO 7064 mod 97-10). */
function ibanOf(country: string, bban: string): string {
  const digits = Array.from(`${bban}${country}00`, (character) => String(Number.parseInt(character, 36))).join('');
  return `${country}${String(98n - (BigInt(digits) % 97n)).padStart(2, '0')}${bban}`;
}

function errorsOf(iban: string): string[] {
  return checkIban(iban).flatMap(({ severity, code }) => (severity === 'error' ? [code] : []));
}

it.each(Object.entries(REGISTRY))(
  '%s: %s takes letters and digits where the registry has them',
  (country, structure) => {
    const kinds = [...kindsOf(structure)];
    const right = kinds.map((kind) => (kind === 'a' ? 'A' : '0'));
    expect(errorsOf(ibanOf(country, right.join('')))).toEqual([]);
    for (const [at, kind] of kinds.entries()) {
      const other = right.with(at, right[at] === 'A' ? '0' : 'A').join('');
      expect(errorsOf(ibanOf(country, other)), other).toEqual(kind === 'c' ? [] : ['iban_format']);
    }
    expect(errorsOf(ibanOf(country, `${right.join('')}0`))).toEqual(['iban_length']);
  },
);
