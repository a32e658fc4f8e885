import { type Currency, chainsOf, crypto, fiat, isCrypto } from '../../../domain/currencies.ts';
import { parseMajor } from '../../../domain/money.ts';
import type { Fault } from '../cell-facts.ts';
import { leadingApostrophe, type RowCells } from '../row-cells.ts';
import { type AmountFault, amountShape, type DecimalConvention, readAmount } from './amount.ts';
import { agreesWithFormat } from './amount-format.ts';
import { type AmountText, amountTextOf } from './amount-text.ts';
import { currenciesOfMark, currenciesOfMarks, described } from './currency-signs.ts';
import { nearCurrency } from './near-currency.ts';

/** The service's amounts have at most 38 digits. */
const MINOR_LIMIT = 10n ** 38n;

/** There are fewer codes; the same one can be written in several cases. */
const CURRENCIES_SEEN_MAX = 1_000;

/** With an unknown currency the amount is still checked, with as many decimals as any asset has. */
const DECIMALS_UNKNOWN = 18;

const AMOUNT_FAULTS: Readonly<Record<AmountFault, Omit<Fault, 'code'>>> = {
  amount_not_a_number: {
    message: 'The amount is not a number.',
    remedy:
      'Write digits with a decimal point, such as 1234.50; only the sign or code of its currency may stand beside them.',
  },
  amount_ambiguous: {
    message:
      'The amount can be read in two ways, a thousand times apart, and no other amount of the column tells which.',
    remedy: { code: 'ungroup_or_name_decimal' },
  },
  amount_separators_mixed: {
    message:
      'The amounts of the column do not agree on whether a point or a comma divides the decimals, so none of them is certain',
    remedy: { code: 'agree_or_name_decimal' },
  },
  amount_wrong_separator: {
    message: 'The amount does not fit the decimal separator that was named.',
    remedy: { code: 'fit_or_change_decimal' },
  },
};

/** Reads `currency` (and `chain` for crypto) of a row, or null with the problems noted. */
export function readCurrency(cells: RowCells): Currency | null {
  const text = cells.text('currency');
  // Asked for once, and not in three tables, in the millions of cells that hold one of a few codes.
  const seen = cells.currencies.get(text);
  if (seen !== undefined) return seen;
  const code = text.toUpperCase();
  if (text === '') {
    noteMissingCurrency(cells);
    return null;
  }
  const known = isCrypto(code) ? readCrypto(cells, code) : fiat(code);
  if (known === null && !isCrypto(code)) cells.error('currency', unknownCurrency(text));
  if (known !== null && known.chain === null && cells.currencies.size < CURRENCIES_SEEN_MAX)
    cells.currencies.set(text, known);
  return known;
}

/** Reads `amount` of a row as minor units of `currency`, or null with the problems noted. */
export function readAmountCell(
  cells: RowCells,
  currency: Currency | null,
  convention: DecimalConvention,
): bigint | null {
  const text = cells.text('amount');
  if (text === '') {
    if (cells.has('amount'))
      cells.error('amount', missing('amount', 'Write what the payee receives, such as 1234.50.'));
    return null;
  }
  const plain = readPlain(cells, text, currency, convention);
  if (plain === null) return null;
  const parsed = parseMajor(plain, currency?.decimals ?? DECIMALS_UNKNOWN);
  if (!parsed.ok) {
    cells.error('amount', parsed.code === 'amount_too_many_decimals' ? tooManyDecimals(currency) : tooLarge());
    return null;
  }
  if (parsed.minor <= 0n) {
    cells.error('amount', {
      code: 'amount_not_positive',
      message: `The amount is read as ${plain}, which is not more than zero.`,
      remedy: 'Write a positive amount, or remove the row.',
    });
    return null;
  }
  if (parsed.minor >= MINOR_LIMIT) {
    cells.error('amount', tooLarge());
    return null;
  }
  return parsed.minor;
}

/** The amount as a plain decimal with a point, or null with the problem noted. Digits and a point take the short way. */
function readPlain(
  cells: RowCells,
  text: string,
  currency: Currency | null,
  convention: DecimalConvention,
): string | null {
  const facts = cells.facts('amount');
  if (facts?.kind === 'number') {
    // The number of a workbook's cell is no text that a person wrote in some convention.
    return facts.format === null || agreesWithFormat(cells, text, facts.format, currency) ? text : null;
  }
  const shape = amountShape(text);
  const amount = shape === 'none' ? readAmountText(cells, text) : null;
  const reading =
    amount === null ? readAmount(text, shape, convention) : readAmount(amount.number, amount.shape, convention);
  if (!reading.ok) {
    cells.error('amount', amountFault(reading.code, text, cells.contradiction));
    return null;
  }
  if (amount === null) return reading.plain;
  if (!agrees(cells, amount, currency)) return null;
  return amount.isNegative ? `-${reading.plain}` : reading.plain;
}

