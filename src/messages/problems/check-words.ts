import type { EarlierRow, RepeatProblems, Sum, TotalProblems } from '../../domain/problems/payment-problems.ts';
import { dateText } from '../../domain/time.ts';
import { capital, counted, grouped, listed, number } from '../text.ts';
import { either, plural, t, textTable } from '../translate.ts';
import type { WordsOf } from './words.ts';

const notPaid = () => t`Nothing to do: it is not paid.`;
const raise = () => t`or ask someone with permission to change the limit in the job`;
const whichIsRight = () =>
  t`Find out which is right, the file or the figure. Rows with errors do not count as payable.`;

export const REPEAT_WORDS: WordsOf<RepeatProblems> = {
  possible_duplicate: ({ isOtherName, isOtherPayee, ...of }) => {
    const others = [isOtherName ? t`another name` : '', isOtherPayee ? t`another payee ID` : ''].filter(Boolean);
    const { twice, apart } = ONE_TOO_MANY[of.unit ?? 'row'];
    return {
      message: t`${earlier(of)} pays the same amount to the same account${others.length === 0 ? '' : t`, under ${listed(others)}`}.`,
      remedy: others.length === 0 ? twice : apart,
    };
  },
  payee_name_differs: ({ isSameAccount, ...of }) =>
    isSameAccount
      ? {
          message: t`${earlier(of)} has the same payee ID and account with another name.`,
          remedy: t`Make sure that the payee ID belongs to one payee, and write the name in one way.`,
        }
      : {
          message: t`${earlier(of)} has the same payee ID with another name and another account.`,
          remedy: t`Make sure that the payee ID belongs to one payee, and give each payee one of its own.`,
        },
  payee_account_differs: ({ currency, shared, ...of }) => ({
    message: t`${earlier(of)} pays the same payee ID in ${currency} to another account${shared === null ? '' : t`, and ${named(shared, of)} pays this one for another payee ID`}.`,
    remedy: t`Make sure that both accounts are of this payee: one may be out of date, or of someone else.`,
  }),
  account_shared: ({ isSameName, ...of }) => ({
    message: t`${earlier(of)} pays the same account ${either(isSameName, 'and name ', '')}under another payee ID.`,
    remedy: isSameName
      ? t`Use one payee ID for one payee.`
      : t`Make sure that the two payees share the account, and correct it where they do not.`,
  }),
  account_name_differs: (of) => ({
    message: t`${earlier(of)} pays the same account under another name.`,
    remedy: ONE_TOO_MANY[of.unit ?? 'row'].correct,
  }),
  payee_repeated: (of) => ({
    message: t`${earlier(of)} pays the same payee ID.`,
    remedy: t`Change nothing if the payee should get more than one payment.`,
  }),
};

/** By what a row is called: in a bank file it is a payment or a record. */
const ONE_TOO_MANY = textTable({
  row: {
    twice: 'Remove one of the two rows unless the payee should be paid twice.',
    apart: 'Find out whose account it is, and remove the wrong row unless both payments are intended.',
    correct: 'Make sure that the account belongs to both, and correct the row where it does not.',
  },
  payment: {
    twice: 'Remove one of the two payments unless the payee should be paid twice.',
    apart: 'Find out whose account it is, and remove the wrong payment unless both are intended.',
    correct: 'Make sure that the account belongs to both, and correct the payment where it does not.',
  },
  record: {
    twice: 'Remove one of the two records unless the payee should be paid twice.',
    apart: 'Find out whose account it is, and remove the wrong record unless both payments are intended.',
    correct: 'Make sure that the account belongs to both, and correct the record where it does not.',
  },
});

/** `row 17`, `payment 17`. */
function named(row: number, { unit }: EarlierRow): string {
  return unit === undefined ? t`row ${row}` : unit === 'payment' ? t`payment ${row}` : t`record ${row}`;
}

function earlier(of: EarlierRow): string {
  return capital(named(of.row, of));
}

