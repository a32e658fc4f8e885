import type { RunRow } from '../../domain/entry.ts';
import { LimitCount, payeeIdOf } from '../../domain/limits.ts';
import type { PayoutOrder } from '../../domain/payee.ts';
import type { Limits, PlannedConversions } from '../../domain/plan.ts';
import type { Fault } from '../../domain/problem.ts';
import { Refusal } from '../../domain/refusal.ts';
import { readAllowedPayees } from '../../job/allowed-payees.ts';
import type { Job } from '../../job/job.ts';
import { problemWords } from '../../messages/problems/problem-words.ts';

/** Rows that one refusal names. */
const NAMED_MAX = 20;

/** What a job allows its runs, with the payees of the file that it names. Throws a `Refusal` (`usage`) for that file. */
export function limitsOf(job: Job | null): Limits | null {
  if (job === null || job.limits === null) return null;
  const { only_payees: only, ...limits } = job.limits;
  const ids = only === null ? null : 'ids' in only ? only.ids : readAllowedPayees(only.file, job.limitsWhere);
  const only_payees = ids === null ? null : [...new Set(ids.map((payee_id) => payeeIdOf({ payee_id }) ?? ''))].sort();
  return { ...limits, only_payees, time_zone: job.schedule?.timeZone ?? 'UTC' };
}

/** Throws a `Refusal` (`refused`) that names what of a run exceeds the limits. `conversions`: where they are known. */
export function refuseExcess(
  limits: Limits | null,
  rows: Iterable<RunRow>,
  conversions: PlannedConversions | null = null,
): void {
  if (limits === null) return;
  const count = new LimitCount(limits, conversions);
  const remedies = new Set<string>();
  const wordsOf = (excess: Fault): string => {
    const { message, remedy } = problemWords(excess, 'command_line');
    remedies.add(remedy);
    return message;
  };
  const ofRows: string[] = [];
  const over = new Set<number>();
  for (const { order } of rows) {
    if (order === null) continue;
    for (const { fault } of count.add(order)) {
      over.add(order.row);
      ofRows.push(`Row ${order.row} (${who(order)}): ${wordsOf(fault)}`);
    }
  }
  const more = ofRows.length > NAMED_MAX ? [`… and ${ofRows.length - NAMED_MAX} more`] : [];
  const lines = [...ofRows.slice(0, NAMED_MAX), ...more, ...count.finish().map(wordsOf)];
  if (lines.length === 0) return;
  throw new Refusal('refused', [headline([...over]), ...lines].join('\n'), [...remedies].join('\n'));
}

function headline(rows: readonly number[]): string {
  const named = rows.slice(0, NAMED_MAX).join(', ');
  const more = rows.length > NAMED_MAX ? ` and ${rows.length - NAMED_MAX} more` : '';
  const which = rows.length === 0 ? '' : ` in ${rows.length === 1 ? 'row' : 'rows'} ${named}${more}`;
  return `The job does not allow what this run pays${which}. Nothing was sent.`;
}

function who({ payee: { name, payee_id } }: PayoutOrder): string {
  return payee_id === null ? name : `${name}, ${payee_id}`;
}
