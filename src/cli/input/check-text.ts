import { inOrderOfImportance } from '../../app/check/check-result.ts';
import type { Gathered } from '../../app/plan/given.ts';
import { formatForPeople } from '../../domain/money.ts';
import { messages } from '../../messages/messages.ts';
import { counted, printable } from '../../messages/text.ts';
import { groupText, paint } from './problem-text.ts';

/** An input that was read. */
export type Read = Gathered['read'];

/** What `check` prints for people: warnings first and errors last, where the eye is when it stops scrolling. */
export function checkText(result: Read, options: { quiet: boolean; colour: boolean }): string {
  const groups = inOrderOfImportance(result).map((group) => groupText(group, options.colour));
  const parts = options.quiet ? groups : [...groups, totalsText(result)];
  return [...parts, outcomeText(result, options.colour)].map((part) => `${part}\n`).join('\n');
}

function totalsText(result: Read): string {
  const lines = result.totals.map(({ currency, count, minor }) => {
    const amount = formatForPeople({ minor, currency });
    return `  ${String(count).padStart(9)}  ${amount.padStart(28)}`;
  });
  const format = result.format === null ? '' : `${messages.files.FORMAT_NAMES[result.format]}, `;
  const title = `${result.input.name}: ${format}${counted(result.rows, 'row')}, ${counted(result.payouts, 'payout')}`;
  return [title, ...lines, ...unnamedRailsText(result)].map(printable).join('\n');
}

/** Lines on the rails that were taken for rows that name none, if any. */
export function unnamedRailsText({ inferredRails, defaultRails }: Read): string[] {
  return [...railsText('rail inferred', inferredRails), ...railsText('rail by default', defaultRails)];
}

function railsText(title: string, unnamed: Read['inferredRails']): string[] {
  const [first, ...others] = unnamed;
  if (first === undefined) return [];
  const rows = unnamed.reduce((sum, { count }) => sum + count, 0);
  const rails =
    others.length === 0
      ? first.rail
      : unnamed.map(({ rail, count }) => `${rail} ${count.toLocaleString('en')}`).join(', ');
  return [`${title} for ${counted(rows, 'row')}: ${rails}`];
}

function outcomeText(result: Read, colour: boolean): string {
  const { errors, warnings } = result.problemCounts;
  const text = `${counted(errors, 'error')}, ${counted(warnings, 'warning')}`;
  if (errors > 0) return paint(`${text}: nothing would be sent.`, 'red', colour);
  return warnings > 0 ? paint(text, 'yellow', colour) : paint('No problems found.', 'green', colour);
}