export const TOTAL_WORDS: WordsOf<TotalProblems> = textTable({
  total_line: ({ unread }) =>
    unread === 0
      ? { message: t`This line is the sum of the rows above it, so it is not a payout.`, remedy: notPaid() }
      : {
          message: t`This line says that it is a sum; it could not be compared, because the amounts of ${counted(unread, 'row')} could not be read.`,
          remedy: t`Mend those rows first.`,
        },
  count_above_differs: ({ count, rows }) => ({
    message: t`The line says ${count} payouts, and the file has ${rows}.`,
    remedy: t`Find the missing or extra payout, or correct the line.`,
  }),
  total_line_differs: ({ text, isLabelled, sums }) => ({
    message: t`This line${either(isLabelled, '', ', which has neither a name nor an account,')} says ${text}, and the rows add up to ${listed(sums.map(sumText)) || t`nothing`}.`,
    remedy: isLabelled
      ? t`Find out which is right, and correct the line or the rows; a line without a purpose can be removed.`
      : t`Correct the sum or the rows; if the row is a payout, fill in its name and account.`,
  }),
  subtotal_line: {
    message: 'This line is, or says it is, the sum of rows above it, but it is between payouts.',
    remedy: 'Remove it: a sum may only stand under the last payout.',
  },
  footer_line: {
    message: 'This line is below the table and has no amount, so it is not a payout.',
    get remedy() {
      return t`${notPaid()} If it is a payee, fill in the row.`;
    },
  },
  expected_count: ({ expected, payouts }) => ({
    message: t`The file has ${payouts} ${plural(payouts, 'row', 'rows')} that can be paid, ${payouts > expected ? t`${payouts - expected} more` : t`${expected - payouts} fewer`} than the ${expected} expected.`,
    remedy: whichIsRight(),
  }),
  expected_total: ({ total, expected, difference, isMore }) => ({
    message:
      expected === null
        ? t`The file pays ${sumText(total)}, and no total was expected in ${total.currency}.`
        : t`The file pays ${sumText(total)}, ${sumText(difference)} ${either(isMore, 'more', 'less')} than the ${sumText(expected)} expected.`,
    remedy: whichIsRight(),
  }),
  limit_per_payout: ({ amount, limit }) => ({
    message: t`The payout comes to ${sumText(amount)}, and limits.per_payout of the job allows ${sumText(limit)}.`,
    remedy: t`Correct the amount, remove the row, ${raise()}.`,
  }),
  limit_per_run: ({ amount, limit }) => ({
    message: t`The run comes to ${sumText(amount)}, and limits.per_run of the job allows ${sumText(limit)}.`,
    remedy: t`Pay fewer rows, ${raise()}.`,
  }),
  limit_per_day: ({ amount, limit, isConverted, others, othersSum, allSum, day, timeZone }) => {
    const more = others.length > RUNS_NAMED_MAX ? t` and ${others.length - RUNS_NAMED_MAX} more` : '';
    const named = `${others.slice(0, RUNS_NAMED_MAX).join(', ')}${more}`;
    const withOthers =
      othersSum === null ? '' : t`, and with the ${sumText(othersSum)} of ${named} to ${sumText(allSum)}`;
    return {
      message: t`The run ${either(isConverted, 'may come', 'comes')} to ${sumText(amount)}${withOthers}; limits.per_day of the job allows ${sumText(limit)} on ${dateText(day)} (${timeZone}).`,
      remedy: t`Run the plan on another day. It would be refused today.`,
    };
  },
  limit_currency: ({ currency, limits }) => ({
    message: t`The job has ${listed(limits.map((name) => `limits.${name}`))} and no sum in ${currency} there, so that nothing is allowed in ${currency}.`,
    remedy: t`Remove the rows in ${currency}, ${raise()}.`,
  }),
  limit_payees: ({ payees, limit }) => ({
    message: t`The run has ${number(payees)} payees, and limits.payees of the job allows ${number(limit)}.`,
    remedy: t`Pay fewer payees, ${raise()}.`,
  }),
  limit_only_payees: ({ isUnnamed }) => ({
    message: isUnnamed
      ? t`The payee has no payee_id, and the job's limits.only_payees allows only the payees it names.`
      : t`The payee is not among those in the job's limits.only_payees.`,
    remedy: t`Correct the payee_id, remove the row, or ask someone with permission to add the payee to the list.`,
  }),
});

/** Runs that are named in one sentence. */
const RUNS_NAMED_MAX = 5;

/** `20,000.00 AUD`. */
export function sumText({ amount, currency }: Sum): string {
  return `${grouped(amount)} ${currency}`;
}
