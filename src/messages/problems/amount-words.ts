import type { AmountProblems, CurrencyMark } from '../../domain/problems/input-problems.ts';
import { anyOf, listed } from '../text.ts';
import { either, t, textTable } from '../translate.ts';
import { columnOption } from './header-text.ts';
import { kindTitle } from './kind-titles.ts';
import type { ProblemWords, Remedy, WordsOf } from './words.ts';

const noSuchCurrency = () => t`This is not the code of a currency that payrun knows.`;
const writeRail = () => t`Write the one that is meant into the column rail.`;
const cryptoAssets = () => t`crypto assets`;

export const AMOUNT_WORDS: WordsOf<AmountProblems> = textTable({
  amount_missing: { message: 'The amount is missing.', remedy: 'Write what the payee receives, such as 1234.50.' },
  amount_not_a_number: {
    message: 'The amount is not a number.',
    remedy:
      'Write digits with a decimal point, such as 1234.50; only the sign or code of its currency may stand beside them.',
  },
  amount_ambiguous: () => ({
    message: t`The amount can be read in two ways, a thousand times apart, and no other amount of the column shows which.`,
    remedy: nameDecimal(t`Write it without grouping (1234.00), or`),
  }),
  amount_separators_mixed: ({ cells }) => ({
    message: t`The amounts in the column use both a point and a comma as decimal separator, so none of them is certain: ${listed(cells.map(({ cell, text }) => `${cell} "${text}"`))}.`,
    remedy: nameDecimal(t`Write every amount the same way, ideally as 1234.50, or`),
  }),
  amount_wrong_separator: {
    message: 'The amount does not fit the chosen decimal separator.',
    remedy: {
      command_line: 'Write it in that way, or change --decimal.',
      page: ({ reading }) => t`Write it that way, or choose the other separator under ${reading}.`,
    },
  },
  amount_scientific: {
    message: 'The amount is in scientific notation, so digits may have been lost.',
    remedy: 'Format the column as a plain number and write the amount again.',
  },
  amount_digits_lost: ({ digits }) => ({
    message: t`The amount has ${digits} digits. Spreadsheets keep 15 of a number, so the others are lost.`,
    remedy: t`Format the cell as text and write the amount again.`,
  }),
  amount_too_many_decimals: ({ currency, decimals }) => ({
    message: t`The amount has more decimals than ${currency ?? t`any currency`} has, which is ${decimals}.`,
    remedy: t`Round it yourself: payrun never changes an amount.`,
  }),
  amount_too_large: { message: 'The amount is larger than can be paid.', remedy: 'Check the amount.' },
  amount_not_positive: ({ amount }) => ({
    message: t`The amount is read as ${amount}, which is not more than zero.`,
    remedy: t`Write a positive amount, or remove the row.`,
  }),
  amount_is_percentage: ({ holds }) => ({
    message: t`The sheet shows a percentage, and the cell holds ${holds}.`,
    remedy: t`Write the amount itself, and format the cell as a number.`,
  }),
  amount_shown_rounded: ({ holds, isInThousands }) => ({
    message: t`The sheet shows the amount ${either(isInThousands, 'in thousands', 'rounded')}, and ${holds} is what the cell holds.`,
    remedy: t`Make sure that this is the amount to pay: show all its digits in the sheet, or round it yourself.`,
  }),
  amount_shown_in_other_currency: ({ mark, currency }) => ({
    message: t`The sheet shows the amount in ${described(mark)}, and ${currency} is paid, the currency of the row.`,
    remedy: t`If the column currency is right, change the cell's number format.`,
  }),
  amount_currency_differs: ({ mark, currency }) => ({
    message: t`The amount is in ${described(mark)}, and the currency of the row is ${currency}.`,
    remedy: t`Correct the one that is wrong: the amount, or the column currency.`,
  }),
  amount_header_currency_differs: ({ header, codes, currency }) => ({
    message: t`The header \`${header}\` says that the amounts are in ${anyOf(codes.slice(0, 3))}, and the currency of the row is ${currency}.`,
    remedy: t`Correct the one that is wrong: the header, or the currency.`,
  }),
  currencies_differ: ({ header, other, currency, amounts = 'amount' }) => ({
    message: t`The column \`${header}\` says ${other}, and the currency of the row is ${currency}: the amount may be in either.`,
    remedy: {
      command_line: `Make sure that the amount is in ${currency}; then say ${columnOption(amounts, 'amount')} ${columnOption(header, null)}, or remove the other column.`,
      page: ({ columns }) =>
        t`Make sure that the amount is in ${currency}; then choose under ${columns} that \`${amounts}\` is the amount, and ignore the other column; or remove it.`,
    },
  }),
  amount_of_other_currency: ({ header, other, currency, amounts }) => ({
    message: t`\`${amounts}\` is in ${other}, as \`${header}\` says, and the row is paid in ${currency}: the same number would be paid in another currency.`,
    remedy: t`Add a column amount with what is paid in ${currency} and delete \`${amounts}\`, or correct the wrong currency.`,
  }),
  amount_of_source_currency: ({ header, isAmount }) =>
    isAmount
      ? {
          message: t`The column ${header} holds amounts in the currency that is sent, not in that of the payee.`,
          remedy: t`Put a column amount with what the payee receives in its place, or export the list with amounts in the currency that the recipient gets.`,
        }
      : {
          message: t`The column ${header} does not say "target", so the amount may be in the currency that is sent.`,
          remedy: t`Write what the payee receives into the column amount, and "target" into that one, or remove it.`,
        },
  currency_missing: ({ marks, code }) => ({
    message: t`The currency is missing.`,
    remedy: t`Write its code of three letters, such as ${code ?? t`AUD`}.${asMarked(marks)}`,
  }),
  currency_only_in_amount: ({ marks, code }) => ({
    message: t`There is no column currency, and the text beside the amount does not replace it.${asMarked(marks)}`,
    remedy: t`Add a column with the header currency, and write the code of three letters into it, such as ${code ?? t`AUD`}.`,
  }),
  currency_unknown: ({ meant, near }) => {
    const guess = near === null ? '' : t`Did you mean ${near}? `;
    return {
      message: noSuchCurrency(),
      remedy:
        meant === null
          ? t`${guess}Write the code of three letters (ISO 4217), such as AUD, or USDC, USDT or ETH.`
          : t`Write ${meant}.`,
    };
  },
  currency_not_on_chain: ({ currency, chains }) => ({
    message: t`${currency} is not paid on this chain.`,
    remedy: t`Write one of ${chains.join(', ')}.`,
  }),
  currency_without_rail: ({ currency, currencies }) => ({
    message: t`payrun has no rail that pays ${currency}.`,
    remedy: t`Pay this row by other means, or in one of ${[...currencies, cryptoAssets()].join(', ')}.`,
  }),
  source_currency_unknown: {
    get message() {
      return noSuchCurrency();
    },
    remedy:
      'Write the code of three letters (ISO 4217), such as AUD, or an asset with its chain, such as USDC ethereum; leave it empty to pay from the currency of the payout.',
  },
  source_chain_missing: ({ currency, chains }) => ({
    message: t`${currency} is held on several chains, and the cell does not say on which.`,
    remedy: oneOfChains(currency, chains),
  }),
  source_currency_not_on_chain: ({ currency, chains }) => ({
    message: t`${currency} is not held on this chain.`,
    remedy: oneOfChains(currency, chains),
  }),
  source_crypto_to_crypto: ({ from, to }) => ({
    message: t`${from} is not converted into ${to} directly.`,
    remedy: t`Pay it from USDC or USDT, which can be converted into both.`,
  }),
  destination_missing: {
    message: 'The row names no account that exists at the service, and has no bank details.',
    remedy: 'Fill in external_account_id, or the columns of the account: account_number and what its rail needs.',
  },
  rail_missing: ({ rails }) => ({
    message: t`The rail is missing.`,
    remedy: t`Write how the payee is paid: ${oneOf(rails)}.`,
  }),
  rail_unknown: ({ meant, rails }) => ({
    message: t`This is not the name of a rail.`,
    remedy: t`Write ${meant ?? oneOf(rails)}.`,
  }),
  rail_currency_mismatch: ({ rail, pays, currency }) => ({
    message: t`${rail} pays ${pays ?? cryptoAssets()}, and the row's currency is ${currency}.`,
    remedy: t`Change the rail or the currency.`,
  }),
  rail_several_fit: severalFit,
  rail_none_fits: ({ currency, nearest, rails, misfits }) => ({
    message: t`The rail is missing, and the row fits none that pays ${currency}: ${misfits.map(({ rail, codes }) => `${rail} (${codes.map((code) => kindTitle(code) ?? code).join(', ')})`).join(', ')}.`,
    remedy: t`Correct what does not fit ${nearest}, the nearest match, or enter the rail you mean: ${oneOf(rails)}.`,
  }),
});

