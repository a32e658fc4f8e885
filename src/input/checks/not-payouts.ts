import { fault, type Problem, type ProblemCode, problemAt } from '../../domain/problem.ts';
import { cellName } from '../../platform/xlsx/cell-names.ts';
import type { Header } from '../header/columns.ts';
import { headerKey } from '../header/header-key.ts';
import type { NumberedRow } from '../header/header-search.ts';
import { layoutOf } from '../header/layout-of.ts';
import { bankStatement } from './bank-statement.ts';
import { collections } from './collections.ts';
import { headerDoubts } from './header-doubts.ts';
import { hasAccounts, type Kind, TableSample } from './table-sample.ts';
import { contactList, hasDoubtfulAccount, withoutAccounts } from './without-accounts.ts';
import * as words from './words/not-payout-words.ts';

/** Lists of which nothing may be paid, whatever else is right or wrong in them. */
const KINDS: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'bank_statement',
  'direct_debit_list',
  'collection_list',
  'card_list',
  'gross_list',
  'contact_list',
  'list_without_accounts',
  'unpayable_layout',
]);

/** Whether the file is a list of another kind than payouts, so that its rows need not be read. */
export function isNoPayoutList({ firstError }: Header): boolean {
  return firstError !== null && KINDS.has(firstError.code);
}

/**
 * The header with what makes its file no list of payouts, found by the headers and by what stands under them: such a
 * file is refused by its kind, and what it lacks for payouts is not worth noting. Else with what is doubtful of its
 * amounts and accounts.
 */
export function judgeHeader(header: Header, rows: readonly NumberedRow[], sheet: string | null): Header {
  const known = new TableSample(header, rows);
  const doubts = headerDoubts(header, known);
  const kind = kindOf(header, known, rows, sheet);
  const isInOtherUnits = doubts.some(({ code }) => IN_OTHER_UNITS.has(code));
  const others =
    kind === null ? header.problems.filter((problem) => !(isInOtherUnits && isOfMissingAmount(problem))) : [];
  const problems = kind === null ? [...doubts, ...others] : [kind, ...doubts.filter(({ code }) => !WHICH.has(code))];
  return { ...header, problems, firstError: problems.find(({ severity }) => severity === 'error') ?? null };
}

/** Where nothing of a file is paid, questions about its columns and payees are left out. */
const WHICH: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'amount_or_other',
  'amount_net_or_gross',
  'amount_before_deductions',
  'account_or_other',
  'name_of_customer',
  'amount_is_contribution',
]);

const IN_OTHER_UNITS: ReadonlySet<ProblemCode> = new Set<ProblemCode>(['amount_in_minor_units', 'amount_in_thousands']);

/** The amount is there, in other units. */
function isOfMissingAmount({ code, column }: Problem): boolean {
  return code === 'column_missing' && column === 'amount';
}

type Judge = (sample: TableSample, header: Header, titles: readonly string[]) => Kind | null;

/** The first that finds its kind names the file: a known layout is certain, and statements have columns for mandates too. */
const JUDGES: readonly Judge[] = [
  unpayableLayout,
  bankStatement,
  directDebits,
  collections,
  cardList,
  grossList,
  contactList,
  withoutAccounts,
];

/** A row with fewer cells is no header of a list. */
const HEADER_CELLS_MIN = 2;

function kindOf(
  header: Header,
  known: TableSample,
  rows: readonly NumberedRow[],
  sheet: string | null,
): Problem | null {
  const isUnknown = header.firstError?.code === 'header_not_found';
  const wide = rows.filter(({ cells }) => cells.filter((cell) => cell.trim() !== '').length >= HEADER_CELLS_MIN);
  for (const sample of isUnknown ? wide.map((row) => new TableSample(row, rows)) : [known]) {
    const above = rows.filter(({ row }) => row < sample.row).flatMap(({ cells }) => cells);
    const titles = sheet === null ? above : [...above, sheet];
    for (const judge of JUDGES) {
      const kind = judge(sample, header, titles);
      if (kind === null) continue;
      const row = header.isByLetters ? header.row + 1 : sample.row;
      const { what, at } = kind;
      const cell = at === null ? {} : { cell: cellName(at, row), value: sample.headers[at] ?? null };
      return problemAt('error', what, { row, ...cell });
    }
  }
  return null;
}

