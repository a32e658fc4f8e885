import { describe, expect, it } from 'vitest';
import { isCnpj, isCpf } from '../../src/domain/rails/fields/pix-key.ts';
import { NO_FIELDS } from '../../src/domain/rails/rail.ts';
import { railOf } from '../../src/domain/rails/registry.ts';
import { worded } from '../../src/messages/problems/problem-words.ts';

const BRL_PIX = railOf('BRL_PIX');

function keyOf(account_number: string): string {
  return BRL_PIX.normalise({ ...NO_FIELDS, account_number }).account_number;
}

function findingsOf(account_number: string) {
  return BRL_PIX.check(BRL_PIX.normalise({ ...NO_FIELDS, account_number })).map((one) => worded(one, 'page'));
}

describe('a PIX key is accepted and sent as', () => {
  it.each([
    // CPFs that handbooks use, and one whose first digits would be a phone's if 52 were an area code.
    ['111.444.777-35', '11144477735'],
    ['12345678909', '12345678909'],
    [' 529.982.247-25 ', '52998224725'],
    // Eleven digits that are also a mobile number of São Paulo: only the punctuation says that it is a CPF.
    ['119.870.000-99', '119.870.000-99'],
    // CNPJs: of handbooks, of Banco do Brasil, of Petrobras, and the example of Receita Federal for the form with letters.
    ['11.222.333/0001-81', '11222333000181'],
    ['00.000.000/0001-91', '00000000000191'],
    ['33000167000101', '33000167000101'],
    ['12.ABC.345/01DE-35', '12ABC34501DE35'],
    ['12abc34501de35', '12ABC34501DE35'],
    ['+55 (11) 98765-4321', '+5511987654321'],
    ['+5561934141414', '+5561934141414'],
    [' +5561934141414\n', '+5561934141414'],
    ['+55 61 3414-1414', '+556134141414'],
    ['Ana-Maria.Silva+pix@Example.com.br', 'ana-maria.silva+pix@example.com.br'],
    ['123e4567-e89b-42d3-a456-426614174000', '123e4567-e89b-42d3-a456-426614174000'],
    ['123E4567E89B42D3A456426614174000', '123e4567-e89b-42d3-a456-426614174000'],
    [' ana@x.org ', 'ana@x.org'],
    ['ana@mail.x.org', 'ana@mail.x.org'],
    [`${'a'.repeat(65)}@example.com`, `${'a'.repeat(65)}@example.com`],
  ])('%j: %s', (written, sent) => {
    expect(keyOf(written)).toBe(sent);
    expect(findingsOf(written)).toEqual([]);
  });
});

