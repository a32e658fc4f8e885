import type { ProblemGroup } from '../../domain/problem.ts';
import type { ReadResult } from '../../input/input.ts';

/** The groups as they are shown: warnings first, errors after them, and last what stops most rows or the whole file. */
export function inOrderOfImportance(result: ReadResult): ProblemGroup[] {
  const weight = (group: ProblemGroup) => (isOfWholeFile(group, result.headerRow) ? Number.MAX_VALUE : group.count);
  return [...result.problemGroups].sort((a, b) =>
    a.severity === b.severity ? weight(a) - weight(b) : a.severity === 'error' ? 1 : -1,
  );
}

/** Such a problem is behind many of the others, so it is the one to mend first. */
function isOfWholeFile({ code, first: [first] }: ProblemGroup, headerRow: number | null): boolean {
  if (first === undefined) return false;
  if (first.row === null || (headerRow !== null && first.row <= headerRow)) return true;
  return first.cell === null && first.column === null && !code.startsWith('row_');
}
