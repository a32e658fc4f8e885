import { groupThousands } from '../../domain/money.ts';
import type { EarlierRow, RepeatProblems, Sum, TotalProblems } from '../../domain/problems/payment-problems.ts';
import { dateText } from '../../domain/time.ts';
import { capital, counted } from '../text.ts';
import type { WordsOf } from './words.ts';

const NOT_PAID = 'Nothing needs to be done: it is not paid.';
const RAISE = 'or let somebody who may do so change the limit in the job';
const WHICH_IS_RIGHT =
  'Find out which is right, the file or the figure; rows with errors are not among what can be paid.';

export const REPEAT_WORDS: WordsOf<RepeatProblems> = {
  possible_duplicate: ({ isOtherName, isOtherPayee, ...of }) => {
    const others = [isOtherName ? 'another name' : '', isOtherPayee ? 'another payee ID' : ''].filter(Boolean);
    return {
      message: `${earlier(of)} pays the same amount to the same account${others.length === 0 ? '' : `, under ${others.join(' and ')}`}.`,
      remedy:
        others.length === 0
          ? `Remove one of the two ${unitOf(of)}s, unless the payee is to be paid twice.`
          : `Find out whose account it is, and remove the wrong ${unitOf(of)}, unless both payments are meant.`,
    };
  },
  payee_name_differs: ({ isSameAccount, ...of }) =>
    isSameAccount
      ? {
          message: `${earlier(of)} has the same payee ID and account with another name.`,
          remedy: 'Make sure that the payee ID belongs to one payee, and write the name in one way.',
        }
      : {
          message: `${earlier(of)} has the same payee ID with another name and another account.`,
          remedy: 'Make sure that the payee ID belongs to one payee, and give each payee one of its own.',
        },
  payee_account_differs: ({ currency, shared, ...of }) => ({
    message: `${earlier(of)} pays the same payee ID in ${currency} to another account${shared === null ? '' : `, and ${named(shared, of)} pays this one for another payee ID`}.`,
    remedy: 'Make sure that both accounts are of this payee: one may be out of date, or of somebody else.',
  }),
  account_shared: ({ isSameName, ...of }) => ({
    message: `${earlier(of)} pays the same account ${isSameName ? 'and name ' : ''}under another payee ID.`,
    remedy: isSameName
      ? 'Use one payee ID for one payee.'
      : 'Make sure that the two payees share the account, and correct it where they do not.',
  }),
  account_name_differs: (of) => ({
    message: `${earlier(of)} pays the same account under another name.`,
    remedy: `Make sure that the account belongs to both, and correct the ${unitOf(of)} where it does not.`,
  }),
  payee_repeated: (of) => ({
    message: `${earlier(of)} pays the same payee ID.`,
    remedy: 'Change nothing if the payee is to get more than one payment.',
  }),
};

/** What a row is called: in a bank file it is a payment or a record. */
function unitOf({ unit }: EarlierRow): string {
  return unit ?? 'row';
}

/** `row 17`, `payment 17`. */
function named(row: number, of: EarlierRow): string {
  return `${unitOf(of)} ${row}`;
}

function earlier(of: EarlierRow): string {
  return capital(named(of.row, of));
}

