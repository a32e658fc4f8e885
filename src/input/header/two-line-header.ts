import { type Candidate, candidateOf, isNumberLike } from './candidates.ts';
import { type GivenHeader, meaningOf } from './columns.ts';
import { isGross } from './gross-words.ts';
import { headerKey, headerWords } from './header-key.ts';
import { isOfSender } from './sender-words.ts';

/** A header of two rows, with the upper one. */
export type TwoLines = { candidate: Candidate; top: Candidate };

/**
 * The header whose groups stand in the row above (`Payee | | Payment |` over `Name | IBAN | Amount | Currency`), where
 * `best` is one of the two rows and both together say more than it alone; null where they do not.
 */
export function twoLineHeader(
  best: Candidate,
  candidates: readonly Candidate[],
  mapper: (cells: readonly string[]) => GivenHeader,
): TwoLines | null {
  const at = candidates.indexOf(best);
  for (const [top, bottom] of [
    [candidates[at - 1], best],
    [best, candidates[at + 1]],
  ] as const) {
    if (top === undefined || bottom === undefined || bottom.row !== top.row + 1) continue;
    if (![top, bottom].every(isOfWords) || isLabelled(top)) continue;
    const { cells, isOfOther } = joinedCells(top.cells, bottom);
    const given = { ...mapper(cells), currency: bottom.given.currency };
    const candidate = { ...candidateOf({ row: bottom.row, cells }, given, []), conflict: bottom.conflict };
    if (isOfOther || quality(candidate) > quality(best)) return { candidate, top };
  }
  return null;
}

/** Words of groups that name none of our columns. */
const GROUPS: ReadonlySet<string> = new Set(
  'payment payout transfer bank details data zahlung paiement pago pagamento betaling płatność platba ödeme 支払 付款'
    .split(' ')
    .map(headerKey),
);

/** Whether a row is a label and its value, as in `Originator | ACME Ltd`, and no row of groups. */
function isLabelled({ cells }: Candidate): boolean {
  const [, value = ''] = cells;
  const isPair = cells.every((cell, at) => (cell.trim() === '') === at > 1);
  const isGroup = meaningOf(value) !== null || isOfSender(value) || headerWords(value).some((word) => GROUPS.has(word));
  return isPair && !isGroup;
}

const WORDS_MIN = 2;

/** Whether a row has words alone, and several. */
function isOfWords({ cells, isComment }: Candidate): boolean {
  const filled = cells.filter((cell) => cell.trim() !== '');
  return (
    !isComment && filled.length >= WORDS_MIN && !filled.some((cell) => isNumberLike(cell) || cell.trim().endsWith(':'))
  );
}

/** Columns that are there, less those that are there twice. */
function quality({ columns, known }: Candidate): number {
  return known - (columns.filter((column) => column !== null).length - known);
}

/** `isOfOther`: whether a group of the sender, or of gross sums, has a column in it that would be ours alone. */
function joinedCells(
  top: readonly string[],
  { cells: bottom }: Pick<Candidate, 'cells'>,
): { cells: string[]; isOfOther: boolean } {
  let group = '';
  let isOfOther = false;
  const text = (row: readonly string[], at: number) => row[at]?.trim() ?? '';
  const cells = Array.from({ length: Math.max(top.length, bottom.length) }, (_, at) => {
    const [upper, lower] = [text(top, at), text(bottom, at)];
    // A group reaches over the columns to its right that have no word of their own above them.
    if (upper !== '') group = lower === '' ? '' : upper;
    if (lower === '') return upper;
    const both = `${group} ${lower}`.trim();
    if (group === '' || meaningOf(both) !== null) return both;
    if (isOfSender(group) || isGross(group)) {
      isOfOther ||= meaningOf(lower) !== null;
      return both;
    }
    const isOnly = bottom.filter((cell) => cell.trim() === lower).length === 1;
    return isOnly && meaningOf(lower) !== null ? lower : both;
  });
  return { cells, isOfOther };
}
