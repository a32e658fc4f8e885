import type { RailName } from '../rails/rail-names.ts';

type None = Record<never, never>;

/** Numbers of an account that are digits, as the codes of their problems begin. */
export type DigitField =
  | 'account_number'
  | 'bsb'
  | 'sort_code'
  | 'aba'
  | 'bank_code'
  | 'cnaps'
  | 'clabe'
  | 'cpf'
  | 'cnpj';

export type AccountField = DigitField | 'iban' | 'bic' | 'ifsc' | 'pix_key' | 'wallet_address';

/** How many characters a field has; `letters` where letters count too. */
export type FieldLengths = { min: number; max: number; letters: boolean };

/** Sets of characters of which a reference is made. */
export type CharacterSetName = 'swift' | 'letters_digits_blanks' | 'ascii' | 'latin_1' | 'bacs';

/** Banks that agree on the length of their account numbers. */
export type BanksName = 'australia' | 'hong_kong' | 'india' | 'hdfc' | 'singapore';

/** What the rules of rails find in the fields of an account: by code, what its words are filled with. */
export type AccountProblems = Record<`${AccountField}_${'missing' | 'scientific'}`, { field: AccountField }> &
  Record<`${DigitField}_characters`, { field: DigitField } & FieldLengths> &
  Record<`${DigitField}_length`, { field: DigitField; has: number } & FieldLengths> &
  Record<`${DigitField}_leading_zero`, { field: DigitField; has: number; length: number; padded: string }> & {
    account_number_unusual: { has: number; min: number; max: number; banks: BanksName };
    account_type_invalid: None;
    aba_checksum: None;
    aba_prefix: { prefix: string };
    bic_invalid: { isOptional: boolean };
    bic_country: { bank: string; account: string };
    clabe_bank_unknown: None;
    clabe_checksum: None;
    ifsc_invalid: { isOptional: boolean; letterForZero: string | null };
    /** Neither is there where the IBAN does not begin with the letters of a country. */
    iban_characters: { character?: string; isBehindName?: boolean };
    iban_checksum: None;
    iban_country: { country: string };
    iban_format: { country: string };
    iban_length: { has: number; country: string; length: number };
    iban_national_check: None;
    iban_not_sepa: { country: string };
    iban_of_another_country: { country: string; paid: string };
    iban_short: { has: number; country: string; length: number };
    cpf_checksum: { field: DigitField };
    cnpj_checksum: { field: DigitField };
    pix_key_ambiguous: { phone: string; cpf: string };
    pix_key_email: { max: number };
    pix_key_invalid: None;
    pix_key_phone: None;
    pix_key_phone_prefix: { phone: string };
    wallet_address_checksum: None;
    wallet_address_invalid: None;
    wallet_address_no_checksum: None;
    wallet_address_token_contract: None;
    wallet_address_zero: None;
    /** `asset`: what the row pays, where that is on several chains. */
    chain_missing: { asset?: string; chains?: readonly string[] };
    chain_unknown: { chains: readonly string[] };
  };

export type ReferenceProblems = {
  reference_characters: {
    rail: RailName;
    strange: readonly string[];
    begin: string;
    set: CharacterSetName;
    example?: string;
  };
  reference_folded: { written: string; rail: RailName };
  reference_line_start: { line: number; at: number; sign: string };
  reference_may_be_cut: { max: number; arrives: string };
  reference_may_change: { strange: readonly string[]; set: CharacterSetName; example?: string };
  reference_not_carried: None;
  /** `rail`: which carries no more, where that is known. */
  reference_too_long: { max: number; rail?: RailName; has?: number; arrives?: string };
};