function severalFit({ currency, fitting }: AmountProblems['rail_several_fit']): ProblemWords {
  const why = fitting.map(({ rail, fields }) => `${rail} (${fields.join(', ')})`);
  const options = fitting.map(({ rail }) => t`--default-rail ${currency}=${rail}`);
  return {
    message: t`The rail is missing, and the row fits ${fitting.length} that pay ${currency}: ${why.join(', ')}.`,
    remedy: {
      command_line: `${writeRail()} In place of that, ${options.join(' or ')} says it for all rows in ${currency} that name none.`,
      page: ({ reading }) => t`${writeRail()} Or choose one for all such rows under ${reading}.`,
    },
  };
}

function nameDecimal(before: string): Remedy {
  return {
    command_line: `${before} name the decimal separator: --decimal . or --decimal ,`,
    page: ({ reading }) => t`${before} choose the decimal separator under ${reading}.`,
  };
}

/** `EUR`, `€ (EUR)`, `¥ (JPY or CNY)`, `$ (USD, AUD and others)`. */
function described({ text, codes }: CurrencyMark): string {
  if (codes.length === 1 && codes[0] === text.toUpperCase()) return text.toUpperCase();
  if (codes.length <= 3) return `${text} (${anyOf(codes)})`;
  return t`${text} (${codes.slice(0, 3).join(', ')} and others)`;
}

function asMarked(marks: readonly CurrencyMark[]): string {
  return marks.length === 0 ? '' : t` The amount says ${listed(marks.map(described))}.`;
}

function oneOf(rails: readonly string[]): string {
  return rails.length === 1 ? rails.join() : t`one of ${rails.join(', ')}`;
}

function oneOfChains(currency: string, chains: readonly string[]): string {
  return t`Write one of ${chains.map((chain) => `${currency} ${chain}`).join(', ')}.`;
}
