import type { RunState } from '../../domain/run/run-state.ts';
import { counted, printable } from '../../messages/text.ts';
import { remittancesOf } from '../../report/model/remittances.ts';
import type { ShowOutput } from '../commands/show/json.ts';

/** Rows that are named one by one; `show --json` has all. */
const NAMED_MAX = 20;

/** What `show` says of the advice to payees; nothing where the job tells them nothing, or nobody was told yet. */
export function remittanceText(run: RunState): string {
  const found = remittancesOf(run);
  if (found === null) return '';
  const { sent, refused, not_confirmed, waiting, without_address } = found;
  const parts = [`${counted(sent, 'payee')} told`];
  if (waiting > 0) parts.push(`${waiting} not yet${run.header?.rehearsal ? ' (a rehearsal tells none)' : ''}`);
  if (without_address > 0) parts.push(`${without_address} without a usable address`);
  const lines = [`remittance advice: ${parts.join(', ')}`];
  if (not_confirmed.length > 0) {
    const rows = not_confirmed.slice(0, NAMED_MAX).join(', ');
    const more = not_confirmed.length > NAMED_MAX ? ` and ${not_confirmed.length - NAMED_MAX} more` : '';
    lines.push(
      `  begun and not confirmed, and not sent again: ${not_confirmed.length === 1 ? 'row' : 'rows'} ${rows}${more}`,
    );
  }
  for (const { row, reason } of refused.slice(0, NAMED_MAX))
    lines.push(`  row ${row}: the mail server refused it: ${printable(reason)}`);
  if (refused.length > NAMED_MAX) lines.push(`  … and ${refused.length - NAMED_MAX} more were refused`);
  return `\n${lines.join('\n')}\n`;
}

/** What `show --json` says of it. */
export function remittanceJson(run: RunState): Pick<ShowOutput, 'remittance'> {
  const remittance = remittancesOf(run);
  return remittance === null ? {} : { remittance };
}
