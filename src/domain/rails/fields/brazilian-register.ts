/**
 * The check digits of Brazil's registers, by Receita Federal: the CPF of a person and the CNPJ of a company, which from
 * July 2026 may have letters in its first twelve places (Instrução Normativa RFB 2.229/2024). Each is a sum with weights
 * that rise from 2 at the right, modulo 11. The remainders 0 and 1 both give the digit 0, so that a few single mistakes
 * pass: in a CPF's first and sixth digit, and in a CNPJ's first, fifth and ninth character, by certain amounts.
 */

const CPF_WEIGHT_MAX = 11;
const CNPJ_WEIGHT_MAX = 9;

const CODE_OF_0 = 48;

/** Whether the text is a CPF: eleven digits with both check digits right, and not one digit eleven times. */
export function isCpf(text: string): boolean {
  return /^(\d)(?!\1{10})\d{10}$/.test(text) && hasCheckDigits(text, CPF_WEIGHT_MAX);
}

/** Whether the text is a CNPJ, upper-cased and without punctuation: twelve digits or letters, two right check digits. */
export function isCnpj(text: string): boolean {
  return /^(?!0{12})[0-9A-Z]{12}\d{2}$/.test(text) && hasCheckDigits(text, CNPJ_WEIGHT_MAX);
}

function hasCheckDigits(text: string, weightMax: number): boolean {
  const first = text.length - 2;
  return (
    checkDigit(text.slice(0, first), weightMax) === text.charCodeAt(first) - CODE_OF_0 &&
    checkDigit(text.slice(0, first + 1), weightMax) === text.charCodeAt(first + 1) - CODE_OF_0
  );
}

/** A character counts as its ASCII code less 48: digits as themselves, A as 17. Weights begin again after the largest. */
function checkDigit(text: string, weightMax: number): number {
  let sum = 0;
  let weight = 2;
  for (let at = text.length - 1; at >= 0; at--) {
    sum += (text.charCodeAt(at) - CODE_OF_0) * weight;
    weight = weight === weightMax ? 2 : weight + 1;
  }
  const rest = sum % 11;
  return rest < 2 ? 0 : 11 - rest;
}