describe('a PIX key is refused', () => {
  it.each([
    ['nothing', ' ', 'pix_key_missing'],
    ['a CPF with a wrong digit', '111.444.777-36', 'cpf_checksum'],
    ['a CPF with two digits the other way round', '111.447.477-35', 'cpf_checksum'],
    ['a CPF whose second check digit fits the wrong first one', '111.444.777-43', 'cpf_checksum'],
    ['a CNPJ whose second check digit fits the wrong first one', '11.222.333/0001-90', 'cnpj_checksum'],
    ['one digit eleven times', '111.111.111-11', 'cpf_checksum'],
    ['a CPF like a phone with a wrong digit', '119.870.000-98', 'cpf_checksum'],
    ['a CNPJ with a wrong digit', '11.222.333/0001-82', 'cnpj_checksum'],
    ['a CNPJ of zeros', '00000000000000', 'cnpj_checksum'],
    ['a CNPJ with letters and a wrong digit', '12ABC34501DE36', 'cnpj_checksum'],
    ['a CNPJ with a letter among its check digits', '12ABC34501DE3A', 'pix_key_invalid'],
    ['a CPF and a phone', '11987000099', 'pix_key_ambiguous'],
    ['a phone as people write it', '(11) 98700-0099', 'pix_key_ambiguous'],
    ['a phone without +55', '(11) 98765-4321', 'pix_key_phone_prefix'],
    ['a phone without its plus', '5511987654321', 'pix_key_phone_prefix'],
    ['a phone of a house without +55', '6134141414', 'pix_key_phone_prefix'],
    ['a phone of another country', '+1 212 555 0123', 'pix_key_phone'],
    ['a phone of another country, with what is an area code in Brazil', '+44 11 98765 4321', 'pix_key_phone'],
    ['the same without its plus', '4411987654321', 'pix_key_invalid'],
    ['a number with the prefix of Brazil and no area code', '5520987654321', 'pix_key_invalid'],
    ['an area code that there is not', '+5520987654321', 'pix_key_phone'],
    ['a mobile number of the time before 2016', '+551187654', 'pix_key_phone'],
    ['nine digits that do not begin with 9', '+5511887654321', 'pix_key_phone'],
    ['an address without a domain', 'ana@', 'pix_key_email'],
    ['an address with a blank', 'ana maria@example.com', 'pix_key_email'],
    ['an address with an accent', 'josé@example.com', 'pix_key_email'],
    ['two addresses', 'ana@example.com,bob@example.com', 'pix_key_email'],
    ['an address with something behind it', 'ana@example.com;', 'pix_key_email'],
    ['an address of 78 characters', `${'a'.repeat(66)}@example.com`, 'pix_key_email'],
    ['a UUID that lost a digit', '123e4567-e89b-42d3-a456-42661417400', 'pix_key_invalid'],
    ['a UUID with a digit too many at its end', '123e4567-e89b-42d3-a456-426614174000a', 'pix_key_invalid'],
    ['a UUID with a digit too many at its begin', 'a123e4567-e89b-42d3-a456-426614174000', 'pix_key_invalid'],
    ['a CPF without its zero', '1234567890', 'cpf_leading_zero'],
    ['a CPF without its two zeros', '123456797', 'cpf_leading_zero'],
    ['a CPF without three zeros, of which nobody can be sure', '12345601', 'pix_key_invalid'],
    ['a CNPJ without its zero', '1222333000128', 'cnpj_leading_zero'],
    ['a CNPJ without its two zeros', '222333000165', 'cnpj_leading_zero'],
    ['a CNPJ without three zeros', '22333000111', 'cpf_checksum'],
    ['what a spreadsheet made of a CNPJ', '1.1222333E+13', 'pix_key_scientific'],
    ['a number of another length', '123456', 'pix_key_invalid'],
    ['a word', 'Ana', 'pix_key_invalid'],
  ])('%s: %j', (_what, written, code) => {
    expect(findingsOf(written)).toMatchObject([{ severity: 'error', code, field: 'account_number' }]);
  });

  it('asks for +55 or for the punctuation of a CPF, and shows both', () => {
    expect(findingsOf('11987000099')[0]?.remedy).toBe(
      'If it is a phone, write +5511987000099. If it is a CPF, write 119.870.000-99. Format the column as text.',
    );
    expect(findingsOf('+5511987000099')).toEqual([]);
    expect(findingsOf('119.870.000-99')).toEqual([]);
  });

  it.each(['5511987654321', '11987654321', '6134141414'])('%s: shows the phone with its prefix', (written) => {
    const phone = /\+55\d+/.exec(findingsOf(written)[0]?.remedy ?? '')?.[0] ?? '';
    expect(phone.endsWith(written)).toBe(true);
    expect(findingsOf(phone)).toEqual([]);
  });

  it('says nothing of the key in the message, which leaves the machine', () => {
    for (const key of ['11987000099', '11987654321', '1234567890', '111.444.777-36', 'ana maria@example.com'])
      expect(findingsOf(key)[0]?.message).not.toMatch(/\d{5}|ana/);
  });
});

/** The area codes that Anatel has given out, by state. */
const AREA_CODES = `
  AC 68, AL 82, AM 92 97, AP 96, BA 71 73 74 75 77, CE 85 88, DF 61, ES 27 28, GO 62 64, MA 98 99, MG 31 32 33 34 35 37 38,
  MS 67, MT 65 66, PA 91 93 94, PB 83, PE 81 87, PI 86 89, PR 41 42 43 44 45 46, RJ 21 22 24, RN 84, RO 69, RR 95,
  RS 51 53 54 55, SC 47 48 49, SE 79, SP 11 12 13 14 15 16 17 18 19, TO 63`;

describe('a phone as a PIX key', () => {
  it('has one of the area codes of Brazil and no other', () => {
    const given = AREA_CODES.match(/\d\d/g) ?? [];
    expect(given).toHaveLength(67);
    const accepted = Array.from({ length: 100 }, (_, at) => String(at).padStart(2, '0')).filter(
      (area) => findingsOf(`+55${area}987654321`).length === 0,
    );
    expect(accepted).toEqual(given.sort());
  });
});

describe('a text that is', () => {
  // Receita Federal: eleven digits, or fourteen characters, and nothing before or behind them.
  it.each([
    ['a CPF', isCpf, '11144477735', true],
    ['a CPF and a digit before it', isCpf, '011144477735', false],
    ['a CPF and a digit behind it', isCpf, '111444777350', false],
    ['a CPF with its punctuation', isCpf, '111.444.777-35', false],
    ['a CNPJ', isCnpj, '12ABC34501DE35', true],
    ['a CNPJ and a digit before it', isCnpj, '012ABC34501DE35', false],
    ['a CNPJ and a digit behind it', isCnpj, '12ABC34501DE350', false],
    ['a CNPJ in lower case', isCnpj, '12abc34501de35', false],
  ])('%s', (_what, isOne, text, expected) => {
    expect(isOne(text)).toBe(expected);
  });
});
