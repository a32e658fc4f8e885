/**
 * The modulus check of the UK: whether an account number can belong to its sort code. By the specification "Validating
 * account numbers" of Vocalink for Pay.UK, with its exceptions 1 to 14; the weights are those of the operator's table.
 */
export type ModulusTable = {
  /** In ascending order; none overlaps another. */
  ranges: readonly ModulusRange[];
  /** The sort code that is checked in place of another (exception 5); null where the operator gave no such table. */
  substitutions: ReadonlyMap<string, string> | null;
};

/** Sort codes from the first to the last, and the one or two checks of their accounts. */
export type ModulusRange = { first: number; last: number; checks: readonly ModulusCheck[] };

export type ModulusMethod = 'MOD10' | 'MOD11' | 'DBLAL';

export type ModulusCheck = {
  method: ModulusMethod;
  /** Of the six digits of the sort code and the eight of the account. */
  weights: readonly number[];
  /** 0 for none. */
  exception: number;
};

export type ModulusResult =
  /** The checks pass, or there is none for the sort code: such accounts are presumed to be right. */
  | 'passes'
  | 'fails'
  /** The check needs the substitutions, which are not there, or has an exception that is not known here. */
  | 'not covered';

export const WEIGHTS = 14;

const EXCEPTION_MAX = 14;

/** Where the first of two checks has one of these, the account is right if either passes. */
const EITHER = new Set([2, 10, 12]);

/** Of the euro accounts of Lloyds (exceptions 2 and 9), where the account does not begin with 0; by whether its seventh digit is 9. */
const LLOYDS_WEIGHTS = [0, 0, 1, 2, 5, 3, 6, 4, 8, 7, 10, 9, 3, 1];
const LLOYDS_WEIGHTS_OF_9 = [0, 0, 0, 0, 0, 0, 0, 0, 8, 7, 10, 9, 3, 1];

/** Checked in place of the row's sort code. */
const SUBSTITUTE_OF_8 = '090126';
const SUBSTITUTE_OF_9 = '309634';

/** The sort code and the account number are six and eight digits. */
export function checkModulus(table: ModulusTable, sortCode: string, account: string): ModulusResult {
  const checks = checksOf(table.ranges, Number(sortCode));
  const [first] = checks;
  if (first === undefined) return 'passes';
  if (checks.some(({ exception }) => exception > EXCEPTION_MAX || (exception === 5 && table.substitutions === null)))
    return 'not covered';
  if (first.exception === 6 && isForeignCurrency(account)) return 'passes';
  const passes = (check: ModulusCheck) => passesCheck(check, substituteOf(check, sortCode, table), account);
  return (EITHER.has(first.exception) ? checks.some(passes) : checks.every(passes)) ? 'passes' : 'fails';
}

function checksOf(ranges: readonly ModulusRange[], sortCode: number): readonly ModulusCheck[] {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const range = ranges[middle];
    if (range === undefined) break;
    if (sortCode < range.first) high = middle;
    else if (sortCode > range.last) low = middle + 1;
    else return range.checks;
  }
  return [];
}

/** The accounts of exception 6 that may be in a foreign currency, which cannot be checked: the first digit 4 to 8, the last two alike. */
function isForeignCurrency(account: string): boolean {
  return /^[4-8].{5}(\d)\1$/.test(account);
}

function substituteOf({ exception }: ModulusCheck, sortCode: string, { substitutions }: ModulusTable): string {
  if (exception === 5) return substitutions?.get(sortCode) ?? sortCode;
  if (exception === 8) return SUBSTITUTE_OF_8;
  return exception === 9 ? SUBSTITUTE_OF_9 : sortCode;
}

function passesCheck(check: ModulusCheck, sortCode: string, account: string): boolean {
  const { exception, method } = check;
  const [, , c, , , , g = 0, h = 0] = Array.from(account, Number);
  if (exception === 3 && (c === 6 || c === 9)) return true;
  const remainder = remainderOf(check, sortCode, account);
  if (exception === 4) return remainder === 10 * g + h;
  // The check digit is what the sum lacks; one that would have two digits is never given.
  if (exception === 5) return method === 'DBLAL' ? (remainder + h) % 10 === 0 : (remainder + g) % 11 === 0;
  if (remainder === 0 || exception !== 14) return remainder === 0;
  // Of an account of Coutts the last digit may be one that is not checked.
  return [0, 1, 9].includes(h) && remainderOf(check, sortCode, `0${account.slice(0, -1)}`) === 0;
}

function remainderOf(check: ModulusCheck, sortCode: string, account: string): number {
  const { method, exception } = check;
  const weights = weightsOf(check, account);
  let sum = exception === 1 ? 27 : 0;
  for (const [at, digit] of Array.from(sortCode + account, Number).entries()) {
    const product = digit * (weights[at] ?? 0);
    sum += method === 'DBLAL' ? digitSum(product) : product;
  }
  const modulus = method === 'MOD11' ? 11 : 10;
  return ((sum % modulus) + modulus) % modulus;
}

function digitSum(number: number): number {
  let sum = 0;
  for (let rest = number; rest > 0; rest = Math.floor(rest / 10)) sum += rest % 10;
  return sum;
}

function weightsOf({ exception, weights }: ModulusCheck, account: string): readonly number[] {
  const is9 = account.charAt(6) === '9';
  if (exception === 2 && !account.startsWith('0')) return is9 ? LLOYDS_WEIGHTS_OF_9 : LLOYDS_WEIGHTS;
  const isShort = exception === 7 || (exception === 10 && /^[09]9/.test(account));
  return isShort && is9 ? weights.map((weight, at) => (at < 8 ? 0 : weight)) : weights;
}
