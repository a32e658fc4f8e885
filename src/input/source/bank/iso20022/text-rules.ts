import type { WantedText } from '../../../../domain/problems/bank-file-problems.ts';

/** What an element that holds text may hold. */
export type TextRule = { wanted: WantedText; isRight(text: string): boolean };

function pattern(form: Exclude<WantedText['form'], 'length' | 'one_of'>, wanted: RegExp): TextRule {
  return { wanted: { form }, isRight: (text) => wanted.test(text) };
}

function oneOf(of: string): TextRule {
  const codes = of.split(' ');
  return { wanted: { form: 'one_of', of: codes }, isRight: (text) => codes.includes(text) };
}

/** Lengths are those of characters, not of UTF-16 units. */
function length(max: number): TextRule {
  const isRight = (text: string) => text !== '' && (text.length <= max || [...text].length <= max);
  return { wanted: { form: 'length', min: 1, max }, isRight };
}

const DATE = String.raw`-?\d{4,}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])`;
const ZONE = String.raw`(?:Z|[+-]\d\d:\d\d)?`;

/** Rules by the names that the content model uses. Source: ISO 20022, data types of pain.001; XML Schema, part 2. */
const RULES: Readonly<Record<string, TextRule>> = {
  count: pattern('digits', /^\d{1,15}$/),
  decimal: pattern('decimal', /^\s*[+-]?(?:\d{1,18}(?:\.\d{0,17})?|\.\d{1,17})\s*$/),
  /** Digits are counted when the amount is read. */
  amount: pattern('amount', /^\s*\+?(?:\d+(?:\.\d*)?|\.\d+)\s*$/),
  date: pattern('date', new RegExp(`^\\s*${DATE}${ZONE}\\s*$`)),
  time: pattern('time', new RegExp(`^\\s*${DATE}T\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?${ZONE}\\s*$`)),
  country: pattern('country', /^[A-Z]{2}$/),
  currency: pattern('currency', /^[A-Z]{3}$/),
  bic: pattern('bic', /^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/),
  iban: pattern('iban', /^[A-Z]{2}\d{2}[A-Za-z0-9]{1,30}$/),
  lei: pattern('lei', /^[A-Z0-9]{18}\d{2}$/),
  truth: pattern('truth', /^\s*(?:true|false|1|0)\s*$/),
  method: oneOf('CHK TRF TRA'),
  priority: oneOf('HIGH NORM'),
  bearer: oneOf('DEBT CRED SHAR SLEV'),
};

const LENGTHS = new Map<string, TextRule>();

/** The rule of a type of text, such as `max35` or `date`; null for a type of elements. */
export function textRule(type: string): TextRule | null {
  const max = /^max(\d+)$/.exec(type)?.[1];
  if (max === undefined) return RULES[type] ?? null;
  const known = LENGTHS.get(type) ?? length(Number(max));
  LENGTHS.set(type, known);
  return known;
}
