/** Controls, directions of writing, separators, halves of characters. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]+/gu;

/** The text in one line, without anything that could end a header or turn the direction of writing. */
export function oneLine(text: string): string {
  return text.replace(UNPRINTABLE, ' ').replace(/ {2,}/g, ' ').trim();
}

/** A run's id: digits that are no account. */
const RUN_ID = /\b(R\d{8}-[0-9A-HJKMNP-TV-Z]{8})\b/;
/** What a person reads as an amount or a date and time. */
const AMOUNT = /^[([]?-?\d{1,3}(?:,\d{3})*(?:\.\d{1,18})?[)\].,;:]*$|^-?\d{1,9}\.\d{2}[.,;:]*$/;
const DATE = /^[("]?20[2-4]\d-(?:0[1-9]|1[0-2])(?:-\d{2})?(?:T[\d:.]+Z?)?[)".,;:]*$/;

const DIGITS_MAX = 4;
/** Groups of capitals and digits with blanks or hyphens between them: `NL91 ABNA 0417 1643 00`, `062-000 12345678`. */
const GROUPS = /[0-9A-Z•]+(?:[ \t\u00a0-]+[0-9A-Z•]+)+/g;

/**
 * A text of ours that may repeat what a person or a service wrote, without anything that could be a part of an account
 * number: masked ones go too. Amounts, dates and the ids of runs stay; rather too much is taken out than too little.
 */
export function withoutNumbers(text: string): string {
  // Of a text that is split at a group, each second part is what the group took.
  return text
    .split(RUN_ID)
    .map((part, at) => (at % 2 === 1 ? part : hidden(part)))
    .join('');
}

function hidden(text: string): string {
  // The word that such a group stands in goes as a whole, below.
  const apart = text.replace(GROUPS, (group) => (digitsIn(group) > DIGITS_MAX && !DATE.test(group) ? '•' : group));
  return apart
    .split(/(\s+)/)
    .map((word) => (isHidden(word) ? leftOut(word) : word))
    .join('');
}

const HIDDEN = '(left out)';

/** Around a word, and no part of it. */
const MARKS = /^([("'`[{<«“‘]*).*?([)"'`\]}>»”’.,;:!?…]*)$/su;

/** What stands around the word stays, so that a bracket which was opened before is closed behind; its own need no second pair. */
function leftOut(word: string): string {
  const [, before = '', after = ''] = MARKS.exec(word) ?? [];
  const isInBrackets = before.endsWith('(') && after.startsWith(')');
  return isInBrackets ? `${before.slice(0, -1)}${HIDDEN}${after.slice(1)}` : `${before}${HIDDEN}${after}`;
}

function isHidden(word: string): boolean {
  // An address can be a PIX key.
  if (/[•@]/.test(word) || /0x[0-9a-f]{6}/i.test(word)) return true;
  return digitsIn(word) > DIGITS_MAX && !AMOUNT.test(word) && !DATE.test(word);
}

function digitsIn(text: string): number {
  return text.replace(/\D/g, '').length;
}