/** A list of a known product without accounts, unless somebody added them. */
function unpayableLayout(sample: TableSample, header: Header): Kind | null {
  const layout = layoutOf(sample.headers);
  if (layout?.unpayable === undefined || hasAccounts(sample, header)) return null;
  return { what: fault('unpayable_layout', { layout: layout.name, list: layout.unpayable }), at: 0 };
}

/** Money to be collected. Paid, it would go to those who owe it. */
function directDebits(sample: TableSample, header: Header, titles: readonly string[]): Kind | null {
  const isFilled = (at: number) => sample.rows.length === 0 || sample.filled(at).length > 0;
  const columns = [...sample.headers.keys()];
  const at =
    sample.all(words.MANDATE).find(isFilled) ??
    columns.find((column) => sample.every(column, (cell) => words.SEQUENCES.has(cell.toUpperCase()))) ??
    sample.all(words.TRANSACTION_CODE).find((column) => sample.every(column, (cell) => words.DEBIT_CODES.has(cell))) ??
    sample.all(words.PAYMENT_KIND).find((column) => sample.every(column, (cell) => words.DEBIT.has(headerKey(cell)))) ??
    debtorAsPayee(sample, header);
  if (at !== null) return { what: fault('direct_debit_list', { sign: sample.headers[at]?.trim() ?? '' }), at };
  const title = titles.find(namesDebits);
  return title === undefined ? null : { what: fault('direct_debit_list', { sign: title.trim() }), at: 0 };
}

/** Whether a title is of direct debits, and not of a list without them. */
function namesDebits(title: string): boolean {
  const isOfOthers = title.split(/\P{L}+/u).some((word) => words.WITHOUT.has(headerKey(word)));
  return !isOfOthers && words.DEBIT_TITLES.some((name) => headerKey(title).includes(name));
}

/** The column of debtors, where no other names who is paid: beside one that does, the debtor is who pays. */
function debtorAsPayee(sample: TableSample, { index, cells }: Header): number | null {
  const debtor = sample.find(words.DEBTOR);
  if (debtor === -1) return null;
  const name = cells === sample.headers ? index.name : -1;
  if (name !== -1 && !sample.is(name, words.DEBTOR)) return null;
  return sample.headers.some((cell) => words.PAYEE_PART.test(headerKey(cell))) ? null : debtor;
}

/** Numbers of cards, which are no accounts. */
function cardList(sample: TableSample, header: Header): Kind | null {
  const account = header.cells === sample.headers ? header.index.account_number : -1;
  const hasOther = hasAccounts(sample, header);
  const isBesideCards = sample.find(words.OF_CARDS) !== -1;
  const at = [...sample.headers.keys()].find((column) => {
    if (hasOther && column !== account) return false;
    const isNamed = sample.is(column, words.CARD);
    if (isNamed && sample.every(column, (cell) => isCardNumber(cell) || MASKED_CARD.test(cell))) return true;
    const isLikely = isBesideCards || (column !== account && sample.filled(column).length > 1);
    return isLikely && sample.every(column, isCardNumber);
  });
  return at === undefined ? null : { what: fault('card_list', { header: sample.header(at).header }), at };
}

const MASKED_CARD = /^(?=(?:.*[xX*•.]){4})[\dxX*•. -]*\d{4}$/u;

/** Whether a text is a card's number by its length, what it begins with and its check digit (Luhn). */
function isCardNumber(cell: string): boolean {
  const digits = cell.replace(/[ -]/g, '');
  if (!/^[2-6]\d{12,18}$/.test(digits)) return false;
  let sum = 0;
  for (const [at, digit] of [...digits].reverse().entries()) {
    const value = at % 2 === 0 ? Number(digit) : Number(digit) * 2;
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}

/** The kinds of pay of each person, before tax: several lines a person, and no account. */
function grossList(sample: TableSample, header: Header): Kind | null {
  const at = sample.find(words.WAGE_TYPE);
  if (at === -1 || hasAccounts(sample, header) || hasDoubtfulAccount(sample, header)) return null;
  return { what: fault('gross_list', { header: sample.header(at).header }), at };
}
