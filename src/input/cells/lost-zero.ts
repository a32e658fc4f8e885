import type { Finding, Rail, RailFields } from '../../domain/rails/rail.ts';
import type { RowCells } from './row-cells.ts';

/**
 * Warns of an account number that is a number cell, where the rail would take it as well with a zero in front. Where it
 * has the one length that its rail knows, or the longest, there was none.
 */
export function warnOfLostZero(cells: RowCells, rail: Rail, fields: RailFields, found: readonly Finding[]): void {
  const facts = cells.facts('account_number');
  if (facts?.kind !== 'number' || facts.shown !== null) return;
  const said = ofAccount(found);
  const longer = ofAccount(rail.check({ ...fields, account_number: `0${fields.account_number}` }));
  // What is wrong is said already; what the zero makes wrong or unusual, it was not in front of.
  if (said.some(({ severity }) => severity === 'error')) return;
  if (longer.some(({ code }) => !said.some((finding) => finding.code === code))) return;
  cells.warn('account_number', {
    code: 'identifier_number',
    message: 'The cell holds a number, so zeros in front, if there were any, are lost.',
    remedy: 'Compare it with its source. To be safe, format the column as text and type account numbers again.',
  });
}

function ofAccount(found: readonly Finding[]): Finding[] {
  return found.filter(({ field }) => field === 'account_number');
}
