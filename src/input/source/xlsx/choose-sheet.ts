import { findHeader, type NumberedRow, type Sayings } from '../../header/header-search.ts';
import type { ColumnName } from '../../header/synonyms.ts';

/** What the begin of a sheet tells: where its header seems to be, and how much it looks like payouts. */
export type SheetLook = {
  /** From 1; null where there is no row. */
  headerRow: number | null;
  /** How many of our columns the header has. */
  columns: number;
  /** Whether it has what a payout needs: a name, an amount, and where or in what it is paid. */
  isPayouts: boolean;
};

/** What the first rows of a sheet that are not blank tell. */
export function lookAtRows(rows: readonly NumberedRow[], sayings: Sayings): SheetLook {
  const header = findHeader(rows, sayings);
  const columns = new Set(header?.columns.filter((column) => column !== null));
  return { headerRow: header?.row ?? null, columns: columns.size, isPayouts: hasPayouts(columns) };
}

function hasPayouts(columns: ReadonlySet<ColumnName>): boolean {
  const where: ColumnName[] = ['account_number', 'wallet_address', 'external_account_id', 'currency', 'rail'];
  return columns.has('name') && columns.has('amount') && where.some((column) => columns.has(column));
}

export type Candidate = { name: string; isHidden: boolean; look: SheetLook; isEmpty: boolean };

export type SheetChoice =
  | { kind: 'chosen'; index: number; others: string[] }
  | { kind: 'ambiguous'; names: string[] }
  | { kind: 'only_hidden'; names: string[] }
  | { kind: 'unknown'; names: string[] }
  | { kind: 'none' };

/**
 * Which sheet is read: the one that is asked for; else the visible one with payouts, if there is only one; else, where no
 * sheet has any, the visible one with the most of our columns, so that its problems can be told. A hidden sheet is never
 * paid unless it is asked for. `others` are the other sheets with payouts.
 */
export function chooseSheet(candidates: readonly Candidate[], wanted: string | null): SheetChoice {
  const names = candidates.map(({ name }) => name);
  const withPayouts = names.filter((_, at) => candidates[at]?.look.isPayouts);
  const choose = (index: number): SheetChoice => ({
    kind: 'chosen',
    index,
    others: withPayouts.filter((name) => name !== names[index]),
  });
  if (wanted !== null) {
    const index = indexOfName(names, wanted);
    return index === -1 ? { kind: 'unknown', names } : choose(index);
  }
  const visible = [...candidates.keys()].filter((at) => candidates[at]?.isHidden === false);
  const payouts = visible.filter((at) => candidates[at]?.look.isPayouts);
  const [only] = payouts;
  if (only !== undefined && payouts.length === 1) return choose(only);
  if (payouts.length > 1) return { kind: 'ambiguous', names: payouts.map((at) => names[at] ?? '') };
  if (withPayouts.length > 0) return { kind: 'only_hidden', names: withPayouts };
  const columns = (at: number) => candidates[at]?.look.columns ?? 0;
  const [best] = visible.filter((at) => !candidates[at]?.isEmpty).sort((a, b) => columns(b) - columns(a) || a - b);
  return best === undefined ? { kind: 'none' } : choose(best);
}

/** By the exact name; else without regard to case and blanks around, where that is one sheet only. */
function indexOfName(names: readonly string[], wanted: string): number {
  const exact = names.indexOf(wanted);
  if (exact !== -1) return exact;
  const plain = (name: string) => name.trim().toLowerCase();
  const alike = [...names.keys()].filter((at) => plain(names[at] ?? '') === plain(wanted));
  return alike.length === 1 ? (alike[0] ?? -1) : -1;
}
