import type { CharacterSetName, ReferenceProblems } from '../../domain/problems/account-problems.ts';
import { t, textTable } from '../translate.ts';
import type { WordsOf } from './words.ts';

const keyboard = () => t`unaccented letters, digits, blanks and the signs of an English keyboard`;

const SETS: Readonly<Record<CharacterSetName, string>> = textTable({
  swift: "unaccented letters, digits, blanks and / - ? : ( ) . , ' +, not beginning with - or :",
  letters_digits_blanks: 'unaccented letters, digits and blanks',
  get ascii() {
    return keyboard();
  },
  get latin_1() {
    return keyboard();
  },
  bacs: 'unaccented letters, digits, blanks and . & / -',
});

export const REFERENCE_WORDS: WordsOf<ReferenceProblems> = textTable({
  reference_characters: ({ rail, strange, begin, set, example }) => ({
    message: t`The reference has ${strange.length === 0 ? t`a ${begin} at its begin` : t`characters (${strange.join(' ')})`} that ${rail} does not carry.`,
    remedy:
      example === undefined
        ? t`Use only ${SETS[set]}.`
        : {
            command_line: `Use only ${SETS[set]}.${forExample(example)} Or have all references of the file written so with --fold-references (in a job \`fold_references\`).`,
            page: ({ reading }) =>
              t`Use only ${SETS[set]}.${forExample(example)} Or have all references of the file written so, under ${reading}.`,
          },
  }),
  reference_folded: ({ written, rail }) => ({
    message: t`${rail} does not carry this reference, so the payee will see “${written}”.`,
    remedy: t`Correct it where it says something else.`,
  }),
  reference_line_start: ({ line, at, sign }) => ({
    message: t`SWIFT carries the reference in lines of ${line} characters, and character ${at}, which starts a line, is ${sign}.`,
    remedy: t`Move or replace the ${sign}, so that no bank refuses or drops the line.`,
  }),
  reference_may_be_cut: ({ max, arrives }) => ({
    message: t`Some Australian banks show only the first ${max} characters of the reference: “${arrives}”.`,
    remedy: t`Put what matters in the first ${max} characters.`,
  }),
  reference_may_change: ({ strange, set, example }) => ({
    message: t`The reference has characters (${strange.join(' ')}) that some banks replace or drop.`,
    remedy: t`To be sure of what the payee sees, use only ${SETS[set]}.${forExample(example)}`,
  }),
  reference_not_carried: {
    message: 'A transfer to a wallet carries no reference, so the payee will not see this one.',
    remedy: 'Notify the payee by other means, or leave the reference empty.',
  },
  reference_too_long: ({ max, rail, has, arrives }) =>
    rail === undefined
      ? { message: t`The reference has more than ${max} characters.`, remedy: t`Shorten it to ${max} characters.` }
      : {
          message: t`The reference has ${has} characters; ${rail} carries ${max}, so the payee would see “${arrives}”.`,
          remedy: t`Shorten the reference to ${max} characters.`,
        },
});

function forExample(example: string | undefined): string {
  return example === undefined ? '' : t` For example: “${example}”.`;
}