export const TOTAL_WORDS: WordsOf<TotalProblems> = {
  total_line: ({ unread }) =>
    unread === 0
      ? { message: 'This line has the sum of the rows above it, so it is no payout.', remedy: NOT_PAID }
      : {
          message: `This line says that it is a sum; it could not be compared, because the amounts of ${counted(unread, 'row')} could not be read.`,
          remedy: 'Mend those rows first.',
        },
  count_above_differs: ({ count, rows }) => ({
    message: `The line says that there are ${count} payouts, and the file has ${rows}.`,
    remedy: 'Find the payout that is missing or too many, or correct the line.',
  }),
  total_line_differs: ({ text, isLabelled, sums }) => ({
    message: `This line${isLabelled ? '' : ', which has neither a name nor an account,'} says ${text}, and the rows add up to ${sums.map(sumText).join(' and ') || 'nothing'}.`,
    remedy: isLabelled
      ? 'Find out which is right, and correct the line or the rows; a line without a purpose can be removed.'
      : 'Correct the sum or the rows; if the row is a payout, fill in its name and account.',
  }),
  subtotal_line: {
    message: 'This line has the sum of rows above it, or says so, and stands between payouts.',
    remedy: 'Remove it: a sum may only stand under the last payout.',
  },
  footer_line: {
    message: 'This line stands under the table and has no amount, so it is no payout.',
    remedy: `${NOT_PAID} If it is a payee, fill in the row.`,
  },
  expected_count: ({ expected, payouts }) => ({
    message: `The file has ${payouts} ${payouts === 1 ? 'row' : 'rows'} that can be paid, ${payouts > expected ? `${payouts - expected} more` : `${expected - payouts} fewer`} than the ${expected} expected.`,
    remedy: WHICH_IS_RIGHT,
  }),
  expected_total: ({ total, expected, difference, isMore }) => ({
    message:
      expected === null
        ? `The file pays ${sumText(total)}, and no total was expected in ${total.currency}.`
        : `The file pays ${sumText(total)}, ${sumText(difference)} ${isMore ? 'more' : 'less'} than the ${sumText(expected)} expected.`,
    remedy: WHICH_IS_RIGHT,
  }),
  limit_per_payout: ({ amount, limit }) => ({
    message: `The payout comes to ${sumText(amount)}, and limits.per_payout of the job allows ${sumText(limit)}.`,
    remedy: `Correct the amount, remove the row, ${RAISE}.`,
  }),
  limit_per_run: ({ amount, limit }) => ({
    message: `The run comes to ${sumText(amount)}, and limits.per_run of the job allows ${sumText(limit)}.`,
    remedy: `Pay fewer rows, ${RAISE}.`,
  }),
  limit_per_day: ({ amount, limit, isConverted, others, othersSum, allSum, day, timeZone }) => {
    const more = others.length > RUNS_NAMED_MAX ? ` and ${others.length - RUNS_NAMED_MAX} more` : '';
    const named = `${others.slice(0, RUNS_NAMED_MAX).join(', ')}${more}`;
    const withOthers =
      othersSum === null ? '' : `, and with the ${sumText(othersSum)} of ${named} to ${sumText(allSum)}`;
    return {
      message: `The run ${isConverted ? 'may come' : 'comes'} to ${sumText(amount)}${withOthers}; limits.per_day of the job allows ${sumText(limit)} on ${dateText(day)} (${timeZone}).`,
      remedy: 'Run the plan on another day. Today it would be refused.',
    };
  },
  limit_currency: ({ currency, limits }) => ({
    message: `The job has ${limits.map((name) => `limits.${name}`).join(' and ')} and no sum in ${currency} there, so that nothing is allowed in ${currency}.`,
    remedy: `Remove the rows in ${currency}, ${RAISE}.`,
  }),
  limit_payees: ({ payees, limit }) => ({
    message: `The run has ${payees.toLocaleString('en')} payees, and limits.payees of the job allows ${limit.toLocaleString('en')}.`,
    remedy: `Pay fewer payees, ${RAISE}.`,
  }),
  limit_only_payees: ({ isUnnamed }) => ({
    message: isUnnamed
      ? 'The payee has no payee_id, and limits.only_payees of the job allows those payees alone that it names.'
      : 'The payee is none of those that limits.only_payees of the job names.',
    remedy: 'Correct the payee_id, remove the row, or let somebody who may do so add the payee to the list.',
  }),
};

/** Runs that are named in one sentence. */
const RUNS_NAMED_MAX = 5;

/** `20,000.00 AUD`. */
export function sumText({ amount, currency }: Sum): string {
  return `${groupThousands(amount)} ${currency}`;
}
