import { z } from 'zod';
import { counted, listed } from '../../messages/text.ts';
import type { AuditEntry } from '../audit/audit-log.ts';
import type { PlanExtras } from './plan-view.ts';

/** The payouts of a plan that repeat what other runs paid, perhaps paid or are about to pay, and those runs. */
export type PaidBefore = { payouts: number; runs: string[]; how: string };

const CODE = 'paid_before';
const ORDER = ['paid', 'perhaps paid', 'taken up'];

/** The end of what is said of a row: names stand before it, and may be anything. */
const BY =
  /\bby run (R\d{8}-[0-9A-Z]{8}) of \d{4}-\d\d-\d\d(?:, a rehearsal)?(?:, and \d+ more)?(?:: it waits there)?\.$/;

/** What `show` says in `paid_before` of a plan; null where it pays nobody again, or was said to repeat that run. */
export function paidBeforeOf({ warnings, counts }: Pick<PlanExtras, 'warnings' | 'counts'>): PaidBefore | null {
  const found = warnings.filter(({ code }) => code === CODE).map(({ message }) => message);
  if (found.length === 0) return null;
  const runs = found.flatMap((message) => BY.exec(message)?.[1] ?? []);
  const hows = found.map((message): string =>
    message.endsWith('it waits there.') ? 'taken up' : message.includes(': perhaps, by ') ? 'perhaps paid' : 'paid',
  );
  const payouts = Math.max(counts[CODE] ?? 0, found.length);
  const how = `${payouts === 1 ? 'was' : 'were'} ${ORDER.filter((one) => hows.includes(one)).join(' or ')}`;
  return { payouts, runs: [...new Set(runs)], how };
}

/** The runs of which all who approved a plan said that they know what those paid, and that it is to be paid once more. */
export function knownToAll(acts: readonly Pick<AuditEntry, 'act' | 'details'>[]): string[] {
  const said = acts.filter(({ act }) => act === 'approved').map(({ details }) => ticked.safeParse(details).data);
  const [first, ...others] = said.map((one) => one?.paid_before.runs ?? []);
  return (first ?? []).filter((run) => others.every((runs) => runs.includes(run)));
}

const ticked = z.object({ paid_before: z.object({ runs: z.array(z.string()) }) });

/** What whoever approves it says that they know. */
export function paidBeforeText({ payouts, runs, how }: PaidBefore, of: number): string {
  return `I know that ${payouts.toLocaleString('en')} of the ${counted(of, 'payout')} ${how} by ${listed(runs)}, and ${payouts === 1 ? 'is' : 'are'} to be paid once more`;
}