/** An apostrophe in front is how people keep a spreadsheet program from changing a number. */
function readAmountText(cells: RowCells, text: string): AmountText | null {
  if (!/^['\u2019]/.test(text)) return amountTextOf(text);
  const amount = amountTextOf(text.slice(1).trim());
  if (amount !== null) cells.warn('amount', leadingApostrophe(text.slice(1).trim()));
  return amount;
}

/** Whether what stands beside the number can mean the row's currency. Where the row has none, that is said already. */
function agrees(cells: RowCells, amount: AmountText, currency: Currency | null): boolean {
  if (currency === null) return true;
  const other = amount.marks.find((mark) => !currenciesOfMark(mark)?.includes(currency.code));
  if (other === undefined) return true;
  cells.error('amount', {
    code: 'amount_currency_differs',
    message: `The amount is in ${described(other)}, and the currency of the row is ${currency.code}.`,
    remedy: 'Correct the one that is wrong: the amount, or the column currency.',
  });
  return false;
}

/** A sign or code in the amount does not stand for the column, in which people look for the currency. */
function noteMissingCurrency(cells: RowCells): void {
  const marks = amountTextOf(cells.text('amount'))?.marks ?? [];
  const codes = currenciesOfMarks(marks);
  const said = marks.length === 0 ? '' : ` The amount says ${marks.map(described).join(' and ')}.`;
  if (cells.has('currency')) {
    const fault = missing('currency', `Write its code of three letters, such as ${codes[0] ?? 'AUD'}.${said}`);
    cells.error('currency', codes.length === 1 && codes[0] !== undefined ? { ...fault, suggestion: codes[0] } : fault);
  } else if (said !== '' && !cells.noted.has('currency_only_in_amount')) {
    cells.noted.add('currency_only_in_amount');
    cells.error('amount', {
      code: 'currency_only_in_amount',
      message: `There is no column currency, and what stands beside the amount does not replace it.${said}`,
      remedy: `Add a column with the header currency, and write the code of three letters into it, such as ${codes[0] ?? 'AUD'}.`,
    });
  }
}

/** A sign that one currency alone has says which code is meant. */
function unknownCurrency(text: string): Fault {
  const [meant, other] = currenciesOfMark(text) ?? [];
  const near = nearCurrency(text);
  const fault = {
    code: 'currency_unknown',
    message: 'This is not the code of a currency that payrun knows.',
    remedy: `${near === null ? '' : `Did you mean ${near}? `}Write the code of three letters (ISO 4217), such as AUD, or USDC, USDT or ETH.`,
  };
  return meant === undefined || other !== undefined
    ? fault
    : { ...fault, remedy: `Write ${meant}.`, suggestion: meant };
}

function readCrypto(cells: RowCells, code: string): Currency | null {
  const chain = cells.text('chain').toLowerCase();
  const known = crypto(code, chain);
  if (known !== null) return known;
  const chains = chainsOf(code).join(', ');
  if (chain === '')
    cells.error('chain', {
      code: 'chain_missing',
      message: `${code} is on several chains, and the row does not say which.`,
      remedy: `Write one of ${chains} into the column chain.`,
    });
  else
    cells.error('chain', {
      code: 'currency_not_on_chain',
      message: `${code} is not paid on this chain.`,
      remedy: `Write one of ${chains}.`,
    });
  return null;
}

function amountFault(code: AmountFault, text: string, contradiction: string): Fault {
  if (code === 'amount_not_a_number' && /^-?\d+(?:[.,]\d+)?[eE][+-]?\d+$/.test(text))
    return {
      code: 'amount_scientific',
      message: 'The amount is in scientific notation, so digits may have been lost.',
      remedy: 'Format the column as a plain number and write the amount again.',
    };
  const { message, remedy } = AMOUNT_FAULTS[code];
  return { code, message: code === 'amount_separators_mixed' ? `${message}: ${contradiction}.` : message, remedy };
}

function tooManyDecimals(currency: Currency | null): Fault {
  const decimals = currency?.decimals ?? DECIMALS_UNKNOWN;
  return {
    code: 'amount_too_many_decimals',
    message: `The amount has more decimals than ${currency?.code ?? 'any currency'} has, which is ${decimals}.`,
    remedy: 'Round it yourself: payrun never changes an amount.',
  };
}

function tooLarge(): Fault {
  return { code: 'amount_too_large', message: 'The amount is larger than can be paid.', remedy: 'Check the amount.' };
}

function missing(column: string, remedy: string): Fault {
  return { code: `${column}_missing`, message: `The ${column} is missing.`, remedy };
}
