import type {
  AccountField,
  AccountProblems,
  DigitField,
  FieldLengths,
} from '../../domain/problems/account-problems.ts';
import { counted } from '../text.ts';
import { either, t, textTable } from '../translate.ts';
import { ALL_FIELDS, BANKS, DIGIT_FIELDS, LABELS } from './account-labels.ts';
import { fieldName } from './field-names.ts';
import { forEachField, type ProblemWords, type WordsOf } from './words.ts';

const compareAccount = () => t`Compare the account number with its source.`;
const compareIban = () => t`Compare the IBAN with its source, or ask the payee for it again.`;
const anotherRail = () => t`Pay this account over another rail.`;
const copyAddress = () => t`Copy the address again from the wallet itself.`;
const compareRouting = () => t`Compare the routing number with its source, digit by digit.`;

export const ACCOUNT_WORDS: WordsOf<AccountProblems> = textTable({
  ...forEachField(ALL_FIELDS, 'missing', ({ field }: { field: AccountField }) => missing(LABELS[field])),
  ...forEachField(ALL_FIELDS, 'scientific', ({ field }: { field: AccountField }) => ({
    message: t`The ${LABELS[field]} is in scientific notation: a spreadsheet took it for a number and has lost digits.`,
    remedy: t`Format the column as text, then type the ${LABELS[field]} again from its source.`,
  })),
  ...forEachField(DIGIT_FIELDS, 'characters', ({ field, ...lengths }: AccountProblems['bsb_characters']) => ({
    message: t`The ${LABELS[field]} has characters that do not belong there.`,
    remedy: t`Write ${lengthsText(lengths)} and nothing else.`,
  })),
  ...forEachField(DIGIT_FIELDS, 'length', ({ field, has, ...lengths }: AccountProblems['bsb_length']) => ({
    message: t`The ${LABELS[field]} has ${charactersText(has, lengths)}; it must have ${lengthsText(lengths)}.`,
    remedy: t`Compare the ${LABELS[field]} with its source.`,
  })),
  ...forEachField(DIGIT_FIELDS, 'leading_zero', leadingZero),
  account_number_unusual: unusualLength,
  account_type_invalid: {
    message: 'The account type is neither checking nor savings.',
    remedy: 'Write checking or savings, or leave it empty for checking.',
  },
  aba_checksum: {
    message: 'The routing number (ABA) does not satisfy its checksum, so at least one digit is wrong.',
    get remedy() {
      return compareRouting();
    },
  },
  aba_prefix: ({ prefix }) => ({
    message: t`No routing number (ABA) begins with ${prefix}.`,
    remedy: compareRouting(),
  }),
  bic_invalid: ({ isOptional }) => ({
    message: t`The BIC is not one: a BIC has 8 or 11 letters and digits, with the country at the fifth and sixth.`,
    remedy: t`Compare the BIC with its source${either(isOptional, ', or leave it empty', '')}.`,
  }),
  bic_country: ({ bank, account }) => ({
    message: t`The BIC is that of a bank in ${bank}, and the account is in ${account}.`,
    remedy: t`Make sure that the BIC and the account belong together.`,
  }),
  clabe_bank_unknown: {
    message: 'The check digit of the CLABE is right, but its bank or city is unknown.',
    remedy: 'Compare the first six digits of the CLABE with its source.',
  },
  clabe_checksum: {
    message: 'The check digit of the CLABE is wrong, so at least one digit is.',
    remedy: 'Compare the CLABE with its source, digit by digit.',
  },
  ifsc_invalid: ({ isOptional, letterForZero }) =>
    letterForZero === null
      ? {
          message: t`This is not an IFSC: four letters, a zero, then six letters or digits.`,
          remedy: t`Compare the IFSC with its source${either(isOptional, ', or leave it empty', '')}.`,
        }
      : {
          message: t`The fifth character of the IFSC is the letter O; it must be a zero.`,
          remedy: t`Write ${letterForZero}.`,
        },
  iban_characters: ({ character, isBehindName = false, oddCharacter }) => {
    if (isBehindName)
      return { message: t`The word IBAN stands before the IBAN itself.`, remedy: t`Write the IBAN alone.` };
    return {
      message:
        character === undefined
          ? t`This is not an IBAN: an IBAN begins with two letters for its country.`
          : t`An IBAN contains only the letters A to Z and digits${oddCharacter === undefined ? t`, and this one has ${named(character)}` : ''}.`,
      remedy: compareIban(),
    };
  },
  iban_checksum: {
    message: 'The check digits of the IBAN are wrong, so at least one character is.',
    get remedy() {
      return compareIban();
    },
  },
  iban_country: ({ country }) => ({
    message: t`No IBANs are issued under the country code ${country}.`,
    remedy: compareIban(),
  }),
  iban_format: ({ country }) => ({
    message: t`The IBAN's letters and digits are not where ${country} has them.`,
    remedy: compareIban(),
  }),
  iban_length: ({ has, country, length }) => ({
    message: t`The IBAN has ${has} characters; one of ${country} has ${length}.`,
    remedy: compareIban(),
  }),
  iban_national_check: {
    message: 'The IBAN is well formed, but the check digit of its own country does not fit.',
    get remedy() {
      return compareIban();
    },
  },
  iban_not_sepa: ({ country }) => ({ message: t`SEPA does not reach accounts in ${country}.`, remedy: anotherRail() }),
  iban_of_another_country: ({ country, paid }) => ({
    message: t`This rail pays accounts in ${paid}, and the IBAN is one of ${country}.`,
    remedy: anotherRail(),
  }),
  iban_short: ({ has, country, length }) => ({
    message: t`The account number begins like an IBAN, but has ${has} characters; an IBAN of ${country} has ${length}.`,
    remedy: compareAccount(),
  }),
  cpf_checksum: wrongCheckDigits,
  cnpj_checksum: wrongCheckDigits,
  pix_key_ambiguous: ({ phone, cpf }) => ({
    message: t`These eleven digits are a valid CPF but could also be a phone number.`,
    remedy: t`If it is a phone, write ${phone}. If it is a CPF, write ${cpf}. Format the column as text.`,
  }),
  pix_key_email: ({ max }) => ({
    message: t`This is not an e-mail address that can be a PIX key (${max} characters at most).`,
    remedy: t`Compare the e-mail address with its source.`,
  }),
  pix_key_invalid: {
    message: 'This is not a PIX key.',
    remedy: 'Write a CPF, a CNPJ, a phone that begins with +55, an e-mail address or a random key (UUID).',
  },
  pix_key_phone: {
    message: 'This is not a Brazilian phone number: +55, an area code, and eight digits or nine that begin with 9.',
    remedy: 'Compare the phone number with its source.',
  },
  pix_key_phone_prefix: ({ phone }) => ({
    message: t`This is no valid CPF or CNPJ. It could be a phone number, which begins with +55 as a PIX key.`,
    remedy: t`If it is a phone, write ${phone} and format the column as text. If it is not, compare it with its source.`,
  }),
  wallet_address_checksum: {
    message: 'The checksum of the wallet address is wrong, so at least one character is.',
    get remedy() {
      return copyAddress();
    },
  },
  wallet_address_invalid: {
    message: 'This is not a wallet address: 0x and 40 digits or letters a to f.',
    get remedy() {
      return copyAddress();
    },
  },
  wallet_address_no_checksum: {
    message: 'The wallet address is in one case only, so a wrong character in it cannot be noticed.',
    get remedy() {
      return copyAddress();
    },
  },
  wallet_address_token_contract: {
    message: 'This is the address of a token itself and of no wallet: what is sent there is lost for ever.',
    get remedy() {
      return copyAddress();
    },
  },
  wallet_address_zero: {
    message: 'This is the zero address: what is sent there is lost for ever.',
    get remedy() {
      return copyAddress();
    },
  },
  chain_missing: ({ asset, chains = [] }) =>
    asset === undefined
      ? missing(fieldName('chain'))
      : {
          message: t`${asset} is on several chains, and the row does not say which.`,
          remedy: t`Write one of ${chains.join(', ')} into the column chain.`,
        },
  chain_unknown: ({ chains }) => ({
    message: t`This is not a chain that payouts reach.`,
    remedy: t`Write one of ${chains.join(', ')}.`,
  }),
});

function missing(label: string): ProblemWords {
  return { message: t`The ${label} is missing.`, remedy: t`Fill in the ${label}.` };
}

function leadingZero({ field, has, length, padded }: AccountProblems['bsb_leading_zero']): ProblemWords {
  return {
    message: t`The ${LABELS[field]} has ${counted(has, 'digit')} instead of ${length}: a spreadsheet has probably dropped leading zeros.`,
    remedy: t`If ${padded} is right, write that and format the column as text.`,
  };
}

function unusualLength({ has, min, max, banks }: AccountProblems['account_number_unusual']): ProblemWords {
  const remedy = compareAccount();
  if (banks === 'singapore')
    return { message: t`Account numbers of banks in Singapore have at most ${max} digits and no letters.`, remedy };
  const usual = banks === 'hdfc' ? t`HDFC Bank have ${max}` : t`${BANKS[banks]} usually have ${min} to ${max} digits`;
  return { message: t`The account number has ${counted(has, 'digit')}; those of ${usual}.`, remedy };
}

function wrongCheckDigits({ field }: { field: DigitField }): ProblemWords {
  return {
    message: t`The check digits of the ${LABELS[field]} are wrong, so at least one character is.`,
    remedy: t`Compare the ${LABELS[field]} with its source.`,
  };
}

function lengthsText(lengths: FieldLengths): string {
  const { min, max } = lengths;
  return min === max ? charactersText(max, lengths) : t`${min} to ${charactersText(max, lengths)}`;
}

function charactersText(count: number, { letters }: Pick<FieldLengths, 'letters'>): string {
  if (!letters) return String(counted(count, 'digit'));
  return count === 1 ? t`1 letter or digit` : t`${count} letters and digits`;
}

/** `“é” (U+00E9)`, or the code point alone of what cannot be seen. */
function named(character: string): string {
  const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(character) ? `“${character}” (${code})` : code;
}
